"""Convolutions as products of matrices: every window of the array is a column."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from corearray.plugin import hookimpl, read_convolution
from corearray_numpy.padding import pad


def _computed(x: Any, filters: Any) -> bool:
    return x.dtype.kind in "fc" and x.dtype.itemsize > 2 and x.size > 0 and filters.size > 0


@hookimpl(when=_computed)
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
    """Channels stand first, so that the columns are copied in runs as long as the last axis."""
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
    if data_format == "channels_last":
        x = np.moveaxis(x, -1, 1)
    if filter_format == "channels_last":
        filters = np.moveaxis(filters, (-1, -2), (0, 1))
    x = _padded(_spaced(x, windows.x_dilations), windows.padding)
    count, number, size = len(windows.kernel), filters.shape[0], math.prod(filters.shape[1:])
    axes = tuple(range(2, 2 + count))
    spans = [(length - 1) * gap + 1 for length, gap in zip(windows.kernel, windows.dilations, strict=True)]
    steps = [slice(None, None, step) for step in (*windows.strides, *windows.dilations)]
    view = sliding_window_view(x, spans, axes)[(slice(None), slice(None), *steps)]
    columns = view.transpose(0, 1, *range(2 + count, 2 + 2 * count), *axes).reshape(x.shape[0], groups, size, -1)
    result = np.matmul(filters.reshape(groups, number // groups, size), columns)
    result = result.reshape(x.shape[0], number, *windows.lengths)
    if bias is not None:
        result += bias.reshape(-1, *(1,) * count)
    return np.moveaxis(result, 1, -1) if data_format == "channels_last" else result


def _spaced(x: Any, distances: Any) -> Any:
    """Put zeros between the elements along the axes behind the second."""
    if all(distance == 1 for distance in distances):
        return x
    lengths = [(length - 1) * distance + 1 for length, distance in zip(x.shape[2:], distances, strict=True)]
    result = np.zeros((*x.shape[:2], *lengths), x.dtype)
    result[(..., *(slice(None, None, distance) for distance in distances))] = x
    return result


def _padded(x: Any, pairs: Any) -> Any:
    """Put zeros around the elements along the axes behind the second, or cut some off."""
    if any(max(pair) > 0 for pair in pairs):
        x = pad(x, ((0, 0), (0, 0), *((max(before, 0), max(after, 0)) for before, after in pairs)))
    if all(width >= 0 for pair in pairs for width in pair):
        return x
    return x[(..., *(slice(max(-before, 0), min(after, 0) or None) for before, after in pairs))]
