"""The normal distribution."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.exp_family import ExponentialFamily
from corearray.frontend.torch.distributions.utils import broadcast_all, standard_normal

__all__ = ["Normal"]


class Normal(ExponentialFamily):
    """The normal distribution of mean `loc` and standard deviation `scale`."""

    arg_constraints: ClassVar = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True
    _mean_carrier_measure = 0
    _batched: ClassVar = {"loc": 0, "scale": 0}

    def __init__(self, loc: Any, scale: Any, validate_args: Any = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.shape, validate_args=validate_args)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        return self.loc + standard_normal(self.loc, self._extended_shape(sample_shape)) * self.scale

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        self._checked(value)
        return -((value - self.loc) ** 2) / (2 * self.scale**2) - self.scale.log() - 0.5 * math.log(2 * math.pi)

    def entropy(self) -> Any:
        """Return the entropy."""
        return 0.5 + 0.5 * math.log(2 * math.pi) + self.scale.log()

    def cdf(self, value: Any) -> Any:
        """Return the probability of values up to this one."""
        self._checked(value)
        return 0.5 * (1 + ((value - self.loc) / (self.scale * math.sqrt(2))).erf())

    def icdf(self, value: Any) -> Any:
        """Return the inverse of `cdf`."""
        return self.loc + self.scale * (2 * value - 1).erfinv() * math.sqrt(2)

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.loc

    @property
    def mode(self) -> Any:
        """The most likely value."""
        return self.loc

    @property
    def stddev(self) -> Any:
        """The standard deviation."""
        return self.scale

    @property
    def variance(self) -> Any:
        """The variance."""
        return self.scale**2

    @property
    def _natural_params(self) -> Any:
        return self.loc / self.scale**2, -0.5 / self.scale**2

    def _log_normalizer(self, x: Any, y: Any) -> Any:
        return -0.25 * x**2 / y + 0.5 * (-math.pi / y).log()
