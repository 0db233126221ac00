"""The continuous Bernoulli distribution."""

from __future__ import annotations

import math
from typing import Any

from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.exp_family import ExponentialFamily
from corearray.frontend.torch.distributions.of_probability import OfProbability
from corearray.frontend.torch.distributions.utils import (
    broadcast_all,
    chosen,
    clamp_probs,
    lazy_property,
    logits_to_probs,
)
from corearray.frontend.torch.owner import torch_of

__all__ = ["ContinuousBernoulli"]


class ContinuousBernoulli(OfProbability, ExponentialFamily):
    """The distribution on zero to one whose density is proportional to `probs**x * (1 - probs)**(1 - x)`.

    Between the two numbers `lims` around one half, where the formulas divide zero by zero, their series are taken.

    Source: Loaiza-Ganem and Cunningham, The continuous Bernoulli: fixing a pervasive error in variational autoencoders, 2019.
    """

    support = constraints.unit_interval
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(
        self, probs: Any = None, logits: Any = None, lims: tuple[float, float] = (0.499, 0.501), validate_args: Any = None
    ) -> None:  # fmt: skip
        self._take(probs, logits)
        self._lims = lims
        super().__init__(self._param.shape, validate_args=validate_args)
        if probs is not None:
            self.probs = clamp_probs(self.probs)

    @lazy_property
    def probs(self) -> Any:
        """The probabilities."""
        return clamp_probs(logits_to_probs(self.logits, is_binary=True))

    def _parts(self) -> tuple[Any, Any, Any]:
        """Return where the formulas hold, probabilities for them, and the distance to one half for the series."""
        apart = (self.probs <= self._lims[0]) | (self.probs > self._lims[1])
        return apart, chosen(apart, self.probs, self._lims[0]), self.probs - 0.5

    def _cont_bern_log_norm(self) -> Any:
        """Return the logarithm of the factor of the density."""
        apart, p, x = self._parts()
        found = ((-p).log1p() - p.log()).abs().log() - (1 - 2.0 * p).abs().log()
        return chosen(apart, found, math.log(2.0) + (4.0 / 3.0 + 104.0 / 45.0 * x**2) * x**2)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        return self.icdf(
            torch_of(self.probs).rand(
                *self._extended_shape(sample_shape), dtype=self.probs.dtype, device=self.probs.device
            )
        )

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        self._checked(value)
        logits, value = broadcast_all(self.logits, value)
        entropy = torch_of(logits).nn.functional.binary_cross_entropy_with_logits(logits, value, reduction="none")
        return self._cont_bern_log_norm() - entropy

    def cdf(self, value: Any) -> Any:
        """Return the probability of values up to this one."""
        self._checked(value)
        apart, p, _ = self._parts()
        found = (p.pow(value) * (1.0 - p).pow(1.0 - value) + p - 1.0) / (2.0 * p - 1.0)
        return chosen(apart, found, value).clamp(min=0, max=1)

    def icdf(self, value: Any) -> Any:
        """Return the inverse of `cdf`."""
        apart, p, _ = self._parts()
        low = (-p).log1p()
        return chosen(apart, ((value * (2.0 * p - 1.0) - p).log1p() - low) / (p.log() - low), value)

    def entropy(self) -> Any:
        """Return the entropy."""
        low, high = (-self.probs).log1p(), self.probs.log()
        return self.mean * (low - high) - self._cont_bern_log_norm() - low

    @property
    def mean(self) -> Any:
        """The mean."""
        apart, p, x = self._parts()
        found = p / (2.0 * p - 1.0) + 1.0 / ((-p).log1p() - p.log())
        return chosen(apart, found, 0.5 + (1.0 / 3.0 + 16.0 / 45.0 * x**2) * x)

    @property
    def variance(self) -> Any:
        """The variance."""
        apart, p, x = self._parts()
        found = p * (p - 1.0) / (1.0 - 2.0 * p) ** 2 + 1.0 / ((-p).log1p() - p.log()) ** 2
        return chosen(apart, found, 1.0 / 12.0 - (1.0 / 15.0 - 128.0 / 945.0 * x**2) * x**2)

    @property
    def _natural_params(self) -> Any:
        return (self.logits,)

    def _log_normalizer(self, x: Any) -> Any:
        apart = (x <= self._lims[0] - 0.5) | (x > self._lims[1] - 0.5)
        given = chosen(apart, x, self._lims[0] - 0.5)
        series = 0.5 * x + x**2 / 24.0 - x**4 / 2880.0
        return chosen(apart, given.expm1().abs().log() - given.abs().log(), series)
