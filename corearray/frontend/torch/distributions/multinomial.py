"""The multinomial distribution."""

from __future__ import annotations

import math
from typing import Any

from corearray.errors import CoreArrayNotImplementedError
from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.binomial import Binomial
from corearray.frontend.torch.distributions.of_categories import OfCategories
from corearray.frontend.torch.distributions.utils import broadcast_all, chosen
from corearray.frontend.torch.grad_mode import no_grad
from corearray.frontend.torch.owner import torch_of

__all__ = ["Multinomial"]


class Multinomial(OfCategories):
    """The numbers of times that each category is chosen, in `total_count` choices."""

    total_count: int

    def __init__(self, total_count: int = 1, probs: Any = None, logits: Any = None, validate_args: Any = None) -> None:
        if not isinstance(total_count, int):
            raise CoreArrayNotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        super().__init__(probs, logits, validate_args)

    @constraints.dependent_property(is_discrete=True, event_dim=1)
    def support(self) -> Any:
        """The region of the values."""
        return constraints.multinomial(self.total_count)

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample."""
        with no_grad():
            drawn = self._categorical.sample((self.total_count, *sample_shape))
            chosen_ones = torch_of(drawn).nn.functional.one_hot(drawn, self.event_shape[0])
            return chosen_ones.sum(0).to(self.probs.dtype)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        self._checked(value)
        logits, value = broadcast_all(self.logits, value)
        logits = chosen((value == 0) & (logits == -math.inf), 0.0, logits)
        return (value.sum(-1) + 1).lgamma() - (value + 1).lgamma().sum(-1) + (logits * value).sum(-1)

    def entropy(self) -> Any:
        """Return the entropy."""
        n = self.total_count
        counts = Binomial(n, probs=self.probs)
        values = counts.enumerate_support(expand=False)[1:]
        ways = (counts.log_prob(values).exp() * (values + 1).lgamma()).sum((0, -1))
        return n * self._categorical.entropy() - math.lgamma(n + 1) + ways

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.probs * self.total_count

    @property
    def variance(self) -> Any:
        """The variance."""
        return self.total_count * self.probs * (1 - self.probs)
