"""Convolutions over one to three axes of floating and complex numbers; torch takes channels first."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import torch
from torch.nn import functional

from corearray.plugin import hookimpl, memoised, read_convolution, read_transposed
from corearray_torch.sharding import along_the_batch

_CONVOLUTIONS = (functional.conv1d, functional.conv2d, functional.conv3d)
_TRANSPOSED = (functional.conv_transpose1d, functional.conv_transpose2d, functional.conv_transpose3d)
_HALF = frozenset((torch.float16, torch.bfloat16))


def _supported(x: Any, filters: Any) -> bool:
    return 3 <= x.ndim <= 5 and 0 not in x.shape and 0 not in filters.shape


@hookimpl(when=_supported, lacks=("bool", "integral"))
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


@hookimpl(when=_supported, lacks=("bool", "integral"))
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


@hookimpl(when=_supported, lacks=("bool", "integral"))
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


@hookimpl(when=_supported, lacks=("bool", "integral"))
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


@hookimpl(when=_supported, lacks=("bool", "integral"))
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


@hookimpl(when=_supported, lacks=("bool", "integral"))
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


@hookimpl(when=_supported, lacks=("bool", "integral"))
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


@hookimpl(when=_supported, lacks=("bool", "integral"))
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
    plan = _planned(name, x.shape, filters.shape, None if bias is None else bias.shape, *options, count=count)
    groups, data_format, filter_format = options[-3:]
    x, filters, bias = along_the_batch(x, filters, bias)
    x, filters = to_first(x, data_format), _filters_first(filters, filter_format)
    if plan.distances:
        x = _spaced(x, plan.distances)
    if plan.widths:
        x = functional.pad(x, plan.widths)
    convolution = _CONVOLUTIONS[len(plan.edges) - 1]
    result = convolution(x, filters, bias, plan.strides, plan.edges, plan.dilations, groups)
    return to_last(result, data_format)


class _Plan(NamedTuple):
    """How torch computes a convolution: what is put between elements and around them before, and what it is given."""

    distances: tuple[int, ...] | None
    widths: list[int] | None
    strides: tuple[int, ...]
    edges: list[int]
    dilations: tuple[int, ...]


@memoised
def _planned(*args: Any, **options: Any) -> _Plan:
    windows = read_convolution(*args, **options)
    edges, widths = [before for before, _ in windows.padding], None
    if any(before != after or before < 0 for before, after in windows.padding):
        widths = [width for pair in reversed(windows.padding) for width in pair]
        edges = [0] * len(edges)
    distances = windows.x_dilations if max(windows.x_dilations) > 1 else None
    return _Plan(distances, widths, windows.strides, edges, windows.dilations)


def _spread(name: str, count: int | None, x: Any, filters: Any, bias: Any, options: tuple[Any, ...]) -> Any:
    """Convolve the transposed way; what torch cannot cut off is cut off from the whole result."""
    plan = _planned_spread(name, x.shape, filters.shape, None if bias is None else bias.shape, *options, count=count)
    groups, data_format, filter_format = options[-3:]
    x, filters, bias = along_the_batch(x, filters, bias)
    x, filters = to_first(x, data_format), _filters_first(filters, filter_format)
    dtype, behind = x.dtype, None
    if dtype in _HALF and x.is_cpu:  # else summed in these
        x, filters, bias = (None if part is None else part.float() for part in (x, filters, bias))
    if plan.widths:
        bias, behind = None, bias
    convolution = _TRANSPOSED[len(plan.cuts) - 1]
    result = convolution(x, filters, bias, plan.strides, plan.cuts, plan.extra, groups, plan.dilations)
    if plan.widths:
        result = functional.pad(result, plan.widths)
        result = result if behind is None else result + behind.reshape(-1, *[1] * len(plan.cuts))
    return to_last(result if result.dtype is dtype else result.to(dtype), data_format)


class _PlanOfSpread(NamedTuple):
    """How torch convolves the transposed way: what it is given, and what is cut off behind."""

    strides: tuple[int, ...]
    cuts: list[int]
    extra: list[int]
    dilations: tuple[int, ...]
    widths: list[int] | None


@memoised
def _planned_spread(*args: Any, **options: Any) -> _PlanOfSpread:
    windows = read_transposed(*args, **options)
    limits = map(max, windows.strides, windows.dilations)
    fits = all(a >= 0 and 0 <= a - b < most for (a, b), most in zip(windows.padding, limits, strict=True))
    cuts = [before if fits else 0 for before, _ in windows.padding]
    extra = [before - after if fits else 0 for before, after in windows.padding]
    widths = None if fits else [-width for pair in reversed(windows.padding) for width in pair]
    return _PlanOfSpread(windows.strides, cuts, extra, windows.dilations, widths)


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
    lengths = x.shape[2:]
    x = x.reshape(*x.shape[:2], *[length for pair in zip(lengths, [1] * len(lengths), strict=True) for length in pair])
    x = functional.pad(x, [width for distance in reversed(distances) for width in (0, distance - 1, 0, 0)])
    x = x.reshape(*x.shape[:2], *map(math.prod, zip(lengths, distances, strict=True)))
    return functional.pad(x, [width for distance in reversed(distances) for width in (0, 1 - distance)])
