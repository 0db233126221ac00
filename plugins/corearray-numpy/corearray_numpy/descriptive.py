"""Counts of integers, and the number in the middle, for which not all are sorted."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl


def _has_bincount(x: Any, weights: Any = None, minlength: int = 0, length: int | None = None) -> bool:
    """NumPy takes no uint64, and adds weights up in float64, which does not hold all integers."""
    return (
        length is None
        and x.dtype.kind in "iu"
        and x.dtype != np.uint64
        and (weights is None or weights.dtype.kind == "f")
    )


@hookimpl(when=_has_bincount)
def bincount(x: Any, /, weights: Any = None, minlength: int = 0, length: int | None = None) -> Any:
    if weights is not None and weights.shape != x.shape:
        raise ValueError(f"weights of shape {weights.shape} for {x.shape}")
    found = np.bincount(x, weights, minlength)
    return found if weights is None else found.astype(weights.dtype, copy=False)


def _has_middle(x: Any, axis: Any) -> bool:
    """Leave axes that are wrong, and no elements, to the composition."""
    axes = range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    inside = all(-x.ndim <= place < x.ndim for place in axes)
    return x.size > 0 and inside and len({place % x.ndim for place in axes}) == len(axes) > 0


@hookimpl(when=_has_middle)
def median(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Any:
    """NaN is sorted behind all numbers, so that the last element tells of it; halves are added, which do not overflow."""
    axes = tuple(
        place % x.ndim for place in (range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,))
    )
    kept = [place for place in range(x.ndim) if place not in axes]
    rows = x.transpose(*kept, *axes).reshape(*(x.shape[place] for place in kept), -1)
    length = rows.shape[-1]
    places = (length - 1) // 2, length // 2, length - 1
    low, high, last = np.moveaxis(np.partition(rows, places, -1)[..., places], -1, 0)
    half = x.dtype.type(0.5)
    with np.errstate(invalid="ignore"):  # of infinities; equal ones are not added
        found = np.where(low == high, low, low * half + high * half)
    found = np.where(np.isnan(last), last, found)
    return np.expand_dims(found, axes) if keepdims else found
