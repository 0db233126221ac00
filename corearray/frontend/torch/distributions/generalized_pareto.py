"""The generalised Pareto distribution."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.distribution import Distribution
from corearray.frontend.torch.distributions.utils import broadcast_all, chosen
from corearray.frontend.torch.owner import torch_of

__all__ = ["GeneralizedPareto"]


class GeneralizedPareto(Distribution):
    """The generalised Pareto distribution; of `concentration` zero it is an exponential one."""

    arg_constraints: ClassVar = {
        "loc": constraints.real, "scale": constraints.positive, "concentration": constraints.real
    }  # fmt: skip
    has_rsample = True
    _batched: ClassVar = {"loc": 0, "scale": 0, "concentration": 0}

    def __init__(self, loc: Any, scale: Any, concentration: Any, validate_args: Any = None) -> None:
        self.loc, self.scale, self.concentration = broadcast_all(loc, scale, concentration)
        super().__init__(self.loc.shape, validate_args=validate_args)

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> Any:
        """The region of the values."""
        above = self.loc - self.scale / self.concentration
        return constraints.interval(self.loc, chosen(self.concentration < 0, above, math.inf))

    def _shape(self) -> tuple[Any, Any]:
        """Return where the concentration is zero, and one that is not, to divide by."""
        zero = self.concentration.abs() <= 1e-8
        return zero, chosen(zero, 1.0, self.concentration)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        drawn = torch_of(self.loc).rand(
            *self._extended_shape(sample_shape), dtype=self.loc.dtype, device=self.loc.device
        )
        return self.icdf(drawn)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        self._checked(value)
        zero, shape = self._shape()
        z = (value - self.loc) / self.scale
        power = 1 / shape + 1
        return -self.scale.log() - chosen(zero, z, chosen(power == 0, 0.0, power * (shape * z).log1p()))

    def log_survival_function(self, value: Any) -> Any:
        """Return the logarithm of the probability of values above this one."""
        self._checked(value)
        zero, shape = self._shape()
        z = (value - self.loc) / self.scale
        return -chosen(zero, z, (shape * z).log1p() / shape)

    def log_cdf(self, value: Any) -> Any:
        """Return the logarithm of `cdf`."""
        return (-self.log_survival_function(value).exp()).log1p()

    def cdf(self, value: Any) -> Any:
        """Return the probability of values up to this one."""
        return self.log_cdf(value).exp()

    def icdf(self, value: Any) -> Any:
        """Return the inverse of `cdf`."""
        zero, shape = self._shape()
        left = (-value).log1p()
        return self.loc + self.scale * chosen(zero, -left, (-shape * left).expm1() / shape)

    def entropy(self) -> Any:
        """Return the entropy."""
        return self.scale.log() + self.concentration + 1

    @property
    def mean(self) -> Any:
        """The mean."""
        known = self.concentration < 1
        found = self.loc + self.scale / (1 - chosen(known, self.concentration, 0.0))
        return chosen(known, found, math.nan)

    @property
    def mode(self) -> Any:
        """The most likely value."""
        return self.loc

    @property
    def variance(self) -> Any:
        """The variance."""
        known = self.concentration < 0.5
        shape = chosen(known, self.concentration, 0.0)
        return chosen(known, self.scale**2 / ((1 - shape) ** 2 * (1 - 2 * shape)), math.nan)
