"""The choice among some categories."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import corearray as ca
from corearray.errors import CoreArrayValueError
from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.distribution import Distribution
from corearray.frontend.torch.distributions.utils import (
    broadcast_all,
    filled,
    lazy_property,
    logits_to_probs,
    need_one,
    probs_to_logits,
)
from corearray.frontend.torch.grad_mode import no_grad
from corearray.frontend.torch.owner import torch_of
from corearray.frontend.torch.size import Size

__all__ = ["Categorical"]


class Categorical(Distribution):
    """A choice among the places of the last axis, by probabilities or their logarithms, up to a factor."""

    arg_constraints: ClassVar = {"probs": constraints.simplex, "logits": constraints.real_vector}
    has_enumerate_support = True
    _batched: ClassVar = {"probs": 1, "logits": 1}

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: Any = None) -> None:
        need_one(type(self).__name__, probs, logits)
        (given,) = broadcast_all(probs if logits is None else logits)
        if given.dim() < 1:
            raise CoreArrayValueError("`probs` and `logits` parameters must be at least one-dimensional.")
        if probs is not None:
            self.probs = given / given.sum(-1, keepdim=True)
        else:
            self.logits = given - given.logsumexp(-1, keepdim=True)
        self._num_events = given.shape[-1]
        super().__init__(given.shape[:-1], validate_args=validate_args)

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self) -> Any:
        """The region of the values."""
        return constraints.integer_interval(0, self._num_events - 1)

    @lazy_property
    def probs(self) -> Any:
        """The probabilities."""
        return logits_to_probs(self.logits)

    @lazy_property
    def logits(self) -> Any:
        """The logarithms of the probabilities, or of their odds."""
        return probs_to_logits(self.probs)

    @property
    def _param(self) -> Any:
        """The parameter that was given."""
        return vars(self).get("probs", vars(self).get("logits"))

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample."""
        with no_grad():
            rows = self.probs.reshape(-1, self.probs.shape[-1])
            drawn = torch_of(rows).multinomial(rows, Size(sample_shape).numel(), True).t()
            return drawn.reshape(*sample_shape, *self.batch_shape)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        self._checked(value)
        places, logits = torch_of(self.logits).broadcast_tensors(value.long().unsqueeze(-1), self.logits)
        return logits.gather(-1, places[..., :1]).squeeze(-1)

    def entropy(self) -> Any:
        """Return the entropy."""
        least = float(ca.finfo(self.logits.dtype).min)
        return -(self.logits.clamp(min=least) * self.probs).sum(-1)

    def enumerate_support(self, expand: bool = True) -> Any:
        """Return all values, along a new first axis."""
        count = self._num_events
        values = (
            torch_of(self._param).arange(count, device=self._param.device).reshape(count, *[1] * len(self.batch_shape))
        )
        return values.expand(count, *self.batch_shape) if expand else values

    @property
    def mean(self) -> Any:
        """The mean."""
        return filled(self.probs, self._extended_shape(), math.nan)

    @property
    def mode(self) -> Any:
        """The most likely value."""
        return self.probs.argmax(-1)

    @property
    def variance(self) -> Any:
        """The variance."""
        return filled(self.probs, self._extended_shape(), math.nan)

    @property
    def param_shape(self) -> Any:
        """The shape of the parameters."""
        return self._param.shape
