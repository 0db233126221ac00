"""Distributions of vectors that have the parameters of a choice among categories."""

from __future__ import annotations

from typing import Any, ClassVar

from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.categorical import Categorical
from corearray.frontend.torch.distributions.distribution import Distribution

__all__ = ["OfCategories"]


class OfCategories(Distribution):
    """A distribution of vectors, one element for each category."""

    arg_constraints: ClassVar = {"probs": constraints.simplex, "logits": constraints.real_vector}
    _batched: ClassVar = {"_categorical": 0}

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: Any = None) -> None:
        self._categorical = Categorical(probs, logits, validate_args=False)
        super().__init__(self._categorical.batch_shape, self._categorical.param_shape[-1:], validate_args)

    def _check_parameter(self, name: str, constraint: Any) -> None:
        if name not in ("probs", "logits") or name in vars(self._categorical):
            super()._check_parameter(name, constraint)

    @property
    def probs(self) -> Any:
        """The probabilities."""
        return self._categorical.probs

    @property
    def logits(self) -> Any:
        """The logarithms of the probabilities, or of their odds."""
        return self._categorical.logits

    @property
    def param_shape(self) -> Any:
        """The shape of the parameters."""
        return self._categorical.param_shape
