"""Sums, products and extremes. MLX adds small integers up in 32 bits whatever they are cast to, and nothing to anything."""

import mlx.core as mx
import numpy

from corearray.plugin import hookimpl


@hookimpl
def cumulative_prod(x, /, *, axis=None, dtype=None, include_initial=False):
    return _running(mx.cumprod, 1, x, axis, dtype, include_initial)


@hookimpl
def cumulative_sum(x, /, *, axis=None, dtype=None, include_initial=False):
    return _running(mx.cumsum, 0, x, axis, dtype, include_initial)


@hookimpl
def max(x, /, *, axis=None, keepdims=False):
    return mx.max(x, axis, keepdims)


@hookimpl
def min(x, /, *, axis=None, keepdims=False):
    return mx.min(x, axis, keepdims)


@hookimpl
def prod(x, /, *, axis=None, dtype=None, keepdims=False):
    return _reduced(mx.prod, 1, x.astype(dtype), axis, keepdims)


@hookimpl
def sum(x, /, *, axis=None, dtype=None, keepdims=False):
    return _reduced(mx.sum, 0, x.astype(dtype), axis, keepdims)


def _reduced(function, start, x, axis, keepdims):
    if x.size:
        return function(x, axis, keepdims).astype(x.dtype)
    return mx.full(numpy.empty(x.shape).any(axis, keepdims=keepdims).shape, start, x.dtype)


def _running(function, start, x, axis, dtype, include_initial):
    if axis is None and x.ndim != 1:
        raise ValueError(f"'axis' may be left out for arrays with one axis only, this one has the shape {x.shape}")
    axis = 0 if axis is None else axis
    result = function(x.astype(dtype), axis).astype(dtype)
    if not include_initial:
        return result
    shape = [1 if i == axis % x.ndim else side for i, side in enumerate(x.shape)]
    return mx.concatenate([mx.full(shape, start, dtype), result], axis)
