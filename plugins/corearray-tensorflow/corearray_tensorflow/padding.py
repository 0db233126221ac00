"""Padding with zeros, or with a number that fits any floating dtype."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

from corearray.plugin import axis_pairs, hookimpl
from corearray_tensorflow.native import constant, raw_ops

#: TensorFlow pads arrays with no more axes than these.
_MOST_AXES = 6


def _one_number(x: Any, mode: str, constant_values: Any) -> bool:
    kind = type(constant_values)
    return (
        mode == "constant"
        and x.shape.rank <= _MOST_AXES
        and kind in (int, float)
        and (x.dtype.is_floating or constant_values == 0)
    )


@hookimpl(when=_one_number)
def pad(
    x: Any,
    pad_width: Any,
    /,
    *,
    mode: str = "constant",
    constant_values: Any = 0,
    end_values: Any = 0,
    stat_length: Any = None,
    reflect_type: str = "even",
) -> Any:
    pairs = [(index(before), index(after)) for before, after in axis_pairs(pad_width, x.shape.rank)]
    if any(width < 0 for pair in pairs for width in pair):
        raise ValueError(f"the widths {pad_width} are negative")
    if not pairs:
        return raw_ops.Identity(input=x)
    value = np.asarray(constant_values, x.dtype.as_numpy_dtype)
    return raw_ops.PadV2(input=x, paddings=constant(tuple(pairs)), constant_values=value)
