"""`jax.image`: images of other sizes, by the nearest pixel and by weighted sums of pixels along each axis.

Each axis is one product with a matrix of weights, as in JAX: derivatives follow, also those by `scale` and `translation`.
"""

from __future__ import annotations

import enum
import operator
from collections.abc import Callable, Sequence
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.jax.promotion import cast, default, inexact, promoted
from corearray.frontend.jax.wrapper import Array, converted

__all__ = ["FUNCTIONS", "ResizeMethod", "resize", "scale_and_translate"]

#: Sums of weights up to this are no weight at all.
_LEAST = 1000.0 * 2.0**-23


class ResizeMethod(enum.Enum):
    """The methods of `resize`."""

    NEAREST = 0
    LINEAR = 1
    LANCZOS3 = 2
    LANCZOS5 = 3
    CUBIC = 4
    CUBIC_PYTORCH = 5
    AREA = 6

    @staticmethod
    def from_string(s: str) -> ResizeMethod:
        """Return the method of a name.

        Raises
        ------
        ValueError
            If there is none of that name.
        """
        if s not in _NAMES:
            raise CoreArrayValueError(f'Unknown resize method "{s}"; the methods are {", ".join(map(repr, _NAMES))}')
        return _NAMES[s]


_NAMES = {
    name: method
    for method, names in {
        ResizeMethod.NEAREST: "nearest",
        ResizeMethod.LINEAR: "linear bilinear trilinear triangle",
        ResizeMethod.LANCZOS3: "lanczos3",
        ResizeMethod.LANCZOS5: "lanczos5",
        ResizeMethod.CUBIC: "cubic bicubic tricubic",
        ResizeMethod.CUBIC_PYTORCH: "cubic-pytorch bicubic-pytorch",
        ResizeMethod.AREA: "area",
    }.items()
    for name in names.split()
}


def _triangle(x: Any) -> Any:
    return ca.maximum(1 - ca.abs(x), 0)


def _cubic(a: float) -> Callable[[Any], Any]:
    """Return Keys' cubic kernel (1981) with a coefficient."""

    def kernel(x: Any) -> Any:
        near = ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0
        far = ((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a
        return ca.where(x >= 2.0, 0.0, ca.where(x >= 1.0, far, near))

    return kernel


def _lanczos(radius: float) -> Callable[[Any], Any]:
    def kernel(x: Any) -> Any:
        y = radius * ca.sin(ca.pi * x) * ca.sin(ca.pi * x / radius)
        wave = ca.where(x > 1e-3, y / ca.where(x != 0, ca.pi**2 * x * x, 1.0), 1.0)
        return ca.where(x > radius, 0.0, wave)

    return kernel


#: The kernels by distances, and how far they reach beyond the edge where edges are repeated.
_KERNELS: dict[ResizeMethod, tuple[int, Callable[[Any], Any]]] = {
    ResizeMethod.LINEAR: (1, _triangle),
    ResizeMethod.LANCZOS3: (3, _lanczos(3.0)),
    ResizeMethod.LANCZOS5: (5, _lanczos(5.0)),
    ResizeMethod.CUBIC: (2, _cubic(-0.5)),
    ResizeMethod.CUBIC_PYTORCH: (2, _cubic(-0.75)),
}


def _overlaps(old: int, new: int, inverse: Any, shift: Any, dtype: ca.DType) -> Any:
    """Return how much of each old pixel lies within each new one."""
    left = ca.arange(new, dtype=dtype) * inverse - shift * inverse
    right, begin = left + inverse, ca.arange(old, dtype=dtype)[:, None]
    return ca.maximum(ca.minimum(right[None, :], begin + 1.0) - ca.maximum(left[None, :], begin), 0.0)


def _normalized(weights: Any) -> Any:
    total = ca.sum(weights, axis=0, keepdims=True)
    return ca.where(ca.abs(total) > _LEAST, weights / ca.where(total != 0, total, 1.0), 0.0)


def _weights(old: int, new: int, scale: Any, shift: Any, method: ResizeMethod, antialias: bool, dtype: ca.DType) -> Any:
    """Return the weights of `old` pixels in `new` ones, a matrix."""
    inverse = 1.0 / scale
    places = (ca.arange(new, dtype=dtype) + 0.5) * inverse - shift * inverse - 0.5
    if method is ResizeMethod.AREA:
        weights, repeats = _overlaps(old, new, inverse, shift, dtype), 0
    else:
        radius, kernel = _KERNELS[method]
        repeats = radius if method is ResizeMethod.CUBIC_PYTORCH else 0
        stretch = ca.maximum(inverse, 1.0) if antialias else 1.0
        pixels = ca.arange(-repeats, old + repeats, dtype=dtype)
        weights = kernel(ca.abs(places[None, :] - pixels[:, None]) / stretch)
    if repeats:  # what lies outside counts for the pixel at the edge
        first, last = weights[: repeats + 1], weights[old + repeats - 1 :]
        if old == 1:
            weights = ca.sum(weights, axis=0, keepdims=True)
        else:
            ends = [ca.sum(x, axis=0, keepdims=True) for x in (first, last)]
            weights = ca.concat([ends[0], weights[repeats + 1 : old + repeats - 1], ends[1]], axis=0)
        return _normalized(weights)
    inside = ca.logical_and(places >= -0.5, places <= old - 0.5)
    return ca.where(inside[None, :], _normalized(weights), 0.0)


def _scaled(
    image: ca.Array, shape: Sequence[int], axes: Sequence[int], scales: Sequence[Any], shifts: Sequence[Any],
    method: ResizeMethod, antialias: bool, dtype: ca.DType,
) -> Any:  # fmt: skip
    if method is ResizeMethod.CUBIC_PYTORCH and antialias:
        method = ResizeMethod.CUBIC
    for axis, scale, shift in zip(axes, scales, shifts, strict=True):
        weights = _weights(image.shape[axis], shape[axis], scale, shift, method, antialias, dtype)
        image = ca.moveaxis(ca.tensordot(image, cast(weights, image.dtype), axes=((axis,), (0,))), -1, axis)
    return image


def _asked(image: Any, shape: Any, method: Any) -> tuple[ca.Array, tuple[int, ...], ResizeMethod]:
    """Return the image, the shape and the method of a call.

    Raises
    ------
    ValueError
        If the shape has another number of axes than the image.
    TypeError
        If the method is neither a name nor a `ResizeMethod`.
    """
    x = converted(image)[0]
    sizes = tuple(operator.index(n) for n in shape)
    if len(sizes) != x.ndim:
        raise CoreArrayValueError(
            f"shape must have length equal to the number of dimensions of x;  {sizes} vs {tuple(x.shape)}"
        )
    method = ResizeMethod.from_string(method) if isinstance(method, str) else method
    if not isinstance(method, ResizeMethod):
        raise CoreArrayTypeError(f"method is a jax.image.ResizeMethod or its name, got {method!r}")
    return x, sizes, method


def resize(image: Any, shape: Any, method: Any, antialias: bool = True, precision: Any = None) -> Any:
    """Return an image of another shape; `precision` has no effect."""
    x, sizes, method = _asked(image, shape, method)
    weak = getattr(image, "weak_type", False)
    axes = [i for i, n in enumerate(sizes) if x.shape[i] != n]
    if method is ResizeMethod.NEAREST:
        for axis in axes:
            old, new = x.shape[axis], sizes[axis]
            places = (ca.arange(new, dtype=ca.float32) + 0.5) * old / new if new else ca.zeros((0,))
            x = ca.take(x, ca.astype(ca.floor(places), ca.int32), axis=axis)
        return Array(x, weak)
    x = cast(x, inexact(x.dtype))
    if not axes:
        return Array(x, weak)
    scales = [sizes[axis] / x.shape[axis] if sizes[axis] else 1.0 for axis in axes]
    dtype = default(float)
    given = [ca.asarray(scale, dtype=dtype) for scale in scales]
    return Array(_scaled(x, sizes, axes, given, [0.0] * len(axes), method, antialias, dtype))


def scale_and_translate(
    image: Any, shape: Any, spatial_dims: Sequence[int], scale: Any, translation: Any, method: Any,
    antialias: bool = True, precision: Any = None,
) -> Any:  # fmt: skip
    """Return an image that is scaled and moved along some axes; `precision` has no effect.

    Raises
    ------
    ValueError
        If the method is the nearest pixel.
    """
    x, sizes, method = _asked(image, shape, method)
    if method is ResizeMethod.NEAREST:
        raise CoreArrayValueError("Nearest neighbor resampling is not currently supported for scale_and_translate.")
    (scales, first), (shifts, second) = converted(scale), converted(translation)
    dtype = inexact(promoted([(scales.dtype, first), (shifts.dtype, second)])[0])
    axes = [operator.index(axis) for axis in spatial_dims]
    for axis in axes:
        if not -x.ndim <= axis < x.ndim:
            raise CoreArrayValueError(f"axis {axis} is out of bounds for array of dimension {x.ndim}")
    axes = [axis % x.ndim for axis in axes]
    for name, given in (("scale", scales), ("translation", shifts)):
        if tuple(given.shape) != (len(axes),):
            raise CoreArrayValueError(
                f"{name} has a number for each of {len(axes)} axes, got shape {tuple(given.shape)}"
            )
    factors, moves = (ca.unstack(cast(given, dtype), axis=0) if axes else [] for given in (scales, shifts))
    x = cast(x, inexact(x.dtype))
    return Array(_scaled(x, sizes, axes, factors, moves, method, antialias, dtype))


FUNCTIONS: dict[str, Any] = {
    "image.ResizeMethod": ResizeMethod, "image.resize": resize, "image.scale_and_translate": scale_and_translate,
}  # fmt: skip
