"""Distributions of one probability, given as such or by the logarithm of its odds."""

from __future__ import annotations

from typing import Any, ClassVar

from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.distribution import Distribution
from corearray.frontend.torch.distributions.utils import (
    broadcast_all,
    lazy_property,
    logits_to_probs,
    need_one,
    probs_to_logits,
)

__all__ = ["OfProbability"]


class OfProbability(Distribution):
    """A distribution of `probs` or `logits`; the other one is computed when it is asked for."""

    arg_constraints: ClassVar = {"probs": constraints.unit_interval, "logits": constraints.real}
    _batched: ClassVar = {"probs": 0, "logits": 0}

    def _take(self, probs: Any, logits: Any, *others: Any) -> list[Any]:
        """Keep the parameter that is given, and return others broadcast with it, of its dtype."""
        need_one(type(self).__name__, probs, logits)
        *others_, given = broadcast_all(*others, logits if probs is None else probs)
        vars(self)["logits" if probs is None else "probs"] = given
        return [x.to(given.dtype) for x in others_]

    @lazy_property
    def probs(self) -> Any:
        """The probabilities."""
        return logits_to_probs(self.logits, is_binary=True)

    @lazy_property
    def logits(self) -> Any:
        """The logarithms of the probabilities, or of their odds."""
        return probs_to_logits(self.probs, is_binary=True)

    @property
    def _param(self) -> Any:
        """The parameter that was given."""
        return vars(self).get("probs", vars(self).get("logits"))

    @property
    def param_shape(self) -> Any:
        """The shape of the parameters."""
        return self._param.shape
