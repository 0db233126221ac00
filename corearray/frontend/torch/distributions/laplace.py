"""The Laplace distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.distribution import Distribution
from corearray.frontend.torch.distributions.utils import broadcast_all, uniform_numbers

__all__ = ["Laplace"]


class Laplace(Distribution):
    """The Laplace distribution."""

    arg_constraints: ClassVar = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True
    _batched: ClassVar = {"loc": 0, "scale": 0}

    def __init__(self, loc: Any, scale: Any, validate_args: Any = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.shape, validate_args=validate_args)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        u = 2 * uniform_numbers(self.loc, self._extended_shape(sample_shape)) - 1
        return self.loc - self.scale * u.sign() * (-u.abs()).log1p()

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        self._checked(value)
        return -(2 * self.scale).log() - (value - self.loc).abs() / self.scale

    def entropy(self) -> Any:
        """Return the entropy."""
        return 1 + (2 * self.scale).log()

    def cdf(self, value: Any) -> Any:
        """Return the probability of values up to this one."""
        self._checked(value)
        x = value - self.loc
        return 0.5 - 0.5 * x.sign() * (-x.abs() / self.scale).expm1()

    def icdf(self, value: Any) -> Any:
        """Return the inverse of `cdf`."""
        x = value - 0.5
        return self.loc - self.scale * x.sign() * (-2 * x.abs()).log1p()

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.loc

    @property
    def mode(self) -> Any:
        """The most likely value."""
        return self.loc

    @property
    def variance(self) -> Any:
        """The variance."""
        return 2 * self.scale**2
