# ruff: noqa: N999  torch's name
"""Student's distribution."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.chi2 import Chi2
from corearray.frontend.torch.distributions.distribution import Distribution
from corearray.frontend.torch.distributions.utils import broadcast_all, chosen, standard_normal

__all__ = ["StudentT"]


class StudentT(Distribution):
    """Student's distribution of `df` degrees of freedom."""

    arg_constraints: ClassVar = {"df": constraints.positive, "loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True
    _batched: ClassVar = {"df": 0, "loc": 0, "scale": 0}

    def __init__(self, df: Any, loc: Any = 0.0, scale: Any = 1.0, validate_args: Any = None) -> None:
        self.df, self.loc, self.scale = broadcast_all(df, loc, scale)
        super().__init__(self.df.shape, validate_args=validate_args)

    def rsample(self, sample_shape: Any = ()) -> Any:
        """Draw a sample through which gradients flow."""
        x = standard_normal(self.loc, self._extended_shape(sample_shape))
        z = Chi2(self.df).rsample(sample_shape)
        return self.loc + self.scale * x * (z / self.df).rsqrt()

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        self._checked(value)
        y = (value - self.loc) / self.scale
        return -0.5 * (self.df + 1.0) * (y**2.0 / self.df).log1p() - self.scale.log() - self._log_norm()

    def _log_norm(self) -> Any:
        """Return the logarithm of what the density of scale one is divided by."""
        ratio = (0.5 * self.df).lgamma() - (0.5 * (self.df + 1.0)).lgamma()
        return 0.5 * (self.df * math.pi).log() + ratio

    def entropy(self) -> Any:
        """Return the entropy."""
        half, more = 0.5 * self.df, 0.5 * (self.df + 1)
        return self.scale.log() + more * (more.digamma() - half.digamma()) + self._log_norm()

    @property
    def mean(self) -> Any:
        """The mean."""
        return chosen(self.df <= 1, math.nan, self.loc)

    @property
    def mode(self) -> Any:
        """The most likely value."""
        return self.loc

    @property
    def variance(self) -> Any:
        """The variance."""
        df = chosen(self.df > 2, self.df, 3.0)
        found = chosen(self.df > 2, self.scale**2 * df / (df - 2), math.inf)
        return chosen(self.df <= 1, math.nan, found)
