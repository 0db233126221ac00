"""Functions of windows: morphology, maxima with their places, patches of volumes, convolutions by channels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayValueError
from corearray.frontend.tensorflow.conversion import alike, integers, tensor
from corearray.frontend.tensorflow.data_types import dtype_of
from corearray.frontend.tensorflow.described import rule, say
from corearray.frontend.tensorflow.exceptions import InvalidArgumentError
from corearray.frontend.tensorflow.operations import allowed, raw
from corearray.frontend.tensorflow.templates import padding_of

__all__: list[str] = []

_NUMBERS = frozenset("int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64".split())

say("""
tensorflow.nn.dilation2d(input, filters, strides, padding, data_format, dilations, name=None) = (
    _dilated(input, filters, strides, padding, data_format, dilations))
tensorflow.nn.erosion2d(value, filters, strides, padding, data_format, dilations, name=None) = (
    _eroded(value, filters, strides, padding, data_format, dilations))
""")


def _around(padding: Any) -> tuple[str, list[int]]:
    """Return the kind of padding, and explicit zeros as a flat list."""
    if isinstance(padding, str):
        return padding, []
    return "EXPLICIT", [int(n) for pair in padding for n in pair]


@rule("tensorflow.nn.depthwise_conv2d_backprop_input")
def depthwise_conv2d_backprop_input(
    input_sizes: Any,
    filter: Any,
    out_backprop: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    dilations: Any = (1, 1, 1, 1),
    name: Any = None,
) -> Any:
    """Return the derivative of a convolution of each channel by its argument."""
    filters, slope = alike("DepthwiseConv2dNative", [filter, out_backprop])
    return raw.DepthwiseConv2dNativeBackpropInput(
        integers(input_sizes), filters, slope, strides, *_around(padding), data_format, dilations
    )


@rule("tensorflow.nn.depthwise_conv2d_backprop_filter")
def depthwise_conv2d_backprop_filter(
    input: Any,
    filter_sizes: Any,
    out_backprop: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    dilations: Any = (1, 1, 1, 1),
    name: Any = None,
) -> Any:
    """Return the derivative of a convolution of each channel by its filters."""
    x, slope = alike("DepthwiseConv2dNative", [input, out_backprop])
    return raw.DepthwiseConv2dNativeBackpropFilter(
        x, integers(filter_sizes), slope, strides, *_around(padding), data_format, dilations
    )


def _parts(
    x: ca.Array, windows: Sequence[int], steps: Sequence[int], gaps: Sequence[int], padding: str, filler: Any
) -> Iterator[tuple[tuple[int, ...], Any]]:
    """Yield for each place of a window the elements of all windows there; axes in space follow the first."""
    space = len(windows)
    sizes = tuple(x.shape[1 : space + 1])
    pairs = padding_of(padding.upper(), (), "NHWC", sizes, windows, steps, gaps)
    if any(low or high for low, high in pairs):
        around = [(0, 0), *pairs, *[(0, 0)] * (x.ndim - space - 1)]
        x = ca.pad(x, around, constant_values=filler)
    counts = [
        (size + low + high - (window - 1) * gap - 1) // step + 1
        for size, (low, high), window, step, gap in zip(sizes, pairs, windows, steps, gaps, strict=True)
    ]
    if min(counts, default=1) < 1:
        raise InvalidArgumentError(f"windows of {tuple(windows)} do not fit into {sizes} with padding='{padding}'")
    for places in product(*map(range, windows)):
        key = tuple(
            slice(place * gap, place * gap + (count - 1) * step + 1, step)
            for place, gap, count, step in zip(places, gaps, counts, steps, strict=True)
        )
        yield places, x[(slice(None), *key)]


def _dilated(input: Any, filters: Any, strides: Any, padding: str, data_format: str, dilations: Any) -> Any:
    """Return maxima of windows plus a filter for each channel (grey dilation)."""
    if data_format != "NHWC":
        raise CoreArrayValueError(
            f'`data_format` values other  than "NHWC" are not supported. Received: data_format={data_format}'
        )
    x, added = alike("Dilation2D", [input, filters])
    allowed("Dilation2D", x.dtype, _NUMBERS)
    steps, gaps = integers(strides)[1:3], integers(dilations)[1:3]
    made: Any = None
    for (row, column), part in _parts(x, added.shape[:2], steps, gaps, padding, _least(x.dtype)):
        here = part + added[row, column]
        made = here if made is None else ca.maximum(made, here)
    return made


def _least(dtype: ca.DType) -> Any:
    """Return a number below all others, to which filters can be added."""
    return -ca.inf if dtype.category == "real floating" else ca.iinfo(dtype).min


def _eroded(value: Any, filters: Any, strides: Any, padding: str, data_format: str, dilations: Any) -> Any:
    """Return minima of windows less a filter for each channel (grey erosion)."""
    x, taken = alike("Dilation2D", [value, filters])
    return -_dilated(-x, ca.flip(taken, axis=(0, 1)), strides, padding, data_format, dilations)


@rule("tensorflow.nn.max_pool_with_argmax")
def max_pool_with_argmax(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str = "NHWC",
    output_dtype: Any = ca.int64,
    include_batch_in_index: bool = False,
    name: Any = None,
) -> Any:
    """Return maxima of windows, and their places in the image, counted along height, width and channels."""
    if data_format != "NHWC":
        raise CoreArrayValueError("`data_format` values other than 'NHWC' are not supported")
    x = tensor(input)
    allowed("MaxPoolWithArgmax", x.dtype, _NUMBERS)
    batch, height, width, channels = x.shape
    windows, steps = _of_image(ksize), _of_image(strides)
    numbers = ca.reshape(ca.arange(height * width * channels, dtype=ca.int64), (1, height, width, channels))
    if include_batch_in_index:
        numbers = numbers + ca.reshape(ca.arange(batch, dtype=ca.int64), (-1, 1, 1, 1)) * (height * width * channels)
    numbers = ca.broadcast_to(numbers, (batch, height, width, channels))
    made: Any = None
    places: Any = None
    gaps = (1, 1)
    for (_, part), (_, number) in zip(
        _parts(x, windows, steps, gaps, padding, _least(x.dtype)),
        _parts(numbers, windows, steps, gaps, padding, -1),
        strict=True,
    ):
        if made is None:
            made, places = part, number
            continue
        higher = (part > made) | (places < 0)
        made, places = ca.where(higher, part, made), ca.where(higher, number, places)
    return made, ca.astype(places, dtype_of(output_dtype))


def _of_image(numbers: Any) -> tuple[int, ...]:
    """Return the numbers for height and width, of one, two or four numbers."""
    found = integers(numbers)
    return tuple(found * 2 if len(found) == 1 else found if len(found) == 2 else found[1:3])


@rule("tensorflow.extract_volume_patches")
def extract_volume_patches(input: Any, ksizes: Any, strides: Any, padding: str, name: Any = None) -> Any:
    """Return the windows of a volume, each along the last axis."""
    x = tensor(input)
    windows, steps = integers(ksizes)[1:4], integers(strides)[1:4]
    parts = [part for _, part in _parts(x, windows, steps, (1, 1, 1), padding, 0)]
    return ca.concat(parts, axis=-1)


@rule("tensorflow.required_space_to_batch_paddings")
def required_space_to_batch_paddings(
    input_shape: Any, block_shape: Any, base_paddings: Any = None, name: Any = None
) -> Any:
    """Return the padding with which blocks divide a shape, and what to crop afterwards."""
    sizes, blocks = integers(input_shape), integers(block_shape)
    base = [integers(pair) for pair in base_paddings] if base_paddings is not None else [(0, 0)] * len(sizes)
    more = [-(size + low + high) % block for size, block, (low, high) in zip(sizes, blocks, base, strict=True)]
    paddings = [[low, high + extra] for (low, high), extra in zip(base, more, strict=True)]
    crops = [[0, extra] for extra in more]
    return ca.asarray(paddings, dtype=ca.int32), ca.asarray(crops, dtype=ca.int32)
