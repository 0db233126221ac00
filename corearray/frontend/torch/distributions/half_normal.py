"""The distribution of absolute values of normal numbers."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from corearray.frontend.torch.distributions.normal import Normal
from corearray.frontend.torch.distributions.of_magnitude import OfMagnitude

__all__ = ["HalfNormal"]


class HalfNormal(OfMagnitude):
    """The distribution of the absolute value of a normal number of mean zero."""

    _symmetric: ClassVar = Normal

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.scale * math.sqrt(2 / math.pi)

    @property
    def variance(self) -> Any:
        """The variance."""
        return self.scale**2 * (1 - 2 / math.pi)
