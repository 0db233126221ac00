"""Joining, splitting and rearranging. Orders of axes are worked out once and kept as tensors."""

from __future__ import annotations

from functools import lru_cache
from operator import index
from typing import Any

import tensorflow as tf

from corearray.plugin import hookimpl
from corearray_tensorflow.keys import as_indices
from corearray_tensorflow.native import (
    ARRAYS,
    all_axes,
    checked_axes,
    checked_axis,
    constant,
    raw_ops,
    shape_argument,
    shape_of,
    zero_or_one,
)


@hookimpl
def broadcast_to(x: Any, /, shape: Any) -> Any:
    return raw_ops.BroadcastTo(input=x, shape=shape_argument(shape))


@hookimpl
def concat(arrays: Any, /, axis: int | None = 0) -> Any:
    if axis is None:
        arrays, axis = [raw_ops.Reshape(tensor=x, shape=constant((-1,))) for x in arrays], 0
    if len(arrays) > 1:
        return raw_ops.ConcatV2(values=arrays, axis=axis if type(axis) is int else index(axis))
    if not arrays:
        raise ValueError("there is no array to join; give at least one")
    checked_axis(axis, arrays[0].shape.rank)
    return raw_ops.Identity(input=arrays[0])


@hookimpl
def expand_dims(x: Any, /, axis: Any) -> Any:
    if not isinstance(axis, (tuple, list)):
        return raw_ops.ExpandDims(input=x, axis=checked_axis(axis, x.shape.rank + 1))
    for place in sorted(checked_axes(axis, x.shape.rank + len(axis))):
        x = raw_ops.ExpandDims(input=x, axis=place)
    return x


@hookimpl
def flip(x: Any, /, axis: Any = None) -> Any:
    ndim = x.shape.rank
    return raw_ops.ReverseV2(tensor=x, axis=constant(tuple(range(ndim)) if axis is None else checked_axes(axis, ndim)))


@hookimpl
def moveaxis(x: Any, source: Any, destination: Any, /) -> Any:
    ndim = x.shape.rank
    return raw_ops.Transpose(x=x, perm=_moved(checked_axes(source, ndim), checked_axes(destination, ndim), ndim))


@hookimpl
def permute_dims(x: Any, /, axes: Any) -> Any:
    return raw_ops.Transpose(x=x, perm=constant(checked_axes(axes, x.shape.rank)))


@hookimpl
def repeat(x: Any, repeats: Any, /, axis: int | None = None) -> Any:
    if axis is None:
        x, axis = raw_ops.Reshape(tensor=x, shape=constant((-1,))), 0
    axis = checked_axis(axis, x.shape.rank)
    if isinstance(repeats, ARRAYS):
        return raw_ops.GatherV2(params=x, indices=_repeated(repeats, x, axis), axis=axis)
    if repeats < 0:
        raise ValueError(f"the number of repetitions is {repeats}; it must not be negative")
    sizes = tf.unstack(shape_of(x)) if None in x.shape else x.shape.as_list()
    apart = raw_ops.ExpandDims(input=x, axis=axis + 1)
    apart = raw_ops.BroadcastTo(input=apart, shape=shape_argument((*sizes[: axis + 1], repeats, *sizes[axis + 1 :])))
    return raw_ops.Reshape(
        tensor=apart, shape=shape_argument((*sizes[:axis], sizes[axis] * repeats, *sizes[axis + 1 :]))
    )


@hookimpl
def reshape(x: Any, /, shape: Any, *, copy: bool | None = None) -> Any:
    return raw_ops.Reshape(tensor=x, shape=shape_argument(shape))


@hookimpl
def roll(x: Any, /, shift: Any, *, axis: Any = None) -> Any:
    if axis is None:
        flat = raw_ops.Reshape(tensor=x, shape=constant((-1,)))
        return raw_ops.Reshape(tensor=roll(flat, shift, axis=0), shape=shape_of(x))
    axes = checked_axes(axis, x.shape.rank, repeated=True)
    shifts = tuple(map(index, shift)) if isinstance(shift, (tuple, list)) else (index(shift),) * len(axes)
    if len(shifts) != len(axes):
        raise ValueError(f"there are {len(shifts)} shifts for {len(axes)} axes; give one shift or one for each axis")
    return raw_ops.Roll(input=x, shift=constant(shifts), axis=constant(axes)) if axes else raw_ops.Identity(input=x)


@hookimpl
def squeeze(x: Any, /, axis: Any) -> Any:
    axes = checked_axes(axis, x.shape.rank)
    try:
        return raw_ops.Squeeze(input=x, axis=list(axes)) if axes else raw_ops.Identity(input=x)
    except tf.errors.InvalidArgumentError as error:
        raise ValueError(f"the shape {tuple(x.shape)} is longer than 1 along one of the axes {axes}") from error


@hookimpl
def stack(arrays: Any, /, axis: int = 0) -> Any:
    if not arrays:
        raise ValueError("there is no array to join; give at least one")
    return raw_ops.Pack(values=arrays, axis=checked_axis(axis, arrays[0].shape.rank + 1))


@hookimpl(via={"uint16": "int32"})
def tile(x: Any, repetitions: Any, /) -> Any:
    counts = tuple(repetitions) if isinstance(repetitions, (tuple, list)) else (repetitions,)
    missing = x.shape.rank - len(counts)
    for _ in range(-missing):
        x = raw_ops.ExpandDims(input=x, axis=0)
    return raw_ops.Tile(input=x, multiples=constant((1,) * missing + tuple(map(index, counts))))


@hookimpl
def unstack(x: Any, /, *, axis: int = 0) -> tuple[Any, ...]:
    axis = checked_axis(axis, x.shape.rank)
    return tuple(raw_ops.Unpack(value=x, num=x.shape[axis], axis=axis))


@lru_cache(maxsize=1024)
def _moved(sources: tuple[int, ...], destinations: tuple[int, ...], ndim: int) -> Any:
    """Return the order of axes in which the sources stand at their destinations."""
    if len(sources) != len(destinations):
        raise ValueError(f"there are {len(sources)} axes to move to {len(destinations)} places; give as many of each")
    order = [axis for axis in range(ndim) if axis not in sources]
    for place, axis in sorted(zip(destinations, sources, strict=True)):
        order.insert(place, axis)
    return constant(tuple(order))


def _repeated(repeats: Any, x: Any, axis: int) -> Any:
    """Return the places along an axis, each as often as it is to be repeated."""
    length = x.shape[axis]
    if repeats.shape.rank > 1 or repeats.shape.num_elements() not in (1, length, None):
        raise ValueError(
            f"the numbers of repetitions have the shape {tuple(repeats.shape)}; give one, or one for each of {length}"
        )
    counts = raw_ops.Cast(x=as_indices(repeats), DstT=tf.int64)
    if tf.executing_eagerly() and raw_ops.Any(input=raw_ops.Less(x=counts, y=0), axis=all_axes(counts.shape.rank)):
        raise ValueError("there is a negative number of repetitions")
    counts = raw_ops.BroadcastTo(input=counts, shape=shape_of(x)[axis : axis + 1])
    ends = raw_ops.Cumsum(x=counts, axis=0)
    total = raw_ops.Sum(input=counts, axis=all_axes(1))
    numbers = raw_ops.Range(start=zero_or_one(0, tf.int64), limit=total, delta=zero_or_one(1, tf.int64))
    found = raw_ops.UpperBound(sorted_inputs=ends[None], values=numbers[None], out_type=tf.int64)
    return found[0]
