"""Convolutions over one to three axes of floating and complex numbers; torch takes channels first."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch.nn import functional

from corearray.plugin import hookimpl, read_convolution, read_transposed

_CONVOLUTIONS = (functional.conv1d, functional.conv2d, functional.conv3d)
_TRANSPOSED = (functional.conv_transpose1d, functional.conv_transpose2d, functional.conv_transpose3d)


def _supported(x: Any, filters: Any) -> bool:
    floating = x.is_floating_point() or x.is_complex()
    return floating and 3 <= x.ndim <= 5 and 0 not in x.shape and 0 not in filters.shape


@hookimpl(when=_supported)
def conv1d(
    x: Any,
    filters: Any,
    /,
    *,
    bias: Any = None,
    strides: Any = 1,
    padding: Any = "valid",
    dilations: Any = 1,
    groups: int = 1,
    data_format: str = "channels_first",
    filter_format: str = "channels_first",
) -> Any:
    options = (strides, padding, dilations, 1, groups, data_format, filter_format)
    return _convolved("conv1d", 1, x, filters, bias, options)


@hookimpl(when=_supported)
def conv2d(
    x: Any,
    filters: Any,
    /,
    *,
    bias: Any = None,
    strides: Any = 1,
    padding: Any = "valid",
    dilations: Any = 1,
    groups: int = 1,
    data_format: str = "channels_first",
    filter_format: str = "channels_first",
) -> Any:
    options = (strides, padding, dilations, 1, groups, data_format, filter_format)
    return _convolved("conv2d", 2, x, filters, bias, options)


@hookimpl(when=_supported)
def conv3d(
    x: Any,
    filters: Any,
    /,
    *,
    bias: Any = None,
    strides: Any = 1,
    padding: Any = "valid",
    dilations: Any = 1,
    groups: int = 1,
    data_format: str = "channels_first",
    filter_format: str = "channels_first",
) -> Any:
    options = (strides, padding, dilations, 1, groups, data_format, filter_format)
    return _convolved("conv3d", 3, x, filters, bias, options)


@hookimpl(when=_supported)
def conv1d_transpose(
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
    options = (strides, padding, output_padding, output_shape, dilations, groups, data_format, filter_format)
    return _spread("conv1d_transpose", 1, x, filters, bias, options)


@hookimpl(when=_supported)
def conv2d_transpose(
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
    options = (strides, padding, output_padding, output_shape, dilations, groups, data_format, filter_format)
    return _spread("conv2d_transpose", 2, x, filters, bias, options)


@hookimpl(when=_supported)
def conv3d_transpose(
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
    options = (strides, padding, output_padding, output_shape, dilations, groups, data_format, filter_format)
    return _spread("conv3d_transpose", 3, x, filters, bias, options)


@hookimpl(when=_supported)
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
    options = (strides, padding, dilations, x_dilations, groups, data_format, filter_format)
    return _convolved("conv_general_dilated", None, x, filters, bias, options)


@hookimpl(when=_supported)
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
    options = (strides, padding, output_padding, output_shape, dilations, groups, data_format, filter_format)
    return _spread("conv_general_transpose", None, x, filters, bias, options)


def _convolved(name: str, count: int | None, x: Any, filters: Any, bias: Any, options: tuple[Any, ...]) -> Any:
    """Read the options in the name of a function, and convolve over `count` axes."""
    windows = read_convolution(
        name, x.shape, filters.shape, None if bias is None else bias.shape, *options, count=count
    )
    groups, data_format, filter_format = options[-3:]
    x, filters = to_first(x, data_format), _filters_first(filters, filter_format)
    x = _spaced(x, windows.x_dilations)
    edges = [before for before, _ in windows.padding]
    if any(before != after or before < 0 for before, after in windows.padding):
        x = functional.pad(x, [width for pair in reversed(windows.padding) for width in pair])
        edges = [0] * len(edges)
    convolution = _CONVOLUTIONS[len(edges) - 1]
    result = convolution(x, filters, bias, windows.strides, edges, windows.dilations, groups)
    return to_last(result, data_format)


def _spread(name: str, count: int | None, x: Any, filters: Any, bias: Any, options: tuple[Any, ...]) -> Any:
    """Convolve the transposed way; what torch cannot cut off is cut off from the whole result."""
    windows = read_transposed(name, x.shape, filters.shape, None if bias is None else bias.shape, *options, count=count)
    groups, data_format, filter_format = options[-3:]
    x, filters = to_first(x, data_format), _filters_first(filters, filter_format)
    dtype = x.dtype
    if x.device.type == "cpu" and dtype in (torch.float16, torch.bfloat16):  # else summed in these
        x, filters, bias = (None if part is None else part.float() for part in (x, filters, bias))
    limits = map(max, windows.strides, windows.dilations)
    fits = all(a >= 0 and 0 <= a - b < most for (a, b), most in zip(windows.padding, limits, strict=True))
    cuts = [before if fits else 0 for before, _ in windows.padding]
    extra = [before - after if fits else 0 for before, after in windows.padding]
    convolution = _TRANSPOSED[len(cuts) - 1]
    result = convolution(x, filters, bias if fits else None, windows.strides, cuts, extra, groups, windows.dilations)
    if not fits:
        result = functional.pad(result, [-width for pair in reversed(windows.padding) for width in pair])
        result = result if bias is None else result + bias.reshape(-1, *[1] * len(cuts))
    result = result.to(dtype)
    return to_last(result, data_format)


def to_first(x: Any, data_format: str) -> Any:
    """Bring the channels to where torch has them."""
    return x if data_format == "channels_first" else x.movedim(-1, 1)


def to_last(x: Any, data_format: str) -> Any:
    """Bring the channels to where they were."""
    return x if data_format == "channels_first" else x.movedim(1, -1)


def _filters_first(filters: Any, filter_format: str) -> Any:
    return filters if filter_format == "channels_first" else filters.movedim((-1, -2), (0, 1))


def _spaced(x: Any, distances: Any) -> Any:
    """Put zeros between the elements along the axes behind the first two."""
    if max(distances) == 1:
        return x
    lengths = x.shape[2:]
    x = x.reshape(*x.shape[:2], *[length for pair in zip(lengths, [1] * len(lengths), strict=True) for length in pair])
    x = functional.pad(x, [width for distance in reversed(distances) for width in (0, distance - 1, 0, 0)])
    x = x.reshape(*x.shape[:2], *map(math.prod, zip(lengths, distances, strict=True)))
    return functional.pad(x, [width for distance in reversed(distances) for width in (0, 1 - distance)])
