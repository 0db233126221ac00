"""Windows: one task for each chunk of the batch."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_dask.blocks import by_first


@hookimpl
def col2im(
    x: Any, output_size: Any, window_shape: Any, /, *, strides: Any = 1, padding: Any = "valid", dilations: Any = 1
) -> Any:
    return by_first("col2im", x, output_size, window_shape, strides=strides, padding=padding, dilations=dilations)


@hookimpl
def im2col(x: Any, window_shape: Any, /, *, strides: Any = 1, padding: Any = "valid", dilations: Any = 1) -> Any:
    return by_first("im2col", x, window_shape, strides=strides, padding=padding, dilations=dilations)


@hookimpl
def max_pool_with_indices(
    x: Any, window_shape: Any, /, *, strides: Any = None, padding: Any = "valid", dilations: Any = 1, ceil_mode: bool = False,
    data_format: str = "channels_first",
) -> Any:  # fmt: skip
    return by_first(
        "max_pool_with_indices", x, window_shape, strides=strides, padding=padding, dilations=dilations, ceil_mode=ceil_mode,
        data_format=data_format,
    )  # fmt: skip
