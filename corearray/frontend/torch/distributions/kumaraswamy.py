"""The distribution of Kumaraswamy."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.transformed_distribution import TransformedDistribution
from corearray.frontend.torch.distributions.transforms import AffineTransform, PowerTransform
from corearray.frontend.torch.distributions.uniform import Uniform
from corearray.frontend.torch.distributions.utils import broadcast_all, chosen, euler_constant, filled

__all__ = ["Kumaraswamy"]


class Kumaraswamy(TransformedDistribution):
    """The distribution of Kumaraswamy, like a beta one with simpler formulas."""

    arg_constraints: ClassVar = {"concentration1": constraints.positive, "concentration0": constraints.positive}
    support = constraints.unit_interval
    has_rsample = True
    _batched: ClassVar = {"concentration1": 0, "concentration0": 0}

    def __init__(self, concentration1: Any, concentration0: Any, validate_args: Any = None) -> None:
        self.concentration1, self.concentration0 = broadcast_all(concentration1, concentration0)
        low, high = (filled(self.concentration0, self.concentration0.shape, x) for x in (0.0, 1.0))
        super().__init__(Uniform(low, high, validate_args=False), self._steps(), validate_args)

    def _steps(self) -> list[Any]:
        """Return the transforms of a uniform number."""
        return [
            PowerTransform(self.concentration0.reciprocal()),
            AffineTransform(1.0, -1.0),
            PowerTransform(self.concentration1.reciprocal()),
        ]

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to a shape."""
        new = super().expand(batch_shape, _instance)
        new.transforms = new._steps()
        return new

    def _moment(self, n: int) -> Any:
        """Return the mean of a power."""
        a, b = 1 + n / self.concentration1, self.concentration0
        return b * (a.lgamma() + b.lgamma() - (a + b).lgamma()).exp()

    def entropy(self) -> Any:
        """Return the entropy."""
        a, b = self.concentration1, self.concentration0
        harmonic = (b + 1).digamma() + euler_constant
        return 1 - b.reciprocal() + (1 - a.reciprocal()) * harmonic - a.log() - b.log()

    @property
    def mean(self) -> Any:
        """The mean."""
        return self._moment(1)

    @property
    def mode(self) -> Any:
        """The most likely value."""
        a, b = self.concentration1, self.concentration0
        found = (b.reciprocal() * (-b).log1p() - (-a * b).log1p()).exp()
        return chosen((a < 1) | (b < 1), math.nan, found)

    @property
    def variance(self) -> Any:
        """The variance."""
        return self._moment(2) - self.mean**2
