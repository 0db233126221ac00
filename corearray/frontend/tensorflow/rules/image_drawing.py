"""Boxes drawn into images, and glimpses of images."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.frontend.tensorflow.described import rule
from corearray.frontend.tensorflow.exceptions import InvalidArgumentError

__all__: list[str] = []

#: The colours of boxes in turn, where none are given.
_COLOURS = (
    (1, 1, 0, 1), (0, 0, 1, 1), (1, 0, 0, 1), (0, 1, 0, 1), (0.5, 0, 0.5, 1), (0.5, 0.5, 0, 1), (0.5, 0, 0, 1), (0, 0, 0.5, 1),
    (0, 1, 1, 1), (1, 0, 1, 1),
)  # fmt: skip


@rule("tensorflow.raw_ops.DrawBoundingBoxes", "tensorflow.raw_ops.DrawBoundingBoxesV2")
def drawn(images: ca.Array, boxes: ca.Array, colors: ca.Array | None = None) -> Any:
    """Draw the edges of boxes into images, a later box over an earlier one.

    Raises
    ------
    InvalidArgumentError
        If a box has not four places.
    """
    if boxes.ndim != 3 or boxes.shape[2] != 4:
        raise InvalidArgumentError(
            f"'draw_bounding_boxes' takes boxes of the shape (batch, boxes, 4), found {tuple(boxes.shape)}"
        )
    height, width, depth = images.shape[1:]
    if colors is None or 0 in colors.shape:
        table = ca.asarray(_COLOURS, dtype=images.dtype)[:, :depth]
        table = ca.ones_like(table) if depth == 1 else table
    else:
        table = ca.astype(colors, images.dtype)[:, :depth]
    sizes = ca.asarray([height - 1, width - 1, height - 1, width - 1], dtype=boxes.dtype)
    places = ca.astype(boxes * sizes, ca.int64)
    rows, columns = ca.arange(height, dtype=ca.int64)[:, None], ca.arange(width, dtype=ca.int64)
    for i in range(boxes.shape[1]):
        top, left, bottom, right = (places[:, i, k][:, None, None] for k in range(4))
        inside = (rows >= top) & (rows <= bottom) & (columns >= left) & (columns <= right)
        edge = (rows == top) | (rows == bottom) | (columns == left) | (columns == right)
        images = ca.where((inside & edge)[..., None], table[i % table.shape[0], :], images)
    return images


@rule("tensorflow.raw_ops.ExtractGlimpseV2")
def glimpse(
    input: ca.Array,
    size: Any,
    offsets: ca.Array,
    centered: bool = True,
    normalized: bool = True,
    uniform_noise: bool = True,
    noise: str = "uniform",
) -> Any:
    """Return windows of images. Pixels outside of an image are zero, or noise in the range of the image's numbers.

    Offsets that are centred but not normalised, or not centred, are those of the upper left corner, as in TensorFlow.

    Raises
    ------
    InvalidArgumentError
        If there is no such noise, or there are not as many offsets as images.
    """
    noise = "uniform" if uniform_noise else noise
    if noise not in ("uniform", "gaussian", "zero"):
        raise InvalidArgumentError(f"The noise could only be uniform, gaussian, or zero, got {noise}")
    if tuple(offsets.shape) != (input.shape[0], 2):
        raise InvalidArgumentError(
            f"'extract_glimpse' takes offsets of the shape ({input.shape[0]}, 2), found {tuple(offsets.shape)}"
        )
    window = [int(length) for length in size]
    whole = ca.asarray(input.shape[1:3], dtype=offsets.dtype)
    start = offsets * whole if normalized else offsets
    if centered:
        half = ca.asarray(window, dtype=offsets.dtype) / 2
        start = start / 2 + whole / 2 - half if normalized else start + whole / 2
    start = ca.astype(start, ca.int64)
    rows, columns = (start[:, axis][:, None] + ca.arange(window[axis], dtype=ca.int64) for axis in (0, 1))
    height, width = input.shape[1:3]
    inside = ((rows >= 0) & (rows < height))[:, :, None] & ((columns >= 0) & (columns < width))[:, None, :]
    rows, columns = ca.clip(rows, 0, height - 1), ca.clip(columns, 0, width - 1)
    images = ca.arange(input.shape[0])[:, None, None]
    found = input[images, rows[:, :, None], columns[:, None, :]]
    return ca.where(inside[..., None], found, _noise(noise, input, found.shape))


def _noise(kind: str, picture: ca.Array, shape: tuple[int, ...]) -> Any:
    """Draw numbers between the ends of each image, or normally distributed as those of each channel."""
    if kind == "zero":
        return 0.0
    least, most = (find(picture, axis=(1, 2), keepdims=True) for find in (ca.min, ca.max))
    if kind == "uniform":
        least, most = ca.min(least, axis=3, keepdims=True), ca.max(most, axis=3, keepdims=True)
        return least + (most - least) * ca.random.uniform(shape=shape, dtype=picture.dtype)
    mean, spread = (find(picture, axis=(1, 2), keepdims=True) for find in (ca.mean, ca.std))
    return ca.clip(mean + spread * ca.random.normal(shape=shape, dtype=picture.dtype), least, most)
