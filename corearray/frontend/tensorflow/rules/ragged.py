"""Ragged tensors within a program: values, and partitions of them into rows.

A partition is of row splits (`[0, 3, 3, 5]`: where each row begins, and the end), or of the number of the row of each value.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import corearray as ca
from corearray.frontend.table import loops
from corearray.frontend.tensorflow.described import rule

__all__: list[str] = []


def _line(x: Any) -> ca.Array:
    """Return integers of a partition as an array."""
    return x if isinstance(x, ca.Array) else ca.asarray(list(x), dtype=ca.int64)


def _largest(x: Any, least: int = 0) -> int:
    """Return the largest integer, which says the length of an axis."""
    if isinstance(x, ca.Array):
        return max(int(ca.max(x)), least) if x.size else least
    return max(x, default=least)


def _rows(partition: Any, kind: str) -> tuple[ca.Array, ca.Array, int]:
    """Return the row of each value, its place there, and the greatest length of a row."""
    if kind == "ROW_SPLITS":
        splits = _line(partition)
        numbers = ca.arange(_largest(partition), dtype=splits.dtype)
        rows = ca.searchsorted(splits, numbers, side="right") - 1
        lengths: Any = splits[1:] - splits[:-1]
        if not isinstance(partition, ca.Array):
            lengths = [end - start for start, end in pairwise(partition)]
        return rows, numbers - ca.take(splits, rows, axis=0), _largest(lengths)
    rows = _line(partition)
    places = ca.arange(rows.shape[0], dtype=ca.int64) - ca.searchsorted(rows, rows)
    if not isinstance(partition, ca.Array):
        return rows, places, max((list(partition).count(row) for row in set(partition)), default=0)
    return rows, places, _largest(places + 1)


@rule("tensorflow.raw_ops.RaggedTensorToTensor")
@loops
def to_tensor(
    shape: Any,
    values: ca.Array,
    default_value: ca.Array,
    row_partition_tensors: Sequence[Any],
    row_partition_types: Any,
) -> Any:
    """Return rows of one length: longer ones are cut, and shorter ones end in a default value."""
    kinds = [kind.decode() if isinstance(kind, bytes) else str(kind) for kind in row_partition_types]
    partitions = list(zip(row_partition_tensors, kinds, strict=True))
    if kinds[0] == "FIRST_DIM_SIZE":
        first, partitions = row_partition_tensors[0], partitions[1:]
        count = int(first)
    else:
        count = (
            len(partitions[0][0]) - 1 if not isinstance(partitions[0][0], ca.Array) else partitions[0][0].shape[0] - 1
        )
    places: list[ca.Array] = []
    sizes = [count]
    for partition, kind in partitions:
        rows, inner, length = _rows(partition, kind)
        places = [ca.take(place, rows, axis=0) for place in places] if places else [rows]
        places.append(inner)
        sizes.append(length)
    shape = shape.tolist() if isinstance(shape, ca.Array) else shape
    wanted = [] if isinstance(shape, int) else [int(n) for n in shape]  # -1: no axis is known
    sizes = [own if n < 0 else n for own, n in zip(sizes, wanted or [-1] * len(sizes), strict=False)]
    rest = tuple(values.shape[1:])
    made = ca.broadcast_to(ca.astype(default_value, values.dtype), (*sizes, *rest))
    inside: Any = None
    for place, size in zip(places, sizes, strict=True):
        inside = place < size if inside is None else inside & (place < size)
    flat: Any = 0
    total = 1
    for place, size in zip(reversed(places), reversed(sizes), strict=True):
        flat, total = flat + place * total, total * size
    flat = ca.where(inside, flat, total)  # what is cut off goes to a row behind the last
    base = ca.concat([ca.reshape(made, (total, *rest)), ca.zeros((1, *rest), dtype=values.dtype)], axis=0)
    found = ca.scatter_nd(flat[:, None], values, base=base, reduction="replace")
    return ca.reshape(found[:total], (*sizes, *rest))


@rule("tensorflow.raw_ops.RaggedRange")
@loops
def ragged_range(starts: ca.Array, limits: ca.Array, deltas: ca.Array, Tsplits: Any = ca.int64) -> Any:
    """Return arithmetic progressions as rows: their splits and values."""
    starts, limits, deltas = ca.broadcast_arrays(*(ca.reshape(x, (-1,)) for x in (starts, limits, deltas)))
    steps = ca.ceil((ca.astype(limits, ca.float64) - ca.astype(starts, ca.float64)) / ca.astype(deltas, ca.float64))
    splits = _splits(ca.astype(ca.clip(steps, 0, None), ca.int64))
    rows, places = _within(splits)
    values = ca.take(starts, rows, axis=0) + ca.astype(places, starts.dtype) * ca.take(deltas, rows, axis=0)
    return [ca.astype(splits, Tsplits), values]


def _splits(lengths: ca.Array) -> ca.Array:
    return ca.cumulative_sum(lengths, include_initial=True, dtype=ca.int64)


def _within(splits: ca.Array) -> tuple[ca.Array, ca.Array]:
    """Return the row of each value, and its place there."""
    numbers = ca.arange(int(splits[-1]), dtype=ca.int64)
    rows = ca.searchsorted(splits, numbers, side="right") - 1
    return rows, numbers - ca.take(splits, rows, axis=0)


@rule("tensorflow.raw_ops.RaggedGather")
@loops
def ragged_gather(
    params_nested_splits: Sequence[Any],
    params_dense_values: ca.Array,
    indices: ca.Array,
    OUTPUT_RAGGED_RANK: int,
    PARAMS_RAGGED_RANK: int = 1,
    Tsplits: Any = None,
) -> Any:
    """Return chosen rows: their splits, from the outer to the inner ones, and values."""
    splits = [_line(x) for x in params_nested_splits]
    dtype = splits[0].dtype
    found: list[Any] = []
    count = 1
    for size in indices.shape[:-1]:  # more axes of the indices are rows of one length
        count *= size
        width = indices.shape[len(found) + 1]
        found.append(ca.arange(count + 1, dtype=dtype) * width)
    chosen = ca.astype(ca.reshape(indices, (-1,)), ca.int64)
    for level in splits:
        whole = ca.astype(level, ca.int64)
        starts = ca.take(whole, chosen, axis=0)
        own = _splits(ca.take(whole, chosen + 1, axis=0) - starts)
        found.append(ca.astype(own, dtype))
        rows, places = _within(own)
        chosen = ca.take(starts, rows, axis=0) + places
    return [*found, ca.take(params_dense_values, chosen, axis=0)]
