"""Padding with zeros, with a number that fits any floating dtype, or with the elements themselves in reverse order."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

from corearray.plugin import axis_pairs, hookimpl
from corearray_tensorflow.native import constant, padded_by, raw_ops

#: TensorFlow pads arrays with no more axes than these.
_MOST_AXES = 6


def _in_one_call(x: Any, pad_width: Any, mode: str, constant_values: Any, reflect_type: str) -> bool:
    if x.shape.rank > _MOST_AXES:
        return False
    if mode == "constant":
        return type(constant_values) in (int, float) and (x.dtype.is_floating or constant_values == 0)
    if mode not in ("reflect", "symmetric") or reflect_type != "even" or not x.shape.is_fully_defined():
        return False
    most = [size - (mode == "reflect") for size in x.shape]
    pairs = axis_pairs(pad_width, x.shape.rank)
    return 0 not in x.shape and all(
        0 <= width <= size for pair, size in zip(pairs, most, strict=True) for width in pair
    )


@hookimpl(when=_in_one_call)
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
    if mode != "constant":
        return raw_ops.MirrorPad(input=x, paddings=constant(tuple(pairs)), mode=mode.upper())
    return padded_by(x, tuple(pairs), np.asarray(constant_values, x.dtype.as_numpy_dtype))
