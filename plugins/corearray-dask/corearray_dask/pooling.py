"""Pooling: one task for each chunk of the batch."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_dask.blocks import by_first


@hookimpl
def adaptive_pool(x: Any, output_size: Any, /, *, mode: str = "avg", data_format: str = "channels_first") -> Any:
    return by_first("adaptive_pool", x, output_size, mode=mode, data_format=data_format)


@hookimpl
def pool(
    x: Any, window_shape: Any, /, *, mode: str = "max", strides: Any = None, padding: Any = "valid", dilations: Any = 1,
    ceil_mode: bool = False, count_include_pad: bool = True, divisor_override: int | None = None,
    data_format: str = "channels_first",
) -> Any:  # fmt: skip
    return by_first(
        "pool", x, window_shape, mode=mode, strides=strides, padding=padding, dilations=dilations, ceil_mode=ceil_mode,
        count_include_pad=count_include_pad, divisor_override=divisor_override, data_format=data_format,
    )  # fmt: skip
