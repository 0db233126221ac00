"""The Cauchy distribution."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.distribution import Distribution
from corearray.frontend.torch.distributions.utils import broadcast_all, filled, uniform_numbers

__all__ = ["Cauchy"]


class Cauchy(Distribution):
    """The Cauchy distribution."""

    arg_constraints: ClassVar = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True
    _batched: ClassVar = {"loc": 0, "scale": 0}

    def __init__(self, loc: Any, scale: Any, validate_args: Any = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.shape, validate_args=validate_args)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        return self.icdf(uniform_numbers(self.loc, self._extended_shape(sample_shape)))

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        self._checked(value)
        return -math.log(math.pi) - self.scale.log() - (((value - self.loc) / self.scale) ** 2).log1p()

    def entropy(self) -> Any:
        """Return the entropy."""
        return math.log(4 * math.pi) + self.scale.log()

    def cdf(self, value: Any) -> Any:
        """Return the probability of values up to this one."""
        self._checked(value)
        return ((value - self.loc) / self.scale).atan() / math.pi + 0.5

    def icdf(self, value: Any) -> Any:
        """Return the inverse of `cdf`."""
        return ((value - 0.5) * math.pi).tan() * self.scale + self.loc

    @property
    def mean(self) -> Any:
        """The mean."""
        return filled(self.loc, self._extended_shape(), math.nan)

    @property
    def mode(self) -> Any:
        """The most likely value."""
        return self.loc

    @property
    def variance(self) -> Any:
        """The variance."""
        return filled(self.loc, self._extended_shape(), math.inf)
