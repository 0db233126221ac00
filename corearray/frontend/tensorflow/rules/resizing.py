"""Images of other sizes: with the nearest pixel, and in between by lines and cubes."""

from __future__ import annotations

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
