"""Padding with zeros, with a number that fits any floating dtype, or with the elements themselves."""

from __future__ import annotations

import math
from operator import index
from typing import Any

import torch

from corearray.plugin import axis_pairs, hookimpl

#: torch's names of modes.
_REPEATING = {"edge": "replicate", "reflect": "reflect", "wrap": "circular"}

#: torch repeats elements along the last axes, so many at most.
_MOST_AXES = 3


def _in_one_call(x: Any, pad_width: Any, mode: str, constant_values: Any, reflect_type: str) -> bool:
    if mode == "constant":
        kind = type(constant_values)
        return kind in (int, float) and (x.is_floating_point() or constant_values == 0)
    if mode not in _REPEATING or reflect_type != "even" or not x.is_floating_point() or 0 in x.shape:
        return False
    pairs = axis_pairs(pad_width, x.ndim)
    longest = [size - (mode == "reflect") if mode != "edge" else math.inf for size in x.shape]
    padded = [place for place, pair in enumerate(pairs) if any(pair)]
    fits = all(0 <= width <= most for pair, most in zip(pairs, longest, strict=True) for width in pair)
    return bool(padded) and x.ndim - padded[0] <= _MOST_AXES and fits


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
    """Pad as torch does, which would cut off what is negative. It repeats elements behind a batch and channels."""
    pairs = [(index(before), index(after)) for before, after in axis_pairs(pad_width, x.ndim)]
    if any(width < 0 for pair in pairs for width in pair):
        raise ValueError(f"the widths {pad_width} are negative")
    widths = [width for pair in reversed(pairs) for width in pair]
    if mode == "constant":
        return torch.constant_pad_nd(x, widths, constant_values)
    first = next(place for place, pair in enumerate(pairs) if any(pair))
    found = torch.nn.functional.pad(
        x.reshape(1, -1, *x.shape[first:]), widths[: 2 * (x.ndim - first)], _REPEATING[mode]
    )
    return found.reshape(*x.shape[:first], *found.shape[2:])
