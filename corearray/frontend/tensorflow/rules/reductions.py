"""Reductions, running results, sorting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.frontend.tensorflow.described import rule, same, say
from corearray.frontend.tensorflow.templates import axes_of

__all__: list[str] = []


def _reduced(name: str) -> Callable[..., Any]:
    """Return a rule for a reduction that keeps the dtype, which the standard widens."""
    function: Callable[..., Any] = getattr(ca, name)
    keeps = name in ("sum", "prod")

    def rule(input: ca.Array, axis: Any, keep_dims: bool = False) -> Any:
        axes = axes_of(axis, input.ndim)
        if not axes:
            return input
        options = {"dtype": input.dtype} if keeps else {}
        return function(input, axis=axes, keepdims=keep_dims, **options)

    return rule


same(_reduced, "tensorflow.raw_ops.{}", "Sum=sum Prod=prod Max=max Min=min All=all Any=any")

say("""
tensorflow.raw_ops.ArgMax(input, dimension, output_type=None) = (
    ca.astype(ca.argmax(input, axis=int(dimension)), output_type or ca.int64))
tensorflow.raw_ops.ArgMin(input, dimension, output_type=None) = (
    ca.astype(ca.argmin(input, axis=int(dimension)), output_type or ca.int64))
tensorflow.raw_ops.Cumsum(x, axis, exclusive=False, reverse=False) = (
    _running(lambda x: ca.cumulative_sum(x, axis=int(axis), dtype=x.dtype), x, int(axis), exclusive, reverse, 0))
tensorflow.raw_ops.Cumprod(x, axis, exclusive=False, reverse=False) = (
    _running(lambda x: ca.cumulative_prod(x, axis=int(axis), dtype=x.dtype), x, int(axis), exclusive, reverse, 1))
tensorflow.raw_ops.CumulativeLogsumexp(x, axis, exclusive=False, reverse=False) = (
    _running(lambda x: ca.associative_scan(ca.logaddexp, x, axis=int(axis)), x, int(axis), exclusive, reverse, -ca.inf))
tensorflow.raw_ops.InTopKV2(predictions, targets, k) = _in_top_k(predictions, targets, int(k))
""")


@rule("tensorflow.raw_ops.Mean")
def mean(input: ca.Array, axis: Any, keep_dims: bool = False) -> Any:
    """Take means; those of integers are integers, rounded towards zero."""
    axes = axes_of(axis, input.ndim)
    if not axes:
        return input
    if input.dtype.category in ("real floating", "complex floating"):
        return ca.mean(input, axis=axes, keepdims=keep_dims)
    total = ca.sum(input, axis=axes, keepdims=keep_dims, dtype=input.dtype)
    count = 1
    for place in axes:
        count *= input.shape[place]
    return ca.trunc_divide(total, ca.asarray(count, dtype=input.dtype))


def _running(function: Callable[..., Any], x: ca.Array, axis: int, exclusive: bool, reverse: bool, first: Any) -> Any:
    if reverse:
        x = ca.flip(x, axis=axis)
    made = function(x)
    if exclusive:
        front = (slice(None),) * (axis % x.ndim)
        start = ca.full_like(made[(*front, slice(0, 1))], first)
        made = ca.concat([start, made[(*front, slice(0, -1))]], axis=axis)
    return ca.flip(made, axis=axis) if reverse else made


@rule("tensorflow.raw_ops.TopKV2", "tensorflow.raw_ops.TopK")
def top_k(input: ca.Array, k: int, sorted: bool = True, index_type: Any = ca.int32) -> Any:
    """Return the largest elements of the last axis, and their places."""
    values, places = ca.top_k(input, int(k), axis=-1)
    return [values, ca.astype(places, index_type)]


def _in_top_k(predictions: ca.Array, targets: ca.Array, k: int) -> Any:
    chosen = ca.take_along_axis(predictions, ca.expand_dims(targets, axis=-1), axis=-1)
    return ca.sum(ca.astype(predictions > chosen, ca.int32), axis=-1) < k


@rule("tensorflow.raw_ops.Unique")
def unique(x: ca.Array, out_idx: Any = ca.int32) -> Any:
    """Return the distinct elements in the order of their first places, and the number of each element."""
    return unique_with_counts(x, out_idx)[:2]


@rule("tensorflow.raw_ops.UniqueWithCounts")
def unique_with_counts(x: ca.Array, out_idx: Any = ca.int32) -> Any:
    """Return the distinct elements in the order of their first places, the number of each element, and their counts."""
    found = ca.unique_all(x)
    order = ca.argsort(found.indices)
    back = ca.argsort(order)
    numbers = back[found.inverse_indices], found.counts[order]
    return [found.values[order], *[ca.astype(one, out_idx) for one in numbers]]


@rule("tensorflow.raw_ops.Bincount")
def bincount(arr: ca.Array, size: int, weights: Any) -> Any:
    """Count integers, or sum their weights."""
    weighted = weights if isinstance(weights, ca.Array) and 0 not in weights.shape else None
    return ca.bincount(ca.reshape(arr, (-1,)), weighted, length=int(size))


@rule("tensorflow.raw_ops.DenseBincount")
def dense_bincount(input: ca.Array, size: Any, weights: Any, binary_output: bool = False) -> Any:
    """Count integers, or sum their weights, of an array or of each row."""
    count = int(size.item() if isinstance(size, ca.Array) else size)
    hit = ca.expand_dims(input, axis=-1) == ca.arange(count, dtype=input.dtype)
    if binary_output:
        return ca.astype(ca.any(hit, axis=-2), weights.dtype)
    weighted = weights if 0 not in weights.shape else ca.ones((), dtype=weights.dtype)
    share = ca.expand_dims(weighted, axis=-1) if weighted.ndim else weighted
    return ca.sum(ca.where(hit, share, ca.zeros((), dtype=share.dtype)), axis=-2, dtype=share.dtype)


@rule("tensorflow.raw_ops.EuclideanNorm")
def euclidean_norm(input: ca.Array, axis: Any, keep_dims: bool = False) -> Any:
    """Take the root of the sum of squares."""
    axes = axes_of(axis, input.ndim)
    return (
        ca.sqrt(ca.sum(ca.square(input), axis=axes, keepdims=keep_dims, dtype=input.dtype)) if axes else ca.abs(input)
    )


@rule("tensorflow.raw_ops.LowerBound")
def lower_bound(sorted_inputs: ca.Array, values: ca.Array, out_type: Any = ca.int32) -> Any:
    """Return where values fit into sorted rows, before equal ones."""
    return _bounds(sorted_inputs, values, "left", out_type)


@rule("tensorflow.raw_ops.UpperBound")
def upper_bound(sorted_inputs: ca.Array, values: ca.Array, out_type: Any = ca.int32) -> Any:
    """Return where values fit into sorted rows, behind equal ones."""
    return _bounds(sorted_inputs, values, "right", out_type)


def _bounds(rows: ca.Array, values: ca.Array, side: Any, dtype: Any) -> Any:
    found = [ca.searchsorted(rows[i], values[i], side=side) for i in range(rows.shape[0])]
    return ca.astype(ca.stack(found), dtype)
