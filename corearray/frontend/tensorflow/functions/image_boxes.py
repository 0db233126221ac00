"""`tf.image`: boxes of objects that overlap little, drawn boxes, and glimpses."""

from __future__ import annotations

import math
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayValueError
from corearray.frontend.table import loops
from corearray.frontend.tensorflow.conversion import integers, tensor
from corearray.frontend.tensorflow.described import rule, say
from corearray.frontend.tensorflow.operations import raw

__all__: list[str] = []

say("""
tensorflow.image.draw_bounding_boxes(images, boxes, colors, name=None) = (
    raw.DrawBoundingBoxes(tensor(images), tensor(boxes)) if colors is None else
    raw.DrawBoundingBoxesV2(tensor(images), tensor(boxes), tensor(colors)))
tensorflow.image.extract_glimpse(input, size, offsets, centered=True, normalized=True, noise='uniform', name=None) = (
    raw.ExtractGlimpseV2(tensor(input), integers(size), tensor(offsets), centered, normalized, False, noise))
""")


@rule("tensorflow.image.non_max_suppression_with_scores")
@loops
def with_scores(
    boxes: Any,
    scores: Any,
    max_output_size: Any,
    iou_threshold: Any = 0.5,
    score_threshold: Any = float("-inf"),
    soft_nms_sigma: Any = 0.0,
    name: Any = None,
) -> Any:
    """Return the numbers of boxes that overlap little, and their scores."""
    found = raw.NonMaxSuppressionV5(
        tensor(boxes), tensor(scores), max_output_size, iou_threshold, score_threshold, soft_nms_sigma
    )
    return found[0], found[1]


@rule("tensorflow.image.non_max_suppression_padded")
@loops
def padded(
    boxes: Any,
    scores: Any,
    max_output_size: Any,
    iou_threshold: Any = 0.5,
    score_threshold: Any = float("-inf"),
    pad_to_max_output_size: bool = False,
    name: Any = None,
    sorted_input: bool = False,
    canonicalized_coordinates: bool = False,
    tile_size: int = 512,
) -> Any:
    """Return the numbers of boxes that overlap little, and how many there are; also of batches."""
    rows, values, count = tensor(boxes), tensor(scores), integers(max_output_size)[0]
    if not pad_to_max_output_size and rows.ndim > 2:
        raise CoreArrayValueError(
            f"'pad_to_max_output_size' (value {pad_to_max_output_size}) must be True for batched input"
        )
    front = tuple(rows.shape[:-2])
    flat = zip(
        ca.unstack(ca.reshape(rows, (math.prod(front), *rows.shape[-2:])), axis=0),
        ca.unstack(ca.reshape(values, (math.prod(front), values.shape[-1])), axis=0),
        strict=True,
    )
    found = [raw.NonMaxSuppressionV4(box, score, count, iou_threshold, score_threshold, True) for box, score in flat]
    chosen = ca.reshape(ca.stack([one for one, _ in found]), (*front, count))
    numbers = ca.reshape(ca.stack([number for _, number in found]), front)
    return (chosen if pad_to_max_output_size else chosen[: int(numbers)]), numbers


@rule("tensorflow.image.combined_non_max_suppression")
@loops
def combined(
    boxes: Any,
    scores: Any,
    max_output_size_per_class: Any,
    max_total_size: Any,
    iou_threshold: Any = 0.5,
    score_threshold: Any = float("-inf"),
    pad_per_class: bool = False,
    clip_boxes: bool = True,
    name: Any = None,
) -> Any:
    """Return boxes, scores and classes of objects that overlap little within a class, and how many there are."""
    rows, values = tensor(boxes), tensor(scores)
    per_class, total = integers(max_output_size_per_class)[0], integers(max_total_size)[0]
    size = min(total, per_class * values.shape[2]) if pad_per_class else total
    if not rows.shape[0]:
        found, points, number = ca.zeros((0, size, 4)), ca.zeros((0, size)), ca.zeros((0,), dtype=ca.int32)
        return found, points, points, number
    images = [
        _of_image(rows[i, ...], values[i, ...], per_class, total, size, iou_threshold, score_threshold)
        for i in range(rows.shape[0])
    ]
    found, points, classes, numbers = (ca.stack(list(part)) for part in zip(*images, strict=True))
    return (ca.clip(found, 0.0, 1.0) if clip_boxes else found), points, classes, numbers


def _of_image(
    boxes: ca.Array, scores: ca.Array, per_class: int, total: int, size: int, overlap: Any, least: Any
) -> tuple[Any, Any, Any, Any]:
    places, points, classes = [], [], []
    for one in range(scores.shape[1]):
        own = boxes[:, one if boxes.shape[1] > 1 else 0, :]
        chosen = raw.NonMaxSuppressionV3(own, scores[:, one], per_class, overlap, least)
        places.append(ca.take(own, chosen, axis=0))
        points.append(ca.take(scores[:, one], chosen, axis=0))
        classes.append(ca.full(chosen.shape, float(one), dtype=ca.float32))
    joined = ca.concat(points)
    order = ca.argsort(joined, descending=True, stable=True)[:total]
    number = order.shape[0]
    rest = size - number
    made = [ca.take(ca.concat(part), order, axis=0) for part in (places, points, classes)]
    filled = [ca.pad(x, [(0, rest), *[(0, 0)] * (x.ndim - 1)]) for x in made]
    return filled[0], filled[1], filled[2], ca.asarray(number, dtype=ca.int32)
