"""The distribution of Fisher and Snedecor."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import corearray as ca
from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.distribution import Distribution
from corearray.frontend.torch.distributions.gamma import gamma_numbers
from corearray.frontend.torch.distributions.utils import broadcast_all, chosen

__all__ = ["FisherSnedecor"]


class FisherSnedecor(Distribution):
    """The distribution of the ratio of two chi-square numbers, each over its degrees of freedom."""

    arg_constraints: ClassVar = {"df1": constraints.positive, "df2": constraints.positive}
    support = constraints.positive
    has_rsample = True
    _batched: ClassVar = {"df1": 0, "df2": 0}

    def __init__(self, df1: Any, df2: Any, validate_args: Any = None) -> None:
        self.df1, self.df2 = broadcast_all(df1, df2)
        super().__init__(self.df1.shape, validate_args=validate_args)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        shape, tiny = self._extended_shape(sample_shape), float(ca.finfo(self.df1.dtype).smallest_normal)
        one, other = (gamma_numbers(0.5 * df, shape) / df for df in (self.df1, self.df2))
        return (one / other.clamp(min=tiny)).clamp(min=tiny)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        self._checked(value)
        a, b, ratio = 0.5 * self.df1, 0.5 * self.df2, self.df1 / self.df2
        norm = a.lgamma() + b.lgamma() - (a + b).lgamma()
        return a * ratio.log() + (a - 1) * value.log() - (a + b) * (ratio * value).log1p() - norm

    @property
    def mean(self) -> Any:
        """The mean."""
        df = chosen(self.df2 > 2, self.df2, math.nan)
        return df / (df - 2)

    @property
    def mode(self) -> Any:
        """The most likely value."""
        found = (self.df1 - 2) / self.df1 * self.df2 / (self.df2 + 2)
        return chosen(self.df1 > 2, found, math.nan)

    @property
    def variance(self) -> Any:
        """The variance."""
        df = chosen(self.df2 > 4, self.df2, math.nan)
        return 2 * df**2 * (self.df1 + df - 2) / (self.df1 * (df - 2) ** 2 * (df - 4))
