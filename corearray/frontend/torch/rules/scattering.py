"""Scattering along an axis, and adding by indices."""

from __future__ import annotations

from math import prod
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayRuntimeError
from corearray.frontend.torch.described import rule, say
from corearray.frontend.torch.promotion import array, cast

__all__: list[str] = []

say("""
torch.scatter(input, dim, index, src=None, *, value=None, reduce=None) = scattered(input, dim, index,
    src if value is None else value, {None: "replace", "add": "sum", "multiply": "prod"}[reduce])
torch.scatter_add(input, dim, index, src) = scattered(input, dim, index, src, "sum")
torch.index_add(input, dim, index, source, *, alpha=1, out=None) = by_index(input, dim, index,
    source if alpha == 1 else source * alpha, "sum")
torch.index_copy(input, dim, index, source) = by_index(input, dim, index, source, "replace")
torch.index_fill(input, dim, index, value) = filled(input, dim, index, value)
""")


def scattered(input: ca.Array, dim: int, index: ca.Array, src: Any, reduction: str) -> ca.Array:
    """Put elements to places along an axis; the index may cover a corner only."""
    if 0 in index.shape:
        return ca.asarray(input, copy=True)
    shape = input.shape
    if not input.ndim:
        input, index = ca.reshape(input, (1,)), ca.reshape(index, (1,))
        src = ca.reshape(src, (1,)) if isinstance(src, ca.Array) else src
        dim = 0
    if not index.ndim:
        index = ca.reshape(index, (1,))
        src = ca.reshape(src, (1,)) if isinstance(src, ca.Array) and not src.ndim else src
    dim %= input.ndim
    if isinstance(src, ca.Array) and src.ndim:
        values = cast(src[tuple(slice(0, n) for n in index.shape)], input.dtype)
    else:
        values = ca.broadcast_to(array(src, input.dtype), index.shape)
    places = ca.zeros((), dtype=ca.int64)
    step = 1
    for axis in range(input.ndim - 1, -1, -1):
        line = [1] * input.ndim
        line[axis] = -1
        here = cast(index, ca.int64) if axis == dim else ca.reshape(ca.arange(index.shape[axis], dtype=ca.int64), line)
        places = places + here * step
        step *= input.shape[axis]
    places = ca.reshape(ca.broadcast_to(places, index.shape), (-1,))
    flat = ca.scatter_flat(places, ca.reshape(values, (-1,)), base=ca.reshape(input, (-1,)), reduction=reduction)
    return ca.reshape(flat, shape)


def by_index(input: ca.Array, dim: int, index: ca.Array, source: ca.Array, reduction: str) -> ca.Array:
    """Put slices to places along an axis."""
    if not input.ndim:
        return ca.reshape(by_index(ca.reshape(input, (1,)), 0, index, ca.reshape(source, (-1,)), reduction), ())
    dim %= input.ndim
    line = [1] * input.ndim
    line[dim] = -1
    shape = tuple(index.size if axis == dim else n for axis, n in enumerate(input.shape))
    places = ca.broadcast_to(ca.reshape(index, line), shape)
    return scattered(input, dim, places, ca.reshape(source, shape), reduction)


def filled(input: ca.Array, dim: int, index: ca.Array, value: Any) -> ca.Array:
    """Fill slices at places along an axis."""
    if not input.ndim:
        return array(value, input.dtype)
    shape = tuple(index.size if axis == dim % input.ndim else n for axis, n in enumerate(input.shape))
    return by_index(input, dim, ca.reshape(index, (-1,)), ca.broadcast_to(array(value, input.dtype), shape), "replace")


_KINDS = {"sum": "sum", "prod": "prod", "amax": "max", "amin": "min"}


def _reduced(
    input: ca.Array, dim: int, index: ca.Array, src: ca.Array, reduce: str, include_self: bool, put: Any
) -> Any:
    ones = ca.ones(src.shape, dtype=ca.int64)
    if reduce == "mean":
        count = put(ca.zeros(input.shape, dtype=ca.int64), dim, index, ones, "sum")
        total = put(input if include_self else _cleared(input, count, 0), dim, index, src, "sum")
        count = ca.maximum(count + 1 if include_self else count, 1)
        if input.dtype.category == "real floating":
            return total / cast(count, input.dtype)
        return ca.floor_divide(total, cast(count, input.dtype))
    if not include_self:
        count = put(ca.zeros(input.shape, dtype=ca.int64), dim, index, ones, "sum")
        start: Any = {"sum": 0, "prod": 1}.get(reduce)
        if start is None:
            real = input.dtype.category == "real floating"
            low, high = (-ca.inf, ca.inf) if real else (ca.iinfo(input.dtype).min, ca.iinfo(input.dtype).max)
            start = low if reduce == "amax" else high
        input = _cleared(input, count, start)
    return put(input, dim, index, src, _KINDS[reduce])


def _cleared(input: ca.Array, count: ca.Array, start: Any) -> ca.Array:
    """Return an array with a start value where something will be put."""
    return ca.where(count > 0, array(start, input.dtype), input)


@rule("torch.scatter_reduce")
def scatter_reduce(
    input: ca.Array, dim: int, index: ca.Array, src: ca.Array, reduce: str, *, include_self: bool = True
) -> ca.Array:
    made: ca.Array = _reduced(input, dim, index, src, reduce, include_self, scattered)
    return made


@rule("torch.index_reduce")
def index_reduce(
    input: ca.Array,
    dim: int,
    index: ca.Array,
    source: ca.Array,
    reduce: str,
    *,
    include_self: bool = True,
    out: Any = None,
) -> ca.Array:
    made: ca.Array = _reduced(input, dim, index, source, reduce, include_self, by_index)
    return made


#: Reductions of segments, each with the result of a segment without elements.
_SEGMENTS = {
    "sum": (ca.unsorted_segment_sum, 0.0),
    "mean": (ca.unsorted_segment_sum, ca.nan),
    "max": (ca.unsorted_segment_max, -ca.inf),
    "min": (ca.unsorted_segment_min, ca.inf),
    "prod": (ca.unsorted_segment_prod, 1.0),
}


@rule("torch.segment_reduce", "torch._segment_reduce")
def segment_reduce(
    data: ca.Array, reduce: str, *, lengths: Any = None, indices: Any = None, offsets: Any = None, axis: int = 0,
    unsafe: bool = False, initial: Any = None,
) -> ca.Array:  # fmt: skip
    """Reduce consecutive segments of an axis; the sums of `lengths` are not checked."""
    reduce = {"amax": "max", "amin": "min"}.get(reduce, reduce)
    if reduce not in _SEGMENTS:
        raise CoreArrayRuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
    if indices is not None:
        raise CoreArrayRuntimeError("segment_reduce(): indices based reduction is not supported yet.")
    bounds = lengths if offsets is None else offsets
    if bounds is None:
        raise CoreArrayRuntimeError("segment_reduce(): Either lengths or offsets must be defined.")
    axis %= data.ndim
    if axis != bounds.ndim - 1:
        raise CoreArrayRuntimeError(
            f"segment_reduce(): Expected axis to be the last dimension of lengths but got {axis}."
        )
    batch, length, rest = data.shape[:axis], data.shape[axis], data.shape[axis + 1 :]
    rows = prod(batch)
    bounds = ca.reshape(cast(bounds, ca.int64), (rows, bounds.shape[-1]))
    if offsets is None:
        ends = ca.cumulative_sum(bounds, axis=-1)
        starts = ends - bounds
    else:
        starts, ends = bounds[:, :-1], bounds[:, 1:]
    sizes, count = ends - starts, ends.shape[-1]
    by_segment, empty = _SEGMENTS[reduce]
    # All rows make one axis. The number of a place's segment is the number of segments that end before the place.
    first = ca.reshape(ca.arange(rows, dtype=ca.int64) * length, (rows, 1))
    starts, ends = (ca.reshape(x + first, (-1,)) for x in (starts, ends))
    places = ca.arange(rows * length, dtype=ca.int64)
    which = cast(ca.searchsorted(ends, places, side="right"), ca.int64)
    begun = ca.concat([starts, ca.full((1,), rows * length, dtype=ca.int64)])
    which = ca.where(places >= ca.take(begun, which), which, rows * count)
    made = by_segment(ca.reshape(data, (rows * length, *rest)), which, rows * count + 1)[:-1]
    sizes = ca.reshape(sizes, (-1, *[1] * len(rest)))
    edge = ca.asarray(empty if initial is None else initial, dtype=data.dtype)
    if initial is not None:
        made = {"max": ca.maximum, "min": ca.minimum, "prod": ca.multiply}.get(reduce, ca.add)(made, edge)
    if reduce == "mean":
        made = made / ca.maximum(ca.astype(sizes, data.dtype), 1)
    return ca.reshape(ca.where(sizes > 0, made, edge), (*batch, count, *rest))
