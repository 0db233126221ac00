"""The gamma distribution."""

from __future__ import annotations

from typing import Any, ClassVar

import corearray as ca
from corearray.frontend.derivatives import with_derivative
from corearray.frontend.table import Rule
from corearray.frontend.torch.calling import called
from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.exp_family import ExponentialFamily
from corearray.frontend.torch.distributions.utils import broadcast_all
from corearray.frontend.torch.owner import torch_of
from corearray.frontend.torch.wrapper import Tensor

__all__ = ["Gamma", "gamma_numbers"]


def gamma_numbers(concentration: Any, shape: Any) -> Any:
    """Return numbers of the gamma distribution of rate one, with derivatives by their parameter."""

    def draw(alpha: ca.Array) -> ca.Array:
        wide = ca.broadcast_to(alpha, tuple(shape))
        drawn = ca.random.default_generator().gamma(ca.stop_gradient(wide), dtype=alpha.dtype)
        drawn = ca.maximum(drawn, float(ca.finfo(alpha.dtype).smallest_normal))

        def slopes(given: Any, _: Any, cotangents: Any) -> Any:
            return cotangents[0] * _slope(*given), ca.zeros_like(given[1])

        made: ca.Array = with_derivative(lambda _, sample: (sample * 1,), slopes, (wide, drawn))[0]
        return made

    rule = Rule("torch._standard_gamma", lambda: draw)
    return called(torch_of(concentration).Tensor, rule, (concentration,), {})


def _slope(alpha: ca.Array, sample: ca.Array) -> ca.Array:
    """Return the derivative of a sample: minus that of the distribution function by the parameter, over the density."""
    a, x = ca.astype(alpha, ca.float64), ca.astype(sample, ca.float64)
    share, back = ca.vjp(lambda parameter: ca.igamma(parameter, x), a)
    (by_parameter,) = back(ca.ones_like(share))
    density = ca.exp((a - 1) * ca.log(x) - x - ca.lgamma(a))
    return ca.astype(-by_parameter / density, sample.dtype)


class Gamma(ExponentialFamily):
    """The gamma distribution of a shape `concentration` and a `rate`."""

    arg_constraints: ClassVar = {"concentration": constraints.positive, "rate": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    _mean_carrier_measure = 0
    _batched: ClassVar = {"concentration": 0, "rate": 0}

    def __init__(self, concentration: Any, rate: Any, validate_args: Any = None) -> None:
        self.concentration, self.rate = broadcast_all(concentration, rate)
        super().__init__(self.concentration.shape, validate_args=validate_args)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        return gamma_numbers(self.concentration, self._extended_shape(sample_shape)) / self.rate

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        torch, a = torch_of(self.rate), self.concentration
        value = torch.as_tensor(value, dtype=self.rate.dtype) if not isinstance(value, Tensor) else value
        self._checked(value)
        return torch.xlogy(a, self.rate) + torch.xlogy(a - 1, value) - self.rate * value - a.lgamma()

    def entropy(self) -> Any:
        """Return the entropy."""
        a = self.concentration
        return a - self.rate.log() + a.lgamma() + (1.0 - a) * a.digamma()

    def cdf(self, value: Any) -> Any:
        """Return the probability of values up to this one."""
        self._checked(value)
        return torch_of(self.rate).special.gammainc(self.concentration, self.rate * value)

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.concentration / self.rate

    @property
    def mode(self) -> Any:
        """The most likely value."""
        return ((self.concentration - 1) / self.rate).clamp(min=0)

    @property
    def variance(self) -> Any:
        """The variance."""
        return self.concentration / self.rate**2

    @property
    def _natural_params(self) -> Any:
        return self.concentration - 1, -self.rate

    def _log_normalizer(self, x: Any, y: Any) -> Any:
        return (x + 1).lgamma() - (x + 1) * (-y).log()
