"""Normalisation by TensorFlow's kernel, which takes images with channels last."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from corearray.plugin import hookimpl
from corearray_tensorflow.convolution import to_first, to_last
from corearray_tensorflow.native import mapping, raw_ops


def _fits(
    x: Any,
    mean: Any,
    variance: Any,
    training: bool,
    momentum: float,
    eps: float,
    data_format: str,
    weight: Any = None,
    bias: Any = None,
) -> bool:
    if not training or x.dtype != tf.float32 or x.shape.rank != 4 or not x.shape.is_fully_defined() or mapping.get():
        return False
    if data_format not in ("channels_first", "channels_last") or not 0.0 <= momentum <= 1.0 or eps < 0.0:
        return False
    channels = x.shape[1 if data_format == "channels_first" else 3]
    if not channels or x.shape.num_elements() < 2 * channels:
        return False
    return all(part.shape == (channels,) for part in (mean, variance, weight, bias) if part is not None)


@hookimpl(when=_fits)
def batch_norm(
    x: Any,
    mean: Any,
    variance: Any,
    /,
    *,
    weight: Any = None,
    bias: Any = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
    data_format: str = "channels_first",
) -> Any:
    """The kernel returns the variance of a sample, as the running statistics have it."""
    none = tf.constant([], tf.float32)
    found, centre, spread, *_ = raw_ops.FusedBatchNormV3(
        x=to_last(x, data_format),
        scale=tf.ones_like(mean) if weight is None else weight,
        offset=tf.zeros_like(mean) if bias is None else bias,
        mean=none,
        variance=none,
        epsilon=eps,
        is_training=True,
    )
    statistics = [
        tf.stop_gradient((1.0 - momentum) * old + momentum * new) for old, new in ((mean, centre), (variance, spread))
    ]
    return to_first(found, data_format), *statistics
