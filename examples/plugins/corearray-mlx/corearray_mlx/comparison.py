"""Comparisons, and logic."""

import mlx.core as mx

from corearray.plugin import hookimpl


@hookimpl
def equal(x1, x2, /):
    return mx.equal(x1, x2)


@hookimpl
def greater(x1, x2, /):
    return mx.greater(x1, x2)


@hookimpl
def greater_equal(x1, x2, /):
    return mx.greater_equal(x1, x2)


@hookimpl
def isfinite(x, /):
    return mx.isfinite(x)


@hookimpl
def isinf(x, /):
    return mx.isinf(x)


@hookimpl
def isnan(x, /):
    return mx.isnan(x)


@hookimpl
def less(x1, x2, /):
    return mx.less(x1, x2)


@hookimpl
def less_equal(x1, x2, /):
    return mx.less_equal(x1, x2)


@hookimpl
def logical_and(x1, x2, /):
    return mx.logical_and(x1, x2)


@hookimpl
def logical_not(x, /):
    return mx.logical_not(x)


@hookimpl
def logical_or(x1, x2, /):
    return mx.logical_or(x1, x2)


@hookimpl
def not_equal(x1, x2, /):
    return mx.not_equal(x1, x2)
