"""Means of windows over one to three axes, channels last.

The greatest elements are composed: TensorFlow's own pooling passes over NaN and takes the smallest finite number for -inf.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from corearray.plugin import hookimpl, read_pooling
from corearray_tensorflow.convolution import padded, to_first, to_last
from corearray_tensorflow.native import FLOATING

_LAYOUTS = ("NWC", "NHWC", "NDHWC")


def _supported(
    x: Any, mode: str, dilations: Any, ceil_mode: bool, count_include_pad: bool, divisor_override: Any
) -> bool:
    rank = x.shape.rank
    fits = (rank in (3, 4) and x.dtype in FLOATING) or (rank == 5 and x.dtype == tf.float32)
    simple = count_include_pad and not ceil_mode and divisor_override is None and dilations == 1
    return fits and simple and mode == "avg" and 0 not in x.shape


@hookimpl(when=_supported)
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
    """Take the means of what was padded with zeros, which are counted."""
    windows = read_pooling("pool", x.shape, window_shape, strides, padding, dilations, ceil_mode, data_format)
    x = padded(to_last(x, data_format), windows.padding)
    layout = _LAYOUTS[len(windows.kernel) - 1]
    return to_first(tf.nn.avg_pool(x, windows.kernel, windows.strides, "VALID", layout), data_format)
