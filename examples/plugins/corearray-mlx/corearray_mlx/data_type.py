"""Casts."""

import mlx.core as mx

from corearray.plugin import hookimpl


@hookimpl
def astype(x, dtype, /, *, copy=True):
    if x.dtype == mx.complex64 and dtype not in (mx.complex64, mx.bool_):
        raise TypeError(f"'{x.dtype}' is not cast to '{dtype}'; take the real part or the absolute value first")
    return x.astype(dtype)
