"""The beta distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.dirichlet import Dirichlet
from corearray.frontend.torch.distributions.exp_family import ExponentialFamily
from corearray.frontend.torch.distributions.utils import broadcast_all
from corearray.frontend.torch.owner import torch_of

__all__ = ["Beta"]


class Beta(ExponentialFamily):
    """The beta distribution."""

    arg_constraints: ClassVar = {"concentration1": constraints.positive, "concentration0": constraints.positive}
    support = constraints.unit_interval
    has_rsample = True
    _batched: ClassVar = {"_dirichlet": 0}

    def __init__(self, concentration1: Any, concentration0: Any, validate_args: Any = None) -> None:
        both = broadcast_all(concentration1, concentration0)
        self._dirichlet = Dirichlet(torch_of(both[0]).stack(both, -1), validate_args=False)
        super().__init__(self._dirichlet.batch_shape, validate_args=validate_args)

    @property
    def concentration1(self) -> Any:
        """The first parameter."""
        return self._dirichlet.concentration[..., 0]

    @property
    def concentration0(self) -> Any:
        """The second parameter."""
        return self._dirichlet.concentration[..., 1]

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        return self._dirichlet.rsample(sample_shape)[..., 0]

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        self._checked(value)
        return self._dirichlet.log_prob(torch_of(value).stack([value, 1.0 - value], -1))

    def entropy(self) -> Any:
        """Return the entropy."""
        return self._dirichlet.entropy()

    @property
    def mean(self) -> Any:
        """The mean."""
        return self._dirichlet.mean[..., 0]

    @property
    def mode(self) -> Any:
        """The most likely value."""
        return self._dirichlet.mode[..., 0]

    @property
    def variance(self) -> Any:
        """The variance."""
        return self._dirichlet.variance[..., 0]

    @property
    def _natural_params(self) -> Any:
        return self.concentration1, self.concentration0

    def _log_normalizer(self, x: Any, y: Any) -> Any:
        return x.lgamma() + y.lgamma() - (x + y).lgamma()
