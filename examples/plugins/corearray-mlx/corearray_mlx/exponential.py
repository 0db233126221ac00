"""Exponentials, logarithms and powers."""

import mlx.core as mx

from corearray.plugin import hookimpl


@hookimpl
def exp(x, /):
    return mx.exp(x)


@hookimpl
def log(x, /):
    return mx.log(x)


@hookimpl
def pow(x1, x2, /):
    return mx.power(x1, x2)


@hookimpl
def sqrt(x, /):
    return mx.sqrt(x)


@hookimpl
def square(x, /):
    return mx.square(x)
