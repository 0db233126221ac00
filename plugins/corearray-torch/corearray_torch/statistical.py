"""Sums, products, extremes and moments along axes.

To torch an empty tuple of axes means all axes, to NumPy none.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch

from corearray.plugin import Fast, Via, hookimpl
from corearray_torch import utility
from corearray_torch.native import HALF, ORDER, VALUES, with_axes


@hookimpl(via=ORDER | {"bool": "uint8"})
def cummax(x: Any, /, axis: int | None = None) -> Any:
    return torch.cummax(x, _axis_that_is_there(x, axis)).values


@hookimpl(via=ORDER | {"bool": "uint8"})
def cummin(x: Any, /, axis: int | None = None) -> Any:
    return torch.cummin(x, _axis_that_is_there(x, axis)).values


@hookimpl(via=VALUES)
def cumulative_prod(x: Any, /, axis: int | None = None, dtype: Any = None, include_initial: bool = False) -> Any:
    axis = _only_axis(x, axis)
    if dtype is torch.bool:  # torch runs over numbers only
        return cumulative_prod(x.bool(), axis, torch.int64, include_initial).bool()
    result = torch.cumprod(x, axis, dtype=dtype)
    return _behind(1, result, axis) if include_initial else result


@hookimpl(via=VALUES)
def cumulative_sum(x: Any, /, axis: int | None = None, dtype: Any = None, include_initial: bool = False) -> Any:
    axis = _only_axis(x, axis)
    if dtype is torch.bool:
        return cumulative_sum(x.bool(), axis, torch.int64, include_initial).bool()
    result = torch.cumsum(x, axis, dtype=dtype)
    return _behind(0, result, axis) if include_initial else result


@hookimpl(via=HALF)
def logsumexp(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    if axis == () or axis == []:
        return x.clone()
    x = x if x.ndim else with_axes(x, axis)
    return torch.logsumexp(x, tuple(range(x.ndim)) if axis is None else axis, keepdims)


@hookimpl(fast=torch.max, trusts_framework=True, via=ORDER)
def max(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    if axis is None and not keepdims:
        return torch.max(x)
    if axis == () or axis == []:
        return x.clone()
    return (x if x.ndim else with_axes(x, axis)).amax(() if axis is None else axis, keepdims)


def _mean_of_complex(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Divide a sum part by part: torch's own mean multiplies an infinity by zero."""
    total = x.sum() if axis is None and not keepdims else x.sum(axis, keepdims)
    count = x.numel() if axis is None else _count(x, axis)
    return torch.view_as_complex(torch.view_as_real(total) / count)


@hookimpl(
    fast=torch.mean,
    via={name: Via(name, lambda x: x, back=False, fast=_mean_of_complex) for name in ("complex64", "complex128")},
)
def mean(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    if axis == () or axis == []:
        return x.clone()
    x = x if x.ndim else with_axes(x, axis)
    return _mean_of_complex(x, axis, keepdims) if x.is_complex() else x.mean(axis, keepdims)


@hookimpl(fast=torch.min, trusts_framework=True, via=ORDER)
def min(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    if axis is None and not keepdims:
        return torch.min(x)
    if axis == () or axis == []:
        return x.clone()
    return (x if x.ndim else with_axes(x, axis)).amin(() if axis is None else axis, keepdims)


def _prod_of_axes(x: Any, axis: Any, keepdims: bool) -> Any:
    return torch.prod(x, axis, keepdims) if type(axis) is int and x.ndim else prod(x, axis, x.dtype, keepdims)


@hookimpl(fast=Fast(torch.prod, with_options=_prod_of_axes), via=VALUES | HALF)
def prod(x: Any, /, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """Multiply along one axis after the other: torch takes one at a time."""
    if dtype is torch.bool:
        return utility.all(x.bool(), axis, keepdims)
    if axis is None:
        if not keepdims:
            return x.prod(dtype=dtype)
        axis = tuple(range(x.ndim))
    x = with_axes(x, axis)
    if isinstance(axis, int):
        return x.prod(axis, keepdims, dtype=dtype)
    if not isinstance(axis, Sequence):
        raise TypeError(f"axis {axis!r} is neither an integer nor a sequence of integers")
    if len({place % x.ndim for place in axis}) < len(axis):
        raise ValueError(f"the axes {tuple(axis)} name one axis twice")
    x = x.to(dtype, copy=True)
    for place in sorted((place % x.ndim if -x.ndim <= place < x.ndim else place for place in axis), reverse=True):
        x = x.prod(place, keepdims, dtype=dtype)
    return x


@hookimpl
def std(x: Any, /, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Any:
    size = x.numel()
    if size and (size if axis is None else _count(x, axis)) > correction:
        return x.std(axis, correction=correction, keepdim=keepdims)
    return _spread(x, axis, correction, keepdims)


def _sum_of_axes(x: Any, axis: Any, keepdims: bool) -> Any:
    if x.ndim and (type(axis) is int or (axis != () and axis != [])):
        return torch.sum(x, axis, keepdims)
    return sum(x, axis, x.dtype, keepdims)


@hookimpl(fast=Fast(torch.sum, with_options=_sum_of_axes), via=VALUES)
def sum(x: Any, /, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    if axis == () or axis == []:
        return x.to(dtype, copy=True)
    if dtype is torch.bool:  # of which torch's compiler makes no sum
        return utility.any(x.bool(), axis, keepdims)
    return with_axes(x, axis).sum(axis, keepdims, dtype=dtype)


@hookimpl
def var(x: Any, /, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Any:
    size = x.numel()
    if size and (size if axis is None else _count(x, axis)) > correction:
        return x.var(axis, correction=correction, keepdim=keepdims)
    return _spread(x, axis, correction, keepdims)


def _only_axis(x: Any, axis: int | None) -> int:
    if axis is None:
        if x.ndim != 1:
            raise ValueError(f"a cumulative function needs an axis for an array with {x.ndim} axes")
        return 0
    with_axes(x, axis)
    return axis + x.ndim if -x.ndim <= axis < 0 else axis  # of a negative axis torch forgets that a DTensor is split


def _axis_that_is_there(x: Any, axis: int | None) -> int:
    """Refuse an axis that torch's running extremes do not look at where there are no elements."""
    place = _only_axis(x, axis)
    if not -x.ndim <= place < x.ndim:
        raise IndexError(f"an array with {x.ndim} axes has no axis {place}")
    return place


def _behind(first: int, x: Any, axis: int) -> Any:
    """Put a number before the elements along an axis."""
    shape = list(x.shape)
    shape[axis] = 1
    return torch.cat([x.new_full(shape, first), x], axis)


def _count(x: Any, axis: Any) -> Any:
    """Count the elements that fall together in a reduction, none where no axis is reduced."""
    if isinstance(axis, int):
        return x.shape[axis]
    return math.prod([x.shape[place] for place in axis]) if axis != () else -math.inf


def _spread(x: Any, axis: Any, correction: float, keepdims: bool) -> Any:
    """Return the variance where the divisor is not positive, which is NaN, or where each element stands for itself."""
    real = x.real if x.is_complex() else x
    if axis == () or axis == []:
        return real - real if correction < 1 else torch.full_like(real, math.nan)
    return real.sum(axis, keepdims) + math.nan
