"""Reductions of segments. TensorFlow drops negative ids and no others; its extremes forget NaN."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from corearray.plugin import hookimpl
from corearray_tensorflow.native import at_hand, choose, raw_ops


@hookimpl(when=lambda x: x.dtype.is_integer)
def unsorted_segment_max(x: Any, segment_ids: Any, num_segments: int, /) -> Any:
    return _joined(raw_ops.UnsortedSegmentMax, x, segment_ids, num_segments)


@hookimpl(when=lambda x: x.dtype.is_integer)
def unsorted_segment_min(x: Any, segment_ids: Any, num_segments: int, /) -> Any:
    return _joined(raw_ops.UnsortedSegmentMin, x, segment_ids, num_segments)


@hookimpl
def unsorted_segment_prod(x: Any, segment_ids: Any, num_segments: int, /) -> Any:
    return _joined(raw_ops.UnsortedSegmentProd, x, segment_ids, num_segments)


@hookimpl
def unsorted_segment_sum(x: Any, segment_ids: Any, num_segments: int, /) -> Any:
    return _joined(raw_ops.UnsortedSegmentSum, x, segment_ids, num_segments)


def _joined(operation: Callable[..., Any], x: Any, ids: Any, count: int) -> Any:
    if x.dtype == tf.bool or not ids.dtype.is_integer:
        raise TypeError(
            f"elements of {x.dtype.name} are not joined by ids of {ids.dtype.name}; give numbers and integers"
        )
    if count < 0 or x.shape[: ids.shape.rank].as_list() != ids.shape.as_list():
        raise ValueError(
            f"an array of shape {tuple(x.shape)} has no {count} segments by ids of shape {tuple(ids.shape)}"
        )
    ids = raw_ops.Cast(x=ids, DstT=tf.int64)
    if not at_hand(ids) or np.max(ids, initial=-1) >= count:
        ids = choose(raw_ops.Less(x=ids, y=tf.constant(count, tf.int64)), ids, tf.constant(-1, tf.int64))
    return operation(data=x, segment_ids=ids, num_segments=count)
