"""Padding with zeros, with a number that fits any floating dtype, or with the elements themselves."""

from __future__ import annotations

import math
from operator import index
from typing import Any

import torch

from corearray.plugin import axis_pairs, hookimpl, memoised
from corearray_torch.scalars import held

#: torch's names of modes.
_REPEATING = {"edge": "replicate", "reflect": "reflect", "wrap": "circular"}

#: torch repeats elements along the last axes, so many at most.
_MOST_AXES = 3


def _in_one_call(x: Any, pad_width: Any, mode: str, constant_values: Any, reflect_type: str) -> bool:
    if mode == "constant":
        kind = type(constant_values)
        return kind in (int, float) and (x.is_floating_point() or constant_values == 0)
    if mode not in _REPEATING or reflect_type != "even" or not x.is_floating_point():
        return False
    return _repeats(x.shape, pad_width, mode)


@memoised
def _repeats(shape: Any, pad_width: Any, mode: str) -> bool:
    """Whether torch repeats elements of an array of this shape so."""
    first, pairs = _padded(pad_width, len(shape))
    if 0 in shape or not 0 < len(pairs) <= _MOST_AXES:
        return False
    for (before, after), size in zip(pairs, shape[first:], strict=True):
        most = math.inf if mode == "edge" else size - (mode == "reflect")
        if not (0 <= before <= most and 0 <= after <= most):
            return False
    return True


def _padded(pad_width: Any, ndim: int) -> tuple[int, list[Any]]:
    """Return the first axis that is padded, or the number of axes, and the widths from there on."""
    pairs = axis_pairs(pad_width, ndim)
    first = next((place for place, pair in enumerate(pairs) if pair[0] or pair[1]), ndim)
    return first, pairs[first:]


@memoised
def _widths(pad_width: Any, ndim: int) -> tuple[int, list[int]]:
    """Return the same, the widths as torch takes them, the last axis first."""
    first, pairs = _padded(pad_width, ndim)
    widths = [index(width) for pair in reversed(pairs) for width in pair]
    if any(width < 0 for width in widths):
        raise ValueError(f"the widths {pad_width} are negative")
    return first, widths


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
    """Pad as torch does, which would cut off what is negative, and repeats elements behind one or two axes alone."""
    first, widths = _widths(pad_width, x.ndim)
    if mode == "constant":
        return torch.constant_pad_nd(x, widths, held(constant_values, x))
    if first in (1, 2):
        return torch.nn.functional.pad(x, widths, _REPEATING[mode])
    found = torch.nn.functional.pad(x.reshape(1, -1, *x.shape[first:]), widths, _REPEATING[mode])
    return found.reshape(*x.shape[:first], *found.shape[2:])
