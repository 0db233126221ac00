"""Places of elements: of the largest and smallest, of those that are not zero, of those to be inserted."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from corearray.plugin import Via, hookimpl
from corearray_torch.native import BITS, BITS_IN, ORDER_IN, as_indices, extreme, with_axes
from corearray_torch.scalars import scalar_tensor
from corearray_torch.sharding import is_spread, whole

_RANKED = {"bool": Via("uint8", back=False), **ORDER_IN}


def _along(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function look for an axis where an array has some."""

    def along(x: Any, axis: int | None, keepdims: bool) -> Any:
        if type(x) is not torch.Tensor and axis is not None and -x.ndim <= axis < 0:
            axis += x.ndim  # of a negative axis torch forgets that a DTensor is split
        return function(x, axis, keepdims) if x.ndim else function(with_axes(x, axis), axis, keepdims)

    return along


@hookimpl(native=_along(torch.argmax), fast=torch.argmax, trusts_framework=True, via=_RANKED)
def argmax(x: Any, /, axis: int | None = None, keepdims: bool = False) -> Any: ...


@hookimpl(native=_along(torch.argmin), fast=torch.argmin, trusts_framework=True, via=_RANKED)
def argmin(x: Any, /, axis: int | None = None, keepdims: bool = False) -> Any: ...


@hookimpl(via=BITS_IN)
def count_nonzero(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    if axis == () or axis == []:
        return x.ne(0).long()
    x = with_axes(x, axis)
    return x.ne(0).sum(axis, True) if keepdims else torch.count_nonzero(x, axis)


@hookimpl(via=BITS_IN)
def nonzero(x: Any, /) -> Any:
    if x.ndim == 0:
        raise ValueError("'nonzero' needs an array with at least one axis")
    return whole(x).nonzero(as_tuple=True)


@hookimpl(via=_RANKED)
def searchsorted(x1: Any, x2: Any, /, side: str = "left", sorter: Any = None) -> Any:
    """Search as torch does, behind which NaN comes last, as in NumPy, while there is none to be searched among.

    Where there is one, or nobody can look, each NaN is taken for an infinity behind the others: torch sorts it to no place.
    """
    if x1.ndim != 1:
        raise ValueError(f"'searchsorted' searches in one dimension; 'x1' has the shape {tuple(x1.shape)}")
    if side is None:
        raise TypeError("the side is 'left' or 'right'")
    x1, x2 = x1.contiguous(), x2.contiguous()
    sorter = None if sorter is None else as_indices(sorter).contiguous()
    if sorter is not None and is_spread(sorter):  # of which torch has no rule
        x1, sorter = whole(x1)[whole(sorter)], None
    if not x1.is_floating_point():
        return torch.searchsorted(x1, x2, side=side, sorter=sorter)
    greatest = extreme(_last, x1) if sorter is None else None
    if greatest is not None and greatest == greatest:
        return torch.searchsorted(x1, x2, side=side)
    numbers = (x1 == x1).sum()
    place = torch.searchsorted(x1.nan_to_num(math.inf, math.inf, -math.inf), x2, side=side, sorter=sorter)
    if side == "left":
        return torch.where(x2 == x2, place, numbers)
    return torch.where(x2 == x2, place.minimum(numbers), place)


def _last(x: Any) -> Any:
    return x[-1]


@hookimpl(native=torch.where, scalars=scalar_tensor, via=BITS)
def where(condition: Any, x1: Any, x2: Any, /) -> Any: ...


@hookimpl(via=BITS_IN)
def argwhere(x: Any, /) -> Any:
    return torch.argwhere(whole(x))
