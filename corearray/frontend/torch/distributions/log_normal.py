"""The distribution of exponentials of normal numbers."""

from __future__ import annotations

from typing import Any, ClassVar

from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.normal import Normal
from corearray.frontend.torch.distributions.transformed_distribution import TransformedDistribution
from corearray.frontend.torch.distributions.transforms import ExpTransform

__all__ = ["LogNormal"]


class LogNormal(TransformedDistribution):
    """The distribution of `exp(x)`, with `x` of a normal one."""

    arg_constraints: ClassVar = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.positive
    has_rsample = True

    def __init__(self, loc: Any, scale: Any, validate_args: Any = None) -> None:
        super().__init__(Normal(loc, scale, validate_args=False), ExpTransform(), validate_args)

    @property
    def loc(self) -> Any:
        """The parameter `loc`."""
        return self.base_dist.loc

    @property
    def scale(self) -> Any:
        """The parameter `scale`."""
        return self.base_dist.scale

    def entropy(self) -> Any:
        """Return the entropy."""
        return self.base_dist.entropy() + self.loc

    @property
    def mean(self) -> Any:
        """The mean."""
        return (self.loc + self.scale**2 / 2).exp()

    @property
    def mode(self) -> Any:
        """The most likely value."""
        return (self.loc - self.scale**2).exp()

    @property
    def variance(self) -> Any:
        """The variance."""
        return (self.scale**2).expm1() * (2 * self.loc + self.scale**2).exp()
