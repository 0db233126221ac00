"""Where elements are."""

import mlx.core as mx
import numpy

from corearray.plugin import hookimpl


@hookimpl
def argmax(x, /, *, axis=None, keepdims=False):
    """MLX refuses arrays without elements, also where there is none to choose among."""
    if x.ndim == 0:
        if axis is not None:
            raise IndexError(f"axis {axis} of an array without axes")
        return mx.zeros((), mx.int64)
    if x.size == 0 and axis is not None and x.shape[axis]:
        shape = [1 if i == axis % x.ndim else side for i, side in enumerate(x.shape)]
        return mx.zeros(shape, mx.int64) if keepdims else mx.zeros(shape, mx.int64).squeeze(axis)
    return mx.argmax(x, axis, keepdims).astype(mx.int64)


@hookimpl
def nonzero(x, /):
    """Shapes of MLX do not depend on values; NumPy's do."""
    return tuple(mx.array(place) for place in numpy.nonzero(numpy.array(x)))


@hookimpl
def where(condition, x1, x2, /):
    return mx.where(condition, x1, x2)
