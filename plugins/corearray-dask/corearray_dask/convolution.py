"""Convolutions: one task for each chunk of the batch."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_dask.blocks import by_first


@hookimpl
def conv_general_dilated(
    x: Any, filters: Any, /, *, bias: Any = None, strides: Any = 1, padding: Any = "valid", dilations: Any = 1,
    x_dilations: Any = 1, groups: int = 1, data_format: str = "channels_first", filter_format: str = "channels_first",
) -> Any:  # fmt: skip
    return by_first(
        "conv_general_dilated", x, filters, bias=bias, strides=strides, padding=padding, dilations=dilations,
        x_dilations=x_dilations, groups=groups, data_format=data_format, filter_format=filter_format,
    )  # fmt: skip


@hookimpl
def conv_general_transpose(
    x: Any, filters: Any, /, *, bias: Any = None, strides: Any = 1, padding: Any = "valid", output_padding: Any = 0,
    output_shape: Any = None, dilations: Any = 1, groups: int = 1, data_format: str = "channels_first",
    filter_format: str = "channels_first",
) -> Any:  # fmt: skip
    return by_first(
        "conv_general_transpose", x, filters, bias=bias, strides=strides, padding=padding, output_padding=output_padding,
        output_shape=output_shape, dilations=dilations, groups=groups, data_format=data_format, filter_format=filter_format,
    )  # fmt: skip


@hookimpl
def depthwise_conv2d(
    x: Any, filters: Any, /, *, bias: Any = None, strides: Any = 1, padding: Any = "valid", dilations: Any = 1,
    data_format: str = "channels_first", filter_format: str = "channels_first",
) -> Any:  # fmt: skip
    return by_first(
        "depthwise_conv2d", x, filters, bias=bias, strides=strides, padding=padding, dilations=dilations,
        data_format=data_format, filter_format=filter_format,
    )  # fmt: skip
