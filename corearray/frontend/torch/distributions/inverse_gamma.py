"""The distribution of reciprocals of gamma numbers."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.gamma import Gamma
from corearray.frontend.torch.distributions.transformed_distribution import TransformedDistribution
from corearray.frontend.torch.distributions.transforms import PowerTransform
from corearray.frontend.torch.distributions.utils import chosen

__all__ = ["InverseGamma"]


class InverseGamma(TransformedDistribution):
    """The distribution of `1 / x`, with `x` of a gamma one."""

    arg_constraints: ClassVar = {"concentration": constraints.positive, "rate": constraints.positive}
    support = constraints.positive
    has_rsample = True

    def __init__(self, concentration: Any, rate: Any, validate_args: Any = None) -> None:
        base = Gamma(concentration, rate, validate_args=False)
        super().__init__(base, PowerTransform(-base.rate.new_ones(())), validate_args)

    @property
    def concentration(self) -> Any:
        """The parameter `concentration`."""
        return self.base_dist.concentration

    @property
    def rate(self) -> Any:
        """The parameter `rate`."""
        return self.base_dist.rate

    def entropy(self) -> Any:
        """Return the entropy."""
        a = self.concentration
        return a + self.rate.log() + a.lgamma() - (1 + a) * a.digamma()

    @property
    def mean(self) -> Any:
        """The mean."""
        return chosen(self.concentration > 1, self.rate / (self.concentration - 1), math.inf)

    @property
    def mode(self) -> Any:
        """The most likely value."""
        return self.rate / (self.concentration + 1)

    @property
    def variance(self) -> Any:
        """The variance."""
        a = self.concentration
        return chosen(a > 2, self.rate**2 / ((a - 1) ** 2 * (a - 2)), math.inf)
