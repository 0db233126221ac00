"""Slices, gathering and scattering."""

from __future__ import annotations

from math import prod
from typing import Any

import corearray as ca
from corearray.frontend.table import loops
from corearray.frontend.tensorflow.described import rule, say

__all__: list[str] = []

say("""
tensorflow.raw_ops.Where(condition) = ca.argwhere(condition)
tensorflow.raw_ops.GatherNd(params, indices) = ca.gather_nd(params, indices)
tensorflow.raw_ops.Gather(params, indices) = ca.take(params, indices, axis=0)
tensorflow.raw_ops.ResourceGather(resource, indices, dtype=None, batch_dims=0) = gather(resource, indices, 0, batch_dims)
tensorflow.raw_ops.ScatterNd(indices, updates, shape) = ca.scatter_nd(indices, updates, tuple(shape))
tensorflow.raw_ops.TensorScatterUpdate(tensor, indices, updates) = (
    ca.scatter_nd(indices, updates, base=tensor, reduction="replace"))
tensorflow.raw_ops.TensorScatterAdd(tensor, indices, updates) = ca.scatter_nd(indices, updates, base=tensor)
tensorflow.raw_ops.TensorScatterSub(tensor, indices, updates) = ca.scatter_nd(indices, -updates, base=tensor)
tensorflow.raw_ops.TensorScatterMax(tensor, indices, updates) = (
    ca.scatter_nd(indices, updates, base=tensor, reduction="max"))
tensorflow.raw_ops.TensorScatterMin(tensor, indices, updates) = (
    ca.scatter_nd(indices, updates, base=tensor, reduction="min"))
tensorflow.raw_ops.UnsortedSegmentSum(data, segment_ids, num_segments) = (
    _segments(ca.unsorted_segment_sum, data, segment_ids, num_segments))
tensorflow.raw_ops.UnsortedSegmentMax(data, segment_ids, num_segments) = (
    _segments(ca.unsorted_segment_max, data, segment_ids, num_segments))
tensorflow.raw_ops.UnsortedSegmentMin(data, segment_ids, num_segments) = (
    _segments(ca.unsorted_segment_min, data, segment_ids, num_segments))
tensorflow.raw_ops.UnsortedSegmentProd(data, segment_ids, num_segments) = (
    _segments(ca.unsorted_segment_prod, data, segment_ids, num_segments))
""")


def _segments(function: Any, data: ca.Array, ids: ca.Array, count: Any) -> Any:
    """Reduce segments. Segment numbers have any shape; elements with a negative number are left out."""
    rest = tuple(data.shape[ids.ndim :])
    size, count = prod(ids.shape), int(count)
    ids = ca.reshape(ids, (size,))
    ids = ca.where(ids < 0, ca.asarray(count, dtype=ids.dtype), ids)
    made = function(ca.reshape(data, (size, *rest)), ids, count + 1)[:count]
    if function not in (ca.unsorted_segment_max, ca.unsorted_segment_min) or data.dtype.category != "real floating":
        return made
    limits = ca.finfo(data.dtype)  # TensorFlow puts the least number into segments without elements, not an infinity
    held = ca.unsorted_segment_sum(ca.ones((size,), dtype=ca.int32), ids, count + 1)[:count] > 0
    rest_value = limits.min if function is ca.unsorted_segment_max else limits.max
    return ca.where(ca.reshape(held, (count, *(1,) * len(rest))), made, ca.asarray(rest_value, dtype=data.dtype))


@rule("tensorflow.raw_ops.GatherV2")
def gather(params: ca.Array, indices: Any, axis: Any, batch_dims: int = 0) -> Any:
    """Take elements along an axis, of each batch those of its own."""
    axis = int(axis) % params.ndim
    if not batch_dims:
        return ca.take(params, indices, axis=axis) if indices.ndim == 1 else _taken(params, indices, axis)
    batch = tuple(params.shape[:batch_dims])
    shape, other = tuple(params.shape), tuple(indices.shape)
    count = prod(batch)
    rows = ca.reshape(params, (count, *shape[batch_dims:]))
    rows = ca.moveaxis(rows, axis - batch_dims + 1, 1)
    rest = tuple(rows.shape[2:])
    length = rows.shape[1]
    flat = ca.reshape(rows, (count * length, *rest))
    inner = prod(other[batch_dims:])
    places = ca.reshape(indices, (count, inner)) + ca.arange(count, dtype=indices.dtype)[:, None] * length
    made = ca.reshape(ca.take(flat, ca.reshape(places, (-1,)), axis=0), (*batch, *other[batch_dims:], *rest))
    inside = len(other) - batch_dims
    before = axis - batch_dims  # axes of the parameters that go before the indices
    order = [
        *range(batch_dims),
        *range(batch_dims + inside, batch_dims + inside + before),
        *range(batch_dims, batch_dims + inside),
        *range(batch_dims + inside + before, made.ndim),
    ]
    return made if order == list(range(made.ndim)) else ca.permute_dims(made, tuple(order))


def _taken(params: ca.Array, indices: ca.Array, axis: int) -> Any:
    made = ca.take(params, ca.reshape(indices, (-1,)), axis=axis)
    return ca.reshape(made, (*params.shape[:axis], *indices.shape, *params.shape[axis + 1 :]))


@rule("tensorflow.raw_ops.Slice")
def slice_(input: ca.Array, begin: Any, size: Any) -> Any:
    """Take a part of given sizes; `-1` is the rest."""
    sizes = [int(x) for x in size]
    if isinstance(begin, ca.Array) or any(isinstance(start, ca.Array) for start in begin):
        for axis, length in enumerate(sizes):
            if not isinstance(begin[axis], ca.Array):
                stop = begin[axis] + length if length >= 0 else None
                input = ca.moveaxis(ca.moveaxis(input, axis, 0)[begin[axis] : stop], 0, axis)
            elif length < 0:
                input = ca.moveaxis(ca.moveaxis(input, axis, 0)[int(begin[axis]) :], 0, axis)
            elif length != input.shape[axis]:
                places = begin[axis] + ca.arange(length, dtype=begin[axis].dtype)
                input = ca.take(input, places, axis=axis)
        return input
    ends = [start + length if length >= 0 else n for start, length, n in zip(begin, sizes, input.shape, strict=True)]
    return input[tuple(slice(int(start), end) for start, end in zip(begin, ends, strict=True))]


def _key(begin: Any, end: Any, strides: Any, masks: dict[str, int], ndim: int) -> tuple[Any, ...]:
    """Return the key of a strided slice."""
    key: list[Any] = []
    for place in range(len(strides)):
        bit = 1 << place
        if masks["ellipsis_mask"] & bit:
            key.append(...)
        elif masks["new_axis_mask"] & bit:
            key.append(None)
        elif masks["shrink_axis_mask"] & bit:
            index = begin[place]
            key.append(index if isinstance(index, ca.Array) else int(index))
        else:
            start = None if masks["begin_mask"] & bit else int(begin[place])
            stop = None if masks["end_mask"] & bit else int(end[place])
            key.append(slice(start, stop, int(strides[place])))
    return tuple(key)


@rule("tensorflow.raw_ops.StridedSlice")
def strided_slice(
    input: ca.Array,
    begin: Any,
    end: Any,
    strides: Any,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Any:
    """Take a part as Python's slices and indices do; bounds of slices that are not known are read."""
    masks = {
        "begin_mask": begin_mask, "end_mask": end_mask, "ellipsis_mask": ellipsis_mask, "new_axis_mask": new_axis_mask,
        "shrink_axis_mask": shrink_axis_mask,
    }  # fmt: skip
    count = len(strides) if not isinstance(strides, ca.Array) else strides.shape[0]
    known = strides if not isinstance(strides, ca.Array) else [strides[place] for place in range(count)]
    return _taken_at(input, _key(begin, end, known, masks, input.ndim))


def _taken_at(x: ca.Array, key: tuple[Any, ...]) -> Any:
    """Index by a key in which an array without axes may stand for an integer."""
    axis, plain = 0, []
    rest = x.ndim - sum(part is not None and part is not ... for part in key)
    for part in key:
        if isinstance(part, ca.Array):
            place = ca.where(part < 0, part + x.shape[axis], part)
            x = ca.take(x, ca.reshape(place, (1,)), axis=axis)
            part = 0
        plain.append(part)
        axis += rest if part is ... else part is not None
    return x[tuple(plain)]


@rule("tensorflow.raw_ops.TensorStridedSliceUpdate")
def tensor_strided_slice_update(input: ca.Array, begin: Any, end: Any, strides: Any, value: Any, **masks: int) -> Any:
    """Return an array in which a part is replaced."""
    names = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
    key = _key(begin, end, strides, {name: masks.get(name, 0) for name in names}, input.ndim)
    return input.at[key].set(value)


@rule("tensorflow.raw_ops.OneHot")
def one_hot(indices: ca.Array, depth: int, on_value: Any, off_value: Any, axis: int = -1) -> Any:
    """Put one value where the index is and another one elsewhere."""
    axis = axis % (indices.ndim + 1)
    places = ca.reshape(ca.arange(int(depth), dtype=indices.dtype), (int(depth), *(1,) * (indices.ndim - axis)))
    return ca.where(ca.expand_dims(indices, axis=axis) == places, on_value, off_value)


@rule("tensorflow.raw_ops.DynamicStitch", "tensorflow.raw_ops.ParallelDynamicStitch")
def dynamic_stitch(indices: Any, data: Any) -> Any:
    """Put rows at given places, of those for one place the last."""
    flat = [ca.reshape(place, (-1,)) for place in indices]
    rows = [ca.reshape(part, (-1, *part.shape[place.ndim :])) for place, part in zip(indices, data, strict=True)]
    places, values = ca.concat(flat), ca.concat(rows)
    size = int(ca.max(places)) + 1
    base = ca.zeros((size, *values.shape[1:]), dtype=values.dtype)
    return ca.scatter_nd(places[:, None], values, base=base, reduction="replace")


@rule("tensorflow.raw_ops.DynamicPartition")
@loops
def dynamic_partition(data: ca.Array, partitions: ca.Array, num_partitions: int) -> list[ca.Array]:
    """Divide rows into lists by their numbers."""
    rows = ca.reshape(data, (prod(partitions.shape), *data.shape[partitions.ndim :]))
    flat = ca.reshape(partitions, (-1,))
    return [ca.take(rows, ca.nonzero(flat == number)[0], axis=0) for number in range(num_partitions)]


@rule("tensorflow.raw_ops.Bucketize")
def bucketize(input: ca.Array, boundaries: Any) -> ca.Array:
    """Return the number of the interval of each element; a boundary belongs to the interval on its right."""
    places = ca.searchsorted(ca.asarray(list(boundaries), dtype=ca.float64), ca.astype(input, ca.float64), side="right")
    return ca.astype(places, ca.int32)


@rule("tensorflow.raw_ops.ReverseSequence")
def reverse_sequence(input: ca.Array, seq_lengths: ca.Array, seq_dim: int, batch_dim: int = 0) -> Any:
    """Reverse the first elements of each row."""
    moved = ca.moveaxis(input, (batch_dim, seq_dim), (0, 1))
    places = ca.arange(moved.shape[1], dtype=seq_lengths.dtype)[None, :]
    lengths = seq_lengths[:, None]
    order = ca.where(places < lengths, lengths - 1 - places, places)
    return ca.moveaxis(gather(moved, order, 1, 1), (0, 1), (batch_dim, seq_dim))
