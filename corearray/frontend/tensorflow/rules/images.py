"""Images: colours, patches, crops, projections, and boxes."""

from __future__ import annotations

from math import prod
from typing import Any

import corearray as ca
from corearray.errors import FunctionNotImplementedError
from corearray.frontend.table import loops
from corearray.frontend.tensorflow.described import rule, say
from corearray.frontend.tensorflow.templates import padding_of, windows_of

__all__: list[str] = []

say("""
tensorflow.raw_ops.RGBToHSV(images) = rgb_to_hsv(images)
tensorflow.raw_ops.HSVToRGB(images) = hsv_to_rgb(images)
tensorflow.raw_ops.AdjustHue(images, delta) = _adjusted(images, lambda hue, saturation: (ca.remainder(hue + delta, 1.0), saturation))
tensorflow.raw_ops.AdjustSaturation(images, scale) = (
    _adjusted(images, lambda hue, saturation: (hue, ca.clip(saturation * scale, 0.0, 1.0))))
tensorflow.raw_ops.ExtractImagePatches(images, ksizes, strides, rates, padding) = (
    _patches(images, ksizes, strides, rates, padding))
tensorflow.raw_ops.ExtractVolumePatches(input, ksizes, strides, padding) = _patches(input, ksizes, strides, (1,) * 5, padding)
tensorflow.raw_ops.NonMaxSuppression(boxes, scores, max_output_size, iou_threshold=0.5) = (
    _suppressed(boxes, scores, max_output_size, iou_threshold))
tensorflow.raw_ops.NonMaxSuppressionV2(boxes, scores, max_output_size, iou_threshold) = (
    _suppressed(boxes, scores, max_output_size, iou_threshold))
tensorflow.raw_ops.NonMaxSuppressionV3(boxes, scores, max_output_size, iou_threshold, score_threshold) = (
    _suppressed(boxes, scores, max_output_size, iou_threshold, score_threshold))
""")


def rgb_to_hsv(images: ca.Array) -> Any:
    """Return hue, saturation and value of red, green and blue, which lie along the last axis."""
    red, green, blue = (images[..., place] for place in range(3))
    value = ca.max(images, axis=-1)
    spread = value - ca.min(images, axis=-1)
    zero, one = ca.zeros_like(value), ca.ones_like(value)
    saturation = ca.where(value > 0, spread / ca.where(value > 0, value, one), zero)
    share = 1.0 / (6.0 * ca.where(spread > 0, spread, one))
    hue = ca.where(
        red == value,
        share * (green - blue),
        ca.where(green == value, share * (blue - red) + 2.0 / 6.0, share * (red - green) + 4.0 / 6.0),
    )
    hue = ca.where(spread > 0, hue, zero)
    return ca.stack([ca.where(hue < 0, hue + 1.0, hue), saturation, value], axis=-1)


def hsv_to_rgb(images: ca.Array) -> Any:
    """Return red, green and blue of hue, saturation and value, which lie along the last axis."""
    hue, saturation, value = (images[..., place] for place in range(3))
    sixths = hue * 6.0
    shares = (ca.abs(sixths - 3.0) - 1.0, 2.0 - ca.abs(sixths - 2.0), 2.0 - ca.abs(sixths - 4.0))
    return ca.stack([(1.0 - saturation + saturation * ca.clip(x, 0.0, 1.0)) * value for x in shares], axis=-1)


def _adjusted(images: ca.Array, change: Any) -> Any:
    found = rgb_to_hsv(images)
    hue, saturation = change(found[..., 0], found[..., 1])
    return hsv_to_rgb(ca.stack([hue, saturation, found[..., 2]], axis=-1))


@rule("tensorflow.raw_ops.AdjustContrastv2")
def adjust_contrast(images: ca.Array, contrast_factor: Any) -> Any:
    """Move each channel away from its mean over the image, or towards it."""
    mean = ca.mean(images, axis=(-3, -2), keepdims=True)
    return (images - mean) * contrast_factor + mean


def _patches(images: ca.Array, ksizes: Any, strides: Any, rates: Any, padding: str) -> Any:
    """Return the elements of windows along the axis of channels."""
    windows, steps, gaps = (tuple(int(n) for n in numbers[1:-1]) for numbers in (ksizes, strides, rates))
    pairs = padding_of(padding, (), "NHWC", images.shape[1:-1], windows, steps, gaps)
    spread = ca.pad(images, [(0, 0), *pairs, (0, 0)])
    return ca.concat([part for _, part in windows_of(spread, windows, steps, gaps)], axis=-1)


@rule("tensorflow.raw_ops.CropAndResize")
def crop_and_resize(
    image: ca.Array,
    boxes: ca.Array,
    box_ind: ca.Array,
    crop_size: Any,
    method: str = "bilinear",
    extrapolation_value: float = 0.0,
) -> Any:
    """Return parts of images, cut along boxes in shares of their sides, in one size and in float32."""
    _, height, width, _ = image.shape
    rows, inside_rows = _places(boxes[:, 0], boxes[:, 2], height, int(crop_size[0]))
    columns, inside_columns = _places(boxes[:, 1], boxes[:, 3], width, int(crop_size[1]))
    image = ca.astype(image, ca.float32)
    if method == "nearest":
        made = _pixels(image, box_ind, _nearest(rows), _nearest(columns))
    else:
        made = _between(image, box_ind, rows, columns)
    inside = inside_rows[:, :, None, None] & inside_columns[:, None, :, None]
    return ca.where(inside, made, ca.asarray(extrapolation_value, dtype=ca.float32))


def _nearest(places: ca.Array) -> Any:
    """Round to the nearest integer, halves away from zero."""
    return ca.copysign(ca.floor(ca.abs(places) + 0.5), places)


def _places(low: ca.Array, high: ca.Array, size: int, count: int) -> tuple[Any, Any]:
    """Return where the pixels of a crop lie along an axis, moved inside, and which lay inside."""
    line = ca.arange(count, dtype=ca.float32)
    low, high = low[:, None], high[:, None]
    if count > 1:
        found = low * (size - 1) + line * ((high - low) * (size - 1) / (count - 1))
    else:
        found = 0.5 * (low + high) * (size - 1) + line
    return ca.clip(found, 0, size - 1), (found >= 0) & (found <= size - 1)


def _pixels(image: ca.Array, numbers: ca.Array, rows: ca.Array, columns: ca.Array) -> Any:
    """Return the pixels of images at rows and columns."""
    count, height, width, channels = image.shape
    rows, columns = ca.astype(rows, ca.int64), ca.astype(columns, ca.int64)
    if rows.ndim == 2:  # of each box, those of a grid
        rows, columns = rows[:, :, None], columns[:, None, :]
    start = ca.astype(numbers, ca.int64)[:, None, None] * (height * width)
    places = start + rows * width + columns
    made = ca.take(ca.reshape(image, (count * height * width, channels)), ca.reshape(places, (-1,)), axis=0)
    return ca.reshape(made, (*places.shape, channels))


def _between(image: ca.Array, numbers: ca.Array, rows: ca.Array, columns: ca.Array) -> Any:
    """Weigh the four pixels around each place."""
    top, left = ca.floor(rows), ca.floor(columns)
    bottom, right = ca.ceil(rows), ca.ceil(columns)
    down, across = rows - top, columns - left
    down, across = (
        (down[:, :, None, None], across[:, None, :, None]) if rows.ndim == 2 else (down[..., None], across[..., None])
    )
    above = _pixels(image, numbers, top, left)
    above = above + (_pixels(image, numbers, top, right) - above) * across
    below = _pixels(image, numbers, bottom, left)
    below = below + (_pixels(image, numbers, bottom, right) - below) * across
    return above + (below - above) * down


@rule("tensorflow.raw_ops.CropAndResizeGradImage")
def crop_and_resize_grad(
    grads: ca.Array, boxes: ca.Array, box_ind: ca.Array, image_size: Any, T: Any, method: str = "bilinear"
) -> Any:
    """Add the slopes of each pixel of a crop to those pixels of the image from which it was computed."""
    count, height, width, channels = (int(n) for n in image_size)
    rows, inside_rows = _places(boxes[:, 0], boxes[:, 2], height, grads.shape[1])
    columns, inside_columns = _places(boxes[:, 1], boxes[:, 3], width, grads.shape[2])
    slope = ca.where(inside_rows[:, :, None, None] & inside_columns[:, None, :, None], grads, 0.0)
    total = ca.zeros((count * height * width, channels), dtype=grads.dtype)
    start = ca.astype(box_ind, ca.int64)[:, None, None] * (height * width)
    for row, of_row in _corners(rows, method):
        for column, of_column in _corners(columns, method):
            places = start + ca.astype(row, ca.int64)[:, :, None] * width + ca.astype(column, ca.int64)[:, None, :]
            part = slope * of_row[:, :, None, None] * of_column[:, None, :, None]
            part = ca.reshape(part, (prod(places.shape), channels))
            total = ca.scatter_nd(ca.reshape(places, (-1, 1)), part, base=total)
    return ca.astype(ca.reshape(total, (count, height, width, channels)), T)


def _corners(places: ca.Array, method: str) -> list[tuple[Any, Any]]:
    """Return the pixels on both sides of places along an axis, and their weights."""
    if method == "nearest":
        return [(_nearest(places), ca.ones_like(places))]
    low = ca.floor(places)
    return [(low, 1.0 - (places - low)), (ca.ceil(places), places - low)]


@rule("tensorflow.raw_ops.ImageProjectiveTransformV3", "tensorflow.raw_ops.ImageProjectiveTransformV2")
def projective_transform(
    images: ca.Array,
    transforms: ca.Array,
    output_shape: Any,
    fill_value: Any = 0.0,
    interpolation: str = "NEAREST",
    fill_mode: str = "CONSTANT",
) -> Any:
    """Apply projective transforms to images. A transform has eight numbers."""
    count, height, width, _ = images.shape
    t = ca.broadcast_to(transforms, (count, 8))[:, :, None, None]
    y = ca.arange(int(output_shape[0]), dtype=ca.float32)[:, None]
    x = ca.arange(int(output_shape[1]), dtype=ca.float32)
    depth = t[:, 6] * x + t[:, 7] * y + 1.0
    columns = (t[:, 0] * x + t[:, 1] * y + t[:, 2]) / depth
    rows = (t[:, 3] * x + t[:, 4] * y + t[:, 5]) / depth
    seen = depth != 0
    rows, columns = ca.where(seen, rows, -1e9), ca.where(seen, columns, -1e9)
    rows, columns = _filled(rows, height, fill_mode), _filled(columns, width, fill_mode)
    fill = ca.astype(ca.asarray(fill_value), ca.float32)
    numbers = ca.arange(count, dtype=ca.int64)

    def read(rows: ca.Array, columns: ca.Array) -> Any:
        inside = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
        rows, columns = ca.clip(rows, 0, height - 1), ca.clip(columns, 0, width - 1)
        found = _pixels(images, numbers, rows, columns)
        return ca.where(inside[..., None], ca.astype(found, ca.float32), fill)

    if interpolation == "NEAREST":
        return ca.astype(read(_nearest(rows), _nearest(columns)), images.dtype)
    top, left = ca.floor(rows), ca.floor(columns)
    down, across = (rows - top)[..., None], (columns - left)[..., None]
    above = (1.0 - across) * read(top, left) + across * read(top, left + 1)
    below = (1.0 - across) * read(top + 1, left) + across * read(top + 1, left + 1)
    return ca.astype((1.0 - down) * above + down * below, images.dtype)


def _filled(places: ca.Array, size: int, mode: str) -> Any:
    """Return the places inside of an axis that stand in for those outside."""
    if mode == "NEAREST":
        return ca.clip(places, 0, size - 1)
    if mode == "REFLECT":  # d c b a | a b c d | d c b a
        turned = ca.remainder(places, 2.0 * size)
        turned = ca.where(turned >= size, 2.0 * size - 1.0 - turned, turned)
        return ca.clip(ca.where((places < 0) | (places > size - 1), turned, places), 0, size - 1)
    if mode == "WRAP":
        rest = size - 1 or 1
        below = places + size * (ca.trunc(-places / rest) + 1.0)
        above = places - size * ca.trunc(places / rest)
        return ca.clip(ca.where(places < 0, below, ca.where(places > size - 1, above, places)), 0, size - 1)
    return places


def _suppressed(boxes: ca.Array, scores: ca.Array, count: Any, overlap: Any, least: Any = None) -> Any:
    chosen = ca.nms(
        boxes,
        scores,
        iou_threshold=float(overlap),
        max_output_size=int(count),
        score_threshold=None if least is None or float(least) == -ca.inf else float(least),
    )
    return ca.astype(chosen, ca.int32)


@rule("tensorflow.raw_ops.NonMaxSuppressionV4")
@loops
def non_max_suppression_v4(
    boxes: ca.Array,
    scores: ca.Array,
    max_output_size: Any,
    iou_threshold: Any,
    score_threshold: Any,
    pad_to_max_output_size: bool = False,
) -> Any:
    """Choose boxes that overlap little, and say how many; the numbers may be followed by zeros."""
    chosen = _suppressed(boxes, scores, max_output_size, iou_threshold, score_threshold)
    found = ca.sum(ca.ones_like(chosen), dtype=ca.int32)  # a traced program may not know the shape
    if pad_to_max_output_size:
        count = int(max_output_size)
        chosen = ca.concat([chosen, ca.zeros((count,), dtype=ca.int32)])[:count]
    return [chosen, found]


@rule("tensorflow.raw_ops.NonMaxSuppressionV5")
@loops
def non_max_suppression_v5(
    boxes: ca.Array,
    scores: ca.Array,
    max_output_size: Any,
    iou_threshold: Any,
    score_threshold: Any,
    soft_nms_sigma: Any,
    pad_to_max_output_size: bool = False,
) -> Any:
    """Choose boxes that overlap little; return their scores too."""
    if float(soft_nms_sigma):
        raise FunctionNotImplementedError("non_max_suppression with soft_nms_sigma has no rule; leave it 0.0")
    chosen, found = non_max_suppression_v4(
        boxes, scores, max_output_size, iou_threshold, score_threshold, pad_to_max_output_size
    )
    return [chosen, ca.take(scores, chosen, axis=0), found]
