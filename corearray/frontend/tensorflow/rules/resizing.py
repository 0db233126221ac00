"""Images of other sizes: with the nearest pixel, in between by lines and cubes, by areas and kernels; and derivatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.frontend.tensorflow.described import rule

__all__: list[str] = []


def _centres(size: int, new: int, align_corners: bool, half_pixel_centers: bool) -> Any:
    """Return where the new pixels lie among the old ones."""
    places = ca.arange(new, dtype=ca.float32)
    if align_corners and new > 1:
        return places * ((size - 1) / (new - 1))
    scale = size / new
    return (places + 0.5) * scale - 0.5 if half_pixel_centers else places * scale


@rule("tensorflow.raw_ops.ResizeNearestNeighbor")
def resize_nearest(images: ca.Array, size: Any, align_corners: bool = False, half_pixel_centers: bool = False) -> Any:
    """Take the nearest pixel."""
    for axis, new in ((1, int(size[0])), (2, int(size[1]))):
        old = images.shape[axis]
        scale = (old - 1) / (new - 1) if align_corners and new > 1 else old / new
        places = (ca.arange(new, dtype=ca.float32) + (0.5 if half_pixel_centers else 0.0)) * scale
        near = ca.floor(places + 0.5) if align_corners else ca.floor(places)
        images = ca.take(images, ca.astype(ca.clip(near, 0, old - 1), ca.int32), axis=axis)
    return images


@rule("tensorflow.raw_ops.ResizeBilinear")
def resize_bilinear(images: ca.Array, size: Any, align_corners: bool = False, half_pixel_centers: bool = False) -> Any:
    """Weigh the two nearest pixels of each axis; the result is float32."""
    made = ca.astype(images, ca.float32) if images.dtype != ca.float32 else images
    for axis, new in ((1, int(size[0])), (2, int(size[1]))):
        old = made.shape[axis]
        places = _centres(old, new, align_corners, half_pixel_centers)
        below = ca.floor(places)
        share = ca.reshape(places - below, (-1, *(1,) * (made.ndim - 1 - axis)))
        low, high = (ca.astype(ca.clip(x, 0, old - 1), ca.int32) for x in (below, below + 1))
        first, second = ca.take(made, low, axis=axis), ca.take(made, high, axis=axis)
        made = first + (second - first) * share
    return made


@rule("tensorflow.raw_ops.ResizeBicubic")
def resize_bicubic(images: ca.Array, size: Any, align_corners: bool = False, half_pixel_centers: bool = False) -> Any:
    """Weigh the four nearest pixels of each axis by Keys' cubic kernel.

    With half pixel centres the coefficient is -0.5 and pixels outside have no weight, as in TensorFlow, else -0.75.
    """
    made = ca.astype(images, ca.float32) if images.dtype != ca.float32 else images
    a = -0.5 if half_pixel_centers else -0.75
    for axis, new in ((1, int(size[0])), (2, int(size[1]))):
        old = made.shape[axis]
        places = _centres(old, new, align_corners, half_pixel_centers)
        below = ca.floor(places)
        share = ca.round((places - below) * 1024.0) / 1024.0  # TensorFlow's table of weights has so many entries
        weights, parts = [], []
        total: Any = 1.0
        for offset in (-1, 0, 1, 2):
            distance = ca.abs(share - offset)
            near = ((a + 2) * distance - (a + 3)) * distance * distance + 1
            far = ((a * distance - 5 * a) * distance + 8 * a) * distance - 4 * a
            weight = ca.where(distance <= 1, near, far)
            place = below + offset
            if half_pixel_centers:
                weight = ca.where((place >= 0) & (place <= old - 1), weight, 0.0)
            weights.append(weight)
            parts.append(ca.take(made, ca.astype(ca.clip(place, 0, old - 1), ca.int32), axis=axis))
        if half_pixel_centers:
            total = weights[0] + weights[1] + weights[2] + weights[3]
        shape = (-1, *(1,) * (made.ndim - 1 - axis))
        shares = [part * ca.reshape(weight / total, shape) for part, weight in zip(parts, weights, strict=True)]
        made = shares[0] + shares[1] + shares[2] + shares[3]
    return made


@rule("tensorflow.raw_ops.ResizeArea")
def resize_area(images: ca.Array, size: Any, align_corners: bool = False) -> Any:
    """Take the mean of the area that a new pixel covers; the result is float32."""
    made = ca.astype(images, ca.float32)
    for axis, new in ((1, int(size[0])), (2, int(size[1]))):
        old = images.shape[axis]
        scale = (old - 1) / (new - 1) if align_corners and new > 1 else old / new
        start = ca.expand_dims(ca.arange(new, dtype=ca.float32) * scale, axis=-1)
        low = ca.arange(old, dtype=ca.float32)
        high = ca.where(low == old - 1, ca.inf, low + 1.0)  # the last pixel goes on for ever
        shared = ca.minimum(start + scale, high) - ca.maximum(start, low)
        made = _along(made, axis, ca.clip(shared, 0.0, None) / scale)
    return made


@rule("tensorflow.raw_ops.ScaleAndTranslate")
def scale_and_translate(
    images: ca.Array, size: Any, scale: Any, translation: Any, kernel_type: str = "lanczos3", antialias: bool = True
) -> Any:
    """Weigh the pixels around each new pixel by a kernel; the result is float32."""
    made = ca.astype(images, ca.float32)
    for axis in (1, 2):
        place = axis - 1
        weights = _weights(
            images.shape[axis], int(size[place]), scale[place], translation[place], _decoded(kernel_type), antialias
        )
        made = _along(made, axis, weights)
    return made


def _decoded(name: Any) -> str:
    return name.decode() if isinstance(name, bytes) else str(name)


def _weights(old: int, new: int, scale: Any, translation: Any, kernel: str, antialias: bool) -> Any:
    """Return the weight of each old pixel in each new one."""
    inverse = 1.0 / scale
    wide = ca.maximum(ca.asarray(inverse, dtype=ca.float32), 1.0) if antialias else 1.0
    centre = (ca.arange(new, dtype=ca.float32) + 0.5) * inverse - inverse * translation
    distance = ca.arange(old, dtype=ca.float32) + 0.5 - ca.expand_dims(centre, axis=-1)
    weights = _KERNELS[kernel](ca.abs(distance / wide))
    total = ca.sum(weights, axis=-1, keepdims=True)
    known = ca.abs(total) >= 1000.0 * ca.finfo(ca.float32).smallest_normal
    weights = ca.where(known, weights / ca.where(known, total, 1.0), weights)
    inside = ca.expand_dims((centre >= 0) & (centre <= old), axis=-1)
    return ca.where(inside, weights, ca.zeros((), dtype=ca.float32))


def _lanczos(radius: float) -> Callable[[ca.Array], Any]:
    def kernel(x: ca.Array) -> Any:
        angle = ca.pi * ca.where(x <= 1e-3, 1.0, x)
        made = radius * ca.sin(angle) * ca.sin(angle / radius) / (angle * angle)
        return ca.where(x > radius, 0.0, ca.where(x <= 1e-3, 1.0, made))

    return kernel


def _cubic(near: tuple[float, ...], far: tuple[float, ...]) -> Callable[[ca.Array], Any]:
    """Return a kernel of two polynomials, for distances up to 1 and up to 2."""

    def polynomial(parts: tuple[float, ...], x: ca.Array) -> Any:
        made: Any = parts[0]
        for part in parts[1:]:
            made = made * x + part
        return made

    return lambda x: ca.where(x >= 2, 0.0, ca.where(x >= 1, polynomial(far, x), polynomial(near, x)))


#: The kernels of `ScaleAndTranslate`, of distances from the centre.
_KERNELS: dict[str, Callable[[ca.Array], Any]] = {
    "lanczos1": _lanczos(1.0),
    "lanczos3": _lanczos(3.0),
    "lanczos5": _lanczos(5.0),
    "gaussian": lambda x: ca.where(x >= 1.5, 0.0, ca.exp(-2.0 * x * x)),
    "box": lambda x: ca.where(x < 0.5, 1.0, ca.where(x == 0.5, 0.5, 0.0)),
    "triangle": lambda x: ca.clip(1.0 - x, 0.0, None),
    "keyscubic": _cubic((1.5, -2.5, 0.0, 1.0), (-0.5, 2.5, -4.0, 2.0)),
    "mitchellcubic": _cubic((7 / 6, -2.0, 0.0, 8 / 9), (-7 / 18, 2.0, -10 / 3, 16 / 9)),
}


def _along(x: ca.Array, axis: int, weights: ca.Array) -> Any:
    """Multiply an axis by a matrix."""
    return ca.moveaxis(ca.matmul(ca.moveaxis(x, axis, -1), ca.matrix_transpose(weights)), -1, axis)


def _matrix(resize: Callable[..., Any], old: int, new: int, options: dict[str, Any]) -> Any:
    """Return the matrix by which a method changes the size of an axis: what it makes of unit vectors."""
    units = ca.reshape(ca.eye(old, dtype=ca.float32), (1, old, 1, old))
    return ca.reshape(resize(units, [new, 1], **options), (new, old))


def _turned(resize: Callable[..., Any], grads: ca.Array, size: Any, options: dict[str, Any]) -> Any:
    """Return the derivative of a method that is linear: the transposed matrices."""
    made = grads
    for axis in (1, 2):
        weights = _matrix(resize, int(size[axis - 1]), made.shape[axis], options)
        made = _along(made, axis, ca.astype(ca.matrix_transpose(weights), made.dtype))
    return made


def _derivative(resize: Callable[..., Any]) -> Callable[..., Any]:
    def rule(grads: ca.Array, original_image: ca.Array, **options: Any) -> Any:
        return ca.astype(_turned(resize, grads, original_image.shape[1:3], options), original_image.dtype)

    return rule


rule("tensorflow.raw_ops.ResizeBilinearGrad")(_derivative(resize_bilinear))
rule("tensorflow.raw_ops.ResizeBicubicGrad")(_derivative(resize_bicubic))


@rule("tensorflow.raw_ops.ResizeNearestNeighborGrad")
def resize_nearest_grad(grads: ca.Array, size: Any, **options: Any) -> Any:
    """Add the slopes of the new pixels that show an old one."""
    return _turned(resize_nearest, grads, size, options)


@rule("tensorflow.raw_ops.ScaleAndTranslateGrad")
def scale_and_translate_grad(
    grads: ca.Array,
    original_image: ca.Array,
    scale: Any,
    translation: Any,
    kernel_type: str = "lanczos3",
    antialias: bool = True,
) -> Any:
    """Multiply by the transposed matrices of weights."""
    made = grads
    for axis in (1, 2):
        place = axis - 1
        old, new = original_image.shape[axis], grads.shape[axis]
        weights = _weights(old, new, scale[place], translation[place], _decoded(kernel_type), antialias)
        made = _along(made, axis, ca.matrix_transpose(weights))
    return made
