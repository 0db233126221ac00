"""Sorting along an axis; torch puts NaN behind every number, as the declarations say."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import ORDER, ORDER_IN, need_axes


@hookimpl(via=ORDER_IN)
def argsort(x: Any, /, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    return torch.argsort(need_axes(x), stable=stable, dim=axis, descending=descending)


@hookimpl(via=ORDER)
def sort(x: Any, /, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    return torch.sort(need_axes(x), stable=stable, dim=axis, descending=descending).values


def _in_any_order(x: Any, sorted: bool) -> bool:
    return not sorted and (x.is_floating_point() or x.dtype in (torch.int8, torch.int16, torch.int32, torch.int64))


@hookimpl(when=_in_any_order)
def top_k(x: Any, k: int, /, *, axis: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    """Find elements of which equal ones may come in any order, as torch does."""
    if not 0 <= k <= x.shape[axis]:
        raise ValueError(f"k={k} elements of {x.shape[axis]}")
    return tuple(torch.topk(x, k, axis, largest, sorted=False))
