"""The loss of classes, whose derivative TensorFlow computes beside it."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from corearray.plugin import hookimpl
from corearray_tensorflow.native import all_axes, raw_ops

_FLOATS = frozenset((tf.float32, tf.float64))
_CLASSES = frozenset((tf.int32, tf.int64))
_REDUCTIONS = frozenset(("mean", "sum", "none"))


def _of_logits(
    pred: Any,
    target: Any,
    from_logits: bool,
    axis: int,
    label_smoothing: float,
    reduction: str,
    weight: Any = None,
    ignore_index: int | None = None,
) -> bool:
    """Guard for rows of logits."""
    rows = pred.shape
    return (
        from_logits
        and not label_smoothing
        and weight is None
        and ignore_index is None
        and rows.is_fully_defined()
        and rows.rank == 2
        and axis in (1, -1)
        and rows[1] > 0
        and target.shape == rows[:1]
        and pred.dtype in _FLOATS
        and target.dtype in _CLASSES
        and reduction in _REDUCTIONS
    )


@hookimpl(when=_of_logits)
def sparse_cross_entropy(
    pred: Any,
    target: Any,
    /,
    *,
    from_logits: bool = True,
    axis: int = -1,
    weight: Any = None,
    ignore_index: int | None = None,
    label_smoothing: float = 0.0,
    epsilon: float = 0.0,
    reduction: str = "mean",
) -> Any:
    loss = raw_ops.SparseSoftmaxCrossEntropyWithLogits(features=pred, labels=target).loss
    if reduction == "none":
        return loss
    return (raw_ops.Mean if reduction == "mean" else raw_ops.Sum)(input=loss, axis=all_axes(1))
