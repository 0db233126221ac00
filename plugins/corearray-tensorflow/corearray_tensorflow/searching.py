"""Searching: places of extremes, of elements that are not zero, and in sorted arrays."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import tensorflow as tf

from corearray.plugin import hookimpl
from corearray_tensorflow.comparison import truth
from corearray_tensorflow.keys import places
from corearray_tensorflow.native import (
    FLOATING,
    at_hand,
    beside,
    checked_axis,
    constant,
    elements,
    operand,
    raw_ops,
    reduced,
    shape_of,
)
from corearray_tensorflow.sorting import order_keys

#: The dtypes in which NumPy is fast: float32 and float64.
_OF_NUMPY = frozenset({tf.float32, tf.float64})

#: The bytes from which on not to copy an array is worth what it takes to say so.
_COPIED = 16384

#: TensorFlow finds extremes in arrays with no more axes than these.
_MOST_AXES = 7


@hookimpl
def argmax(x: Any, /, axis: int | None = None, keepdims: bool = False) -> Any:
    return _place(raw_ops.ArgMax, raw_ops.Max, x, axis, keepdims)


@hookimpl
def argmin(x: Any, /, axis: int | None = None, keepdims: bool = False) -> Any:
    return _place(raw_ops.ArgMin, raw_ops.Min, x, axis, keepdims)


@hookimpl
def count_nonzero(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    counted = raw_ops.Cast(x=truth(x), DstT=tf.int64)
    return raw_ops.Sum(input=counted, axis=reduced(x, axis), keep_dims=keepdims)


@hookimpl
def nonzero(x: Any, /) -> tuple[Any, ...]:
    ndim = x.shape.rank
    if ndim == 0:
        raise ValueError("an array without axes has no places to return; give it one with reshape(x, (1,))")
    return tuple(raw_ops.Unpack(value=raw_ops.Where(condition=truth(x)), num=ndim, axis=1))


@hookimpl
def searchsorted(x1: Any, x2: Any, /, side: str = "left", sorter: Any = None) -> Any:
    if side not in ("left", "right"):
        raise ValueError(f"side is '{side}'; it must be 'left' or 'right'")
    if x1.shape.rank != 1:
        raise ValueError(f"the array to search in has {x1.shape.rank} axes; it must have one")
    if sorter is not None:
        if not sorter.shape.is_compatible_with(x1.shape):
            raise ValueError(f"a sorter of shape {sorter.shape} for {x1.shape}")
        x1 = raw_ops.GatherV2(params=x1, indices=places(sorter, x1, 0), axis=0)
    ordered = raw_ops.ExpandDims(input=order_keys(x1), axis=0)
    values = raw_ops.Reshape(tensor=order_keys(x2), shape=constant((1, -1)))
    search = raw_ops.LowerBound if side == "left" else raw_ops.UpperBound
    found = search(sorted_inputs=ordered, values=values, out_type=tf.int64)
    return raw_ops.Reshape(tensor=found, shape=shape_of(x2))


@hookimpl(fast=raw_ops.SelectV2, scalars=True, trusts_framework=True)
def where(condition: Any, x1: Any, x2: Any, /) -> Any:
    return raw_ops.SelectV2(condition=condition, t=operand(x1, x2), e=operand(x2, x1))


def _place(operation: Any, extreme: Any, x: Any, axis: int | None, keepdims: bool) -> Any:
    """Find the first extreme, or the first NaN if there is one, which TensorFlow passes over.

    In the memory of a tensor on a CPU NumPy finds both at once, in less time than TensorFlow one, if it need not jump.
    """
    ndim = x.shape.rank
    at_once = axis is None or axis == -1 or axis == ndim - 1
    if at_once and x.dtype in _OF_NUMPY and tf.executing_eagerly() and at_hand(x):
        found = elements(x)
        if found.size and found.ndim >= (axis is not None):
            found = found if found.nbytes < _COPIED else np.asarray(_NotToBeCopied(found))
            find = found.argmax if operation is raw_ops.ArgMax else found.argmin
            return beside(find(axis, keepdims=keepdims), x)
    if axis is None:
        found = _place(operation, extreme, raw_ops.Reshape(tensor=x, shape=constant((-1,))), 0, False)
        return raw_ops.Reshape(tensor=found, shape=constant((1,) * ndim)) if keepdims else found
    axis = checked_axis(axis, ndim)
    if ndim > _MOST_AXES:
        before, length, after = math.prod(x.shape[:axis]), x.shape[axis], math.prod(x.shape[axis + 1 :])
        found = _place(operation, extreme, raw_ops.Reshape(tensor=x, shape=constant((before, length, after))), 1, False)
        shape = (*x.shape[:axis], *(1,) * keepdims, *x.shape[axis + 1 :])
        return raw_ops.Reshape(tensor=found, shape=constant(shape))
    if _may_hold_nan(extreme, x):
        best = extreme(input=x, axis=axis, keep_dims=True)
        at = raw_ops.LogicalOr(x=raw_ops.Equal(x=x, y=best), y=raw_ops.NotEqual(x=x, y=x))
        found = raw_ops.ArgMax(input=at, dimension=axis)
    else:
        found = operation(input=x, dimension=axis)
    return raw_ops.ExpandDims(input=found, axis=axis) if keepdims else found


class _NotToBeCopied:
    """An array whose memory is not called read-only: NumPy's `argmax`, which only reads, would copy that."""

    def __init__(self, array: Any) -> None:
        self.array = array
        told = array.__array_interface__
        self.__array_interface__ = {**told, "data": (told["data"][0], False)}


def _may_hold_nan(extreme: Any, x: Any) -> bool:
    """Look for a NaN, which is an extreme of its array; while tracing there may be one.

    On a CPU NumPy looks, which reads the memory of the tensor and takes a fifth of the time.
    """
    eager = tf.executing_eagerly()
    if eager and x.dtype in _OF_NUMPY and at_hand(x):
        return math.isnan(np.maximum.reduce(elements(x), axis=None, initial=-math.inf))
    if x.dtype not in FLOATING:
        return False
    if not eager:
        return True
    best = extreme(input=x, axis=reduced(x, None)).numpy()
    return bool(best != best)


@hookimpl(when=lambda x: x.shape.rank > 0)
def argwhere(x: Any, /) -> Any:
    return raw_ops.Where(condition=truth(x))
