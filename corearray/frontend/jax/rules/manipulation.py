"""Shapes, slices, padding and joining."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import corearray as ca
from corearray.frontend.jax.described import rule, say
from corearray.frontend.operands import as_array

__all__: list[str] = []

say("""
jax.lax.reshape_p(x, *, new_sizes, dimensions=None, sharding=None) = ca.reshape(x, new_sizes)
jax.lax.transpose_p(x, *, permutation) = ca.permute_dims(x, permutation)
jax.lax.squeeze_p(x, *, dimensions) = ca.squeeze(x, axis=dimensions) if dimensions else x
jax.lax.expand_dims_p(x, *, dimensions) = ca.expand_dims(x, axis=dimensions) if dimensions else x
jax.lax.concatenate_p(*xs, dimension) = ca.concat(list(xs), axis=dimension)
jax.lax.rev_p(x, *, dimensions) = ca.flip(x, axis=dimensions) if dimensions else x
jax.lax.tile_p(x, *, reps) = ca.tile(x, reps)
jax.lax.stack_p(*xs, axis=0) = ca.stack(list(xs), axis=axis)
jax.lax.unstack_p(x, *, axis=0) = list(ca.unstack(x, axis=axis))
jax.lax.empty_p|jax.lax.empty2_p(*, shape=(), dtype, **_) = ca.zeros(shape, dtype=dtype)
""")


@rule("jax.lax.broadcast_in_dim_p")
def broadcast_in_dim(x: ca.Array, *, shape: Any, broadcast_dimensions: Any, sharding: Any = None) -> Any:
    """Put the axes of an array at places of a larger shape."""
    if x.ndim != len(shape):
        sizes = [1] * len(shape)
        for axis, place in enumerate(broadcast_dimensions):
            sizes[place] = x.shape[axis]
        x = ca.reshape(x, tuple(sizes))
    return x if tuple(x.shape) == tuple(shape) else ca.broadcast_to(x, tuple(shape))


@rule("jax.lax.iota_p")
def iota(*, dtype: Any, shape: Any, dimension: int, sharding: Any = None) -> Any:
    """Count along an axis."""
    line = ca.arange(shape[dimension], dtype=dtype)
    if len(shape) == 1:
        return line
    sizes = [1] * len(shape)
    sizes[dimension] = shape[dimension]
    return ca.broadcast_to(ca.reshape(line, tuple(sizes)), tuple(shape))


@rule("jax.lax.slice_p")
def slice_(x: ca.Array, *, start_indices: Any, limit_indices: Any, strides: Any = None) -> Any:
    """Take a block with steps."""
    steps = strides or (1,) * x.ndim
    return x[tuple(map(slice, start_indices, limit_indices, steps))] if x.ndim else x


@rule("jax.lax.split_p")
def split(x: ca.Array, *, sizes: Any, axis: int) -> Any:
    """Cut an array into parts of given sizes."""
    ends = list(accumulate(sizes))
    front = (slice(None),) * (axis % x.ndim)
    return [x[(*front, slice(end - size, end), ...)] for size, end in zip(sizes, ends, strict=True)]


@rule("jax.lax.pad_p")
def pad(x: ca.Array, value: Any, *, padding_config: Any) -> Any:
    """Put a value around and between the elements; negative widths cut off."""
    x = as_array(x, value)
    for axis, (_, _, between) in enumerate(padding_config):
        x = _with_gaps(x, axis, between, value) if between else x
    if any(width < 0 for config in padding_config for width in config[:2]):
        x = x[
            tuple(
                slice(max(0, -low), max(0, size - max(0, -high)))
                for size, (low, high, _) in zip(x.shape, padding_config, strict=True)
            )
        ]
    widths = [(max(0, low), max(0, high)) for low, high, _ in padding_config]
    if not any(map(any, widths)):
        return x
    if not isinstance(value, ca.Array):
        return ca.pad(x, widths, constant_values=value)
    for axis, ends in enumerate(widths):
        sides = [_filled(value, x, axis, width) for width in ends]
        x = ca.concat([part for part in (sides[0], x, sides[1]) if part is not None], axis=axis)
    return x


def _filled(value: Any, x: ca.Array, axis: int, width: int) -> Any:
    if not width:
        return None
    shape = (*x.shape[:axis], width, *x.shape[axis + 1 :])
    return ca.broadcast_to(as_array(value, x), shape)


def _with_gaps(x: ca.Array, axis: int, between: int, value: Any) -> Any:
    """Put elements between those along an axis."""
    size = x.shape[axis]
    if size < 2:
        return x
    apart = ca.expand_dims(x, axis=axis + 1)
    gaps = ca.broadcast_to(as_array(value, x), (*x.shape[: axis + 1], between, *x.shape[axis + 1 :]))
    joined = ca.concat([apart, gaps], axis=axis + 1)
    flat = ca.reshape(joined, (*x.shape[:axis], size * (between + 1), *x.shape[axis + 1 :]))
    return flat[(*(slice(None),) * axis, slice(0, size * (between + 1) - between), ...)]


def _starts(x: ca.Array, starts: Sequence[Any], sizes: Sequence[int]) -> list[Any]:
    """Return start indices that keep a block inside."""
    found = []
    for start, size, length in zip(starts, sizes, x.shape, strict=True):
        if isinstance(start, ca.Array):
            found.append(ca.clip(start, 0, length - size) if size != length else 0)
        else:
            found.append(min(max(start, 0), length - size))
    return found


@rule("jax.lax.dynamic_slice_p")
def dynamic_slice(x: ca.Array, *starts: Any, slice_sizes: Any) -> Any:
    """Take a block that begins at computed indices."""
    for axis, (start, size) in enumerate(zip(_starts(x, starts, slice_sizes), slice_sizes, strict=True)):
        if isinstance(start, ca.Array):
            x = ca.take(x, ca.astype(start, ca.int64) + ca.arange(size), axis=axis)
        elif size != x.shape[axis]:
            x = x[(*(slice(None),) * axis, slice(start, start + size), ...)]
    return x


@rule("jax.lax.dynamic_update_slice_p")
def dynamic_update_slice(x: ca.Array, update: ca.Array, *starts: Any) -> Any:
    """Replace a block that begins at computed indices.

    The block is stretched over the array, and a mask says where it lies: two operations for each axis, which every graph
    holds and every derivative passes.
    """
    if 0 in update.shape:
        return x
    if tuple(update.shape) == tuple(x.shape):
        return update
    inside: Any = None
    for axis, start in enumerate(_starts(x, starts, update.shape)):
        size, length = update.shape[axis], x.shape[axis]
        if size == length:
            continue
        place = ca.arange(length) - (ca.astype(start, ca.int64) if isinstance(start, ca.Array) else start)
        update = ca.take(update, ca.clip(place, 0, size - 1), axis=axis)
        within = ca.reshape((place >= 0) & (place < size), (-1, *(1,) * (x.ndim - axis - 1)))
        inside = within if inside is None else inside & within
    return ca.where(inside, update, x)
