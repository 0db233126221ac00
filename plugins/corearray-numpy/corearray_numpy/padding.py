"""Padding with zeros, with a number that fits any floating dtype, or with elements of the array once repeated."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import axis_pairs, hookimpl

_REPEATING = frozenset(("edge", "reflect", "symmetric", "wrap"))


def _simple(x: Any, pad_width: Any, mode: str, constant_values: Any, reflect_type: str) -> bool:
    if mode == "constant":
        return type(constant_values) in (int, float) and (x.dtype.kind == "f" or constant_values == 0)
    if mode not in _REPEATING or reflect_type != "even" or not x.ndim:
        return False
    pairs = zip(x.shape, axis_pairs(pad_width, x.ndim), strict=True)
    return all(type(width) is int and 0 <= width < size for size, pair in pairs for width in pair)


@hookimpl(when=_simple)
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
    if mode != "constant":
        return np.pad(x, pairs, mode)
    if any(width < 0 for pair in pairs for width in pair):
        raise ValueError(f"the widths {pad_width} are negative")
    result = np.full(
        [before + size + after for size, (before, after) in zip(x.shape, pairs, strict=True)], constant_values, x.dtype
    )
    result[tuple(slice(before, before + size) for size, (before, _) in zip(x.shape, pairs, strict=True))] = x
    return result
