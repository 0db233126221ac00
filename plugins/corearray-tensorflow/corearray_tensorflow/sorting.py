"""Sorting by `TopKV2`, which keeps the order of equals but cannot compare NaN, booleans, or in ascending order.

So what is sorted are integers that stand for the elements, with their bits turned for ascending order.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from corearray.plugin import hookimpl
from corearray_tensorflow.native import FLOATING, at_hand, bits_of, choose, elements, raw_ops, to_last


@hookimpl
def argsort(x: Any, /, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    swap = to_last(axis, x.shape.rank)
    order = _order(x if swap is None else raw_ops.Transpose(x=x, perm=swap), descending)
    order = raw_ops.Cast(x=order, DstT=tf.int64)
    return order if swap is None else raw_ops.Transpose(x=order, perm=swap)


@hookimpl
def sort(x: Any, /, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    swap = to_last(axis, x.shape.rank)
    rows = x if swap is None else raw_ops.Transpose(x=x, perm=swap)
    last = x.shape.rank - 1
    rows = raw_ops.GatherV2(params=rows, indices=_order(rows, descending), axis=last, batch_dims=last)
    return rows if swap is None else raw_ops.Transpose(x=rows, perm=swap)


def _is_there(x: Any, k: int, axis: int) -> bool:
    length = x.shape[axis] if -x.shape.rank <= axis < x.shape.rank else None
    return length is not None and 0 <= k <= length


@hookimpl(when=_is_there)
def top_k(x: Any, k: int, /, *, axis: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    """Find what is the greatest as it stands, unless there may be NaN, and the least by turned bits."""
    swap = to_last(axis, x.shape.rank)
    rows = x if swap is None else raw_ops.Transpose(x=x, perm=swap)
    keys = rows
    if not largest or x.dtype is tf.bool or _may_be_nan(x):
        keys = order_keys(rows)
        keys = keys if largest else raw_ops.Invert(x=keys)
    last = x.shape.rank - 1
    size = rows.shape[last]
    places = tf.int32 if size is not None and size < 2**31 else tf.int64  # which take longer, and have no derivative
    values, order = raw_ops.TopKV2(input=keys, k=k, index_type=places)
    if keys is not rows or places is tf.int64:
        values = raw_ops.GatherV2(params=rows, indices=order, axis=last, batch_dims=last)
    order = raw_ops.Cast(x=order, DstT=tf.int64)
    if swap is None:
        return values, order
    return tuple(raw_ops.Transpose(x=part, perm=swap) for part in (values, order))


def _may_be_nan(x: Any) -> bool:
    """Whether an element is NaN, or nobody knows because a function is traced."""
    if x.dtype not in FLOATING:
        return False
    if not at_hand(x):
        return True
    return bool(np.isnan(np.minimum.reduce(elements(x), axis=None, initial=0)))


def order_keys(x: Any) -> Any:
    """Return integers in the order of the elements, in which NaN is the greatest number and both zeros are equal."""
    if x.dtype is tf.bool:
        return raw_ops.Cast(x=x, DstT=tf.uint8)
    if x.dtype not in FLOATING:
        return x
    bits = bits_of(x)
    top = int(bits.dtype.max)
    places = choose(raw_ops.Less(x=bits, y=0), raw_ops.BitwiseXor(x=bits, y=top), bits)
    places = raw_ops.AddV2(x=places, y=raw_ops.Cast(x=raw_ops.Equal(x=places, y=-1), DstT=bits.dtype))
    return choose(raw_ops.Equal(x=x, y=x), places, top)


def _order(rows: Any, descending: bool) -> Any:
    """Return the order of the elements along the last axis."""
    keys = order_keys(rows)
    length = keys.shape[-1]
    keys = keys if descending else raw_ops.Invert(x=keys)
    return raw_ops.TopKV2(input=keys, k=tf.shape(keys)[-1] if length is None else length).indices
