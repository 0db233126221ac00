"""The Gumbel distribution."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import corearray as ca
from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.transformed_distribution import TransformedDistribution
from corearray.frontend.torch.distributions.transforms import AffineTransform, ExpTransform
from corearray.frontend.torch.distributions.uniform import Uniform
from corearray.frontend.torch.distributions.utils import broadcast_all, euler_constant, filled

__all__ = ["Gumbel"]


class Gumbel(TransformedDistribution):
    """The Gumbel distribution."""

    arg_constraints: ClassVar = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    _batched: ClassVar = {"loc": 0, "scale": 0}

    def __init__(self, loc: Any, scale: Any, validate_args: Any = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        info = ca.finfo(self.loc.dtype)
        low, high = (filled(self.loc, self.loc.shape, x) for x in (float(info.smallest_normal), 1 - float(info.eps)))
        log = ExpTransform().inv
        transforms = [log, AffineTransform(0, -1.0), log, AffineTransform(self.loc, -self.scale)]
        super().__init__(Uniform(low, high, validate_args=False), transforms, validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to a shape."""
        new = super().expand(batch_shape, _instance)
        new.transforms = [*self.transforms[:-1], AffineTransform(new.loc, -new.scale)]
        return new

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density or probability."""
        self._checked(value)
        y = (self.loc - value) / self.scale
        return (y - y.exp()) - self.scale.log()

    def entropy(self) -> Any:
        """Return the entropy."""
        return self.scale.log() + (1 + euler_constant)

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.loc + self.scale * euler_constant

    @property
    def mode(self) -> Any:
        """The most likely value."""
        return self.loc

    @property
    def variance(self) -> Any:
        """The variance."""
        return (math.pi**2 / 6) * self.scale**2
