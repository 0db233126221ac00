"""Convolutions, their transposes, and what is added to channels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import corearray as ca
from corearray.frontend.tensorflow.described import rule
from corearray.frontend.tensorflow.templates import padding_of

__all__: list[str] = []


def _is_last(data_format: str) -> bool:
    return data_format[-1] == "C"


def _first(x: ca.Array, data_format: str) -> Any:
    """Return an array with its channels behind the batch."""
    return ca.moveaxis(x, -1, 1) if _is_last(data_format) else x


def _back(x: ca.Array, data_format: str) -> Any:
    return ca.moveaxis(x, 1, -1) if _is_last(data_format) else x


def _of_space(numbers: Any, data_format: str, ndim: int) -> tuple[int, ...]:
    """Return those of the numbers for each axis that are of axes in space."""
    if numbers is None:
        return (1,) * (ndim - 2)
    return tuple(int(n) for n in (numbers[1:-1] if _is_last(data_format) else numbers[2:]))


def _conv(
    x: ca.Array, filters: ca.Array, strides: Any, padding: str, explicit: Any, data_format: str, dilations: Any
) -> Any:
    """Convolve; filters see as many channels as they have, so that there may be groups of channels."""
    space = x.ndim - 2
    steps, gaps = (_of_space(numbers, data_format, x.ndim) for numbers in (strides, dilations))
    sizes = x.shape[1:-1] if _is_last(data_format) else x.shape[2:]
    channels = x.shape[-1] if _is_last(data_format) else x.shape[1]
    made: Any = (ca.conv1d, ca.conv2d, ca.conv3d)[space - 1](
        x,
        filters,
        strides=steps,
        padding=padding_of(padding, explicit, data_format, sizes, filters.shape[:space], steps, gaps),
        dilations=gaps,
        groups=channels // filters.shape[-2],
        data_format="channels_last" if _is_last(data_format) else "channels_first",
        filter_format="channels_last",
    )
    return made


@rule("tensorflow.raw_ops.Conv2D")
def conv2d(
    input: ca.Array,
    filter: ca.Array,
    strides: Any,
    padding: str,
    explicit_paddings: Any = (),
    data_format: str = "NHWC",
    dilations: Any = None,
) -> Any:
    """Convolve over two axes."""
    return _conv(input, filter, strides, padding, explicit_paddings, data_format, dilations)


@rule("tensorflow.raw_ops.Conv3D")
def conv3d(
    input: ca.Array, filter: ca.Array, strides: Any, padding: str, data_format: str = "NDHWC", dilations: Any = None
) -> Any:
    """Convolve over three axes."""
    return _conv(input, filter, strides, padding, (), data_format, dilations)


@rule("tensorflow.raw_ops.Conv")
def conv(
    input: ca.Array,
    filter: ca.Array,
    strides: Any,
    padding: str,
    explicit_paddings: Any = (),
    data_format: str = "CHANNELS_LAST",
    dilations: Any = None,
    batch_dims: int = 1,
    groups: int = 1,
) -> Any:
    """Convolve over one to three axes."""
    layout = "NC" if data_format == "CHANNELS_FIRST" else "N_C"
    return _conv(input, filter, strides, padding, explicit_paddings, layout if layout == "N_C" else "NCW", dilations)


@rule("tensorflow.raw_ops.DepthwiseConv2dNative")
def depthwise_conv2d(
    input: ca.Array,
    filter: ca.Array,
    strides: Any,
    padding: str,
    explicit_paddings: Any = (),
    data_format: str = "NHWC",
    dilations: Any = None,
) -> Any:
    """Convolve each channel by filters of its own."""
    return _conv(input, _of_groups(filter), strides, padding, explicit_paddings, data_format, dilations)


def _of_groups(filters: ca.Array) -> Any:
    """Return filters of single channels, which a convolution in groups takes."""
    height, width, channels, multiplier = filters.shape
    return ca.reshape(filters, (height, width, 1, channels * multiplier))


def _of_input(
    sizes: Sequence[int],
    filters: ca.Array,
    slope: ca.Array,
    strides: Any,
    padding: str,
    explicit: Any,
    data_format: str,
    dilations: Any,
) -> Any:
    """Return the derivative of a convolution by its argument: a convolution of the slope with gaps, by flipped filters."""
    space = slope.ndim - 2
    steps, gaps = (_of_space(numbers, data_format, slope.ndim) for numbers in (strides, dilations))
    lengths = [int(n) for n in (sizes[1:-1] if _is_last(data_format) else sizes[2:])]
    channels = int(sizes[-1] if _is_last(data_format) else sizes[1])
    groups = channels // filters.shape[-2]
    windows = filters.shape[:space]
    pairs = padding_of(padding, explicit, data_format, lengths, windows, steps, gaps)
    y = _first(slope, data_format)
    around = []
    for length, count, window, step, gap, (low, _) in zip(
        lengths, y.shape[2:], windows, steps, gaps, pairs, strict=True
    ):
        reach = (window - 1) * gap
        before = reach - low
        around.append((before, length + reach - before - ((count - 1) * step + 1)))
    flipped = ca.flip(ca.permute_dims(filters, (space + 1, space, *range(space))), axis=tuple(range(2, space + 2)))
    if groups > 1:
        outs, ins = flipped.shape[:2]
        apart = ca.reshape(flipped, (groups, outs // groups, ins, *windows))
        flipped = ca.reshape(ca.swapaxes(apart, 1, 2), (groups * ins, outs // groups, *windows))
    else:
        flipped = ca.swapaxes(flipped, 0, 1)
    cut = [(max(0, -low), max(0, -high)) for low, high in around]
    made = ca.conv_general_dilated(
        y,
        flipped,
        strides=(1,) * space,
        padding=[(max(0, low), max(0, high)) for low, high in around],
        dilations=gaps,
        x_dilations=steps,
        groups=groups,
    )
    if any(pair != (0, 0) for pair in cut):
        inside = (slice(low, size - high) for (low, high), size in zip(cut, made.shape[2:], strict=True))
        made = made[(slice(None), slice(None), *inside)]
    return _back(made, data_format)


def _of_filter(
    x: ca.Array,
    shape: Sequence[int],
    slope: ca.Array,
    strides: Any,
    padding: str,
    explicit: Any,
    data_format: str,
    dilations: Any,
) -> Any:
    """Return the derivative of a convolution by its filters: a convolution in which batch and channels change places."""
    space = x.ndim - 2
    steps, gaps = (_of_space(numbers, data_format, x.ndim) for numbers in (strides, dilations))
    shape = [int(n) for n in shape]
    x, y = _first(x, data_format), _first(slope, data_format)
    groups = x.shape[1] // shape[-2]
    pairs = padding_of(padding, explicit, data_format, x.shape[2:], shape[:space], steps, gaps)
    # of an axis with stride, the last elements may be left over
    needed = [
        (count - 1) * step + (window - 1) * gap + 1
        for count, step, window, gap in zip(y.shape[2:], steps, shape[:space], gaps, strict=True)
    ]
    x = ca.pad(x, [(0, 0), (0, 0), *pairs])
    x = x[(slice(None), slice(None), *(slice(0, length) for length in needed))]
    batch, channels = x.shape[:2]
    if groups > 1:
        x = ca.reshape(x, (batch, groups, channels // groups, *x.shape[2:]))
        x = ca.reshape(ca.swapaxes(x, 0, 1), (groups * batch, channels // groups, *x.shape[3:]))
    made = ca.conv_general_dilated(
        ca.swapaxes(x, 0, 1), ca.swapaxes(y, 0, 1), strides=gaps, dilations=steps, groups=groups
    )
    return ca.permute_dims(made, (*range(2, space + 2), 0, 1))


@rule("tensorflow.raw_ops.Conv2DBackpropInput")
def conv2d_backprop_input(
    input_sizes: Any,
    filter: ca.Array,
    out_backprop: ca.Array,
    strides: Any,
    padding: str,
    explicit_paddings: Any = (),
    data_format: str = "NHWC",
    dilations: Any = None,
) -> Any:
    """Transpose a convolution: the derivative by its argument."""
    return _of_input(input_sizes, filter, out_backprop, strides, padding, explicit_paddings, data_format, dilations)


@rule("tensorflow.raw_ops.Conv2DBackpropFilter")
def conv2d_backprop_filter(
    input: ca.Array,
    filter_sizes: Any,
    out_backprop: ca.Array,
    strides: Any,
    padding: str,
    explicit_paddings: Any = (),
    data_format: str = "NHWC",
    dilations: Any = None,
) -> Any:
    """Return the derivative of a convolution by its filters."""
    return _of_filter(input, filter_sizes, out_backprop, strides, padding, explicit_paddings, data_format, dilations)


@rule("tensorflow.raw_ops.Conv3DBackpropInputV2")
def conv3d_backprop_input(
    input_sizes: Any,
    filter: ca.Array,
    out_backprop: ca.Array,
    strides: Any,
    padding: str,
    data_format: str = "NDHWC",
    dilations: Any = None,
) -> Any:
    """Transpose a convolution over three axes."""
    return _of_input(input_sizes, filter, out_backprop, strides, padding, (), data_format, dilations)


@rule("tensorflow.raw_ops.Conv3DBackpropFilterV2")
def conv3d_backprop_filter(
    input: ca.Array,
    filter_sizes: Any,
    out_backprop: ca.Array,
    strides: Any,
    padding: str,
    data_format: str = "NDHWC",
    dilations: Any = None,
) -> Any:
    """Return the derivative of a convolution over three axes by its filters."""
    return _of_filter(input, filter_sizes, out_backprop, strides, padding, (), data_format, dilations)


@rule("tensorflow.raw_ops.DepthwiseConv2dNativeBackpropInput")
def depthwise_backprop_input(
    input_sizes: Any,
    filter: ca.Array,
    out_backprop: ca.Array,
    strides: Any,
    padding: str,
    explicit_paddings: Any = (),
    data_format: str = "NHWC",
    dilations: Any = None,
) -> Any:
    """Return the derivative of a convolution of each channel by its argument."""
    return _of_input(
        input_sizes, _of_groups(filter), out_backprop, strides, padding, explicit_paddings, data_format, dilations
    )


@rule("tensorflow.raw_ops.DepthwiseConv2dNativeBackpropFilter")
def depthwise_backprop_filter(
    input: ca.Array,
    filter_sizes: Any,
    out_backprop: ca.Array,
    strides: Any,
    padding: str,
    explicit_paddings: Any = (),
    data_format: str = "NHWC",
    dilations: Any = None,
) -> Any:
    """Return the derivative of a convolution of each channel by its filters."""
    height, width, channels, multiplier = (int(n) for n in filter_sizes)
    shape = (height, width, 1, channels * multiplier)
    made = _of_filter(input, shape, out_backprop, strides, padding, explicit_paddings, data_format, dilations)
    return ca.reshape(made, (height, width, channels, multiplier))


@rule("tensorflow.raw_ops.BiasAdd", "tensorflow.raw_ops.BiasAddV1")
def bias_add(value: ca.Array, bias: ca.Array, data_format: str = "NHWC") -> Any:
    """Add a number for each channel."""
    if data_format == "NCHW":
        bias = ca.reshape(bias, (-1, *(1,) * (value.ndim - 2)))
    return value + bias


@rule("tensorflow.raw_ops.BiasAddGrad")
def bias_add_grad(out_backprop: ca.Array, data_format: str = "NHWC") -> Any:
    """Sum over all axes except the channels."""
    channels = 1 if data_format == "NCHW" else out_backprop.ndim - 1
    return ca.sum(
        out_backprop, axis=tuple(i for i in range(out_backprop.ndim) if i != channels), dtype=out_backprop.dtype
    )
