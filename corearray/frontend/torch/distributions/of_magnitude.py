"""Distributions of the absolute values of numbers around zero."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.transformed_distribution import TransformedDistribution
from corearray.frontend.torch.distributions.transforms import AbsTransform
from corearray.frontend.torch.distributions.utils import chosen
from corearray.frontend.torch.owner import torch_of

__all__ = ["OfMagnitude"]


class OfMagnitude(TransformedDistribution):
    """The distribution of the absolute value of a number whose distribution is symmetric around zero."""

    arg_constraints: ClassVar = {"scale": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    _symmetric: ClassVar[Any]

    def __init__(self, scale: Any, validate_args: Any = None) -> None:
        super().__init__(self._symmetric(0.0, scale, validate_args=False), AbsTransform(), validate_args)

    @property
    def scale(self) -> Any:
        """The parameter `scale`."""
        return self.base_dist.scale

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        self._checked(value)
        return chosen(value >= 0, self.base_dist.log_prob(value) + math.log(2), -math.inf)

    def cdf(self, value: Any) -> Any:
        """Return the probability of values up to this one."""
        self._checked(value)
        return 2 * self.base_dist.cdf(value) - 1

    def icdf(self, value: Any) -> Any:
        """Return the inverse of `cdf`."""
        return self.base_dist.icdf((value + 1) / 2)

    def entropy(self) -> Any:
        """Return the entropy."""
        return self.base_dist.entropy() - math.log(2)

    @property
    def mode(self) -> Any:
        """The most likely value."""
        return torch_of(self.scale).zeros_like(self.scale)
