"""Rounding, and the numbers beside a number."""

import mlx.core as mx
import numpy

from corearray.plugin import hookimpl

_BITS = {mx.float32: (mx.uint32, 31), mx.float16: (mx.uint16, 15), mx.bfloat16: (mx.uint16, 15)}


@hookimpl
def copysign(x1, x2, /):
    """MLX has no function that tells the sign of zero; the bit does."""
    unsigned, place = _BITS[x2.dtype]
    size = mx.abs(x1)
    return mx.where(x2.view(unsigned) >> place == 1, -size, size)


@hookimpl
def floor(x, /):
    return mx.floor(x)


@hookimpl
def nextafter(x1, x2, /):
    """MLX has none, NumPy has."""
    return mx.array(numpy.nextafter(numpy.array(x1), numpy.array(x2)))
