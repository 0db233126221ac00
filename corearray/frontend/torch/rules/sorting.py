"""Sorting, searching, sets and counts."""

from __future__ import annotations

from math import prod
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayRuntimeError
from corearray.frontend.torch.described import rule, say
from corearray.frontend.torch.promotion import cast, category, common

__all__: list[str] = []

say("""
torch.sort(input, dim=-1, descending=False, stable=False, *, out=None) = sort(input, dim, descending)
torch.argsort(input, dim=-1, descending=False, stable=False) = sort(input, dim, descending)[1]
torch.msort(input, *, out=None) = ca.sort(input, axis=0) if input.ndim else input
torch.topk(input, k, dim=-1, largest=True, sorted=True, *, out=None) = top(input, k, dim, largest)
torch.searchsorted(sorted_sequence, input, *, out_int32=False, right=False, side=None, sorter=None, out=None) = searched(
    sorted_sequence, input, out_int32, right or side == "right", sorter)
torch.bucketize(input, boundaries, *, out_int32=False, right=False, out=None) = searched(boundaries, input, out_int32,
    right, None)
torch.bincount(input, weights=None, minlength=0) = ca.bincount(input, weights, minlength=minlength)
torch.histc(input, bins=100, min=0, max=0, *, out=None) = histogram(input, bins, min, max)
torch.kthvalue(input, k, dim=-1, keepdim=False, *, out=None) = kth(input, k, dim, keepdim)
torch.mode(input, dim=-1, keepdim=False, *, out=None) = most_frequent(input, dim, keepdim)
""")


def _sortable(x: ca.Array) -> ca.Array:
    return ca.astype(x, ca.uint8) if x.dtype == ca.bool else x


def sort(input: ca.Array, dim: int, descending: bool) -> tuple[ca.Array, ca.Array]:
    """Return sorted values and their places, in a stable order."""
    if not input.ndim:
        return input, ca.zeros((), dtype=ca.int64)
    places = cast(
        ca.argsort(ca.stop_gradient(_sortable(input)), axis=dim, descending=descending, stable=True), ca.int64
    )
    return ca.take_along_axis(input, places, axis=dim), places


def top(input: ca.Array, k: int, dim: int, largest: bool) -> tuple[ca.Array, ca.Array]:
    """Return the largest or smallest values and their places."""
    if not input.ndim:
        return input, ca.zeros((), dtype=ca.int64)
    values, places = ca.top_k(input, k, axis=dim, largest=largest)
    return values, cast(places, ca.int64)


def searched(line: ca.Array, x: Any, short: bool, right: bool, sorter: Any) -> ca.Array:
    """Return where values belong in sorted rows."""
    if not isinstance(x, ca.Array):
        x = ca.asarray(x, dtype=line.dtype)
    line, x = common(line, x) if line.ndim and x.ndim else (line, cast(x, line.dtype))
    if sorter is not None:
        line = ca.take_along_axis(line, sorter, axis=-1)
    if line.ndim == 1:
        found = ca.searchsorted(line, x, side="right" if right else "left")
    else:
        before = ca.expand_dims(line, -2)
        at = ca.expand_dims(x, -1)
        found = ca.sum(ca.astype(before <= at if right else before < at, ca.int64), axis=-1)
    made: ca.Array = cast(found, ca.int32 if short else ca.int64)
    return made


def histogram(input: ca.Array, bins: int, low: float, high: float) -> ca.Array:
    """Count elements in bins of equal width; equal bounds stand for those of the data."""
    flat = ca.reshape(input, (-1,))
    if low == high:
        start, end = ca.min(flat), ca.max(flat)
    else:
        start, end = ca.asarray(low, dtype=input.dtype), ca.asarray(high, dtype=input.dtype)
    same = ca.equal(start, end)
    start, end = ca.where(same, start - 1, start), ca.where(same, end + 1, end)
    inside = ca.logical_and(flat >= start, flat <= end)
    place = cast(ca.clip(ca.floor((flat - start) * bins / (end - start)), 0, bins - 1), ca.int64)
    one = ca.logical_and(ca.equal(ca.expand_dims(ca.arange(bins, dtype=ca.int64), 1), place), inside)
    return ca.astype(ca.sum(ca.astype(one, ca.int64), axis=1), input.dtype)


def kth(input: ca.Array, k: int, dim: int, keepdim: bool) -> tuple[ca.Array, ca.Array]:
    """Return the k-th smallest values and their places."""
    values, places = sort(input, dim, False)
    if not input.ndim:
        return values, places
    key = (*[slice(None)] * (dim % input.ndim), slice(k - 1, k))
    values, places = values[key], places[key]
    return (values, places) if keepdim else (ca.squeeze(values, axis=dim), ca.squeeze(places, axis=dim))


def most_frequent(input: ca.Array, dim: int, keepdim: bool) -> tuple[ca.Array, ca.Array]:
    """Return the most frequent values, the smallest of several, and their last places."""
    if not input.ndim:
        return input, ca.zeros((), dtype=ca.int64)
    ordered, _ = sort(input, dim, False)
    axis = dim % input.ndim
    alike = ca.equal(ca.expand_dims(ordered, axis), ca.expand_dims(ordered, axis + 1))
    best = ca.argmax(ca.sum(ca.astype(alike, ca.int64), axis=axis), axis=axis, keepdims=True)
    value = ca.take_along_axis(ordered, best, axis=axis)
    numbers = ca.reshape(ca.arange(input.shape[axis], dtype=ca.int64), (-1, *[1] * (input.ndim - axis - 1)))
    where = ca.max(
        ca.where(ca.equal(ca.stop_gradient(input), value), numbers, ca.full((), -1, dtype=ca.int64)),
        axis=axis,
        keepdims=True,
    )
    value = ca.take_along_axis(input, where, axis=axis)
    return (value, where) if keepdim else (ca.squeeze(value, axis=axis), ca.squeeze(where, axis=axis))


@rule("torch.unique", "torch._unique2")
def unique(
    input: ca.Array,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    if dim is not None:
        values, inverse, counts = unique_slices(input, dim)
    else:
        values, _, inverse, counts = ca.unique_all(input)
    extra = [
        *([cast(inverse, ca.int64)] if return_inverse else []),
        *([cast(counts, ca.int64)] if return_counts else []),
    ]
    return (values, *extra) if extra else values


def unique_slices(input: ca.Array, dim: int) -> tuple[ca.Array, ca.Array, ca.Array]:
    """Return the distinct slices along an axis in lexicographic order, the number of each slice among them, and counts."""
    rows = ca.moveaxis(input, dim, 0)
    length, columns = rows.shape[0], prod(rows.shape[1:])
    if not columns:
        raise CoreArrayRuntimeError(
            "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied"
        )
    numbers = _ranks(ca.reshape(rows, (length, columns)))
    while numbers.shape[1] > 1:  # ranks of neighbouring pairs of columns, which order rows as the pairs do
        numbers, last = numbers[:, : numbers.shape[1] // 2 * 2], numbers[:, numbers.shape[1] // 2 * 2 :]
        numbers = ca.concat([_ranks(numbers[:, ::2] * length + numbers[:, 1::2]), last], axis=1)
    _, first, inverse, counts = ca.unique_all(numbers[:, 0])
    return ca.take(input, first, axis=dim), inverse, counts


def _ranks(x: ca.Array) -> ca.Array:
    """Return the number of smaller distinct values in the same column."""
    order = ca.argsort(x, axis=0)
    ordered = ca.take_along_axis(x, order, axis=0)
    steps = cast(ordered[1:] != ordered[:-1], ca.int64)
    ranks = ca.concat([ca.zeros_like(order[:1], dtype=ca.int64), ca.cumulative_sum(steps, axis=0)])
    return ca.take_along_axis(ranks, ca.argsort(order, axis=0), axis=0)


@rule("torch.unique_consecutive")
def unique_consecutive(
    input: ca.Array, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    values, inverse, counts = ca.unique_consecutive(input, axis=dim)
    extra = [
        *([cast(inverse, ca.int64)] if return_inverse else []),
        *([cast(counts, ca.int64)] if return_counts else []),
    ]
    return (values, *extra) if extra else values


@rule("torch.median", "torch.Tensor.median")
def median(input: ca.Array, dim: int | None = None, keepdim: bool = False, *, out: Any = None) -> Any:
    """Return the lower median; NaN if there is one."""
    if dim is None:
        flat = ca.reshape(input, (-1,))
        return _median(flat, 0, False)[0]
    return _median(input, dim, keepdim)


def _median(input: ca.Array, dim: int, keepdim: bool) -> tuple[ca.Array, ca.Array]:
    if not input.ndim:
        return input, ca.zeros((), dtype=ca.int64)
    values, places = kth(input, (input.shape[dim] + 1) // 2, dim, True)
    if category(input.dtype) == "f":
        spoiled = ca.isnan(ca.stop_gradient(input))
        first = cast(ca.argmax(ca.astype(spoiled, ca.uint8), axis=dim, keepdims=True), ca.int64)
        places = ca.where(ca.any(spoiled, axis=dim, keepdims=True), first, places)
        values = ca.take_along_axis(input, places, axis=dim)
    return (values, places) if keepdim else (ca.squeeze(values, axis=dim), ca.squeeze(places, axis=dim))


@rule("torch.nanmedian")
def nanmedian(input: ca.Array, dim: int | None = None, keepdim: bool = False, *, out: Any = None) -> Any:
    axis = 0 if dim is None else dim
    x = ca.reshape(input, (-1,)) if dim is None else input
    if not x.ndim:
        return x, ca.zeros((), dtype=ca.int64)
    ordered, places = sort(x, axis, False)  # with NaN at the end
    count = ca.sum(ca.astype(ca.logical_not(ca.isnan(x)), ca.int64), axis=axis, keepdims=True)
    at = ca.maximum(ca.floor_divide(count - 1, 2), 0)
    values, where = ca.take_along_axis(ordered, at, axis=axis), ca.take_along_axis(places, at, axis=axis)
    if not keepdim or dim is None:
        values, where = ca.squeeze(values, axis=axis), ca.squeeze(where, axis=axis)
    return values if dim is None else (values, where)
