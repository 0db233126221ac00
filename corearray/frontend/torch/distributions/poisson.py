"""The Poisson distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.exp_family import ExponentialFamily
from corearray.frontend.torch.distributions.utils import broadcast_all
from corearray.frontend.torch.grad_mode import no_grad
from corearray.frontend.torch.owner import torch_of

__all__ = ["Poisson"]


class Poisson(ExponentialFamily):
    """The Poisson distribution of a rate."""

    arg_constraints: ClassVar = {"rate": constraints.nonnegative}
    support = constraints.nonnegative_integer
    _batched: ClassVar = {"rate": 0}

    def __init__(self, rate: Any, validate_args: Any = None) -> None:
        (self.rate,) = broadcast_all(rate)
        super().__init__(self.rate.shape, validate_args=validate_args)

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample."""
        with no_grad():
            shape = self._extended_shape(sample_shape)
            return torch_of(self.rate).poisson(self.rate.expand(*shape).contiguous())

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        self._checked(value)
        return torch_of(self.rate).xlogy(value, self.rate) - self.rate - (value + 1).lgamma()

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.rate

    @property
    def mode(self) -> Any:
        """The most likely value."""
        return self.rate.floor()

    @property
    def variance(self) -> Any:
        """The variance."""
        return self.rate

    @property
    def _natural_params(self) -> Any:
        return (self.rate.log(),)

    def _log_normalizer(self, x: Any) -> Any:
        return x.exp()
