"""Padding with zeros, or with a number that fits any floating dtype."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import axis_pairs, hookimpl


def _one_number(x: Any, mode: str, constant_values: Any) -> bool:
    kind = type(constant_values)
    return mode == "constant" and kind in (int, float) and (x.dtype.kind == "f" or constant_values == 0)


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
    """Write the array into one of the constant, which is several times as fast as NumPy's function."""
    pairs = axis_pairs(pad_width, x.ndim)
    if any(width < 0 for pair in pairs for width in pair):
        raise ValueError(f"the widths {pad_width} are negative")
    result = np.full(
        [before + size + after for size, (before, after) in zip(x.shape, pairs, strict=True)], constant_values, x.dtype
    )
    result[tuple(slice(before, before + size) for size, (before, _) in zip(x.shape, pairs, strict=True))] = x
    return result
