"""The choice among some categories, as a vector with a one."""

from __future__ import annotations

from typing import Any

from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.of_categories import OfCategories
from corearray.frontend.torch.owner import torch_of

__all__ = ["OneHotCategorical", "OneHotCategoricalStraightThrough"]


class OneHotCategorical(OfCategories):
    """A choice among the places of the last axis, as a vector with a one at its place."""

    support = constraints.one_hot
    has_enumerate_support = True

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample."""
        places = self._categorical.sample(sample_shape)
        return torch_of(self.probs).nn.functional.one_hot(places, self.event_shape[0]).to(self.probs.dtype)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        self._checked(value)
        return self._categorical.log_prob(value.argmax(-1))

    def entropy(self) -> Any:
        """Return the entropy."""
        return self._categorical.entropy()

    def enumerate_support(self, expand: bool = True) -> Any:
        """Return all values, along a new first axis."""
        count, axes = self.event_shape[0], len(self.batch_shape)
        values = (
            torch_of(self.probs)
            .eye(count, dtype=self.probs.dtype, device=self.probs.device)
            .reshape(count, *[1] * axes, count)
        )
        return values.expand(count, *self.batch_shape, count) if expand else values

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.probs

    @property
    def mode(self) -> Any:
        """The most likely value."""
        return (
            torch_of(self.probs).nn.functional.one_hot(self.probs.argmax(-1), self.event_shape[0]).to(self.probs.dtype)
        )

    @property
    def variance(self) -> Any:
        """The variance."""
        return self.probs * (1 - self.probs)


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """A choice as a vector with a one, whose gradients are those of the probabilities."""

    has_rsample = True

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        return self.sample(sample_shape) + (self.probs - self.probs.detach())
