"""Reductions of segments, and what is written to indices.

TensorFlow drops negative ids and no others. Its extremes forget NaN, and have the outermost finite number for infinity.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from operator import index
from typing import Any

import numpy as np
import tensorflow as tf

from corearray.plugin import hookimpl
from corearray_tensorflow.keys import all_places
from corearray_tensorflow.native import (
    COMPLEX,
    FLOATING,
    HALF,
    at_hand,
    choose,
    custom_gradient,
    may_be_derived,
    raw_ops,
)


def _is_one_sum(indices: Any, updates: Any, shape: Any, base: Any, reduction: str) -> bool:
    whole = shape if base is None else base.shape
    if reduction != "sum" or (shape is None) == (base is None) or updates.dtype not in FLOATING | COMPLEX:
        return False
    if isinstance(shape, int):  # which the composition reads
        return False
    shapes = (indices.shape, updates.shape) if base is None else (indices.shape, updates.shape, base.shape)
    if not all(known.is_fully_defined() for known in shapes) or any(0 in known for known in (*shapes, whole)):
        return False
    if indices.shape.rank < 2:
        return False
    count = indices.shape[-1]
    return 0 < count <= len(whole) and updates.shape == (*indices.shape[:-1], *whole[count:])


@hookimpl(when=_is_one_sum, via=HALF)
def scatter_nd(indices: Any, updates: Any, /, shape: Any = None, *, base: Any = None, reduction: str = "sum") -> Any:
    indices = all_places(indices, base.shape if shape is None else shape)
    if base is None:
        return raw_ops.ScatterNd(indices=indices, updates=updates, shape=tf.constant(tuple(shape), indices.dtype))
    return raw_ops.TensorScatterAdd(tensor=base, indices=indices, updates=updates)


@hookimpl(lacks=("complex floating",), via=HALF)
def unsorted_segment_max(x: Any, segment_ids: Any, num_segments: int, /) -> Any:
    return _extreme(raw_ops.UnsortedSegmentMax, x, segment_ids, num_segments, x.dtype.min, -math.inf)


@hookimpl(lacks=("complex floating",), via=HALF)
def unsorted_segment_min(x: Any, segment_ids: Any, num_segments: int, /) -> Any:
    return _extreme(raw_ops.UnsortedSegmentMin, x, segment_ids, num_segments, x.dtype.max, math.inf)


@hookimpl(via=HALF)
def unsorted_segment_prod(x: Any, segment_ids: Any, num_segments: int, /) -> Any:
    """TensorFlow's own derivative lacks a conjugate, and has none of its own where an element is zero."""
    derived = may_be_derived() and x.dtype in FLOATING | COMPLEX
    return _joined(_segment_products if derived else raw_ops.UnsortedSegmentProd, x, segment_ids, num_segments)


@hookimpl(via=HALF)
def unsorted_segment_sum(x: Any, segment_ids: Any, num_segments: int, /) -> Any:
    return _joined(raw_ops.UnsortedSegmentSum, x, segment_ids, num_segments)


def _extreme(operation: Callable[..., Any], x: Any, ids: Any, count: int, limit: float, infinity: float) -> Any:
    """Put right where TensorFlow has a number in the place of infinity, and where it forgets NaN."""
    found = _joined(operation, x, ids, count)
    if x.dtype not in FLOATING:
        return found
    limit = tf.constant(limit, x.dtype)

    def hold(condition: Any) -> Any:
        hits = raw_ops.Cast(x=condition, DstT=tf.int32)
        return raw_ops.Greater(x=_joined(raw_ops.UnsortedSegmentMax, hits, ids, count), y=0)

    at_limit, nan = raw_ops.Equal(x=found, y=limit), raw_ops.IsNan(x=x)
    if _may_be(at_limit):
        no_element = raw_ops.LogicalNot(x=hold(raw_ops.Equal(x=x, y=limit)))
        found = choose(raw_ops.LogicalAnd(x=at_limit, y=no_element), tf.constant(infinity, x.dtype), found)
    return choose(hold(nan), tf.constant(math.nan, x.dtype), found) if _may_be(nan) else found


def _may_be(condition: Any) -> bool:
    return not at_hand(condition) or bool(np.any(condition))


def _joined(operation: Callable[..., Any], x: Any, ids: Any, count: int) -> Any:
    if x.dtype == tf.bool or not ids.dtype.is_integer:
        raise TypeError(
            f"elements of {x.dtype.name} are not joined by ids of {ids.dtype.name}; give numbers and integers"
        )
    count = index(count)
    if count < 0 or x.shape[: ids.shape.rank].as_list() != ids.shape.as_list():
        raise ValueError(
            f"an array of shape {tuple(x.shape)} has no {count} segments by ids of shape {tuple(ids.shape)}"
        )
    if ids.dtype is not tf.int64:
        ids = raw_ops.Cast(x=ids, DstT=tf.int64)
    if at_hand(ids) and at_hand(x) and tf.config.experimental.get_synchronous_execution():
        try:
            return operation(data=x, segment_ids=ids, num_segments=count)
        except tf.errors.InvalidArgumentError:  # one is too great, which CPUs refuse: at once here, else later
            pass
    ids = choose(raw_ops.Less(x=ids, y=tf.constant(count, tf.int64)), ids, tf.constant(-1, tf.int64))
    return operation(data=x, segment_ids=ids, num_segments=count)


def _segment_products(data: Any, segment_ids: Any, num_segments: int) -> Any:
    @custom_gradient
    def products(x: Any) -> Any:
        def pull_back(cotangent: Any) -> Any:
            kept = raw_ops.GreaterEqual(x=segment_ids, y=tf.constant(0, tf.int64))
            places = raw_ops.SelectV2(condition=kept, t=segment_ids, e=raw_ops.ZerosLike(x=segment_ids))
            if num_segments == 0:
                return raw_ops.ZerosLike(x=x)
            slopes = tf.gather(cotangent, places) * tf.math.conj(_products_of_others(x, segment_ids))
            for axis in range(kept.shape.rank, x.shape.rank):
                kept = tf.expand_dims(kept, axis)
            return choose(kept, slopes, raw_ops.ZerosLike(x=slopes))

        plain = raw_ops.StopGradient(input=x)
        found = raw_ops.UnsortedSegmentProd(data=plain, segment_ids=segment_ids, num_segments=num_segments)
        return found, pull_back

    return products(data)


def _products_of_others(x: Any, ids: Any) -> Any:
    """Multiply for each element the others of its segment, in steps that double, of elements sorted by segments."""
    flat_ids = tf.reshape(ids, [-1])
    order = tf.argsort(flat_ids, stable=True)
    sorted_ids = tf.gather(flat_ids, order)
    numbers = tf.gather(tf.reshape(x, tf.concat([[-1], tf.shape(x)[ids.shape.rank :]], 0)), order)
    before, after = (products_of_earlier(numbers, sorted_ids, way) for way in (1, -1))
    found = tf.gather(before * after, tf.math.invert_permutation(order))
    return tf.reshape(found, tf.shape(x))


def products_of_earlier(numbers: Any, ids: Any, way: int) -> Any:
    """Multiply for each element those of its segment that come earlier, or later for -1."""
    count = tf.size(ids)
    places = tf.range(count)[::way]

    def from_earlier(x: Any, step: Any) -> Any:
        """Return for each element the one that many places earlier, 1 if that is of another segment."""
        within = (places >= step) & (tf.roll(ids, way * step, 0) == ids)
        within = tf.reshape(within, [-1] + [1] * (x.shape.rank - 1))
        return choose(within, tf.roll(x, way * step, 0), tf.ones_like(x))

    def doubled(step: Any, found: Any) -> tuple[Any, Any]:
        return 2 * step, found * from_earlier(found, step)

    state = tf.constant(1), from_earlier(numbers, 1)
    return tf.while_loop(lambda step, _: step < count, doubled, state)[1]
