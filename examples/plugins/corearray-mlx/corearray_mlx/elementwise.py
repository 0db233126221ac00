"""Arithmetic."""

import mlx.core as mx

from corearray.plugin import hookimpl


@hookimpl
def abs(x, /):
    return mx.abs(x)


@hookimpl
def add(x1, x2, /):
    return mx.add(x1, x2)


@hookimpl
def conj(x, /):
    return mx.conj(x)


@hookimpl
def divide(x1, x2, /):
    return mx.divide(x1, x2)


@hookimpl
def floor_divide(x1, x2, /):
    """Divide what is left without the remainder: MLX rounds quotients up that are nearly whole."""
    quotient = mx.floor_divide(x1, x2)
    if not mx.issubdtype(quotient.dtype, mx.floating):
        return quotient
    whole = mx.round((x1 - mx.remainder(x1, x2)) / x2)
    return mx.where(mx.isfinite(whole) & mx.isfinite(quotient) & (whole != quotient), whole, quotient)


@hookimpl
def imag(x, /):
    return mx.imag(x)


@hookimpl
def maximum(x1, x2, /):
    return mx.maximum(x1, x2)


@hookimpl
def minimum(x1, x2, /):
    return mx.minimum(x1, x2)


@hookimpl
def multiply(x1, x2, /):
    return mx.multiply(x1, x2)


@hookimpl
def negative(x, /):
    return mx.negative(x)


@hookimpl
def real(x, /):
    return mx.real(x)


@hookimpl
def remainder(x1, x2, /):
    """Give zeros the sign of the divisor, as the standard says. MLX gives them the sign of the dividend."""
    rest = mx.remainder(x1, x2)
    if not mx.issubdtype(rest.dtype, mx.floating):
        return rest
    sign = mx.where(x2 < 0, -1.0, 1.0)
    return sign * (sign * rest + 0.0)


@hookimpl
def subtract(x1, x2, /):
    return mx.subtract(x1, x2)
