"""Functions of `jax.lax` that take and replace blocks of arrays."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.jax.members_of.creation import shape_of
from corearray.frontend.jax.members_of.lax_arrays import checked_axis, squeeze
from corearray.frontend.jax.members_of.lax_elementwise import primitive
from corearray.frontend.jax.promotion import of_indices
from corearray.frontend.jax.wrapper import Array, converted

__all__ = [
    "FUNCTIONS", "dynamic_index_in_dim", "dynamic_slice", "dynamic_slice_in_dim", "dynamic_update_index_in_dim",
    "dynamic_update_slice", "dynamic_update_slice_in_dim", "index_in_dim", "index_take", "slice", "slice_in_dim",
]  # fmt: skip


def slice(operand: Any, start_indices: Any, limit_indices: Any, strides: Any = None) -> Any:
    """Take a block with steps."""
    x, weak = converted(operand)
    starts, limits = tuple(start_indices), tuple(limit_indices)
    if len(starts) != x.ndim or len(limits) != x.ndim:
        raise CoreArrayTypeError(f"slice start_indices must have length {x.ndim}, got {starts} and {limits}")
    for n, low, high in zip(x.shape, starts, limits, strict=True):
        if not 0 <= low <= high <= n:
            raise CoreArrayTypeError(
                "slice limit_indices must be less than or equal to operand "
                f"shape, got indices {limits} for operand shape {tuple(x.shape)}."
            )
    return Array(primitive("slice")(x, start_indices=starts, limit_indices=limits, strides=strides), weak)


def slice_in_dim(operand: Any, start_index: Any, limit_index: Any, stride: int = 1, axis: int = 0) -> Any:
    """Take a part of an axis; negative indices count from its end."""
    x, _ = converted(operand)
    axis = checked_axis(axis, x.ndim, "slice_in_dim")
    n = x.shape[axis]
    starts, limits, strides = [0] * x.ndim, list(x.shape), [1] * x.ndim
    low, high = 0 if start_index is None else int(start_index), n if limit_index is None else int(limit_index)
    starts[axis], limits[axis], strides[axis] = low + n if low < 0 else low, high + n if high < 0 else high, stride
    return slice(operand, starts, limits, strides)


def index_in_dim(operand: Any, index: int, axis: int = 0, keepdims: bool = True) -> Any:
    """Take one place of an axis."""
    x, weak = converted(operand)
    axis = checked_axis(axis, x.ndim, "index_in_dim")
    n = x.shape[axis]
    if not -n <= index < n:
        raise IndexError(f"index {index} is out of bounds for axis {axis} with size {n}")
    index = index % n
    made = x[(*(builtins.slice(None),) * axis, builtins.slice(index, index + 1), ...)]
    return Array(made if keepdims else ca.squeeze(made, axis=axis), weak)


def _starts(x: ca.Array, indices: Any, allow_negative: Any) -> list[Any]:
    """Return the start indices of a block, counted from the front.

    Parameters
    ----------
    x
        The array.
    indices
        An index for each axis.
    allow_negative
        Whether negative indices count from the end: one truth value, or one for each axis.
    """
    if isinstance(indices, (Array, ca.Array)):
        indices = [indices[i] for i in range(indices.shape[0])]
    if len(indices) != x.ndim:
        raise CoreArrayValueError(
            "Length of slice indices must match number of operand dimensions "
            f"({len(indices)} start indices, {x.ndim} dimensions)"
        )
    allowed = [allow_negative] * x.ndim if isinstance(allow_negative, bool) else list(allow_negative)
    made: list[Any] = []
    for index, n, wraps in zip(indices, x.shape, allowed, strict=True):
        if isinstance(index, int):
            if index < 0 and not wraps:
                raise CoreArrayValueError(
                    f"Index {index} is out of bounds for dimension {n} if allow_negative_indices=False"
                )
            made.append(index + n if index < 0 else index)
            continue
        start = converted(index)[0]
        if start.dtype.category not in ("signed integer", "unsigned integer"):
            raise CoreArrayTypeError(
                f"index arguments to dynamic_slice must be integers of the same type, got: {start.dtype}"
            )
        start = ca.astype(start, of_indices())
        made.append(ca.where(start < 0, start + n, start) if wraps else start)
    return made


def dynamic_slice(operand: Any, start_indices: Any, slice_sizes: Any, *, allow_negative_indices: Any = True) -> Any:
    """Take a block that begins at computed indices, moved inside."""
    x, weak = converted(operand)
    sizes = shape_of(slice_sizes)
    if len(sizes) != x.ndim or any(size > n for size, n in zip(sizes, x.shape, strict=True)):
        raise CoreArrayTypeError(
            "slice slice_sizes must be less than or equal to operand shape, "
            f"got slice_sizes {sizes} for operand shape {tuple(x.shape)}."
        )
    return Array(
        primitive("dynamic_slice")(x, *_starts(x, start_indices, allow_negative_indices), slice_sizes=sizes), weak
    )


def dynamic_update_slice(operand: Any, update: Any, start_indices: Any, *, allow_negative_indices: Any = True) -> Any:
    """Replace a block that begins at computed indices, moved inside."""
    x, weak = converted(operand)
    part, part_weak = converted(update)
    if part.dtype != x.dtype:
        raise CoreArrayTypeError(
            f"lax.dynamic_update_slice requires arguments to have the same dtypes, got {x.dtype}, {part.dtype}."
        )
    if part.ndim != x.ndim or any(size > n for size, n in zip(part.shape, x.shape, strict=True)):
        raise CoreArrayTypeError(
            "dynamic_update_slice update shape must be smaller than operand shape, "
            f"got update shape {tuple(part.shape)} for operand shape {tuple(x.shape)}."
        )
    return Array(
        primitive("dynamic_update_slice")(x, part, *_starts(x, start_indices, allow_negative_indices)),
        weak and part_weak,
    )


def _along(x: ca.Array, start: Any, axis: int) -> list[Any]:
    starts: list[Any] = [0] * x.ndim
    starts[axis] = start
    return starts


def dynamic_slice_in_dim(
    operand: Any, start_index: Any, slice_size: int, axis: int = 0, *, allow_negative_indices: Any = True
) -> Any:
    """Take a part of an axis that begins at a computed index."""
    x, _weak = converted(operand)
    axis = checked_axis(axis, x.ndim, "dynamic_slice_in_dim")
    sizes = list(x.shape)
    sizes[axis] = slice_size
    return dynamic_slice(operand, _along(x, start_index, axis), sizes, allow_negative_indices=allow_negative_indices)


def dynamic_index_in_dim(
    operand: Any, index: Any, axis: int = 0, keepdims: bool = True, *, allow_negative_indices: Any = True
) -> Any:
    """Take a computed place of an axis."""
    place = Array(converted(index)[0])
    made = dynamic_slice_in_dim(operand, place, 1, axis, allow_negative_indices=allow_negative_indices)
    return made if keepdims else squeeze(made, (axis,))


def dynamic_update_slice_in_dim(
    operand: Any, update: Any, start_index: Any, axis: int, *, allow_negative_indices: Any = True
) -> Any:
    """Replace a part of an axis that begins at a computed index."""
    x, _weak = converted(operand)
    axis = checked_axis(axis, x.ndim, "dynamic_update_slice_in_dim")
    return dynamic_update_slice(
        operand, update, _along(x, start_index, axis), allow_negative_indices=allow_negative_indices
    )


def dynamic_update_index_in_dim(
    operand: Any, update: Any, index: Any, axis: int, *, allow_negative_indices: Any = True
) -> Any:
    """Replace a computed place of an axis."""
    x, _weak = converted(operand)
    part, weak = converted(update)
    axis = checked_axis(axis, x.ndim, "dynamic_update_index_in_dim")
    if part.ndim < x.ndim:
        part = ca.expand_dims(part, axis=axis)
    place = Array(converted(index)[0])
    return dynamic_update_slice_in_dim(
        operand, Array(part, weak), place, axis, allow_negative_indices=allow_negative_indices
    )


def index_take(src: Any, idxs: Sequence[Any], axes: Sequence[int]) -> Any:
    """Take elements at indices of several axes."""
    x, weak = converted(src)
    key: list[Any] = [builtins.slice(None)] * x.ndim
    for index, axis in zip(idxs, axes, strict=True):
        key[axis] = index if isinstance(index, Array) else Array(converted(index)[0])
    made = Array(x, weak)[tuple(key)]
    if list(axes) == [0]:
        return made
    chosen = sorted(axes)
    together = chosen == list(range(chosen[0], chosen[-1] + 1))
    return Array(ca.moveaxis(made.array, chosen[0], 0), weak) if together else made


FUNCTIONS: dict[str, Any] = {
    f"lax.{one.__name__}": one
    for one in (
        slice, slice_in_dim, index_in_dim, dynamic_slice, dynamic_update_slice, dynamic_slice_in_dim,
        dynamic_index_in_dim, dynamic_update_slice_in_dim, dynamic_update_index_in_dim, index_take,
    )
}  # fmt: skip
