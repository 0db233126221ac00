"""The Weibull distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.exponential import Exponential
from corearray.frontend.torch.distributions.transformed_distribution import TransformedDistribution
from corearray.frontend.torch.distributions.transforms import AffineTransform, PowerTransform
from corearray.frontend.torch.distributions.utils import broadcast_all, euler_constant
from corearray.frontend.torch.owner import torch_of

__all__ = ["Weibull"]


class Weibull(TransformedDistribution):
    """The Weibull distribution."""

    arg_constraints: ClassVar = {"scale": constraints.positive, "concentration": constraints.positive}
    support = constraints.positive
    _batched: ClassVar = {"scale": 0, "concentration": 0, "concentration_reciprocal": 0}

    def __init__(self, scale: Any, concentration: Any, validate_args: Any = None) -> None:
        self.scale, self.concentration = broadcast_all(scale, concentration)
        self.concentration_reciprocal = self.concentration.reciprocal()
        base = Exponential(torch_of(self.scale).ones_like(self.scale), validate_args=False)
        super().__init__(base, self._steps(), validate_args)

    def _steps(self) -> list[Any]:
        """Return the transforms of an exponential number."""
        return [PowerTransform(self.concentration_reciprocal), AffineTransform(0, self.scale)]

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """Return a distribution whose parameters are expanded to a shape."""
        new = super().expand(batch_shape, _instance)
        new.transforms = new._steps()
        return new

    def entropy(self) -> Any:
        """Return the entropy."""
        back = self.concentration_reciprocal
        return euler_constant * (1 - back) + (self.scale * back).log() + 1

    @property
    def mean(self) -> Any:
        """The mean."""
        return self.scale * (1 + self.concentration_reciprocal).lgamma().exp()

    @property
    def mode(self) -> Any:
        """The most likely value."""
        share = ((self.concentration - 1) / self.concentration).pow(self.concentration_reciprocal)
        return self.scale * share

    @property
    def variance(self) -> Any:
        """The variance."""
        back = self.concentration_reciprocal
        return self.scale**2 * ((1 + 2 * back).lgamma().exp() - (2 * (1 + back).lgamma()).exp())
