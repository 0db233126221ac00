"""Counts of integers."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from corearray.plugin import hookimpl
from corearray_tensorflow.native import COMPLEX, FLOATING, HALF, INTEGERS, raw_ops


def _has_bincount(x: Any, weights: Any = None, minlength: int = 0, length: int | None = None) -> bool:
    """Leave what is wrong to the composition, which says so."""
    fits = weights is None or (weights.shape == x.shape and weights.dtype in FLOATING | COMPLEX)
    return length is None and x.shape.rank == 1 and x.dtype in INTEGERS and fits and minlength >= 0


@hookimpl(when=_has_bincount)
def bincount(x: Any, /, weights: Any = None, minlength: int = 0, length: int | None = None) -> Any:
    places = raw_ops.Cast(x=x, DstT=tf.int64)
    if weights is None:
        weights = raw_ops.OnesLike(x=places)
    elif weights.dtype.name in HALF:
        wide = raw_ops.Cast(x=weights, DstT=HALF[weights.dtype.name])
        return raw_ops.Cast(x=bincount(x, wide, minlength), DstT=weights.dtype)
    length = minlength
    if x.shape[0] != 0 and not hasattr(x, "numpy"):  # traced: the length is known when the program runs
        largest = raw_ops.Max(input=places, axis=[0], keep_dims=False) + 1
        return raw_ops.UnsortedSegmentSum(data=weights, segment_ids=places, num_segments=tf.maximum(largest, minlength))
    if x.shape[0]:
        if int(tf.reduce_min(places)) < 0:
            raise ValueError("integers that are not negative are counted, and there is a negative one")
        length = max(int(tf.reduce_max(places)) + 1, minlength)
    return raw_ops.UnsortedSegmentSum(data=weights, segment_ids=places, num_segments=tf.constant(length, tf.int64))
