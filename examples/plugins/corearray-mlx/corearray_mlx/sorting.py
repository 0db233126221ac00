"""Sorting. MLX only ascends: for a stable descent the array is turned round before and after."""

import mlx.core as mx

from corearray.plugin import hookimpl


@hookimpl
def argsort(x, /, *, axis=-1, descending=False, stable=True):
    if not descending:
        return mx.argsort(x, axis).astype(mx.int64)
    return x.shape[axis] - 1 - mx.flip(mx.argsort(mx.flip(x, axis), axis).astype(mx.int64), axis)
