"""The gamma distribution and those that are made of it: beta, Dirichlet, chi-square and Student's.

Source: https://docs.pytorch.org/docs/stable/distributions.html
"""

from __future__ import annotations

import math
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayValueError
from corearray.frontend.derivatives import with_derivative
from corearray.frontend.table import Rule
from corearray.frontend.torch.calling import called
from corearray.frontend.torch.distributions.base import Distribution, broadcast, torch_of
from corearray.frontend.torch.distributions.continuous import normal_numbers

__all__ = ["Beta", "Chi2", "Dirichlet", "Gamma", "StudentT"]


def _gamma(concentration: Any, shape: Any) -> Any:
    """Return numbers of the gamma distribution of rate one, with derivatives by their parameter."""

    def draw(alpha: ca.Array) -> ca.Array:
        wide = ca.broadcast_to(alpha, tuple(shape))
        drawn = ca.random.default_generator().gamma(ca.stop_gradient(wide), dtype=alpha.dtype)
        drawn = ca.maximum(drawn, float(ca.finfo(alpha.dtype).smallest_normal))

        def slopes(given: Any, _: Any, cotangents: Any) -> Any:
            return cotangents[0] * _slope_of_gamma(*given), ca.zeros_like(given[1])

        made: ca.Array = with_derivative(lambda _, sample: (sample * 1,), slopes, (wide, drawn))[0]
        return made

    rule = Rule("torch._standard_gamma", lambda: draw)
    return called(torch_of(concentration).Tensor, rule, (concentration,), {})


def _slope_of_gamma(alpha: ca.Array, sample: ca.Array) -> ca.Array:
    """Return the derivative of a sample: minus that of the distribution function by the parameter, over the density."""
    a, x = ca.astype(alpha, ca.float64), ca.astype(sample, ca.float64)
    share, back = ca.vjp(lambda parameter: ca.igamma(parameter, x), a)
    (by_parameter,) = back(ca.ones_like(share))
    density = ca.exp((a - 1) * ca.log(x) - x - ca.lgamma(a))
    return ca.astype(-by_parameter / density, sample.dtype)


class Gamma(Distribution):
    """The gamma distribution of a shape `concentration` and a `rate`."""

    has_rsample = True

    def __init__(self, concentration: Any, rate: Any, validate_args: Any = None) -> None:
        self.concentration, self.rate = broadcast(concentration, rate)
        super().__init__(self.concentration.shape)
        self._need("concentration", self.concentration, self.concentration > 0)
        self._need("rate", self.rate, self.rate > 0)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        return _gamma(self.concentration, self._extended(sample_shape)) / self.rate

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        torch, a = torch_of(self.rate), self.concentration
        value = torch.as_tensor(value, dtype=self.rate.dtype) if not hasattr(value, "array") else value
        return torch.xlogy(a, self.rate) + torch.xlogy(a - 1, value) - self.rate * value - a.lgamma()

    def entropy(self) -> Any:
        """Return the entropy."""
        a = self.concentration
        return a - self.rate.log() + a.lgamma() + (1.0 - a) * a.digamma()

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.concentration / self.rate

    @property
    def variance(self) -> Any:
        """The variance."""
        return self.concentration / self.rate**2


class Chi2(Gamma):
    """The chi-square distribution of `df` degrees of freedom."""

    def __init__(self, df: Any, validate_args: Any = None) -> None:
        (self.df,) = broadcast(df)
        super().__init__(0.5 * self.df, 0.5)


class StudentT(Distribution):
    """Student's distribution of `df` degrees of freedom."""

    has_rsample = True

    def __init__(self, df: Any, loc: Any = 0.0, scale: Any = 1.0, validate_args: Any = None) -> None:
        self.df, self.loc, self.scale = broadcast(df, loc, scale)
        super().__init__(self.df.shape)
        self._need("scale", self.scale, self.scale > 0)
        self._need("df", self.df, self.df > 0)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        x = normal_numbers(self.loc, self._extended(sample_shape))
        z = Chi2(self.df).rsample(sample_shape)
        return self.loc + self.scale * x * (z / self.df).rsqrt()

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        y = (value - self.loc) / self.scale
        norm = self.scale.log() + 0.5 * self.df.log() + 0.5 * math.log(math.pi)
        norm = norm + (0.5 * self.df).lgamma() - (0.5 * (self.df + 1.0)).lgamma()
        return -0.5 * (self.df + 1.0) * (y**2.0 / self.df).log1p() - norm


class Dirichlet(Distribution):
    """The Dirichlet distribution over probabilities along the last axis."""

    has_rsample = True

    def __init__(self, concentration: Any, validate_args: Any = None) -> None:
        (self.concentration,) = broadcast(concentration)
        if self.concentration.dim() < 1:
            raise CoreArrayValueError("`concentration` parameter must be at least one-dimensional.")
        super().__init__(self.concentration.shape[:-1], self.concentration.shape[-1:])
        self._need("concentration", self.concentration, self.concentration > 0)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        drawn = _gamma(self.concentration, self._extended(sample_shape))
        return drawn / drawn.sum(-1, keepdim=True)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
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
    def variance(self) -> Any:
        """The variance."""
        total = self.concentration.sum(-1, keepdim=True)
        return self.concentration * (total - self.concentration) / (total.pow(2) * (total + 1))


class Beta(Distribution):
    """The beta distribution."""

    has_rsample = True

    def __init__(self, concentration1: Any, concentration0: Any, validate_args: Any = None) -> None:
        self.concentration1, self.concentration0 = broadcast(concentration1, concentration0)
        self._both = Dirichlet(torch_of(self.concentration1).stack([self.concentration1, self.concentration0], -1))
        super().__init__(self.concentration1.shape)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        return self._both.rsample(sample_shape)[..., 0]

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        return self._both.log_prob(torch_of(value).stack([value, 1.0 - value], -1))

    def entropy(self) -> Any:
        """Return the entropy."""
        return self._both.entropy()

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.concentration1 / (self.concentration1 + self.concentration0)

    @property
    def variance(self) -> Any:
        """The variance."""
        total = self.concentration1 + self.concentration0
        return self.concentration1 * self.concentration0 / (total.pow(2) * (total + 1))
