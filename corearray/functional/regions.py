"""Bounding boxes in images: non-maximum suppression and region pooling."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING

from corearray.contract.declaration import declare
from corearray.functional.precision import _is_half

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array

__all__ = ["nms", "roi_align"]


@declare(promote=("boxes", "scores"), floating=True, real=True)
def nms(
    boxes: Array,
    scores: Array,
    /,
    *,
    iou_threshold: float = 0.5,
    max_output_size: int | None = None,
    score_threshold: float | None = None,
) -> Array:
    """Select boxes by score and discard boxes that overlap a selected one (non-maximum suppression).

    Parameters
    ----------
    boxes
        Real array of shape `(N, 4)`: the coordinates of two opposite corners, `(x1, y1, x2, y2)` or `(y1, x1, y2, x2)`.
    scores
        Real array of shape `(N,)`.
    iou_threshold
        Boxes are left out if the area that they share with a chosen one, divided by the area of both together, is
        greater than this number from 0 to 1.
    max_output_size
        Maximum number of selected boxes.
    score_threshold
        Boxes with this or a lower score are left out.

    Returns
    -------
    Array of shape `(M,)` and dtype int64: the indices of the chosen boxes, from the highest score on, of equal scores
    the first box first.

    Raises
    ------
    ValueError
        If a shape or an option does not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> boxes = ca.asarray([[0.0, 0.0, 2.0, 2.0], [0.0, 0.0, 2.0, 1.8], [3.0, 3.0, 4.0, 4.0]])
    >>> ca.nms(boxes, ca.asarray([0.5, 0.9, 0.7])).tolist()
    [1, 2]

    Notes
    -----
    The shape of the result depends on the values: it cannot be traced. `torchvision.ops.nms` and
    `tf.image.non_max_suppression`. Composed as rounds over all pairs of boxes: each takes out what the boxes that are left
    suppress, until nothing changes.
    """
    count = None if max_output_size is None else operator.index(max_output_size)
    if boxes.ndim != 2 or boxes.shape[1] != 4 or tuple(scores.shape) != tuple(boxes.shape[:1]):
        raise ValueError(
            f"'nms' got boxes of shape {tuple(boxes.shape)} and scores of shape {tuple(scores.shape)}; they have the "
            "shapes (N, 4) and (N,)"
        )
    if not 0.0 <= iou_threshold <= 1.0 or (count is not None and count < 0):
        raise ValueError(
            f"'nms' got iou_threshold={iou_threshold}, max_output_size={count}; the threshold is from 0 to 1, the "
            "number at least 0"
        )
    order = xp.argsort(scores, descending=True, stable=True)
    if score_threshold is not None:
        order = xp.take(order, xp.nonzero(xp.take(scores, order) > score_threshold)[0])
    boxes = xp.take(boxes, order, axis=0)
    if _is_half(boxes):
        boxes = xp.astype(boxes, xp.float32)
    low, high = xp.minimum(boxes[:, :2], boxes[:, 2:]), xp.maximum(boxes[:, :2], boxes[:, 2:])
    area = xp.prod(high - low, axis=1)
    sides = xp.minimum(xp.expand_dims(high, 1), high) - xp.maximum(xp.expand_dims(low, 1), low)
    shared = xp.prod(xp.maximum(sides, 0.0), axis=2)
    both = xp.expand_dims(area, 1) + area - shared
    overlap = xp.where(both > 0.0, shared / xp.where(both > 0.0, both, 1.0), 0.0)
    places = xp.arange(order.shape[0], dtype=xp.int64, device=boxes.device)
    suppresses = (overlap > iou_threshold) & (xp.expand_dims(places, 1) < places)
    kept, before = xp.ones_like(order, dtype=xp.bool), None
    while before is None or xp.any(kept != before):
        kept, before = xp.logical_not(xp.any(suppresses & xp.expand_dims(kept, 1), axis=0)), kept
    found = xp.astype(xp.take(order, xp.nonzero(kept)[0]), xp.int64)
    return found if count is None else found[: min(count, found.shape[0])]


@declare(promote=("x", "boxes"), floating=True, real=True, gives="same")
def roi_align(
    x: Array,
    boxes: Array,
    /,
    output_size: int | Sequence[int],
    *,
    spatial_scale: float = 1.0,
    sampling_ratio: int = -1,
    aligned: bool = False,
) -> Array:
    """Crop boxes out of images and resample them to one size, without rounding coordinates (RoIAlign).

    Parameters
    ----------
    x
        Real array of shape `(N, C, H, W)`; integers are computed in the default floating dtype.
    boxes
        Real array of shape `(K, 5)`: the number of the image, and the corners `(x1, y1, x2, y2)` with `x1 <= x2` and
        `y1 <= y2`.
    output_size
        Height and width of the results, or one number for both.
    spatial_scale
        Factor from the coordinates of the boxes to those of `x`.
    sampling_ratio
        Number of sampling points per element along each axis. By default (and if not positive) as many
        as elements of `x` lie in it, rounded up; this number depends on the values, so that it cannot be traced.
    aligned
        Whether coordinates are those of ends of cells, so that the middle of the first element is at 0.5; else it is at
        0, and boxes are taken to be at least 1 wide and high.

    Returns
    -------
    Array of shape `(K, C, height, width)` and the promoted dtype. Points more than 1 beyond an edge count as zero, others
    beyond it as the edge.

    Raises
    ------
    ValueError
        If a shape or an option does not fit.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.reshape(ca.arange(16, dtype=ca.float32), (1, 1, 4, 4))
    >>> box = ca.asarray([[0.0, 0.0, 0.0, 2.0, 2.0]])
    >>> ca.roi_align(x, box, output_size=2, sampling_ratio=1).tolist()
    [[[[2.5, 3.5], [6.5, 7.5]]]]

    Notes
    -----
    `torchvision.ops.roi_align`. K. He et al., Mask R-CNN, arXiv:1703.06870.
    """
    pair = (output_size,) * 2 if isinstance(output_size, int) else tuple(output_size)
    if x.ndim != 4 or boxes.ndim != 2 or boxes.shape[1] != 5 or 0 in x.shape[2:]:
        raise ValueError(
            f"'roi_align' got arrays of the shapes {tuple(x.shape)} and {tuple(boxes.shape)}; they have the shapes "
            "(N, C, H, W), with elements, and (K, 5)"
        )
    if len(pair) != 2 or min(pair) < 1:
        raise ValueError(f"'roi_align' got output_size={output_size!r}; give a height and a width of at least 1")
    dtype = x.dtype
    if _is_half(x):
        x, boxes = xp.astype(x, xp.float32), xp.astype(boxes, xp.float32)
    height, width = x.shape[2:]
    corners = boxes[:, 1:] * spatial_scale - 0.5 * aligned
    rows = _points(corners[:, 1], corners[:, 3], pair[0], height, sampling_ratio, aligned)
    columns = _points(corners[:, 0], corners[:, 2], pair[1], width, sampling_ratio, aligned)
    first = xp.reshape(xp.astype(boxes[:, 0], xp.int64) * height, (-1, 1, 1, 1, 1))
    flat = xp.reshape(xp.permute_dims(x, (0, 2, 3, 1)), (-1, x.shape[1]))
    total = None
    for row, row_weight in rows:
        for column, column_weight in columns:
            places = (first + row[:, :, :, None, None]) * width + column[:, None, None, :, :]
            weights = row_weight[:, :, :, None, None] * column_weight[:, None, None, :, :]
            taken = xp.reshape(xp.take(flat, xp.reshape(places, (-1,)), axis=0), (*places.shape, x.shape[1]))
            weights = weights[..., None]
            taken = xp.where((weights == 0.0) & xp.logical_not(xp.isfinite(taken)), 0.0, taken)
            part = xp.sum(taken * weights, axis=(2, 4))
            total = part if total is None else total + part
    assert total is not None
    return xp.astype(xp.permute_dims(total, (0, 3, 1, 2)), dtype, copy=False)


def _points(
    start: Array, stop: Array, count: int, length: int, ratio: int, aligned: bool
) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
    """Return the neighbours below and above of each point along an axis, and their weights, each (K, count, points)."""
    span = stop - start if aligned else xp.maximum(stop - start, 1.0)
    if ratio > 0:
        points = xp.full_like(span, float(ratio))
        most = ratio
    else:
        points = xp.maximum(xp.ceil(span / count), 0.0)
        most = int(xp.max(points)) if span.shape[0] else 1
    points, start, span = (xp.reshape(each, (-1, 1, 1)) for each in (points, start, span / count))
    cells = xp.reshape(xp.arange(count, dtype=span.dtype, device=span.device), (1, -1, 1))
    steps = xp.arange(most, dtype=span.dtype, device=span.device)
    share = 1.0 / xp.maximum(points, 1.0)
    at = start + (cells + (steps + 0.5) * share) * span
    inside = (at >= -1.0) & (at <= length) & (steps < points)
    at = xp.clip(xp.where(inside, at, 0.0), 0.0, length - 1.0)
    low = xp.floor(at)
    above, whole = at - low, xp.where(inside, share, 0.0)
    indices = xp.astype(low, xp.int64)
    return (indices, (1.0 - above) * whole), (xp.minimum(indices + 1, length - 1), above * whole)
