"""The Bernoulli distribution."""

from __future__ import annotations

import math
from typing import Any

from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.exp_family import ExponentialFamily
from corearray.frontend.torch.distributions.of_probability import OfProbability
from corearray.frontend.torch.distributions.utils import broadcast_all, chosen
from corearray.frontend.torch.grad_mode import no_grad
from corearray.frontend.torch.owner import torch_of

__all__ = ["Bernoulli"]


class Bernoulli(OfProbability, ExponentialFamily):
    """One with a probability, zero otherwise."""

    support = constraints.boolean
    has_enumerate_support = True
    _mean_carrier_measure = 0

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: Any = None) -> None:
        self._take(probs, logits)
        super().__init__(self._param.shape, validate_args=validate_args)

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample."""
        with no_grad():
            return self.probs.expand(*self._extended_shape(sample_shape)).contiguous().bernoulli()

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        self._checked(value)
        logits, value = broadcast_all(self.logits, value)
        return -torch_of(logits).nn.functional.binary_cross_entropy_with_logits(logits, value, reduction="none")

    def entropy(self) -> Any:
        """Return the entropy."""
        functional = torch_of(self.logits).nn.functional
        return functional.binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none")

    def enumerate_support(self, expand: bool = True) -> Any:
        """Return all values, along a new first axis."""
        values = (
            torch_of(self._param)
            .arange(2, dtype=self._param.dtype, device=self._param.device)
            .reshape(2, *[1] * len(self.batch_shape))
        )
        return values.expand(2, *self.batch_shape) if expand else values

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.probs

    @property
    def mode(self) -> Any:
        """The most likely value."""
        found = (self.probs >= 0.5).to(self.probs.dtype)
        return chosen(self.probs == 0.5, math.nan, found)

    @property
    def variance(self) -> Any:
        """The variance."""
        return self.probs * (1 - self.probs)

    @property
    def _natural_params(self) -> Any:
        return (self.logits,)

    def _log_normalizer(self, x: Any) -> Any:
        return torch_of(x).nn.functional.softplus(x)
