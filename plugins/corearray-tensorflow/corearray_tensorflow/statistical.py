"""Sums, means, extremes, and running sums.

The names `max`, `min` and `sum` stand for the public functions in this file.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from corearray.plugin import Fast, Via, hookimpl
from corearray_tensorflow.data_type import cast
from corearray_tensorflow.native import (
    COMPLEX,
    FLOATING,
    HALF,
    PARTS,
    all_axes,
    at_hand,
    checked_axis,
    choose,
    complex_of,
    custom_gradient,
    elements,
    imag_part,
    may_be_derived,
    raw_ops,
    real_part,
    reduced,
    shape_argument,
    zero_or_one,
)
from corearray_tensorflow.scattering import products_of_earlier


def _over_all(operation: Callable[..., Any]) -> Callable[[Any], Any]:
    return lambda x: operation(input=x, axis=reduced(x, None), keep_dims=False)


def _over_axes(operation: Callable[..., Any]) -> Callable[[Any, Any, bool], Any]:
    return lambda x, axis, keepdims: operation(input=x, axis=reduced(x, axis), keep_dims=keepdims)


@hookimpl(via=HALF)
def cumulative_prod(x: Any, /, axis: Any = None, dtype: Any = None, include_initial: bool = False) -> Any:
    product = _running_product if may_be_derived() and None not in x.shape else raw_ops.Cumprod
    return _accumulated(product, x, axis, dtype, 1 if include_initial else None)


@hookimpl(via=HALF)
def cumulative_sum(x: Any, /, axis: Any = None, dtype: Any = None, include_initial: bool = False) -> Any:
    return _accumulated(raw_ops.Cumsum, x, axis, dtype, 0 if include_initial else None)


@hookimpl(via=HALF)
def logsumexp(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return tf.math.reduce_logsumexp(x, reduced(x, axis), keepdims)


@hookimpl(via={"bool": "uint8", **HALF})  # the derivative divides by the count of equal elements
def max(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    _refuse_nothing(x, axis)
    return raw_ops.Max(input=x, axis=reduced(x, axis), keep_dims=keepdims)


def _mean_of_complex(x: Any) -> Any:
    """TensorFlow's own multiplies an infinity by zero, and that of nothing is zero; bits have no derivative."""
    axes = all_axes(x.shape.rank)
    if may_be_derived():
        real, imag = (raw_ops.Mean(input=part(x), axis=axes, keep_dims=False) for part in (real_part, imag_part))
        return complex_of(real, imag)
    parts = raw_ops.Bitcast(input=x, type=PARTS[x.dtype])
    return raw_ops.Bitcast(input=raw_ops.Mean(input=parts, axis=axes, keep_dims=False), type=x.dtype)


@hookimpl(
    fast=Fast(_over_all(raw_ops.Mean), with_options=_over_axes(raw_ops.Mean)),
    lacks=("complex floating",),
    via={name: Via(name, lambda x: x, back=False, fast=_mean_of_complex) for name in ("complex64", "complex128")}
    | HALF,
)
def mean(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return raw_ops.Mean(input=x, axis=reduced(x, axis), keep_dims=keepdims)


@hookimpl(via={"bool": "uint8", **HALF})  # the derivative divides by the count of equal elements
def min(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    _refuse_nothing(x, axis)
    return raw_ops.Min(input=x, axis=reduced(x, axis), keep_dims=keepdims)


def _multiplied(input: Any, axis: Any, keep_dims: bool) -> Any:
    """TensorFlow's own derivative has a derivative that is wrong where an element is zero, and that of complex numbers."""
    if may_be_derived():
        dtype = input.dtype
        if dtype in COMPLEX or (dtype in FLOATING and not (at_hand(input) and np.all(elements(input)))):
            return _product(input, axis, keep_dims)
    return raw_ops.Prod(input=input, axis=axis, keep_dims=keep_dims)


@hookimpl(fast=Fast(_over_all(_multiplied), with_options=_over_axes(_multiplied)), via=HALF)
def prod(x: Any, /, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    if x.dtype is not dtype:
        x = cast(x, dtype)
    if dtype is tf.bool:
        return raw_ops.All(input=x, axis=reduced(x, axis), keep_dims=keepdims)
    return _multiplied(x, reduced(x, axis), keepdims)


@hookimpl(via=HALF)
def std(x: Any, /, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Any:
    variance = _variance(x, axis, correction, keepdims)
    if not may_be_derived():
        return raw_ops.Sqrt(x=variance)
    none = raw_ops.Equal(x=variance, y=0)  # where the derivative is 0, and that of the root is infinite
    return choose(none, variance, raw_ops.Sqrt(x=choose(none, zero_or_one(1, variance.dtype), variance)))


@hookimpl(fast=Fast(_over_all(raw_ops.Sum), with_options=_over_axes(raw_ops.Sum)), via=HALF)
def sum(x: Any, /, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    if x.dtype is not dtype:
        x = cast(x, dtype)
    if dtype is tf.bool:
        return raw_ops.Any(input=x, axis=reduced(x, axis), keep_dims=keepdims)
    return raw_ops.Sum(input=x, axis=reduced(x, axis), keep_dims=keepdims)


@hookimpl(via=HALF)
def var(x: Any, /, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Any:
    return _variance(x, axis, correction, keepdims)


def _product(x: Any, axis: Any, keepdims: bool) -> Any:
    @custom_gradient
    def product(x: Any) -> Any:
        def pull_back(cotangent: Any) -> Any:
            if not keepdims:
                cotangent = tf.reshape(cotangent, tf.shape(raw_ops.Sum(input=x, axis=axis, keep_dims=True)))
            return cotangent * tf.math.conj(_products_of_others(x, axis))

        return raw_ops.Prod(input=raw_ops.StopGradient(input=x), axis=axis, keep_dims=keepdims), pull_back

    return product(x)


def _products_of_others(x: Any, axis: Any) -> Any:
    """Multiply for each element those that its product has besides."""
    ndim = x.shape.rank
    axes = [i % ndim for i in np.ravel(axis if isinstance(axis, int) else tf.get_static_value(axis))]
    order = [*axes, *(i for i in range(ndim) if i not in axes)]
    turned = tf.transpose(x, order)
    count = tf.reduce_prod(tf.shape(turned)[: len(axes)])
    numbers = tf.reshape(turned, tf.concat([[count], tf.shape(turned)[len(axes) :]], 0))
    before, after = (products_of_earlier(numbers, tf.zeros([count], tf.int32), way) for way in (1, -1))
    return tf.transpose(tf.reshape(before * after, tf.shape(turned)), np.argsort(order))


def _running_product(x: Any, axis: int) -> Any:
    """Multiply in steps that double, which have derivatives where an element is zero; those of `Cumprod` are zero there."""
    step, size = 1, x.shape[axis]
    while step < size:
        first, later, earlier = (slice(None, step), slice(step, None), slice(None, -step))
        before = (slice(None),) * axis
        x = raw_ops.ConcatV2(values=[x[(*before, first)], x[(*before, later)] * x[(*before, earlier)]], axis=axis)
        step *= 2
    return x


def _accumulated(operation: Any, x: Any, axis: int | None, dtype: Any, initial: int | None) -> Any:
    """Run a cumulative operation, with its neutral element in front if asked for."""
    ndim = x.shape.rank
    if axis is None:
        if ndim != 1:
            raise ValueError(f"an array with {ndim} axes is not accumulated without 'axis'; give the one meant")
        axis = 0
    axis = checked_axis(axis, ndim)
    if x.dtype is not dtype:
        x = cast(x, dtype)
    if dtype is tf.bool:  # TensorFlow runs over numbers only
        return cast(_accumulated(operation, x, axis, tf.int64, initial), dtype)
    result = operation(x=x, axis=axis)
    if initial is None:
        return result
    sizes = tf.unstack(tf.shape(x)) if None in x.shape else x.shape.as_list()
    sizes[axis] = 1
    neutral = raw_ops.Fill(dims=shape_argument(sizes), value=zero_or_one(initial, dtype))
    return raw_ops.ConcatV2(values=[neutral, result], axis=axis)


def _refuse_nothing(x: Any, axis: Any) -> None:
    """Refuse to choose from no elements, where TensorFlow returns an infinity or the least integer."""
    if 0 not in x.shape:
        return
    shape = x.shape.as_list()
    axes = range(len(shape)) if axis is None else (axis,) if isinstance(axis, int) else axis
    if 0 in [shape[i] for i in axes]:
        raise ValueError(f"there is no element to choose from in an array of shape {tuple(shape)} along axis {axis}")


def _variance(x: Any, axis: Any, correction: float, keepdims: bool) -> Any:
    axes = reduced(x, axis)
    offset = raw_ops.Sub(x=x, y=raw_ops.Mean(input=x, axis=axes, keep_dims=True))
    if x.dtype in COMPLEX:
        squares = raw_ops.AddV2(x=raw_ops.Square(x=real_part(offset)), y=raw_ops.Square(x=imag_part(offset)))
    else:
        squares = raw_ops.Square(x=offset)
    if not correction:
        return raw_ops.Mean(input=squares, axis=axes, keep_dims=keepdims)
    total = raw_ops.Sum(input=squares, axis=axes, keep_dims=keepdims)
    divisor = raw_ops.Sum(input=raw_ops.OnesLike(x=squares), axis=axes, keep_dims=keepdims) - correction
    return raw_ops.RealDiv(x=total, y=choose(raw_ops.Greater(x=divisor, y=0), divisor, math.nan))
