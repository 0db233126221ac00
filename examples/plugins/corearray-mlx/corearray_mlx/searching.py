"""Where elements are."""

import mlx.core as mx
import numpy

from corearray.plugin import hookimpl


@hookimpl
def argmax(x, /, *, axis=None, keepdims=False):
    return mx.argmax(x, axis, keepdims).astype(mx.int64)


@hookimpl
def nonzero(x, /):
    """Shapes of MLX do not depend on values; NumPy's do."""
    return tuple(mx.array(place) for place in numpy.nonzero(numpy.array(x)))


@hookimpl
def where(condition, x1, x2, /):
    return mx.where(condition, x1, x2)
