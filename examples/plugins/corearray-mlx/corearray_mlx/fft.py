"""Fourier transforms."""

import mlx.core as mx

from corearray.plugin import hookimpl


@hookimpl
def fft(x, /, *, n=None, axis=-1, norm="backward"):
    return mx.fft.fft(x, n, axis, norm)
