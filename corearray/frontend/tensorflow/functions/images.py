"""`tf.image`: flips, sizes, colours, crops, and measures of images."""

from __future__ import annotations

import math
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.operands import is_floating
from corearray.frontend.tensorflow.conversion import alike, integers, tensor
from corearray.frontend.tensorflow.data_types import dtype_of
from corearray.frontend.tensorflow.described import rule, say
from corearray.frontend.tensorflow.exceptions import InvalidArgumentError
from corearray.frontend.tensorflow.functions.elementwise import saturated
from corearray.frontend.tensorflow.operations import raw

__all__ = ["changed", "picture"]

say("""
tensorflow.image.flip_left_right(image) = ca.flip(picture(image), axis=-2)
tensorflow.image.flip_up_down(image) = ca.flip(picture(image), axis=-3)
tensorflow.image.transpose(image, name=None) = ca.swapaxes(picture(image), -3, -2)
tensorflow.image.rot90(image, k=1, name=None) = ca.rot90(picture(image), k=integers(k)[0] % 4, axes=(-3, -2))
tensorflow.image.rgb_to_grayscale(images, name=None) = changed(tensor(images), _grey, saturates=False)
tensorflow.image.grayscale_to_rgb(images, name=None) = _coloured(tensor(images))
tensorflow.image.rgb_to_hsv(images, name=None) = raw.RGBToHSV(images)
tensorflow.image.hsv_to_rgb(images, name=None) = raw.HSVToRGB(images)
tensorflow.image.rgb_to_yiq(images) = _mixed(images, _YIQ)
tensorflow.image.yiq_to_rgb(images) = _mixed(images, _FROM_YIQ)
tensorflow.image.rgb_to_yuv(images) = _mixed(images, _YUV)
tensorflow.image.yuv_to_rgb(images) = _mixed(images, _FROM_YUV)
tensorflow.image.adjust_brightness(image, delta) = changed(tensor(image), lambda x: x + tensor(delta, hint=x.dtype))
tensorflow.image.adjust_contrast(images, contrast_factor) = (
    changed(tensor(images), lambda x: raw.AdjustContrastv2(x, tensor(contrast_factor, hint=ca.float32))))
tensorflow.image.adjust_hue(image, delta, name=None) = (
    changed(tensor(image), lambda x: raw.AdjustHue(x, tensor(delta, hint=ca.float32)), saturates=False))
tensorflow.image.adjust_saturation(image, saturation_factor, name=None) = (
    changed(tensor(image), lambda x: raw.AdjustSaturation(x, tensor(saturation_factor, hint=ca.float32)), saturates=False))
tensorflow.image.convert_image_dtype(image, dtype, saturate=False, name=None) = (
    _converted(tensor(image), dtype, saturate))
tensorflow.image.image_gradients(image) = _gradients(tensor(image))
tensorflow.image.total_variation(images, name=None) = _variation(tensor(images))
tensorflow.image.extract_patches(images, sizes, strides, rates, padding, name=None) = (
    raw.ExtractImagePatches(images, sizes, strides, rates, padding))
tensorflow.image.crop_and_resize(
    image, boxes, box_indices, crop_size, method="bilinear", extrapolation_value=0.0, name=None) = (
    raw.CropAndResize(tensor(image), tensor(boxes), tensor(box_indices), integers(crop_size), method, extrapolation_value))
tensorflow.image.non_max_suppression(
    boxes, scores, max_output_size, iou_threshold=0.5, score_threshold=float("-inf"), name=None) = (
    raw.NonMaxSuppressionV3(boxes, scores, max_output_size, iou_threshold, score_threshold))
""")

#: The rows are red, green and blue.
_YIQ = ((0.299, 0.59590059, 0.2115), (0.587, -0.27455667, -0.52273617), (0.114, -0.32134392, 0.31119955))
_FROM_YIQ = ((1.0, 1.0, 1.0), (0.95598634, -0.27201283, -1.10674021), (0.6208248, -0.64720424, 1.70423049))
_YUV = ((0.299, -0.14714119, 0.61497538), (0.587, -0.28886916, -0.51496512), (0.114, 0.43601035, -0.10001026))
_FROM_YUV = ((1.0, 1.0, 1.0), (0.0, -0.394642334, 2.03206185), (1.13988303, -0.58062185, 0.0))

#: The kernels of `raw_ops.ScaleAndTranslate` by the names of methods.
_KERNELS = {
    "bilinear": "triangle", "bicubic": "keyscubic", "lanczos3": "lanczos3", "lanczos5": "lanczos5",
    "gaussian": "gaussian", "mitchellcubic": "mitchellcubic",
}  # fmt: skip


def picture(x: Any) -> ca.Array:
    """Return an image of three axes, or several."""
    found = tensor(x)
    if found.ndim not in (3, 4):
        raise CoreArrayValueError(
            f"'image' has the shape {tuple(found.shape)}; an image has three axes, a batch of images four"
        )
    return found


def _converted(x: ca.Array, wanted: Any, saturate: bool = False) -> Any:
    """Return an image in another dtype; integers stand for the numbers from 0 to 1."""
    dtype = dtype_of(wanted)
    if x.dtype == dtype:
        return x
    cast = saturated if saturate else raw.Cast
    if not is_floating(x.dtype) and not is_floating(dtype):
        own, other = int(ca.iinfo(x.dtype).max) + 1, int(ca.iinfo(dtype).max) + 1
        return cast(x // (own // other), dtype) if own > other else cast(x, dtype) * (other // own)
    if is_floating(x.dtype) and is_floating(dtype):
        return raw.Cast(x, dtype)
    if is_floating(dtype):
        return raw.Cast(x, dtype) * (1.0 / float(ca.iinfo(x.dtype).max))
    return cast(x * (float(ca.iinfo(dtype).max) + 0.5), dtype)


def changed(x: ca.Array, change: Any, saturates: bool = True) -> Any:
    """Change an image in floating-point numbers, and return it in its own dtype."""
    wide = x if x.dtype in (ca.float16, ca.float32) else _converted(x, ca.float32)
    return _converted(change(wide), x.dtype, saturates)


def _grey(x: ca.Array) -> Any:
    if x.shape[-1] != 3:
        raise CoreArrayValueError(f"the last axis holds red, green and blue, not {x.shape[-1]} channels")
    return ca.sum(x * ca.asarray([0.2989, 0.5870, 0.1140], dtype=x.dtype), axis=-1, keepdims=True)


def _coloured(x: ca.Array) -> Any:
    if x.shape[-1] != 1:
        raise CoreArrayValueError("Last dimension of a grayscale image should be size 1.")
    return ca.tile(x, (*(1,) * (x.ndim - 1), 3))


def _mixed(images: Any, rows: Any) -> Any:
    x = tensor(images)
    if not is_floating(x.dtype):
        raise CoreArrayTypeError(
            f"colours are mixed in floating-point numbers, not in {x.dtype}; use convert_image_dtype"
        )
    return ca.tensordot(x, ca.asarray(rows, dtype=x.dtype), axes=1)


@rule("tensorflow.image.adjust_gamma")
def adjust_gamma(image: Any, gamma: Any = 1, gain: Any = 1) -> Any:
    """Raise an image to a power."""
    if isinstance(gamma, (int, float)) and gamma < 0:
        raise CoreArrayValueError("Gamma should be a non-negative real number.")
    return changed(tensor(image), lambda x: gain * x**gamma)


@rule("tensorflow.image.per_image_standardization")
def per_image_standardization(image: Any) -> Any:
    """Give each image the mean 0 and the variance 1; one without contrast becomes 0."""
    x = raw.Cast(picture(image), ca.float32)
    mean = ca.mean(x, axis=(-3, -2, -1), keepdims=True)
    spread = ca.std(x, axis=(-3, -2, -1), keepdims=True)
    return (x - mean) / ca.maximum(spread, 1.0 / math.sqrt(math.prod(x.shape[-3:])))


@rule("tensorflow.image.central_crop")
def central_crop(image: Any, central_fraction: float) -> Any:
    """Keep a share of each side, around the middle."""
    x, share = tensor(image), float(central_fraction)
    if not 0.0 < share <= 1.0:
        raise CoreArrayValueError("central_fraction must be within (0, 1]")
    x = picture(x)
    top, left = (int((size - size * share) / 2) for size in map(float, x.shape[-3:-1]))
    return x[..., top : x.shape[-3] - top, left : x.shape[-2] - left, :]


@rule("tensorflow.image.crop_to_bounding_box")
def crop_to_bounding_box(
    image: Any, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> Any:
    """Return a part of an image."""
    x = picture(image)
    top, left, high, wide = (integers(n)[0] for n in (offset_height, offset_width, target_height, target_width))
    if top < 0 or left < 0 or high <= 0 or wide <= 0 or top + high > x.shape[-3] or left + wide > x.shape[-2]:
        raise CoreArrayValueError(
            f"the part of {high} by {wide} pixels from ({top}, {left}) on is not within {x.shape[-3]} by {x.shape[-2]} pixels"
        )
    return x[..., top : top + high, left : left + wide, :]


@rule("tensorflow.image.pad_to_bounding_box")
def pad_to_bounding_box(
    image: Any, offset_height: Any, offset_width: Any, target_height: Any, target_width: Any
) -> Any:
    """Surround an image with zeros."""
    x = picture(image)
    top, left, high, wide = (integers(n)[0] for n in (offset_height, offset_width, target_height, target_width))
    below, right = high - top - x.shape[-3], wide - left - x.shape[-2]
    if min(top, left, below, right) < 0:
        raise CoreArrayValueError(
            f"an image of {x.shape[-3]} by {x.shape[-2]} pixels at ({top}, {left}) does not fit into {high} by {wide}"
        )
    return ca.pad(x, [*[(0, 0)] * (x.ndim - 3), (top, below), (left, right), (0, 0)])


@rule("tensorflow.image.resize_with_crop_or_pad")
def resize_with_crop_or_pad(image: Any, target_height: Any, target_width: Any) -> Any:
    """Cut an image around the middle, or surround it with zeros."""
    x = picture(image)
    for axis, target in ((x.ndim - 3, target_height), (x.ndim - 2, target_width)):
        new = integers(target)[0]
        if new <= 0:
            raise CoreArrayValueError("target_height and target_width must be > 0.")
        lost = x.shape[axis] - new
        if lost > 0:
            x = ca.take(x, ca.arange(lost // 2, lost // 2 + new), axis=axis)
        else:
            pairs = [(0, 0)] * x.ndim
            pairs[axis] = (-lost // 2, -lost - -lost // 2)
            x = ca.pad(x, pairs)
    return x


@rule("tensorflow.image.resize_with_pad")
def resize_with_pad(
    image: Any, target_height: Any, target_width: Any, method: Any = "bilinear", antialias: bool = False
) -> Any:
    """Return an image that fits into a size with its proportions, surrounded by zeros."""
    x = picture(image)
    new = integers(target_height)[0], integers(target_width)[0]
    if min(new) <= 0:
        raise CoreArrayValueError("target_height and target_width must be > 0.")
    ratio = max(old / size for old, size in zip(x.shape[-3:-1], new, strict=True))
    inner = [old / ratio for old in x.shape[-3:-1]]
    edges = [max(0, int((size - one) // 2)) for size, one in zip(new, inner, strict=True)]
    made = resize(x, [int(one) for one in inner], method, antialias=antialias)
    return pad_to_bounding_box(made, edges[0], edges[1], new[0], new[1])


@rule("tensorflow.image.resize")
def resize(
    images: Any,
    size: Any,
    method: Any = "bilinear",
    preserve_aspect_ratio: bool = False,
    antialias: bool = False,
    name: Any = None,
) -> Any:
    """Return images of another size; those of the same size stay as they are."""
    x = tensor(images)
    if x.ndim not in (3, 4):
        raise CoreArrayValueError("'images' must have either 3 or 4 dimensions.")
    sizes = integers(size)
    if len(sizes) != 2:
        raise CoreArrayValueError("'size' must be a 1-D Tensor of 2 elements: new_height, new_width")
    old = tuple(x.shape[-3:-1])
    if preserve_aspect_ratio:
        scale = min(new / one for new, one in zip(sizes, old, strict=True))
        sizes = tuple(round(scale * one) for one in old)
    if sizes == old:
        return x
    batch = x if x.ndim == 4 else ca.expand_dims(x, axis=0)
    made = _resized(batch, sizes, str(method), antialias)
    return made if x.ndim == 4 else made[0, ...]


def _resized(x: ca.Array, sizes: tuple[int, ...], method: str, antialias: bool) -> Any:
    if method == "nearest":
        return raw.ResizeNearestNeighbor(x, sizes, half_pixel_centers=True)
    if method == "area":
        return raw.ResizeArea(x, sizes)
    if not antialias and method in ("bilinear", "bicubic"):
        operation = raw.ResizeBilinear if method == "bilinear" else raw.ResizeBicubic
        return operation(x, sizes, half_pixel_centers=True)
    if method not in _KERNELS:
        raise CoreArrayValueError(f"Resize method is not implemented: {method}")
    scale = ca.asarray([new / old for new, old in zip(sizes, x.shape[1:3], strict=True)], dtype=ca.float32)
    return raw.ScaleAndTranslate(x, sizes, scale, ca.zeros(2, dtype=ca.float32), _KERNELS[method], antialias)


def _gradients(x: ca.Array) -> Any:
    """Return the differences of neighbours in height and in width, with zeros at the end."""
    if x.ndim != 4:
        raise CoreArrayValueError(f"image_gradients expects a 4D tensor [batch_size, h, w, d], not {tuple(x.shape)}.")
    nothing = [(0, 0)] * 4
    down = ca.pad(x[:, 1:, :, :] - x[:, :-1, :, :], [nothing[0], (0, 1), *nothing[2:]])
    right = ca.pad(x[:, :, 1:, :] - x[:, :, :-1, :], [*nothing[:2], (0, 1), nothing[3]])
    return down, right


def _variation(x: ca.Array) -> Any:
    if x.ndim not in (3, 4):
        raise CoreArrayValueError("'images' must be either 3 or 4-dimensional.")
    axes = tuple(range(x.ndim - 3, x.ndim))
    down, right = x[..., 1:, :, :] - x[..., :-1, :, :], x[..., :, 1:, :] - x[..., :, :-1, :]
    down, right = raw.Abs(down), raw.Abs(right)
    return ca.sum(down, axis=axes, dtype=x.dtype) + ca.sum(right, axis=axes, dtype=x.dtype)


@rule("tensorflow.image.sobel_edges")
def sobel_edges(image: Any) -> Any:
    """Return Sobel's derivatives in height and in width along a new last axis."""
    x = tensor(image)
    if not is_floating(x.dtype):
        raise InvalidArgumentError(f"Sobel's derivatives are of floating-point numbers, not of {x.dtype}; use tf.cast")
    spread = ca.pad(x, [(0, 0), (1, 1), (1, 1), (0, 0)], mode="reflect")
    high, wide = x.shape[1:3]

    parts = [[spread[:, row : row + high, column : column + wide, :] for column in range(3)] for row in range(3)]
    down = [parts[2][n] - parts[0][n] for n in range(3)]
    right = [parts[n][2] - parts[n][0] for n in range(3)]
    return ca.stack([one + 2.0 * two + three for one, two, three in (down, right)], axis=-1)


@rule("tensorflow.image.psnr")
def psnr(a: Any, b: Any, max_val: Any, name: Any = None) -> Any:
    """Return the ratio of the largest signal to the noise of images, in decibels."""
    first, second = alike("psnr", [a, b])
    largest = _converted(raw.Cast(tensor(max_val), first.dtype), ca.float32)
    one, two = (_converted(x, ca.float32) for x in (first, second))
    error = ca.mean(ca.square(one - two), axis=(-3, -2, -1))
    return 20.0 * ca.log(largest) / math.log(10.0) - 10.0 / math.log(10.0) * ca.log(error)


@rule("tensorflow.image.ssim")
def ssim(
    img1: Any,
    img2: Any,
    max_val: Any,
    filter_size: int = 11,
    filter_sigma: float = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
    return_index_map: bool = False,
) -> Any:
    """Return the structural similarity of images: the mean of luminance times contrast and structure in Gaussian windows."""
    one, two, largest = _compared(img1, img2, max_val)
    luminance, structure = _similar(one, two, largest, filter_size, filter_sigma, k1, k2)
    found = luminance * structure
    return ca.mean(found, axis=-1) if return_index_map else ca.mean(found, axis=(-3, -2, -1))


#: The weights of the scales (Wang, Simoncelli and Bovik, 2003).
_SCALES = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)


@rule("tensorflow.image.ssim_multiscale")
def ssim_multiscale(
    img1: Any,
    img2: Any,
    max_val: Any,
    power_factors: Any = _SCALES,
    filter_size: int = 11,
    filter_sigma: float = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
) -> Any:
    """Return the similarity of images at several scales, each half of the one before it."""
    one, two, largest = _compared(img1, img2, max_val)
    parts = []
    for scale in range(len(power_factors)):
        if scale:
            one, two = _halved(one), _halved(two)
        luminance, structure = _similar(one, two, largest, filter_size, filter_sigma, k1, k2)
        last = scale == len(power_factors) - 1
        found = ca.mean(luminance * structure if last else structure, axis=(-3, -2))
        parts.append(ca.maximum(found, 0.0))
    weights = ca.asarray(power_factors, dtype=ca.float32)
    return ca.mean(ca.prod(ca.stack(parts, axis=-1) ** weights, axis=-1), axis=-1)


def _compared(first: Any, second: Any, max_val: Any) -> tuple[Any, Any, Any]:
    """Return two images and the largest value in floating-point numbers."""
    one, two = alike("ssim", [first, second])
    largest = _converted(raw.Cast(tensor(max_val), one.dtype), ca.float32)
    return _converted(one, ca.float32), _converted(two, ca.float32), largest


def _halved(x: ca.Array) -> Any:
    """Return the means of four pixels; an odd last row or column counts twice."""
    high, wide = x.shape[-3:-1]
    x = ca.pad(x, [*[(0, 0)] * (x.ndim - 3), (0, high % 2), (0, wide % 2), (0, 0)], mode="edge")
    x = ca.reshape(x, (*x.shape[:-3], (high + 1) // 2, 2, (wide + 1) // 2, 2, x.shape[-1]))
    return ca.mean(x, axis=(-4, -2))


def _similar(
    one: ca.Array, two: ca.Array, largest: Any, filter_size: int, filter_sigma: float, k1: float, k2: float
) -> tuple[Any, Any]:
    """Return luminance, and contrast and structure, in each window."""
    if min(*one.shape[-3:-1], *two.shape[-3:-1]) < filter_size:
        raise CoreArrayValueError(
            f"images of {tuple(one.shape[-3:-1])} pixels are smaller than the filter of {filter_size}"
        )
    places = ca.arange(filter_size, dtype=ca.float32) - (filter_size - 1) / 2.0
    window = ca.softmax(ca.square(places) * (-0.5 / filter_sigma**2))

    def blurred(x: ca.Array) -> Any:
        for axis in (-3, -2):
            count = x.shape[axis] - filter_size + 1
            parts = [ca.moveaxis(ca.moveaxis(x, axis, 0)[n : n + count, ...], 0, axis) for n in range(filter_size)]
            x = ca.sum(ca.stack(parts, axis=-1) * window, axis=-1)
        return x

    low, high = (k1 * largest) ** 2, (k2 * largest) ** 2
    mean1, mean2 = blurred(one), blurred(two)
    product, squares = mean1 * mean2 * 2.0, ca.square(mean1) + ca.square(mean2)
    luminance = (product + low) / (squares + low)
    structure = (blurred(one * two) * 2.0 - product + high) / (
        blurred(ca.square(one) + ca.square(two)) - squares + high
    )
    return luminance, structure
