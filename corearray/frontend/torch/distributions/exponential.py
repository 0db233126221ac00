"""The exponential distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.exp_family import ExponentialFamily
from corearray.frontend.torch.distributions.utils import broadcast_all, uniform_numbers
from corearray.frontend.torch.owner import torch_of

__all__ = ["Exponential"]


class Exponential(ExponentialFamily):
    """The exponential distribution of a rate."""

    arg_constraints: ClassVar = {"rate": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    _mean_carrier_measure = 0
    _batched: ClassVar = {"rate": 0}

    def __init__(self, rate: Any, validate_args: Any = None) -> None:
        (self.rate,) = broadcast_all(rate)
        super().__init__(self.rate.shape, validate_args=validate_args)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        return -uniform_numbers(self.rate, self._extended_shape(sample_shape)).log() / self.rate

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        self._checked(value)
        return self.rate.log() - self.rate * value

    def entropy(self) -> Any:
        """Return the entropy."""
        return 1.0 - self.rate.log()

    def cdf(self, value: Any) -> Any:
        """Return the probability of values up to this one."""
        self._checked(value)
        return 1 - (-self.rate * value).exp()

    def icdf(self, value: Any) -> Any:
        """Return the inverse of `cdf`."""
        return -(-value).log1p() / self.rate

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.rate.reciprocal()

    @property
    def mode(self) -> Any:
        """The most likely value."""
        return torch_of(self.rate).zeros_like(self.rate)

    @property
    def variance(self) -> Any:
        """The variance."""
        return self.rate.pow(-2)

    @property
    def _natural_params(self) -> Any:
        return (-self.rate,)

    def _log_normalizer(self, x: Any) -> Any:
        return -(-x).log()
