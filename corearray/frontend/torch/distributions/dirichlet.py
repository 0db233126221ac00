"""The Dirichlet distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from corearray.errors import CoreArrayValueError
from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.exp_family import ExponentialFamily
from corearray.frontend.torch.distributions.gamma import gamma_numbers
from corearray.frontend.torch.distributions.utils import broadcast_all, chosen
from corearray.frontend.torch.owner import torch_of

__all__ = ["Dirichlet"]


class Dirichlet(ExponentialFamily):
    """The Dirichlet distribution over probabilities along the last axis."""

    arg_constraints: ClassVar = {"concentration": constraints.independent(constraints.positive, 1)}
    support = constraints.simplex
    has_rsample = True
    _batched: ClassVar = {"concentration": 1}

    def __init__(self, concentration: Any, validate_args: Any = None) -> None:
        (self.concentration,) = broadcast_all(concentration)
        if self.concentration.dim() < 1:
            raise CoreArrayValueError("`concentration` parameter must be at least one-dimensional.")
        shape = self.concentration.shape
        super().__init__(shape[:-1], shape[-1:], validate_args)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        drawn = gamma_numbers(self.concentration, self._extended_shape(sample_shape))
        return drawn / drawn.sum(-1, keepdim=True)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        self._checked(value)
        a = self.concentration
        return torch_of(a).xlogy(a - 1.0, value).sum(-1) + a.sum(-1).lgamma() - a.lgamma().sum(-1)

    def entropy(self) -> Any:
        """Return the entropy."""
        a, count = self.concentration, self.concentration.shape[-1]
        total = a.sum(-1)
        found = a.lgamma().sum(-1) - total.lgamma() - (count - total) * total.digamma()
        return found - ((a - 1.0) * a.digamma()).sum(-1)

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.concentration / self.concentration.sum(-1, keepdim=True)

    @property
    def mode(self) -> Any:
        """The most likely value."""
        a = self.concentration
        above = (a - 1).clamp(min=0.0)
        corner = torch_of(a).nn.functional.one_hot(above.argmax(-1), a.shape[-1]).to(a.dtype)
        return chosen((a < 1).all(-1, keepdim=True), corner, above / above.sum(-1, keepdim=True))

    @property
    def variance(self) -> Any:
        """The variance."""
        total = self.concentration.sum(-1, keepdim=True)
        return self.concentration * (total - self.concentration) / (total.pow(2) * (total + 1))

    @property
    def _natural_params(self) -> Any:
        return (self.concentration,)

    def _log_normalizer(self, x: Any) -> Any:
        return x.lgamma().sum(-1) - x.sum(-1).lgamma()
