"""Transforms of each element by itself."""

from __future__ import annotations

import math
from typing import Any

import corearray as ca
from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.transforms.base import Transform
from corearray.frontend.torch.distributions.utils import broadcast_all, sum_rightmost
from corearray.frontend.torch.owner import torch_of
from corearray.frontend.torch.wrapper import Tensor

__all__ = [
    "AbsTransform", "AffineTransform", "CumulativeDistributionTransform", "ExpTransform", "PowerTransform",
    "SigmoidTransform", "SoftplusTransform", "TanhTransform", "clipped_sigmoid",
]  # fmt: skip


class _OneKind(Transform):
    """A transform without parameters: all of a class are equal."""

    domain = constraints.real
    bijective = True
    sign = 1

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    __hash__ = None


class ExpTransform(_OneKind):
    """`y = exp(x)`."""

    codomain = constraints.positive

    def _call(self, x: Any) -> Any:
        return x.exp()

    def _inverse(self, y: Any) -> Any:
        return y.log()

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Return the logarithm of `|dy/dx|`."""
        return x


def clipped_sigmoid(x: Any) -> Any:
    """Return the sigmoid function, above zero and below one."""
    info = ca.finfo(x.dtype)
    return x.sigmoid().clamp(min=float(info.smallest_normal), max=1.0 - float(info.eps))


class SigmoidTransform(_OneKind):
    """`y = 1 / (1 + exp(-x))`."""

    codomain = constraints.unit_interval

    def _call(self, x: Any) -> Any:
        return clipped_sigmoid(x)

    def _inverse(self, y: Any) -> Any:
        info = ca.finfo(y.dtype)
        y = y.clamp(min=float(info.smallest_normal), max=1.0 - float(info.eps))
        return y.log() - (-y).log1p()

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Return the logarithm of `|dy/dx|`."""
        softplus = torch_of(x).nn.functional.softplus
        return -softplus(-x) - softplus(x)


class SoftplusTransform(_OneKind):
    """`y = log(1 + exp(x))`."""

    codomain = constraints.positive

    def _call(self, x: Any) -> Any:
        return torch_of(x).nn.functional.softplus(x)

    def _inverse(self, y: Any) -> Any:
        return (-((-y).expm1())).log() + y

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Return the logarithm of `|dy/dx|`."""
        return -torch_of(x).nn.functional.softplus(-x)


class TanhTransform(_OneKind):
    """`y = tanh(x)`."""

    codomain = constraints.interval(-1.0, 1.0)

    def _call(self, x: Any) -> Any:
        return x.tanh()

    def _inverse(self, y: Any) -> Any:
        return y.atanh()

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Return the logarithm of `|dy/dx|`: that of `1 - tanh(x)**2`, precise for great `x` too."""
        return 2.0 * (math.log(2.0) - x - torch_of(x).nn.functional.softplus(-2.0 * x))


class AbsTransform(_OneKind):
    """`y = |x|`."""

    codomain = constraints.positive
    bijective = False
    sign = Transform.sign

    def _call(self, x: Any) -> Any:
        return x.abs()

    def _inverse(self, y: Any) -> Any:
        return y


def _equal(one: Any, other: Any) -> bool:
    """Return whether two parameters, numbers or tensors, are equal."""
    same = one == other
    return bool(same.all()) if isinstance(same, Tensor) else bool(same)


class PowerTransform(Transform):
    """`y = x ** exponent`, of positive numbers."""

    domain = constraints.positive
    codomain = constraints.positive
    bijective = True

    def __init__(self, exponent: Any, cache_size: int = 0) -> None:
        super().__init__(cache_size)
        (self.exponent,) = broadcast_all(exponent)

    def _options(self) -> dict[str, Any]:
        return {"exponent": self.exponent}

    @property
    def sign(self) -> Any:
        """1 where the transform increases, -1 where it decreases."""
        return self.exponent.sign()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PowerTransform) and _equal(self.exponent, other.exponent)

    __hash__ = None

    def _call(self, x: Any) -> Any:
        return x.pow(self.exponent)

    def _inverse(self, y: Any) -> Any:
        return y.pow(1 / self.exponent)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Return the logarithm of `|dy/dx|`."""
        return (self.exponent * y / x).abs().log()

    def forward_shape(self, shape: Any) -> Any:
        """Return the shape of the result for a shape."""
        return _broadcast(shape, self.exponent)

    def inverse_shape(self, shape: Any) -> Any:
        """Return the shape that results in a shape."""
        return _broadcast(shape, self.exponent)


def _broadcast(shape: Any, *parameters: Any) -> Any:
    """Return a shape broadcast with those of parameters."""
    return torch_of(*parameters).broadcast_shapes(tuple(shape), *[tuple(getattr(x, "shape", ())) for x in parameters])


class AffineTransform(Transform):
    """`y = loc + scale * x`."""

    bijective = True

    def __init__(self, loc: Any, scale: Any, event_dim: int = 0, cache_size: int = 0) -> None:
        super().__init__(cache_size)
        self.loc, self.scale, self._event_dim = loc, scale, event_dim

    def _options(self) -> dict[str, Any]:
        return {"loc": self.loc, "scale": self.scale, "event_dim": self.event_dim}

    @property
    def event_dim(self) -> Any:
        """The number of axes of an event."""
        return self._event_dim

    @constraints.dependent_property(is_discrete=False)
    def domain(self) -> Any:
        """The region of what it takes."""
        return constraints.independent(constraints.real, self.event_dim) if self.event_dim else constraints.real

    codomain = domain

    @property
    def sign(self) -> Any:
        """1 where the transform increases, -1 where it decreases."""
        return self.scale.sign() if isinstance(self.scale, Tensor) else (self.scale > 0) - (self.scale < 0)

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, AffineTransform) and _equal(self.loc, other.loc)
        return same and _equal(self.scale, other.scale)  # type: ignore[attr-defined]

    __hash__ = None

    def _call(self, x: Any) -> Any:
        return self.loc + self.scale * x

    def _inverse(self, y: Any) -> Any:
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Return the logarithm of `|dy/dx|`."""
        if isinstance(self.scale, Tensor):
            found = self.scale.abs().log().expand(*_broadcast(x.shape, self.scale))
        else:
            found = torch_of(x).full_like(x, math.log(abs(self.scale)))
        return sum_rightmost(found, self.event_dim)

    def forward_shape(self, shape: Any) -> Any:
        """Return the shape of the result for a shape."""
        return _broadcast(shape, self.loc, self.scale)

    def inverse_shape(self, shape: Any) -> Any:
        """Return the shape that results in a shape."""
        return _broadcast(shape, self.loc, self.scale)


class CumulativeDistributionTransform(Transform):
    """`y = distribution.cdf(x)`."""

    bijective = True
    codomain = constraints.unit_interval
    sign = 1

    def __init__(self, distribution: Any, cache_size: int = 0) -> None:
        super().__init__(cache_size)
        self.distribution = distribution

    def _options(self) -> dict[str, Any]:
        return {"distribution": self.distribution}

    @property
    def domain(self) -> Any:
        """The region of what it takes."""
        return self.distribution.support

    def _call(self, x: Any) -> Any:
        return self.distribution.cdf(x)

    def _inverse(self, y: Any) -> Any:
        return self.distribution.icdf(y)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Return the logarithm of `|dy/dx|`."""
        return self.distribution.log_prob(x)
