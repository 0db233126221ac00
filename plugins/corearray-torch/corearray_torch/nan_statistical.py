"""Reductions of the elements that are not NaN. To torch an empty tuple of axes means all axes, to NumPy none."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch import utility
from corearray_torch.native import HALF, NOT_REAL, SIGNED, with_axes


def _is_reduced(axis: Any) -> bool:
    return bool(axis != ())


@hookimpl(when=_is_reduced, lacks=NOT_REAL, via=HALF)
def nanmean(x: Any, /, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    if dtype is not None and dtype.is_complex:  # in which torch does not compute it
        return torch.nanmean(with_axes(x, axis), axis, keepdims, dtype=dtype.to_real()).to(dtype)
    return torch.nanmean(with_axes(x, axis), axis, keepdims, dtype=dtype)


@hookimpl(when=_is_reduced, lacks=NOT_REAL, via=HALF)
def nansum(x: Any, /, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    x = with_axes(x, axis)
    if dtype.is_complex:  # in which torch does not compute it
        return torch.nansum(x, axis, keepdims, dtype=dtype.to_real()).to(dtype)
    if dtype is torch.bool:
        return utility.any(x.nan_to_num(0.0).bool(), axis, keepdims)
    if dtype in SIGNED:  # to which torch casts, and adds the same bits
        filled = x.nan_to_num(0.0).to(dtype).view(SIGNED[dtype])
        return filled.sum(axis, keepdims, dtype=SIGNED[dtype]).view(dtype)
    return torch.nansum(x, axis, keepdims, dtype=dtype)
