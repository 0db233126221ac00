"""Means and greatest elements of windows over one to three axes, channels last.

TensorFlow's greatest element passes over NaN and is the smallest finite number for -inf, so that a second pooling tells where
these are, unless one sees that there are none.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import tensorflow as tf

from corearray.plugin import hookimpl, is_one, read_pooling
from corearray_tensorflow.convolution import padded, to_first, to_last
from corearray_tensorflow.native import FLOATING, HALF, at_hand, choose, elements, mapping, raw_ops

_LAYOUTS = ("NWC", "NHWC", "NDHWC")

#: The smallest number of each dtype, which TensorFlow looks up anew each time.
_LEAST = {dtype: dtype.min for dtype in FLOATING}


def _supported(
    x: Any, mode: str, dilations: Any, ceil_mode: bool, count_include_pad: bool, divisor_override: Any
) -> bool:
    rank = x.shape.rank
    fits = (rank in (3, 4) and x.dtype in FLOATING) or (rank == 5 and x.dtype == tf.float32)
    simple = count_include_pad and not ceil_mode and divisor_override is None and is_one(dilations)
    return fits and simple and mode in ("avg", "max") and 0 not in x.shape


@hookimpl(when=_supported, via=HALF)
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
    """Pool what was padded: zeros count in a mean, and no number is less than the least one."""
    windows = read_pooling("pool", tuple(x.shape), window_shape, strides, padding, dilations, ceil_mode, data_format)
    x = to_last(x, data_format)
    layout = _LAYOUTS[len(windows.kernel) - 1]
    sizes, steps = [1, *windows.kernel, 1], [1, *windows.strides, 1]
    if mode == "avg":
        x = padded(x, windows.padding)
        if x.shape.rank == 4:
            found = raw_ops.AvgPool(value=x, ksize=sizes, strides=steps, padding="VALID")
        else:
            found = tf.nn.avg_pool(x, windows.kernel, windows.strides, "VALID", layout)
        return to_first(found, data_format)

    def greatest(x: Any, outside: float) -> Any:
        x = padded(x, windows.padding, outside)
        if x.shape.rank == 4:
            return raw_ops.MaxPool(input=x, ksize=sizes, strides=steps, padding="VALID")
        return tf.nn.max_pool(x, windows.kernel, windows.strides, "VALID", layout)

    smallest = _LEAST[x.dtype]
    found = greatest(x, smallest)

    def mended() -> Any:
        least, zero, one, two = (tf.constant(number, x.dtype) for number in (smallest, 0, 1, 2))
        kinds = choose(raw_ops.IsNan(x=x), two, choose(raw_ops.Equal(x=x, y=least), one, zero))
        kinds = greatest(kinds, 0)
        infinite = raw_ops.LogicalAnd(x=raw_ops.Equal(x=found, y=least), y=raw_ops.Equal(x=kinds, y=zero))
        made = choose(infinite, tf.constant(-math.inf, x.dtype), found)
        return choose(raw_ops.Equal(x=kinds, y=two), tf.constant(math.nan, x.dtype), made)

    if at_hand(x):
        found = found if np.isfinite(np.minimum.reduce(elements(x), axis=None)) else mended()
    elif tf.executing_eagerly() or mapping.get():
        found = mended()
    else:
        usual = tf.reduce_all(raw_ops.Greater(x=x, y=tf.constant(-math.inf, x.dtype)))
        found = tf.cond(usual, lambda: tf.identity(found), mended)
    return to_first(found, data_format)
