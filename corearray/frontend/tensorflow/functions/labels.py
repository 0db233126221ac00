"""Sequences of labels, and the largest elements of an axis."""

from __future__ import annotations

from typing import Any, NamedTuple

import corearray as ca
from corearray.frontend.tensorflow.conversion import axis_of, tensor
from corearray.frontend.tensorflow.described import rule, say
from corearray.frontend.tensorflow.operations import raw

__all__: list[str] = []

say("""
tensorflow.math.approx_max_k|tensorflow.nn.approx_max_k(operand, k, reduction_dimension=-1, recall_target=0.95,
    reduction_input_size_override=-1, aggregate_to_topk=True, name=None) = (
    _extremes(tensor(operand), k, reduction_dimension, True))
tensorflow.math.approx_min_k|tensorflow.nn.approx_min_k(operand, k, reduction_dimension=-1, recall_target=0.95,
    reduction_input_size_override=-1, aggregate_to_topk=True, name=None) = (
    _extremes(tensor(operand), k, reduction_dimension, False))
tensorflow.approx_top_k(input, k, reduction_dimension=-1, recall_target=0.95, is_max_k=True, reduction_input_size_override=-1,
    aggregate_to_topk=True, name=None) = _extremes(tensor(input), k, reduction_dimension, is_max_k)
""")


class _Extremes(NamedTuple):
    values: Any
    indices: Any


_Extremes.__name__ = _Extremes.__qualname__ = "ApproxTopK"


def _extremes(x: ca.Array, k: int, dimension: int, largest: bool) -> Any:
    """Return the largest or smallest elements of an axis, and their places. They are exact: a recall of 1."""
    axis = axis_of(dimension, x.ndim)
    moved = ca.moveaxis(x, axis, -1)
    values, places = raw.TopKV2(moved if largest else -moved, int(k))
    values = values if largest else -values
    return _Extremes(ca.moveaxis(values, -1, axis), ca.moveaxis(places, -1, axis))


def _first(chosen: ca.Array, x: ca.Array) -> Any:
    """Return rows that begin with their chosen elements, in their order, with zeros behind."""
    order = ca.argsort(ca.astype(~chosen, ca.int32), axis=-1, stable=True)
    count = ca.sum(ca.astype(chosen, ca.int32), axis=-1, keepdims=True)
    made = ca.take_along_axis(x, order, axis=-1)
    return ca.where(ca.arange(x.shape[-1], dtype=ca.int32) < count, made, ca.zeros_like(made))


@rule("tensorflow.nn.collapse_repeated")
def collapse_repeated(labels: Any, seq_length: Any, name: Any = None) -> Any:
    """Return sequences without equal labels in a row, padded by zeros to the longest, and their lengths."""
    x, lengths = tensor(labels), tensor(seq_length)
    inside = ca.arange(x.shape[1], dtype=lengths.dtype) < ca.expand_dims(lengths, axis=-1)
    kept = ca.concat([ca.ones_like(x[:, :1], dtype=ca.bool), x[:, 1:] != x[:, :-1]], axis=1) & inside
    counts = ca.sum(ca.astype(kept, lengths.dtype), axis=-1)
    return _first(kept, x)[:, : int(ca.max(counts))], ca.astype(counts, lengths.dtype)


@rule("tensorflow.nn.ctc_unique_labels")
def ctc_unique_labels(labels: Any, name: Any = None) -> Any:
    """Return the distinct labels of each row in the order of their first places, padded by zeros, and the number of each."""
    x = ca.astype(tensor(labels), ca.int64)
    equal = ca.expand_dims(x, axis=-1) == ca.expand_dims(x, axis=-2)
    first = ca.argmax(ca.astype(equal, ca.int32), axis=-1)
    new = first == ca.arange(x.shape[-1], dtype=first.dtype)
    numbers = ca.cumulative_sum(ca.astype(new, ca.int32), axis=-1) - 1
    return [_first(new, x), ca.astype(ca.take_along_axis(numbers, first, axis=-1), ca.int32)]
