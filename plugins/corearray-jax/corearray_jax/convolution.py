"""Convolutions of floating and complex numbers; half precision is summed in float32."""

from __future__ import annotations

from typing import Any

import jax
from jax import lax
from jax import numpy as jnp
from jax.sharding import NamedSharding, PartitionSpec

from corearray.plugin import hookimpl, read_convolution, read_transposed
from corearray_jax.native import HALF, compiled, is_floating, is_traced


def _supported(x: Any, filters: Any) -> bool:
    return is_floating(x) and x.ndim > 2 and 0 not in x.shape and 0 not in filters.shape


def _whole_filters(x: Any, filters: Any, data_format: str) -> Any:
    """Return filters that are whole on each device where positions are split, which XLA would convolve wrongly."""
    if is_traced(x) or is_traced(filters) or not isinstance(x.sharding, NamedSharding):
        return filters
    spec = [*x.sharding.spec, *(None,) * (x.ndim - len(x.sharding.spec))]
    if not any(spec[2:] if data_format == "channels_first" else spec[1:-1]) or filters.sharding.is_fully_replicated:
        return filters
    return jax.device_put(filters, NamedSharding(x.sharding.mesh, PartitionSpec()))


@compiled("windows", "groups", "data_format", "filter_format")
def _convolved(x: Any, filters: Any, bias: Any, windows: Any, groups: int, data_format: str, filter_format: str) -> Any:
    last = x.ndim - 1
    behind, between = tuple(range(2, x.ndim)), tuple(range(1, last))
    of_array = (0, 1, *behind) if data_format == "channels_first" else (0, last, *between)
    of_filters = (0, 1, *behind) if filter_format == "channels_first" else (last, last - 1, *range(last - 1))
    result = lax.conv_general_dilated(
        x,
        filters,
        windows.strides,
        windows.padding,
        windows.x_dilations,
        windows.dilations,
        lax.ConvDimensionNumbers(of_array, of_filters, of_array),
        groups,
    )
    if bias is None:
        return result
    return result + (bias if data_format == "channels_last" else bias.reshape(-1, *[1] * len(behind)))


@hookimpl(when=_supported, via=HALF)
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
        x.shape,
        filters.shape,
        None if bias is None else bias.shape,
        strides,
        padding,
        dilations,
        x_dilations,
        groups,
        data_format,
        filter_format,
    )
    filters = filters if groups > 1 else _whole_filters(x, filters, data_format)  # XLA itself ends at groups
    return _convolved(x, filters, bias, windows, int(groups), data_format, filter_format)


@compiled("windows", "groups", "data_format", "filter_format")
def _transposed(
    x: Any, filters: Any, bias: Any, windows: Any, groups: int, data_format: str, filter_format: str
) -> Any:
    """Convolve the array with zeros between its elements, with the filters turned round."""
    if filter_format == "channels_first":
        filters = jnp.moveaxis(filters, (1, 0), (-2, -1))
    *kernel, number, channels = filters.shape
    filters = jnp.flip(filters, range(len(kernel))).reshape(*kernel, number, groups, channels // groups)
    filters = jnp.swapaxes(filters, -1, -3).reshape(*kernel, channels // groups, groups * number)
    edges = tuple(
        ((size - 1) * dilation - before, (size - 1) * dilation - after)
        for size, dilation, (before, after) in zip(kernel, windows.dilations, windows.padding, strict=True)
    )
    turned = windows._replace(strides=(1,) * len(kernel), padding=edges, x_dilations=windows.strides)
    return _convolved(x, filters, bias, turned, groups, data_format, "channels_last")


@hookimpl(when=_supported, via=HALF)
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
        x.shape,
        filters.shape,
        None if bias is None else bias.shape,
        strides,
        padding,
        output_padding,
        output_shape,
        dilations,
        groups,
        data_format,
        filter_format,
    )
    filters = filters if groups > 1 else _whole_filters(x, filters, data_format)  # XLA itself ends at groups
    return _transposed(x, filters, bias, windows, int(groups), data_format, filter_format)
