"""Reductions, running results, segments, sorting and counting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.operands import is_complex, is_floating
from corearray.frontend.tensorflow.conversion import alike, axes_list, axis_of, holds, integers, tensor
from corearray.frontend.tensorflow.data_types import dtype_of
from corearray.frontend.tensorflow.described import rule, same, say
from corearray.frontend.tensorflow.exceptions import InvalidArgumentError
from corearray.frontend.tensorflow.operations import raw

__all__: list[str] = []


def _reduction(name: str) -> Callable[..., Any]:
    """Return the function of a reduction."""

    def reduction(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: Any = None) -> Any:
        return _reduced(operation, input_tensor, axis, keepdims)

    operation = name
    return reduction


def _reduced(name: str, input_tensor: Any, axis: Any, keepdims: bool) -> Any:
    x = tensor(input_tensor)
    return getattr(raw, name)(x, axes_list(axis, x.ndim), keep_dims=bool(keepdims))


same(
    _reduction,
    "tensorflow.{} tensorflow.math.{}",
    "reduce_sum=Sum reduce_prod=Prod reduce_mean=Mean reduce_max=Max reduce_min=Min reduce_all=All reduce_any=Any",
)
same(_reduction, "tensorflow.math.{}", "reduce_euclidean_norm=EuclideanNorm")

say("""
tensorflow.math.reduce_variance(input_tensor, axis=None, keepdims=False, name=None) = _variance(input_tensor, axis, keepdims)
tensorflow.math.reduce_std(input_tensor, axis=None, keepdims=False, name=None) = (
    ca.sqrt(_variance(input_tensor, axis, keepdims)))
tensorflow.reduce_logsumexp|tensorflow.math.reduce_logsumexp(input_tensor, axis=None, keepdims=False, name=None) = (
    _log_sum(tensor(input_tensor), axis, keepdims))
tensorflow.argmax|tensorflow.math.argmax(input, axis=None, output_type=ca.int64, name=None) = (
    raw.ArgMax(input, 0 if axis is None else integers(axis)[0], dtype_of(output_type)))
tensorflow.argmin|tensorflow.math.argmin(input, axis=None, output_type=ca.int64, name=None) = (
    raw.ArgMin(input, 0 if axis is None else integers(axis)[0], dtype_of(output_type)))
tensorflow.cumsum|tensorflow.math.cumsum(x, axis=0, exclusive=False, reverse=False, name=None) = (
    raw.Cumsum(x, integers(axis)[0], exclusive, reverse))
tensorflow.math.cumprod(x, axis=0, exclusive=False, reverse=False, name=None) = (
    raw.Cumprod(x, integers(axis)[0], exclusive, reverse))
tensorflow.math.cumulative_logsumexp(x, axis=0, exclusive=False, reverse=False, name=None) = (
    raw.CumulativeLogsumexp(x, integers(axis)[0], exclusive, reverse))
tensorflow.math.zero_fraction|tensorflow.nn.zero_fraction(value, name=None) = (
    ca.mean(ca.astype(tensor(value) == 0, ca.float32)))
tensorflow.math.in_top_k|tensorflow.nn.in_top_k(targets, predictions, k, name=None) = (
    raw.InTopKV2(tensor(predictions, hint=ca.float32), targets, k))
tensorflow.math.softmax|tensorflow.nn.softmax(logits, axis=None, name=None) = _along("Softmax", logits, axis)
tensorflow.math.log_softmax|tensorflow.nn.log_softmax(logits, axis=None, name=None) = _along("LogSoftmax", logits, axis)
tensorflow.math.is_non_decreasing(x, name=None) = _steps(tensor(x), lambda low, high: low <= high)
tensorflow.math.is_strictly_increasing(x, name=None) = _steps(tensor(x), lambda low, high: low < high)
tensorflow.sort(values, axis=-1, direction="ASCENDING", name=None) = (
    ca.sort(tensor(values), axis=axis, descending=_descends(direction)))
tensorflow.argsort(values, axis=-1, direction="ASCENDING", stable=False, name=None) = (
    ca.astype(ca.argsort(tensor(values), axis=axis, descending=_descends(direction), stable=True), ca.int32))
tensorflow.searchsorted(sorted_sequence, values, side="left", out_type=ca.int32, name=None) = (
    _places(*alike("LowerBound", [sorted_sequence, values]), side, dtype_of(out_type)))
tensorflow.math.unsorted_segment_sum(data, segment_ids, num_segments, name=None) = (
    raw.UnsortedSegmentSum(data, *_segments(segment_ids, num_segments)))
tensorflow.math.unsorted_segment_prod(data, segment_ids, num_segments, name=None) = (
    raw.UnsortedSegmentProd(data, *_segments(segment_ids, num_segments)))
tensorflow.math.unsorted_segment_max(data, segment_ids, num_segments, name=None) = (
    raw.UnsortedSegmentMax(data, *_segments(segment_ids, num_segments)))
tensorflow.math.unsorted_segment_min(data, segment_ids, num_segments, name=None) = (
    raw.UnsortedSegmentMin(data, *_segments(segment_ids, num_segments)))
tensorflow.math.unsorted_segment_mean(data, segment_ids, num_segments, name=None) = (
    _shared(tensor(data), *_segments(segment_ids, num_segments), lambda counts: counts))
tensorflow.math.unsorted_segment_sqrt_n(data, segment_ids, num_segments, name=None) = (
    _shared(tensor(data), *_segments(segment_ids, num_segments), ca.sqrt))
tensorflow.math.segment_sum(data, segment_ids, name=None) = _sorted_segments("Sum", tensor(data), tensor(segment_ids))
tensorflow.math.segment_prod(data, segment_ids, name=None) = _sorted_segments("Prod", tensor(data), tensor(segment_ids))
tensorflow.math.segment_max(data, segment_ids, name=None) = _sorted_segments("Max", tensor(data), tensor(segment_ids))
tensorflow.math.segment_min(data, segment_ids, name=None) = _sorted_segments("Min", tensor(data), tensor(segment_ids))
tensorflow.math.segment_mean(data, segment_ids, name=None) = (
    _shared(tensor(data), tensor(segment_ids), _last(segment_ids), lambda counts: counts))
tensorflow.raw_ops.SegmentSum(data, segment_ids) = _sorted_segments("Sum", data, segment_ids)
tensorflow.raw_ops.SegmentProd(data, segment_ids) = _sorted_segments("Prod", data, segment_ids)
tensorflow.raw_ops.SegmentMax(data, segment_ids) = _sorted_segments("Max", data, segment_ids)
tensorflow.raw_ops.SegmentMin(data, segment_ids) = _sorted_segments("Min", data, segment_ids)
tensorflow.raw_ops.SegmentMean(data, segment_ids) = _shared(data, segment_ids, _last(segment_ids), lambda counts: counts)
tensorflow.raw_ops.SegmentSumV2(data, segment_ids, num_segments) = raw.UnsortedSegmentSum(data, segment_ids, num_segments)
tensorflow.raw_ops.SegmentProdV2(data, segment_ids, num_segments) = raw.UnsortedSegmentProd(data, segment_ids, num_segments)
tensorflow.raw_ops.SegmentMaxV2(data, segment_ids, num_segments) = raw.UnsortedSegmentMax(data, segment_ids, num_segments)
tensorflow.raw_ops.SegmentMinV2(data, segment_ids, num_segments) = raw.UnsortedSegmentMin(data, segment_ids, num_segments)
""")


class _TopKV2(NamedTuple):
    """The largest elements, and their places."""

    values: Any
    indices: Any


class _Unique(NamedTuple):
    """Distinct elements, and the number of each element among them."""

    y: Any
    idx: Any


class _UniqueWithCounts(NamedTuple):
    """Distinct elements, the number of each element among them, and how often each occurs."""

    y: Any
    idx: Any
    count: Any


for _kind in (_TopKV2, _Unique, _UniqueWithCounts):
    _kind.__name__ = _kind.__qualname__ = _kind.__name__[1:]


def _variance(input_tensor: Any, axis: Any, keepdims: bool) -> Any:
    x = tensor(input_tensor)
    if not is_floating(x.dtype):
        raise CoreArrayTypeError(f"Input must be either real or complex. Received integer type {x.dtype}.")
    axes = axes_list(axis, x.ndim)
    away = x - raw.Mean(x, axes, keep_dims=True)
    squares = ca.real(away * ca.conj(away)) if is_complex(x.dtype) else ca.square(away)
    return raw.Mean(squares, axes, keep_dims=bool(keepdims))


def _log_sum(x: ca.Array, axis: Any, keepdims: bool) -> Any:
    if not is_floating(x.dtype):
        raise InvalidArgumentError(f"Value for attr 'T' of {x.dtype} is not in the list of allowed values; use tf.cast")
    axes = tuple(axes_list(axis, x.ndim))
    return ca.logsumexp(x, axis=axes, keepdims=bool(keepdims)) if axes else x


def _along(name: str, logits: Any, axis: Any) -> Any:
    x = tensor(logits)
    place = x.ndim - 1 if axis is None else axis_of(axis, x.ndim)
    if place == x.ndim - 1:
        return getattr(raw, name)(x)
    return ca.moveaxis(getattr(raw, name)(ca.moveaxis(x, place, -1)), -1, place)


def _steps(x: ca.Array, holds: Callable[..., Any]) -> Any:
    flat = ca.reshape(x, (-1,))
    return ca.all(holds(flat[:-1], flat[1:]))


def _descends(direction: str) -> bool:
    if direction not in ("ASCENDING", "DESCENDING"):
        raise CoreArrayValueError(
            f"Argument `direction` should be one of 'ASCENDING' or 'DESCENDING'. Received: {direction!r}"
        )
    return direction == "DESCENDING"


def _places(rows: ca.Array, values: ca.Array, side: str, dtype: ca.DType) -> Any:
    """Return where values fit into sorted rows: the last axes, with the same axes in front."""
    if side not in ("left", "right"):
        raise CoreArrayValueError(f"Argument `side` must be either 'right' or 'left'. Received: `side` = '{side}'.")
    flat = ca.reshape(rows, (-1, rows.shape[-1]))
    given = ca.reshape(values, (-1, values.shape[-1]))
    found = (raw.LowerBound if side == "left" else raw.UpperBound)(flat, given, dtype)
    return ca.reshape(found, values.shape)


def _segments(segment_ids: Any, num_segments: Any) -> tuple[ca.Array, int]:
    """Return the numbers of segments of rows, and how many segments there are."""
    ids, count = tensor(segment_ids), integers(num_segments)[0]
    if ids.size and holds(ca.any(ids >= count)):
        raise InvalidArgumentError(f"segment_ids are less than num_segments, which is {count}")
    return ids, count


def _shared(data: ca.Array, ids: ca.Array, count: int, root: Callable[..., Any]) -> Any:
    """Return sums of segments divided by the number of their rows, or by its root."""
    total = raw.UnsortedSegmentSum(data, ids, count)
    ones = ca.ones(ids.shape, dtype=data.dtype if is_floating(data.dtype) else ca.float64)
    counts = ca.maximum(raw.UnsortedSegmentSum(ones, ids, count), ca.ones((), dtype=ones.dtype))
    share = ca.reshape(root(counts), (count, *(1,) * (total.ndim - 1)))
    return total / share if is_floating(data.dtype) else ca.astype(ca.trunc(total / share), data.dtype)


def _last(segment_ids: Any) -> int:
    ids = tensor(segment_ids)
    return int(ids[-1]) + 1 if ids.shape[0] else 0


def _sorted_segments(name: str, data: ca.Array, ids: ca.Array) -> Any:
    if holds(ca.any(ids[1:] < ids[:-1])):
        raise InvalidArgumentError("segment ids are not increasing")
    count = _last(ids)
    made = getattr(raw, f"UnsortedSegment{name}")(data, ids, count)
    if name in ("Sum", "Prod"):
        return made
    held = (
        raw.UnsortedSegmentSum(ca.ones(ids.shape, dtype=ca.int32), ids, count) > 0
    )  # TensorFlow fills gaps with zeros
    return ca.where(ca.reshape(held, (count, *(1,) * (made.ndim - 1))), made, ca.zeros((), dtype=made.dtype))


@rule("tensorflow.math.top_k", "tensorflow.nn.top_k")
def top_k(input: Any, k: Any = 1, sorted: bool = True, index_type: Any = ca.int32, name: Any = None) -> Any:
    """Return the largest elements of the last axis, and their places."""
    x = tensor(input)
    count = integers(k)[0]
    if not x.ndim or count > x.shape[-1]:
        raise InvalidArgumentError(f"input must have at least k({count}) columns. Had {x.shape[-1] if x.ndim else 0}")
    return _TopKV2(*raw.TopKV2(x, count, sorted, dtype_of(index_type)))


def _vector(x: Any) -> ca.Array:
    made = tensor(x)
    if made.ndim != 1:
        raise InvalidArgumentError(f"unique expects a vector, got a tensor of shape {tuple(made.shape)}")
    return made


@rule("tensorflow.unique")
def unique(x: Any, out_idx: Any = ca.int32, name: Any = None) -> Any:
    """Return the distinct elements in the order of their first places."""
    return _Unique(*raw.Unique(_vector(x), dtype_of(out_idx)))


@rule("tensorflow.unique_with_counts")
def unique_with_counts(x: Any, out_idx: Any = ca.int32, name: Any = None) -> Any:
    """Return the distinct elements in the order of their first places, and how often each occurs."""
    values, numbers = raw.Unique(_vector(x), dtype_of(out_idx))
    counts = ca.bincount(numbers, length=values.shape[0])
    return _UniqueWithCounts(values, numbers, ca.astype(counts, numbers.dtype))


@rule("tensorflow.math.count_nonzero")
def count_nonzero(input: Any, axis: Any = None, keepdims: Any = None, dtype: Any = ca.int64, name: Any = None) -> Any:
    """Count the elements that are not zero."""
    x = tensor(input)
    there = ca.astype(x if x.dtype == ca.bool else x != 0, ca.int64)
    return ca.astype(raw.Sum(there, axes_list(axis, x.ndim), keep_dims=bool(keepdims)), dtype_of(dtype))


@rule("tensorflow.math.l2_normalize", "tensorflow.nn.l2_normalize", "tensorflow.linalg.l2_normalize")
def l2_normalize(x: Any, axis: Any = None, epsilon: float = 1e-12, name: Any = None, dim: Any = None) -> Any:
    """Divide by the root of the sum of squares."""
    x = tensor(x)
    squares = ca.real(x * ca.conj(x)) if is_complex(x.dtype) else ca.square(x)
    total = raw.Sum(squares, axes_list(dim if axis is None else axis, x.ndim), keep_dims=True)
    return x * ca.astype(raw.Rsqrt(ca.maximum(total, ca.asarray(epsilon, dtype=total.dtype))), x.dtype)


@rule("tensorflow.math.bincount")
def bincount(
    arr: Any,
    weights: Any = None,
    minlength: Any = None,
    maxlength: Any = None,
    dtype: Any = ca.int32,
    name: Any = None,
    axis: Any = None,
    binary_output: bool = False,
) -> Any:
    """Count integers, or sum their weights, of all elements or of each row (`axis=-1`)."""
    x = tensor(arr)
    if holds(ca.any(x < 0)):
        raise InvalidArgumentError("bincount takes no negative numbers")
    size = int(ca.max(x)) + 1 if x.size else 0
    size = max(size, 0 if minlength is None else integers(minlength)[0])
    size = size if maxlength is None else min(size, integers(maxlength)[0])
    own = dtype_of(dtype) if weights is None else tensor(weights).dtype
    share = ca.ones((0,), dtype=own) if weights is None else tensor(weights)
    if axis is None:
        x, share = ca.reshape(x, (-1,)), ca.reshape(share, (-1,))
    return raw.DenseBincount(ca.where(x < size, x, ca.asarray(size, dtype=x.dtype)), size, share, binary_output)


@rule("tensorflow.math.confusion_matrix")
def confusion_matrix(
    labels: Any, predictions: Any, num_classes: Any = None, weights: Any = None, dtype: Any = ca.int32, name: Any = None
) -> Any:
    """Count pairs of labels (rows) and predictions (columns)."""
    rows, columns = (ca.astype(tensor(x), ca.int64) for x in (labels, predictions))
    count = max(int(ca.max(rows)), int(ca.max(columns))) + 1 if num_classes is None else integers(num_classes)[0]
    own = dtype_of(dtype)
    share = ca.ones(rows.shape, dtype=own) if weights is None else ca.astype(tensor(weights), own)
    return raw.ScatterNd(ca.stack([rows, columns], axis=1), share, (count, count))


@rule("tensorflow.histogram_fixed_width_bins")
def histogram_fixed_width_bins(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = ca.int32, name: Any = None
) -> Any:
    """Return the number of the bin in which each value lies; values outside are in the first and the last one."""
    x, limits = alike("HistogramFixedWidth", [values, value_range])
    count = integers(nbins)[0]
    share = (x - limits[0]) / (limits[1] - limits[0])
    return ca.astype(ca.clip(ca.floor(share * count), 0, count - 1), dtype_of(dtype))


@rule("tensorflow.histogram_fixed_width", "tensorflow.raw_ops.HistogramFixedWidth")
def histogram_fixed_width(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = ca.int32, name: Any = None
) -> Any:
    """Count the values in bins of equal width; values outside are in the first and the last one."""
    places = ca.reshape(histogram_fixed_width_bins(values, value_range, nbins), (-1,))
    return ca.astype(ca.bincount(places, length=integers(nbins)[0]), dtype_of(dtype))
