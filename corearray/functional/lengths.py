"""Lengths of axes that a framework may leave open while it traces, and several axes as one."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.types.dtypes import DType

__all__: list[str] = []


def _length(x: Array, axis: int) -> int | Array:
    """Return the length of an axis; an array that counts when the program runs, if the length is not known before."""
    length: int | None = x.shape[axis]
    if length is not None:
        return length
    place = axis % x.ndim
    row = x[tuple(slice(None) if i == place else slice(0, 1) for i in range(x.ndim))]
    return xp.count_nonzero(xp.ones_like(row, dtype=xp.bool))


def _divisor(count: int | Array, correction: float, dtype: DType) -> Array | float:
    """Return what a sum of squares is divided by; NaN where nothing is left of the number of observations."""
    if isinstance(count, int):
        return max(count - correction, 0.0) or math.nan
    rest = xp.astype(count, dtype) - correction
    return xp.where(rest > 0, rest, math.nan)


def _joined(x: Array, axis: int | tuple[int, ...] | None, name: str) -> tuple[Array, tuple[int, ...]]:
    """Move the axes that are reduced behind the others as one; return them too, counted from the front."""
    axes = tuple(range(x.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    if not all(-x.ndim <= place < x.ndim for place in axes):
        raise IndexError(f"'{name}' was asked for axis {axis} of an array with {x.ndim} axes")
    axes = tuple(place % x.ndim for place in axes)
    if len(set(axes)) < len(axes):
        raise ValueError(f"'{name}' got axis={axis}, which names an axis twice; name each once")
    kept = tuple(place for place in range(x.ndim) if place not in axes)
    moved, merged = xp.permute_dims(x, (*kept, *axes)), [x.shape[i] for i in axes]
    if len(axes) == 1:
        return moved, axes
    return xp.reshape(moved, (*(x.shape[i] for i in kept), -1 if None in merged else math.prod(merged))), axes
