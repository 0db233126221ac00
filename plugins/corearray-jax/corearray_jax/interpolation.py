"""Interpolation as a sum of few neighbours times weights, compiled as one.

`jax.image.resize` multiplies by matrices, which takes several times as long and spreads NaN and infinities over whole axes.
Neighbours and weights are NumPy's to compute: XLA multiplies where it should divide, so that no place stays on an element.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax.native import compiled, is_floating

#: Kernels, each with the distance from which on it is zero, and for how many axes names stand.
_KERNELS = {"linear": 1.0, "cubic": 2.0, "lanczos3": 3.0, "lanczos5": 5.0, "mitchellcubic": 2.0, "gaussian": 1.5}
_OF_AXES = {"bilinear": ("linear", 2), "trilinear": ("linear", 3), "bicubic": ("cubic", 2)}

#: How many neighbours are summed up one after the other; more would take long to compile.
_FEW = 64


def _read(x: Any, size: Any, scale_factor: Any, mode: str, data_format: str) -> Any:
    """Return the kernel and for each spatial axis its place, its lengths before and after, and the factor."""
    kind, count = _OF_AXES.get(mode, (mode, x.ndim - 2))
    if (
        data_format not in ("channels_first", "channels_last")
        or count != x.ndim - 2
        or (size is None) == (scale_factor is None)
    ):
        return None
    places = range(2, x.ndim) if data_format == "channels_first" else range(1, x.ndim - 1)
    given = scale_factor if size is None else size
    values = list(given) if isinstance(given, (list, tuple)) else [given] * count
    if kind not in (*_KERNELS, "area") or len(values) != count or not count:
        return None
    axes = []
    for place, value in zip(places, values, strict=True):
        before = x.shape[place]
        after = value if size is not None else math.floor(before * value)
        if type(after) is not int or min(before, after) < 1:
            return None
        axes.append((place, before, after, None if size is not None else float(value)))
    return kind, tuple(axes)


def _fits(
    x: Any, size: Any, scale_factor: Any, mode: str, align_corners: bool, antialias: bool, data_format: str
) -> bool:
    found = _read(x, size, scale_factor, mode, data_format) if is_floating(x) else None
    if found is None or (align_corners and (antialias or found[0] not in ("linear", "cubic"))):
        return False
    return not antialias or found[0] in _KERNELS


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
    return _interpolated(x, *_read(x, size, scale_factor, mode, data_format), align_corners, antialias)


@compiled("kind", "axes", "align_corners", "antialias")
def _interpolated(x: Any, kind: str, axes: Any, align_corners: bool, antialias: bool) -> Any:
    found = x.astype("float32") if x.dtype.itemsize == 2 else x
    for place, before, after, factor in axes:
        steps = kind == "cubic" and not (antialias or align_corners) and factor not in (None, 1.0)
        if before == after and not steps and kind not in ("mitchellcubic", "gaussian"):
            continue
        if kind == "area":
            indices, weights = _cells(before, after)
        else:
            indices, weights = _neighbours(before, after, factor, kind, align_corners, antialias)
        weights = weights.astype(found.dtype).reshape(*weights.shape, *[1] * (x.ndim - place - 1))
        if len(indices) <= _FEW:
            found = sum(jnp.take(found, at, axis=place) * weight for at, weight in zip(indices, weights, strict=True))
        else:
            found = jnp.sum(jnp.take(found, indices, axis=place) * weights, axis=place)
    return found.astype(x.dtype)


def _cells(before: int, after: int) -> tuple[Any, Any]:
    """Find the elements that each new cell touches, which all count the same."""
    steps = np.arange(after)
    first, last = steps * before // after, ((steps + 1) * before - 1) // after
    indices = first + np.arange((last - first).max() + 1)[:, None]
    return np.minimum(indices, last), (indices <= last) / (last - first + 1)


def _neighbours(
    before: int, after: int, factor: float | None, kind: str, align_corners: bool, antialias: bool
) -> tuple[Any, Any]:
    """Find the elements within the kernel around each place, and their weights."""
    radius, repeats = _KERNELS[kind], kind in ("linear", "cubic") and not antialias
    steps = np.arange(float(after))
    if align_corners:
        centres = steps * (before - 1) / max(after - 1, 1)
    elif factor is None:
        centres = (steps * (2 * before) + (before - after)) / (2 * after)
    else:
        centres = (steps + 0.5) * (1.0 / factor) - 0.5
    stretch = max(before / after if factor is None else 1.0 / factor, 1.0) if antialias else 1.0
    indices = np.floor(centres - radius * stretch) + 1.0 + np.arange(math.ceil(2.0 * radius * stretch))[:, None]
    distance = np.abs(indices - centres) / stretch
    inside = np.clip(indices, 0.0, before - 1.0)
    weights = _kernel(distance, kind, -0.75 if repeats else -0.5)
    if not repeats:
        weights = np.where((distance < radius) & (indices == inside), weights, 0.0)
        weights = weights / weights.sum(0)
    weights = np.where(np.abs(weights) < 8.0 * np.finfo(weights.dtype).eps, 0.0, weights)
    # An element of no weight may be NaN: the one of the greatest weight stands for it.
    most = np.take_along_axis(inside, np.argmax(np.abs(weights), axis=0, keepdims=True), axis=0)
    return np.where(weights == 0.0, most, inside).astype(int), weights


def _kernel(t: Any, kind: str, a: float) -> Any:
    """Compute a kernel at distances within its radius."""
    if kind == "linear":
        return 1.0 - t
    if kind == "gaussian":
        return np.exp(-2.0 * t * t)
    if kind == "cubic":  # Keys (1981)
        return np.where(t <= 1.0, ((a + 2) * t - (a + 3)) * t * t + 1, ((a * t - 5 * a) * t + 8 * a) * t - 4 * a)
    if kind == "mitchellcubic":  # Mitchell and Netravali (1988), with B = C = 1/3
        return np.where(t <= 1.0, (7 * t - 12) * t * t + 16 / 3, ((-7 * t + 36) * t - 60) * t / 3 + 32 / 3) / 6
    return np.sinc(t) * np.sinc(t / _KERNELS[kind])
