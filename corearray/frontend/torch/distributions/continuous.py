"""Distributions of real numbers.

Source: https://docs.pytorch.org/docs/stable/distributions.html
"""

from __future__ import annotations

import math
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayValueError
from corearray.frontend.torch.distributions.base import Distribution, broadcast, torch_of

__all__ = [
    "Cauchy", "Exponential", "Gumbel", "HalfNormal", "Laplace", "LogNormal", "MultivariateNormal", "Normal", "Uniform",
    "normal_numbers",
]  # fmt: skip

_LOG_ROOT = 0.5 * math.log(2 * math.pi)


def normal_numbers(like: Any, shape: Any) -> Any:
    """Return normal numbers of a tensor's dtype."""
    return torch_of(like).randn(*shape, dtype=like.dtype)


def _uniform(like: Any, shape: Any) -> Any:
    """Return uniform numbers between zero and one, neither included."""
    tiny = float(ca.finfo(like.dtype).smallest_normal)
    return torch_of(like).rand(*shape, dtype=like.dtype).clamp(min=tiny, max=1 - float(ca.finfo(like.dtype).eps) / 2)


class Normal(Distribution):
    """The normal distribution of mean `loc` and standard deviation `scale`."""

    has_rsample = True

    def __init__(self, loc: Any, scale: Any, validate_args: Any = None) -> None:
        self.loc, self.scale = broadcast(loc, scale)
        super().__init__(self.loc.shape)
        self._need("scale", self.scale, self.scale > 0)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        return self.loc + normal_numbers(self.loc, self._extended(sample_shape)) * self.scale

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        return -((value - self.loc) ** 2) / (2 * self.scale**2) - self.scale.log() - _LOG_ROOT

    def entropy(self) -> Any:
        """Return the entropy."""
        return 0.5 + _LOG_ROOT + self.scale.log()

    def cdf(self, value: Any) -> Any:
        """Return the probability of values up to this one."""
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
    def variance(self) -> Any:
        """The variance."""
        return self.scale**2


class LogNormal(Normal):
    """The distribution of `exp(x)`, with `x` of a normal one."""

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        return super().rsample(sample_shape).exp()

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        return super().log_prob(value.log()) - value.log()

    def entropy(self) -> Any:
        """Return the entropy."""
        return super().entropy() + self.loc

    def cdf(self, value: Any) -> Any:
        """Return the probability of values up to this one."""
        return super().cdf(value.log())

    def icdf(self, value: Any) -> Any:
        """Return the inverse of `cdf`."""
        return super().icdf(value).exp()

    @property
    def mean(self) -> Any:
        """The mean."""
        return (self.loc + self.scale**2 / 2).exp()

    @property
    def variance(self) -> Any:
        """The variance."""
        return (self.scale**2).expm1() * (2 * self.loc + self.scale**2).exp()


class HalfNormal(Distribution):
    """The distribution of the absolute value of a normal number of mean zero."""

    has_rsample = True

    def __init__(self, scale: Any, validate_args: Any = None) -> None:
        self._base = Normal(0.0, scale)
        self.scale = self._base.scale
        super().__init__(self.scale.shape)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        return self._base.rsample(sample_shape).abs()

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        found = self._base.log_prob(value) + math.log(2)
        return torch_of(value).where(value >= 0, found, -math.inf)

    def entropy(self) -> Any:
        """Return the entropy."""
        return self._base.entropy() - math.log(2)

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.scale * math.sqrt(2 / math.pi)

    @property
    def variance(self) -> Any:
        """The variance."""
        return self.scale**2 * (1 - 2 / math.pi)


class Uniform(Distribution):
    """The uniform distribution from `low` to below `high`."""

    has_rsample = True

    def __init__(self, low: Any, high: Any, validate_args: Any = None) -> None:
        self.low, self.high = broadcast(low, high)
        super().__init__(self.low.shape)
        self._need("high", self.high, self.high > self.low)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        torch = torch_of(self.low)
        return self.low + torch.rand(*self._extended(sample_shape), dtype=self.low.dtype) * (self.high - self.low)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        inside = (self.low <= value) & (self.high > value)
        return inside.to(self.low.dtype).log() - (self.high - self.low).log()

    def entropy(self) -> Any:
        """Return the entropy."""
        return (self.high - self.low).log()

    def cdf(self, value: Any) -> Any:
        """Return the probability of values up to this one."""
        return ((value - self.low) / (self.high - self.low)).clamp(min=0, max=1)

    def icdf(self, value: Any) -> Any:
        """Return the inverse of `cdf`."""
        return value * (self.high - self.low) + self.low

    @property
    def mean(self) -> Any:
        """The mean."""
        return (self.high + self.low) / 2

    @property
    def variance(self) -> Any:
        """The variance."""
        return (self.high - self.low) ** 2 / 12


class Exponential(Distribution):
    """The exponential distribution of a rate."""

    has_rsample = True

    def __init__(self, rate: Any, validate_args: Any = None) -> None:
        (self.rate,) = broadcast(rate)
        super().__init__(self.rate.shape)
        self._need("rate", self.rate, self.rate > 0)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        return -_uniform(self.rate, self._extended(sample_shape)).log() / self.rate

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        return self.rate.log() - self.rate * value

    def entropy(self) -> Any:
        """Return the entropy."""
        return 1.0 - self.rate.log()

    def cdf(self, value: Any) -> Any:
        """Return the probability of values up to this one."""
        return 1 - (-self.rate * value).exp()

    def icdf(self, value: Any) -> Any:
        """Return the inverse of `cdf`."""
        return -(-value).log1p() / self.rate

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.rate.reciprocal()

    @property
    def variance(self) -> Any:
        """The variance."""
        return self.rate.pow(-2)


class Laplace(Distribution):
    """The Laplace distribution."""

    has_rsample = True

    def __init__(self, loc: Any, scale: Any, validate_args: Any = None) -> None:
        self.loc, self.scale = broadcast(loc, scale)
        super().__init__(self.loc.shape)
        self._need("scale", self.scale, self.scale > 0)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        u = 2 * _uniform(self.loc, self._extended(sample_shape)) - 1
        return self.loc - self.scale * u.sign() * (-u.abs()).log1p()

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        return -(2 * self.scale).log() - (value - self.loc).abs() / self.scale

    def entropy(self) -> Any:
        """Return the entropy."""
        return 1 + (2 * self.scale).log()

    def cdf(self, value: Any) -> Any:
        """Return the probability of values up to this one."""
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
    def variance(self) -> Any:
        """The variance."""
        return 2 * self.scale**2


class Cauchy(Distribution):
    """The Cauchy distribution."""

    has_rsample = True

    def __init__(self, loc: Any, scale: Any, validate_args: Any = None) -> None:
        self.loc, self.scale = broadcast(loc, scale)
        super().__init__(self.loc.shape)
        self._need("scale", self.scale, self.scale > 0)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        u = _uniform(self.loc, self._extended(sample_shape))
        return self.loc + self.scale * ((u - 0.5) * math.pi).tan()

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        return -math.log(math.pi) - self.scale.log() - (((value - self.loc) / self.scale) ** 2).log1p()

    def entropy(self) -> Any:
        """Return the entropy."""
        return math.log(4 * math.pi) + self.scale.log()

    def cdf(self, value: Any) -> Any:
        """Return the probability of values up to this one."""
        return ((value - self.loc) / self.scale).atan() / math.pi + 0.5


class Gumbel(Distribution):
    """The Gumbel distribution."""

    has_rsample = True

    def __init__(self, loc: Any, scale: Any, validate_args: Any = None) -> None:
        self.loc, self.scale = broadcast(loc, scale)
        super().__init__(self.loc.shape)
        self._need("scale", self.scale, self.scale > 0)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        return self.loc - self.scale * (-_uniform(self.loc, self._extended(sample_shape)).log()).log()

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        y = (self.loc - value) / self.scale
        return (y - y.exp()) - self.scale.log()

    def entropy(self) -> Any:
        """Return the entropy."""
        return self.scale.log() + (1 + 0.5772156649015329)

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.loc + self.scale * 0.5772156649015329

    @property
    def variance(self) -> Any:
        """The variance."""
        return (math.pi**2 / 6) * self.scale**2


class MultivariateNormal(Distribution):
    """The normal distribution of vectors, by its covariance, the inverse of that, or its Cholesky factor."""

    has_rsample = True

    def __init__(
        self, loc: Any, covariance_matrix: Any = None, precision_matrix: Any = None, scale_tril: Any = None,
        validate_args: Any = None,
    ) -> None:  # fmt: skip
        torch = torch_of(loc)
        given = [x for x in (covariance_matrix, precision_matrix, scale_tril) if x is not None]
        if len(given) != 1:
            raise CoreArrayValueError(
                "Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified."
            )
        if scale_tril is None:
            matrix = covariance_matrix if precision_matrix is None else torch.linalg.inv(precision_matrix)
            scale_tril = torch.linalg.cholesky(matrix)
        batch = torch.broadcast_shapes(loc.shape[:-1], scale_tril.shape[:-2])
        size = scale_tril.shape[-1]
        self.loc, self.scale_tril = loc.expand(*batch, size), scale_tril.expand(*batch, size, size)
        super().__init__(batch, (size,))

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        drawn = normal_numbers(self.loc, self._extended(sample_shape))
        return self.loc + (self.scale_tril @ drawn.unsqueeze(-1)).squeeze(-1)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        torch = torch_of(self.loc)
        difference = (value - self.loc).unsqueeze(-1)
        solved = torch.linalg.solve_triangular(self.scale_tril, difference, upper=False)
        return -0.5 * (solved.squeeze(-1) ** 2).sum(-1) - self.half_log_det() - self.event_shape[0] * _LOG_ROOT

    def half_log_det(self) -> Any:
        """Return the logarithm of the root of the covariance's determinant."""
        return self.scale_tril.diagonal(dim1=-2, dim2=-1).log().sum(-1)

    def entropy(self) -> Any:
        """Return the entropy."""
        return self.event_shape[0] * (0.5 + _LOG_ROOT) + self.half_log_det()

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.loc

    @property
    def covariance_matrix(self) -> Any:
        """The covariance."""
        return self.scale_tril @ self.scale_tril.transpose(-2, -1)

    @property
    def variance(self) -> Any:
        """The variance."""
        return (self.scale_tril**2).sum(-1)
