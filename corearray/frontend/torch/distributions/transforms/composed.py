"""Transforms one behind the other, over more axes of an event, and of other shapes."""

from __future__ import annotations

from typing import Any

from corearray.errors import CoreArrayValueError
from corearray.frontend.torch.distributions import constraints
from corearray.frontend.torch.distributions.transforms.base import Transform
from corearray.frontend.torch.distributions.utils import sum_rightmost
from corearray.frontend.torch.owner import torch_of
from corearray.frontend.torch.size import Size

__all__ = ["ComposeTransform", "IndependentTransform", "ReshapeTransform", "identity_transform"]


class ComposeTransform(Transform):
    """Transforms one behind the other."""

    def __init__(self, parts: list[Any], cache_size: int = 0) -> None:
        super().__init__(cache_size)
        self.parts = [part.with_cache(cache_size) for part in parts] if cache_size else parts

    def _options(self) -> dict[str, Any]:
        return {"parts": self.parts}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ComposeTransform) and self.parts == other.parts

    __hash__ = None

    @constraints.dependent_property(is_discrete=False)
    def domain(self) -> Any:
        """The region of what it takes."""
        return _widest([(part.codomain, part.domain) for part in reversed(self.parts)])

    @constraints.dependent_property(is_discrete=False)
    def codomain(self) -> Any:
        """The region of what it returns."""
        return _widest([(part.domain, part.codomain) for part in self.parts])

    @property
    def bijective(self) -> Any:
        """Whether the transform has one inverse."""
        return all(part.bijective for part in self.parts)

    @property
    def sign(self) -> Any:
        """1 where the transform increases, -1 where it decreases."""
        sign = 1
        for part in self.parts:
            sign = sign * part.sign
        return sign

    @property
    def inv(self) -> Any:
        """The inverse; its own inverse is this transform."""
        if self._inv is None:
            self._inv = ComposeTransform([part.inv for part in reversed(self.parts)])
            self._inv._inv = self
        return self._inv

    def __call__(self, x: Any) -> Any:
        """Return what a value becomes."""
        for part in self.parts:
            x = part(x)
        return x

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Return the logarithm of `|dy/dx|`."""
        if not self.parts:
            return torch_of(x).zeros_like(x)
        found: Any = 0
        event_dim = self.domain.event_dim
        for i, part in enumerate(self.parts):
            behind = y if i == len(self.parts) - 1 else part(x)
            found = found + sum_rightmost(part.log_abs_det_jacobian(x, behind), event_dim - part.domain.event_dim)
            event_dim += part.codomain.event_dim - part.domain.event_dim
            x = behind
        return found

    def forward_shape(self, shape: Any) -> Any:
        """Return the shape of the result for a shape."""
        for part in self.parts:
            shape = part.forward_shape(shape)
        return shape

    def inverse_shape(self, shape: Any) -> Any:
        """Return the shape that results in a shape."""
        for part in reversed(self.parts):
            shape = part.inverse_shape(shape)
        return shape

    def __repr__(self) -> str:
        return f"ComposeTransform({', '.join(map(repr, self.parts))})"


def _widest(sides: list[tuple[Any, Any]]) -> Any:
    """Return the region behind the last of the parts, each given by its regions in the order of the walk.

    The event of the composition has the most axes that a part needs. The region of another part gets more axes then.
    """
    if not sides:
        return constraints.real
    event_dim = sides[0][0].event_dim
    for before, behind in sides:
        event_dim = max(event_dim + behind.event_dim - before.event_dim, behind.event_dim)
    last = sides[-1][1]
    return constraints.independent(last, event_dim - last.event_dim) if event_dim > last.event_dim else last


identity_transform = ComposeTransform([])


class IndependentTransform(Transform):
    """A transform with some more axes of the event; the logarithm of its Jacobian is the sum over them."""

    def __init__(self, base_transform: Any, reinterpreted_batch_ndims: int, cache_size: int = 0) -> None:
        super().__init__(cache_size)
        self.base_transform = base_transform.with_cache(cache_size)
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    def _options(self) -> dict[str, Any]:
        return {
            "base_transform": self.base_transform,
            "reinterpreted_batch_ndims": self.reinterpreted_batch_ndims,
        }

    @constraints.dependent_property(is_discrete=False)
    def domain(self) -> Any:
        """The region of what it takes."""
        return constraints.independent(self.base_transform.domain, self.reinterpreted_batch_ndims)

    @constraints.dependent_property(is_discrete=False)
    def codomain(self) -> Any:
        """The region of what it returns."""
        return constraints.independent(self.base_transform.codomain, self.reinterpreted_batch_ndims)

    @property
    def bijective(self) -> Any:
        """Whether the transform has one inverse."""
        return self.base_transform.bijective

    @property
    def sign(self) -> Any:
        """1 where the transform increases, -1 where it decreases."""
        return self.base_transform.sign

    def _call(self, x: Any) -> Any:
        _need_axes(x.shape, self.domain.event_dim)
        return self.base_transform(x)

    def _inverse(self, y: Any) -> Any:
        _need_axes(y.shape, self.codomain.event_dim)
        return self.base_transform.inv(y)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Return the logarithm of `|dy/dx|`."""
        return sum_rightmost(self.base_transform.log_abs_det_jacobian(x, y), self.reinterpreted_batch_ndims)

    def forward_shape(self, shape: Any) -> Any:
        """Return the shape of the result for a shape."""
        return self.base_transform.forward_shape(shape)

    def inverse_shape(self, shape: Any) -> Any:
        """Return the shape that results in a shape."""
        return self.base_transform.inverse_shape(shape)

    def __repr__(self) -> str:
        return f"IndependentTransform({self.base_transform!r}, {self.reinterpreted_batch_ndims})"


def _need_axes(shape: Any, count: int) -> None:
    if len(shape) < count:
        raise CoreArrayValueError(f"Too few dimensions on input: {count} are needed, the shape is {shape}")


class ReshapeTransform(Transform):
    """A change of the shape of events."""

    bijective = True

    def __init__(self, in_shape: Any, out_shape: Any, cache_size: int = 0) -> None:
        super().__init__(cache_size)
        self.in_shape, self.out_shape = Size(in_shape), Size(out_shape)
        if self.in_shape.numel() != self.out_shape.numel():
            raise CoreArrayValueError("in_shape, out_shape have different numbers of elements")

    def _options(self) -> dict[str, Any]:
        return {"in_shape": self.in_shape, "out_shape": self.out_shape}

    @constraints.dependent_property
    def domain(self) -> Any:
        """The region of what it takes."""
        return constraints.independent(constraints.real, len(self.in_shape))

    @constraints.dependent_property
    def codomain(self) -> Any:
        """The region of what it returns."""
        return constraints.independent(constraints.real, len(self.out_shape))

    def _call(self, x: Any) -> Any:
        return x.reshape(*x.shape[: x.dim() - len(self.in_shape)], *self.out_shape)

    def _inverse(self, y: Any) -> Any:
        return y.reshape(*y.shape[: y.dim() - len(self.out_shape)], *self.in_shape)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Return the logarithm of `|dy/dx|`."""
        return x.new_zeros(tuple(x.shape[: x.dim() - len(self.in_shape)]))

    def forward_shape(self, shape: Any) -> Any:
        """Return the shape of the result for a shape."""
        return _exchanged(shape, self.in_shape, self.out_shape)

    def inverse_shape(self, shape: Any) -> Any:
        """Return the shape that results in a shape."""
        return _exchanged(shape, self.out_shape, self.in_shape)


def _exchanged(shape: Any, before: Size, behind: Size) -> Size:
    _need_axes(shape, len(before))
    at = len(shape) - len(before)
    if tuple(shape[at:]) != tuple(before):
        raise CoreArrayValueError(f"Shape mismatch: expected {before} but got {Size(shape[at:])}")
    return Size((*shape[:at], *behind))
