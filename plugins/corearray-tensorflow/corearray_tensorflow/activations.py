"""Activations of `tf.nn`, without those that lose digits.

Its `elu` and `selu` cancel near zero; `leaky_relu` rounds the slope to float32.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from corearray.plugin import hookimpl
from corearray_tensorflow.native import checked_axis, is_real, raw_ops


def _has_no_options(x: Any, beta: float, threshold: float | None) -> bool:
    return beta == 1 and threshold is None and is_real(x)


@hookimpl(when=lambda x: is_real(x) and x.shape.rank < 6)
def log_softmax(x: Any, /, axis: int = -1) -> Any:
    return tf.nn.log_softmax(x, checked_axis(axis, x.shape.rank))


@hookimpl(lacks=("complex floating",))
def relu(x: Any, /) -> Any:
    return raw_ops.Relu(features=x)


@hookimpl
def relu6(x: Any, /) -> Any:
    return raw_ops.Relu6(features=x)


@hookimpl(lacks=("complex floating",))
def sigmoid(x: Any, /) -> Any:
    return raw_ops.Sigmoid(x=x)


@hookimpl(when=lambda x: is_real(x) and x.shape.rank < 6)  # of which oneDNN aborts for more axes
def softmax(x: Any, /, axis: int = -1) -> Any:
    return tf.nn.softmax(x, checked_axis(axis, x.shape.rank))


@hookimpl(when=_has_no_options)
def softplus(x: Any, /, beta: float = 1.0, threshold: float | None = None) -> Any:
    return raw_ops.Softplus(features=x)
