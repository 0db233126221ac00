"""Padding with zeros, or with a number that fits any floating dtype."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import axis_pairs, hookimpl


def _one_number(x: Any, mode: str, constant_values: Any) -> bool:
    kind = type(constant_values)
    return mode == "constant" and kind in (int, float) and (x.is_floating_point() or constant_values == 0)


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
    """Pad as torch does, which would cut off what is negative."""
    pairs = axis_pairs(pad_width, x.ndim)
    widths = [width for pair in reversed(pairs) for width in pair]
    if any(width < 0 for width in widths):
        raise ValueError(f"the widths {pad_width} are negative")
    return torch.constant_pad_nd(x, widths, constant_values)
