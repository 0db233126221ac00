"""Windows of images, gathered and put together again; torch has them for two axes, with the same padding at both ends."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional

from corearray.plugin import hookimpl, read_columns, read_windows
from corearray_torch.native import NOT_REAL


def _even(padding: Any) -> bool:
    if isinstance(padding, str):
        return padding.lower() == "valid"
    rows = padding if isinstance(padding, (tuple, list)) else ()
    return all(isinstance(row, int) or row[0] == row[-1] for row in rows)


@hookimpl(
    when=lambda x, output_size, padding: (
        x.ndim == 3
        and x.itemsize > 2
        and 0 not in x.shape
        and (isinstance(output_size, int) or len(output_size) == 2)
        and _even(padding)
    ),
    lacks=NOT_REAL,
)
def col2im(
    x: Any,
    output_size: Any,
    window_shape: Any,
    /,
    *,
    strides: Any = 1,
    padding: Any = "valid",
    dilations: Any = 1,
) -> Any:
    lengths, windows = read_columns("col2im", x.shape, output_size, window_shape, strides, padding, dilations)
    edges = [before for before, _ in windows.padding]
    return functional.fold(x, lengths, windows.kernel, windows.dilations, edges, windows.strides)


@hookimpl(lacks=NOT_REAL, when=lambda x, padding: x.ndim == 4 and 0 not in x.shape and _even(padding))
def im2col(x: Any, window_shape: Any, /, *, strides: Any = 1, padding: Any = "valid", dilations: Any = 1) -> Any:
    windows = read_windows("im2col", x.shape[2:], window_shape, strides, padding, dilations)
    edges = [before for before, _ in windows.padding]
    return functional.unfold(x, windows.kernel, windows.dilations, edges, windows.strides)


@hookimpl(when=lambda x, axis: not isinstance(axis, (tuple, list)) or len({i % x.ndim for i in axis}) == len(axis))
def sliding_window(x: Any, window_shape: Any, /, *, axis: Any = None, strides: Any = 1, dilations: Any = 1) -> Any:
    axes = range(x.ndim) if axis is None else axis if isinstance(axis, (tuple, list)) else (axis,)
    windows = read_windows("sliding_window", [x.shape[i] for i in axes], window_shape, strides, "valid", dilations)
    gaps = windows.dilations
    for place, size, stride, gap in zip([i % x.ndim for i in axes], windows.kernel, windows.strides, gaps, strict=True):
        x = x.unfold(place, (size - 1) * gap + 1, stride)[..., ::gap]
    return x.clone(memory_format=torch.contiguous_format)
