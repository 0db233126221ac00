"""The binomial distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from corearray.errors import CoreArrayNotImplementedError
from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.of_probability import OfProbability
from corearray.frontend.torch.grad_mode import no_grad
from corearray.frontend.torch.owner import torch_of

__all__ = ["Binomial"]


class Binomial(OfProbability):
    """The number of successes among `total_count` trials."""

    arg_constraints: ClassVar = {
        "total_count": constraints.nonnegative_integer, "probs": constraints.unit_interval, "logits": constraints.real
    }  # fmt: skip
    has_enumerate_support = True
    _batched: ClassVar = {"total_count": 0, "probs": 0, "logits": 0}

    def __init__(self, total_count: Any = 1, probs: Any = None, logits: Any = None, validate_args: Any = None) -> None:
        (self.total_count,) = self._take(probs, logits, total_count)
        super().__init__(self._param.shape, validate_args=validate_args)

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self) -> Any:
        """The region of the values."""
        return constraints.integer_interval(0, self.total_count)

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample."""
        with no_grad():
            most, torch = int(self.total_count.max()), torch_of(self.probs)
            drawn = torch.rand(
                most, *self._extended_shape(sample_shape), dtype=self.probs.dtype, device=self.probs.device
            )
            counts = torch.arange(most, device=drawn.device).reshape(most, *[1] * (drawn.dim() - 1))
            return ((drawn < self.probs) & (counts < self.total_count)).sum(0).to(self.probs.dtype)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        self._checked(value)
        n = self.total_count
        ways = (n + 1).lgamma() - (value + 1).lgamma() - (n - value + 1).lgamma()
        return ways + value * self.logits - n * torch_of(self.logits).nn.functional.softplus(self.logits)

    def _count(self) -> int:
        """Return the number of trials, where it is the same for all."""
        count = int(self.total_count.max())
        if int(self.total_count.min()) != count:
            raise CoreArrayNotImplementedError("distributions of several total_count have no common values to list")
        return count

    def entropy(self) -> Any:
        """Return the entropy."""
        found = self.log_prob(self.enumerate_support(False))
        return -(found.exp() * found).sum(0)

    def enumerate_support(self, expand: bool = True) -> Any:
        """Return all values, along a new first axis."""
        size = self._count() + 1
        values = torch_of(self._param).arange(size, dtype=self._param.dtype, device=self._param.device)
        values = values.reshape(size, *[1] * len(self.batch_shape))
        return values.expand(size, *self.batch_shape) if expand else values

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.total_count * self.probs

    @property
    def mode(self) -> Any:
        """The most likely value."""
        return torch_of(self.probs).minimum(((self.total_count + 1) * self.probs).floor(), self.total_count)

    @property
    def variance(self) -> Any:
        """The variance."""
        return self.mean * (1 - self.probs)
