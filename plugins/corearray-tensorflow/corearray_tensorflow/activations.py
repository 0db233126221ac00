"""Activations of `tf.nn`, without those that lose digits.

Its `elu` and `selu` cancel near zero; `leaky_relu` rounds the slope to float32.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from corearray.plugin import hookimpl
from corearray_tensorflow.native import HALF, TRUTH_TO_INT64, at_hand, checked_axis, elements, mapping, raw_ops


def _has_no_options(beta: float, threshold: float | None) -> bool:
    return beta == 1 and threshold is None


def _has_few_axes(x: Any) -> bool:
    """Guard: of more axes oneDNN aborts."""
    return bool(x.shape.rank < 6)


@hookimpl(when=_has_few_axes, lacks=("complex floating",), via=HALF)
def log_softmax(x: Any, /, axis: int = -1) -> Any:
    return tf.nn.log_softmax(x, checked_axis(axis, x.shape.rank))


@hookimpl(lacks=("complex floating",), via=TRUTH_TO_INT64)
def relu(x: Any, /) -> Any:
    return raw_ops.Relu(features=x)


@hookimpl(via=TRUTH_TO_INT64)
def relu6(x: Any, /) -> Any:
    return raw_ops.Relu6(features=x)


@hookimpl(lacks=("complex floating",))
def sigmoid(x: Any, /) -> Any:
    return raw_ops.Sigmoid(x=x)


@hookimpl(when=_has_few_axes, lacks=("complex floating",), via=HALF)
def softmax(x: Any, /, axis: int = -1) -> Any:
    """In oneDNN's a NaN or an infinity makes zeros of the elements beside it: what begins with more than zero has none."""
    ndim = x.shape.rank
    axis = checked_axis(axis, ndim)
    found = raw_ops.Softmax(logits=x) if axis == ndim - 1 else tf.nn.softmax(x, axis)
    if x.dtype is tf.float64:
        return found
    if not at_hand(found):
        return _with_nan_where_traced(found, axis)
    if found.dtype is tf.float32:
        numbers = elements(found)
        if _first(numbers, axis).min(initial=1.0) > 0:
            return found
        numbers = numbers.reshape(-1)
        if np.dot(numbers, numbers) >= 0:
            return found
    return _with_nan(found, axis)


@hookimpl(when=_has_no_options, lacks=("complex floating",))
def softplus(x: Any, /, beta: float = 1.0, threshold: float | None = None) -> Any:
    return raw_ops.Softplus(features=x)


def _first(x: Any, axis: int) -> Any:
    return x[(slice(None),) * axis + (slice(1),)]


def _with_nan(found: Any, axis: int) -> Any:
    """Add zero, or NaN where there is one along the axis."""
    total = raw_ops.Sum(input=found, axis=axis, keep_dims=True)
    return raw_ops.AddV2(x=found, y=raw_ops.Sub(x=total, y=total))


def _with_nan_where_traced(found: Any, axis: int) -> Any:
    if tf.executing_eagerly():  # on another device, where oneDNN is not
        return found
    if mapping.get():
        return _with_nan(found, axis)
    return tf.cond(tf.reduce_all(_first(found, axis) > 0), lambda: tf.identity(found), lambda: _with_nan(found, axis))
