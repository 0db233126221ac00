"""The negative binomial distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.gamma import gamma_numbers
from corearray.frontend.torch.distributions.of_probability import OfProbability
from corearray.frontend.torch.distributions.utils import chosen
from corearray.frontend.torch.grad_mode import no_grad
from corearray.frontend.torch.owner import torch_of

__all__ = ["NegativeBinomial"]


class NegativeBinomial(OfProbability):
    """The number of successes before `total_count` failures."""

    arg_constraints: ClassVar = {
        "total_count": constraints.greater_than_eq(0), "probs": constraints.half_open_interval(0.0, 1.0),
        "logits": constraints.real,
    }  # fmt: skip
    support = constraints.nonnegative_integer
    _batched: ClassVar = {"total_count": 0, "probs": 0, "logits": 0}

    def __init__(self, total_count: Any, probs: Any = None, logits: Any = None, validate_args: Any = None) -> None:
        (self.total_count,) = self._take(probs, logits, total_count)
        super().__init__(self._param.shape, validate_args=validate_args)

    def sample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample."""
        with no_grad():
            shape = self._extended_shape(sample_shape)
            return torch_of(self._param).poisson(gamma_numbers(self.total_count, shape) * self.logits.exp())

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        self._checked(value)
        n, logsigmoid = self.total_count, torch_of(self.logits).nn.functional.logsigmoid
        ways = (n + value).lgamma() - (1.0 + value).lgamma() - n.lgamma()
        ways = chosen(n + value == 0.0, 0.0, ways)
        return ways + n * logsigmoid(-self.logits) + value * logsigmoid(self.logits)

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.total_count * self.logits.exp()

    @property
    def mode(self) -> Any:
        """The most likely value."""
        return ((self.total_count - 1) * self.logits.exp()).floor().clamp(min=0.0)

    @property
    def variance(self) -> Any:
        """The variance."""
        return self.mean / (-self.logits).sigmoid()
