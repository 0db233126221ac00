"""The distribution of absolute values of Cauchy numbers."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.cauchy import Cauchy
from corearray.frontend.torch.distributions.transformed_distribution import TransformedDistribution
from corearray.frontend.torch.distributions.transforms import AbsTransform
from corearray.frontend.torch.distributions.utils import chosen, filled
from corearray.frontend.torch.owner import torch_of

__all__ = ["HalfCauchy"]


class HalfCauchy(TransformedDistribution):
    """The distribution of the absolute value of a Cauchy number around zero."""

    arg_constraints: ClassVar = {"scale": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True

    def __init__(self, scale: Any, validate_args: Any = None) -> None:
        super().__init__(Cauchy(0.0, scale, validate_args=False), AbsTransform(), validate_args)

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
    def mean(self) -> Any:
        """The mean."""
        return filled(self.scale, self._extended_shape(), math.inf)

    @property
    def mode(self) -> Any:
        """The most likely value."""
        return torch_of(self.scale).zeros_like(self.scale)

    @property
    def variance(self) -> Any:
        """The variance."""
        return self.base_dist.variance
