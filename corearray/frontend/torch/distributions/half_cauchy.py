"""The distribution of absolute values of Cauchy numbers."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from corearray.frontend.torch.distributions.cauchy import Cauchy
from corearray.frontend.torch.distributions.of_magnitude import OfMagnitude
from corearray.frontend.torch.distributions.utils import filled

__all__ = ["HalfCauchy"]


class HalfCauchy(OfMagnitude):
    """The distribution of the absolute value of a Cauchy number around zero."""

    _symmetric: ClassVar = Cauchy

    @property
    def mean(self) -> Any:
        """The mean."""
        return filled(self.scale, self._extended_shape(), math.inf)

    @property
    def variance(self) -> Any:
        """The variance."""
        return self.base_dist.variance
