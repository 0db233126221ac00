"""Sine, cosine and their kin."""

import mlx.core as mx

from corearray.plugin import hookimpl


@hookimpl
def atan2(x1, x2, /):
    return mx.arctan2(x1, x2)


@hookimpl
def cos(x, /):
    return mx.cos(x)


@hookimpl
def cosh(x, /):
    return mx.cosh(x)


@hookimpl
def sin(x, /):
    return mx.sin(x)


@hookimpl
def sinh(x, /):
    return mx.sinh(x)


@hookimpl
def tan(x, /):
    return mx.tan(x)


@hookimpl
def tanh(x, /):
    return mx.tanh(x)
