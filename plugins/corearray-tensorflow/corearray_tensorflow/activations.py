"""Activations of `tf.nn`, without those that lose digits.

Its `elu` and `selu` cancel near zero; `leaky_relu` rounds the slope to float32.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from corearray.plugin import hookimpl
from corearray_tensorflow.native import checked_axis, raw_ops


def _has_no_options(beta: float, threshold: float | None) -> bool:
    return beta == 1 and threshold is None


def _has_few_axes(x: Any) -> bool:
    """Guard: of more axes oneDNN aborts."""
    return bool(x.shape.rank < 6)


@hookimpl(when=_has_few_axes, lacks=("complex floating",))
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


@hookimpl(when=_has_few_axes, lacks=("complex floating",))
def softmax(x: Any, /, axis: int = -1) -> Any:
    return tf.nn.softmax(x, checked_axis(axis, x.shape.rank))


@hookimpl(when=_has_no_options, lacks=("complex floating",))
def softplus(x: Any, /, beta: float = 1.0, threshold: float | None = None) -> Any:
    return raw_ops.Softplus(features=x)
