"""Images of single precision made larger or smaller by the kernels of TensorFlow, which takes channels last."""

from __future__ import annotations

from operator import index
from typing import Any

import tensorflow as tf

from corearray.plugin import hookimpl
from corearray_tensorflow.native import constant, is_finite, raw_ops

#: TensorFlow's names of kernels, with antialias and without.
_KERNELS = {
    **{(name, flag): name for name in ("gaussian", "lanczos3", "lanczos5", "mitchellcubic") for flag in (True, False)},
    **{(name, True): "triangle" for name in ("linear", "bilinear")},
    **{(name, True): "keyscubic" for name in ("cubic", "bicubic")},
}
_LINEAR = ("linear", "bilinear")


def _lengths(x: Any, data_format: str) -> Any:
    return x.shape[2:] if data_format == "channels_first" else x.shape[1:3]


def _sizes(size: Any) -> tuple[int, ...]:
    return tuple(map(index, size)) if isinstance(size, (list, tuple)) else (index(size),) * 2


def _fits(
    x: Any, size: Any, scale_factor: Any, mode: str, align_corners: bool, antialias: bool, data_format: str
) -> bool:
    if x.dtype is not tf.float32 or x.shape.rank != 4 or size is None or scale_factor is not None:
        return False
    if data_format not in ("channels_first", "channels_last") or not x.shape[1:].is_fully_defined():
        return False
    lengths, sizes = _lengths(x, data_format), _sizes(size)
    if len(sizes) != 2 or min(*sizes, *x.shape[1:]) < 1 or (x.shape[0] == 0):
        return False
    if (mode, antialias) in _KERNELS:
        return not align_corners and is_finite(x)  # an element at the end of a kernel has no weight, and may be NaN
    if antialias:
        return False
    if mode in ("nearest", "nearest_exact"):
        steps = [before / after for before, after in zip(lengths, sizes, strict=True)]
        return not align_corners and max(lengths) < 2**16 and all((64 * step).is_integer() for step in steps)
    return mode in _LINEAR and (not (align_corners or _meets_elements(lengths, sizes)) or is_finite(x))


def _meets_elements(lengths: Any, sizes: Any) -> bool:
    """Return true if a place of the result falls on an element: its neighbours have no weight and may be NaN."""
    return any(
        ((2 * place + 1) * before - after) % (2 * after) == 0
        for before, after in zip(lengths, sizes, strict=True)
        for place in range(after)
    )


@hookimpl(when=_fits)
def interpolate(
    x: Any,
    /,
    *,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool = False,
    antialias: bool = False,
    data_format: str = "channels_first",
) -> Any:
    """The places of elements are computed in single precision, so that the nearest one is TensorFlow's where they are exact."""
    lengths, sizes = _lengths(x, data_format), _sizes(size)
    first = data_format == "channels_first"
    x = raw_ops.Transpose(x=x, perm=constant((0, 2, 3, 1))) if first else x
    if (mode, antialias) in _KERNELS:
        found = raw_ops.ScaleAndTranslate(
            images=x,
            size=constant(sizes),
            scale=tf.constant([after / before for before, after in zip(lengths, sizes, strict=True)], tf.float32),
            translation=tf.zeros(2),
            kernel_type=_KERNELS[mode, antialias],
            antialias=antialias,
        )
    elif mode in _LINEAR:
        found = raw_ops.ResizeBilinear(
            images=x, size=constant(sizes), align_corners=align_corners, half_pixel_centers=not align_corners
        )
    else:
        found = raw_ops.ResizeNearestNeighbor(
            images=x, size=constant(sizes), half_pixel_centers=mode == "nearest_exact"
        )
    return raw_ops.Transpose(x=found, perm=constant((0, 3, 1, 2))) if first else found
