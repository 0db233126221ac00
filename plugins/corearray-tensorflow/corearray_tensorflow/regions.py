"""Non-maximum suppression of TensorFlow, which looks at one box after the other."""

from __future__ import annotations

import math
from typing import Any

import tensorflow as tf

from corearray.plugin import hookimpl
from corearray_tensorflow.native import raw_ops


def _fits(boxes: Any, scores: Any, iou_threshold: float, max_output_size: Any) -> bool:
    if boxes.dtype is not tf.float32 or boxes.shape.rank != 2 or boxes.shape[1] != 4 or not 0 <= iou_threshold <= 1:
        return False
    if not isinstance(max_output_size, (int, type(None))) or (max_output_size or 0) < 0:
        return False
    return scores.shape == boxes.shape[:1] and boxes.shape.is_fully_defined()


@hookimpl(when=_fits)
def nms(
    boxes: Any,
    scores: Any,
    /,
    *,
    iou_threshold: float = 0.5,
    max_output_size: int | None = None,
    score_threshold: float | None = None,
) -> Any:
    count = boxes.shape[0] if max_output_size is None else min(max_output_size, boxes.shape[0])
    found = raw_ops.NonMaxSuppressionV3(
        boxes=boxes,
        scores=scores,
        max_output_size=tf.constant(count, tf.int32),
        iou_threshold=tf.constant(iou_threshold, tf.float32),
        score_threshold=tf.constant(-math.inf if score_threshold is None else score_threshold, tf.float32),
    )
    return raw_ops.Cast(x=found, DstT=tf.int64)
