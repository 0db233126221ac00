"""Elements by their indices."""

import mlx.core as mx

from corearray.plugin import hookimpl


@hookimpl
def take(x, indices, /, *, axis=None):
    if axis is None and x.ndim != 1:
        raise ValueError(f"'axis' may be left out for arrays with one axis only, this one has the shape {x.shape}")
    return mx.take(x, indices, 0 if axis is None else axis)
