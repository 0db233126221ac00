"""Convolutions of real numbers over one to three axes; TensorFlow takes channels last on every device.

On a CPU it has no gradients of groups (but where each channel is one) nor of strides together with dilations: these are
composed, as is what has zeros between the elements.
"""

from __future__ import annotations

import math
from typing import Any

import tensorflow as tf

from corearray.plugin import hookimpl, is_one, read_convolution, read_transposed
from corearray_tensorflow.native import FLOATING, constant, mapping, padded_by, raw_ops

_LAYOUTS = ("NWC", "NHWC", "NDHWC")


def _supported(x: Any, filters: Any) -> bool:
    shape = filters.shape
    floating = x.dtype in FLOATING and x.shape.rank in (3, 4, 5)
    return floating and shape.is_fully_defined() and 0 not in shape and 0 not in x.shape and shape.rank == x.shape.rank


def _convolvable(
    x: Any, filters: Any, strides: Any, dilations: Any, x_dilations: Any, groups: Any, filter_format: str
) -> bool:
    if not (_supported(x, filters) and is_one(x_dilations) and (is_one(strides) or is_one(dilations))):
        return False
    inside = filters.shape[1 if filter_format == "channels_first" else -2]
    return groups == 1 or (x.shape.rank == 4 and inside == 1 and is_one(strides) and is_one(dilations))


@hookimpl(when=_convolvable)
def conv_general_dilated(
    x: Any,
    filters: Any,
    /,
    *,
    bias: Any = None,
    strides: Any = 1,
    padding: Any = "valid",
    dilations: Any = 1,
    x_dilations: Any = 1,
    groups: int = 1,
    data_format: str = "channels_first",
    filter_format: str = "channels_first",
) -> Any:
    windows = read_convolution(
        "conv_general_dilated",
        tuple(x.shape),
        tuple(filters.shape),
        None if bias is None else tuple(bias.shape),
        strides,
        padding,
        dilations,
        x_dilations,
        groups,
        data_format,
        filter_format,
    )
    x, filters = to_last(x, data_format), _filters_last(filters, filter_format)
    edges = [width for pair in windows.padding for width in pair]
    at_once = groups == 1 and x.shape.rank == 4 and min(edges) >= 0 and max(windows.dilations) == 1
    name = _padding_name(x.shape[1:-1], windows)
    if name == "EXPLICIT" and not tf.executing_eagerly():  # whose gradients take up to twice as long on a CPU
        at_once = False
    if at_once and not mapping.get():  # where gradients lose the widths
        steps = [1, *windows.strides, 1]
        edges = [0, 0, *edges, 0, 0] if name == "EXPLICIT" else []
        result = raw_ops.Conv2D(input=x, filter=filters, strides=steps, padding=name, explicit_paddings=edges)
        return _finished(result, bias, data_format)
    x = padded(x, windows.padding)
    if groups == 1:
        layout = _LAYOUTS[len(windows.kernel) - 1]
        result = tf.nn.convolution(x, filters, windows.strides, "VALID", layout, windows.dilations)
    else:
        filters = raw_ops.Reshape(tensor=filters, shape=constant((*windows.kernel, groups, -1)))
        result = raw_ops.DepthwiseConv2dNative(input=x, filter=filters, strides=[1] * 4, padding="VALID")
    return _finished(result, bias, data_format)


@hookimpl(when=lambda x, filters, dilations, groups: _supported(x, filters) and groups == 1 and is_one(dilations))
def conv_general_transpose(
    x: Any,
    filters: Any,
    /,
    *,
    bias: Any = None,
    strides: Any = 1,
    padding: Any = "valid",
    output_padding: Any = 0,
    output_shape: Any = None,
    dilations: Any = 1,
    groups: int = 1,
    data_format: str = "channels_first",
    filter_format: str = "channels_first",
) -> Any:
    windows = read_transposed(
        "conv_general_transpose",
        tuple(x.shape),
        tuple(filters.shape),
        None if bias is None else tuple(bias.shape),
        strides,
        padding,
        output_padding,
        output_shape,
        dilations,
        groups,
        data_format,
        filter_format,
    )
    x, filters = to_last(x, data_format), _filters_last(filters, filter_format)
    sizes = x.shape if x.shape.is_fully_defined() else tf.unstack(tf.shape(x))
    whole = [
        (length - 1) * stride + size
        for length, stride, size in zip(sizes[1:-1], windows.strides, windows.kernel, strict=True)
    ]
    shape = [sizes[0], *whole, filters.shape[-2]]
    layout = _LAYOUTS[len(windows.kernel) - 1]
    result = tf.nn.conv_transpose(x, filters, shape, windows.strides, "VALID", layout)
    result = padded(result, [(-before, -after) for before, after in windows.padding])
    return _finished(result, bias, data_format)


def _padding_name(lengths: Any, windows: Any) -> str:
    """Return TensorFlow's name of the padding."""
    if not any(map(any, windows.padding)):
        return "VALID"
    for length, size, stride, widths in zip(lengths, windows.kernel, windows.strides, windows.padding, strict=True):
        if length is None and stride != 1:
            return "EXPLICIT"
        whole = size - 1 if stride == 1 else max((math.ceil(length / stride) - 1) * stride + size - length, 0)
        if tuple(widths) != (whole // 2, whole - whole // 2):
            return "EXPLICIT"
    return "SAME"


def to_last(x: Any, data_format: str) -> Any:
    """Bring the channels to where TensorFlow has them."""
    return x if data_format == "channels_last" else tf.transpose(x, [0, *range(2, x.shape.rank), 1])


def _filters_last(filters: Any, filter_format: str) -> Any:
    return filters if filter_format == "channels_last" else tf.transpose(filters, [*range(2, filters.shape.rank), 1, 0])


def padded(x: Any, pairs: Any, number: float = 0) -> Any:
    """Put zeros, or a number, around the elements along the axes between the first and the last, or cut some off."""
    if any(width > 0 for pair in pairs for width in pair):
        widths = ((0, 0), *((max(before, 0), max(after, 0)) for before, after in pairs), (0, 0))
        x = padded_by(x, widths, number)
    if any(width < 0 for pair in pairs for width in pair):
        x = x[(slice(None), *(slice(max(-before, 0), min(after, 0) or None) for before, after in pairs))]
    return x


def to_first(x: Any, data_format: str) -> Any:
    """Bring the channels to where they were."""
    if data_format == "channels_last":
        return x
    last = x.shape.rank - 1
    return tf.transpose(x, [0, last, *range(1, last)])


def _finished(result: Any, bias: Any, data_format: str) -> Any:
    return to_first(result if bias is None else raw_ops.BiasAdd(value=result, bias=bias), data_format)
