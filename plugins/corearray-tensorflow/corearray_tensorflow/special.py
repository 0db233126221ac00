"""Special functions."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from corearray.plugin import hookimpl
from corearray_tensorflow.native import raw_ops


@hookimpl
def erf(x: Any, /) -> Any:
    """TensorFlow's own is NaN at infinities in float64."""
    if x.dtype is tf.float64:
        x = raw_ops.Maximum(x=raw_ops.Minimum(x=x, y=10.0), y=-10.0)
    return raw_ops.Erf(x=x)


@hookimpl
def erfc(x: Any, /) -> Any:
    return raw_ops.Erfc(x=x)
