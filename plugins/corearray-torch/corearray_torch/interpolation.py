"""Interpolation by the kernels of torch, which have names of their own for each number of axes."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional

from corearray.plugin import hookimpl
from corearray_torch.native import NOT_REAL, finite_sum

_NAMES = {
    **{(mode, count): mode for mode in ("nearest", "area") for count in (1, 2, 3)},
    **{("nearest_exact", count): "nearest-exact" for count in (1, 2, 3)},
    **{("linear", count): name for count, name in ((1, "linear"), (2, "bilinear"), (3, "trilinear"))},
    ("bilinear", 2): "bilinear",
    ("trilinear", 3): "trilinear",
    ("cubic", 2): "bicubic",
    ("bicubic", 2): "bicubic",
}
#: In torch these take `align_corners`, and the second row also `antialias`.
_LINEAR = frozenset(("linear", "bilinear", "trilinear", "bicubic"))
_ANTIALIAS = frozenset(("bilinear", "bicubic"))
_HALF = frozenset((torch.float16, torch.bfloat16))


def _fits(
    x: Any, size: Any, scale_factor: Any, mode: str, align_corners: bool, antialias: bool, data_format: str
) -> bool:
    name = _NAMES.get((mode, x.ndim - 2))
    if name is None or not x.numel() or (size is None) == (scale_factor is None):
        return False
    if data_format not in ("channels_first", "channels_last"):
        return False
    if (align_corners and (antialias or name not in _LINEAR)) or (antialias and name not in _ANTIALIAS):
        return False
    if antialias and x.dtype in _HALF:
        return False
    if name in _LINEAR and finite_sum(x) is False:  # an element of no weight may be NaN
        return False
    lengths = x.shape[2:] if data_format == "channels_first" else x.shape[1:-1]
    given = scale_factor if size is None else size
    values = list(given) if isinstance(given, (list, tuple)) else [given] * len(lengths)
    if len(values) != len(lengths) or min(values) <= 0:
        return False
    if scale_factor is None:
        steps, sizes = [length / value for length, value in zip(lengths, values, strict=True)], values
    else:
        steps, sizes = (
            [1 / value for value in values],
            [int(n * value) for n, value in zip(lengths, values, strict=True)],
        )
    if antialias and sizes[-1] == 1:  # then torch repeats the first row
        return False
    return min(sizes) > 0 and ("nearest" not in name or all(map(_is_exact, steps, lengths, sizes)))


def _is_exact(step: float, before: int, after: int) -> bool:
    """Whether the places of elements, which torch computes in single precision, are exact."""
    return before == after if step == 1 else before != after and (64 * step).is_integer() and before < 2**16


@hookimpl(when=_fits, lacks=NOT_REAL)
def interpolate(
    x: Any,
    /,
    *,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool = False,
    antialias: bool = False,
    data_format: str = "channels_first",
) -> Any:
    name = _NAMES[mode, x.ndim - 2]
    last = data_format == "channels_last"
    found = functional.interpolate(
        x.movedim(-1, 1) if last else x,
        size,
        scale_factor,
        name,
        align_corners if name in _LINEAR else None,
        antialias=antialias,
    )
    return found.movedim(1, -1) if last else found
