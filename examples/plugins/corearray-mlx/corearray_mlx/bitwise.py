"""Bits of integers."""

import mlx.core as mx

from corearray.plugin import hookimpl


@hookimpl
def bitwise_and(x1, x2, /):
    return mx.bitwise_and(x1, x2)


@hookimpl
def bitwise_left_shift(x1, x2, /):
    return mx.left_shift(x1, x2)


@hookimpl
def bitwise_or(x1, x2, /):
    return mx.bitwise_or(x1, x2)


@hookimpl
def bitwise_right_shift(x1, x2, /):
    return mx.right_shift(x1, x2)


@hookimpl
def bitwise_xor(x1, x2, /):
    return mx.bitwise_xor(x1, x2)
