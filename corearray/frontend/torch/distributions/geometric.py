"""The geometric distribution."""

from __future__ import annotations

from typing import Any

from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.of_probability import OfProbability
from corearray.frontend.torch.distributions.utils import broadcast_all, chosen, uniform_numbers
from corearray.frontend.torch.grad_mode import no_grad
from corearray.frontend.torch.owner import torch_of

__all__ = ["Geometric"]


class Geometric(OfProbability):
    """The number of failures before the first success."""

    support = constraints.nonnegative_integer

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: Any = None) -> None:
        self._take(probs, logits)
        super().__init__(self._param.shape, validate_args=validate_args)
        if self._validate_args and probs is not None:
            self._check_parameter("probs", constraints.greater_than(0.0))

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample."""
        with no_grad():
            drawn = uniform_numbers(self.probs, self._extended_shape(sample_shape))
            return (drawn.log() / (-self.probs).log1p()).floor()

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        self._checked(value)
        value, probs = broadcast_all(value, self.probs)
        failures = chosen((probs == 1) & (value == 0), 0.0, value * (-probs).log1p())
        return failures + probs.log()

    def entropy(self) -> Any:
        """Return the entropy."""
        functional = torch_of(self.logits).nn.functional
        return functional.binary_cross_entropy_with_logits(self.logits, self.probs, reduction="none") / self.probs

    @property
    def mean(self) -> Any:
        """The mean."""
        return 1.0 / self.probs - 1.0

    @property
    def mode(self) -> Any:
        """The most likely value."""
        return torch_of(self.probs).zeros_like(self.probs)

    @property
    def variance(self) -> Any:
        """The variance."""
        return (1.0 / self.probs - 1.0) / self.probs
