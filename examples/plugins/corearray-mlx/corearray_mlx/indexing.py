"""Elements by their indices."""

import mlx.core as mx

from corearray.plugin import hookimpl
from corearray_mlx.general import require_within


@hookimpl
def take(x, indices, /, *, axis=None):
    if axis is None and x.ndim != 1:
        raise ValueError(f"'axis' may be left out for arrays with one axis only, this one has the shape {x.shape}")
    axis = 0 if axis is None else axis
    require_within(indices, x.shape[axis])
    return mx.take(x, indices, axis)
