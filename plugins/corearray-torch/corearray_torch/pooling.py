"""Pooling of floating numbers over one to three axes; torch takes channels first, and at most half a window of padding."""

from __future__ import annotations

import math
from typing import Any

from torch.nn import functional

from corearray.plugin import hookimpl, is_one, read_adaptive, read_pooling
from corearray_torch.convolution import to_first, to_last
from corearray_torch.native import NOT_REAL

_MAX = (functional.max_pool1d, functional.max_pool2d, functional.max_pool3d)
_AVG = (functional.avg_pool1d, functional.avg_pool2d, functional.avg_pool3d)

_ADAPTIVE = {
    "avg": (functional.adaptive_avg_pool1d, functional.adaptive_avg_pool2d, functional.adaptive_avg_pool3d),
    "max": (functional.adaptive_max_pool1d, functional.adaptive_max_pool2d, functional.adaptive_max_pool3d),
}


@hookimpl(lacks=NOT_REAL, when=lambda x, mode: 3 <= x.ndim <= 5 and 0 not in x.shape and mode in _ADAPTIVE)
def adaptive_pool(x: Any, output_size: Any, /, *, mode: str = "avg", data_format: str = "channels_first") -> Any:
    sizes = read_adaptive("adaptive_pool", x.shape, output_size, data_format)
    return to_last(_ADAPTIVE[mode][x.ndim - 3](to_first(x, data_format), sizes), data_format)


def _supported(
    x: Any, mode: str, ceil_mode: bool, count_include_pad: bool, divisor_override: Any, dilations: Any
) -> bool:
    if not (3 <= x.ndim <= 5 and 0 not in x.shape):
        return False
    simple = count_include_pad and not ceil_mode and divisor_override is None and is_one(dilations)
    return mode == "max" or (mode == "avg" and simple and (x.ndim < 5 or x.itemsize > 2))


@hookimpl(when=_supported, lacks=NOT_REAL)
def pool(
    x: Any,
    window_shape: Any,
    /,
    *,
    mode: str = "max",
    strides: Any = None,
    padding: Any = "valid",
    dilations: Any = 1,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: Any = None,
    data_format: str = "channels_first",
) -> Any:
    """Pool what was padded: torch counts that in a mean, and it is smaller than every element."""
    windows = read_pooling("pool", x.shape, window_shape, strides, padding, dilations, ceil_mode, data_format)
    x = to_first(x, data_format)
    if any(map(any, windows.padding)):
        widths = [width for pair in reversed(windows.padding) for width in pair]
        x = functional.pad(x, widths, value=-math.inf if mode == "max" else 0.0)
    if mode == "avg":
        result = _AVG[x.ndim - 3](x, windows.kernel, windows.strides)
    else:
        result = _MAX[x.ndim - 3](x, windows.kernel, windows.strides, 0, windows.dilations, ceil_mode)
        kept = [slice(length) for length in windows.lengths]  # not a window that begins in the padding behind
        result = result[(..., *kept)]
    return to_last(result, data_format)
