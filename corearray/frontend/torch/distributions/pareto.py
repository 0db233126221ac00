"""The Pareto distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.exponential import Exponential
from corearray.frontend.torch.distributions.transformed_distribution import TransformedDistribution
from corearray.frontend.torch.distributions.transforms import AffineTransform, ExpTransform
from corearray.frontend.torch.distributions.utils import broadcast_all

__all__ = ["Pareto"]


class Pareto(TransformedDistribution):
    """The Pareto distribution of numbers from `scale` on."""

    arg_constraints: ClassVar = {"alpha": constraints.positive, "scale": constraints.positive}
    _batched: ClassVar = {"scale": 0, "alpha": 0}

    def __init__(self, scale: Any, alpha: Any, validate_args: Any = None) -> None:
        self.scale, self.alpha = broadcast_all(scale, alpha)
        steps = [ExpTransform(), AffineTransform(0, self.scale)]
        super().__init__(Exponential(self.alpha, validate_args=False), steps, validate_args)

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to a shape."""
        new = super().expand(batch_shape, _instance)
        new.transforms = [ExpTransform(), AffineTransform(0, new.scale)]
        return new

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> Any:
        """The region of the values."""
        return constraints.greater_than_eq(self.scale)

    def entropy(self) -> Any:
        """Return the entropy."""
        return (self.scale / self.alpha).log() + 1 + self.alpha.reciprocal()

    @property
    def mean(self) -> Any:
        """The mean."""
        a = self.alpha.clamp(min=1)
        return a * self.scale / (a - 1)

    @property
    def mode(self) -> Any:
        """The most likely value."""
        return self.scale

    @property
    def variance(self) -> Any:
        """The variance."""
        a = self.alpha.clamp(min=2)
        return self.scale**2 * a / ((a - 1) ** 2 * (a - 2))
