"""Elements written to indices, and reductions of segments; what belongs to none goes to a row of its own, which is cut off."""

from __future__ import annotations

import math
from typing import Any

import torch

from corearray.plugin import hookimpl, memoised, shape_along
from corearray_torch.native import (
    HALF,
    UNSIGNED,
    VALUES,
    as_indices,
    at_hand,
    by_index,
    extreme,
    extremes,
    transforming,
)

_UNSIGNED = frozenset(getattr(torch, name) for name in UNSIGNED)
_INDICES = frozenset((torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64))


#: torch's names of reductions; what it does where several replace one element is left open, but to CPUs, which go in order.
_REDUCTIONS = {"prod": "prod", "min": "amin", "max": "amax"}


@memoised
def _written(shape: Any, axis: int, along: Any, given: Any) -> tuple[Any, ...] | None:
    """Return what indices and values are to be expanded to, `()` if they are that, or `None` if torch does not write them."""
    target = shape_along(shape, axis, along, given)
    if target is None or 0 in shape or 0 in along:
        return None
    return () if along == given == target else target


def _is_one_scatter(x: Any, indices: Any, values: Any, axis: int, reduction: str) -> bool:
    if not isinstance(values, torch.Tensor) or indices.dtype not in _INDICES:
        return False
    if _written(x.shape, axis, indices.shape, values.shape) is None:
        return False
    if reduction == "replace":
        return x.is_cpu and not values.requires_grad
    if reduction == "prod" and _are_derived_at_zero(x, values):
        return False
    numbers = x.dtype is not torch.bool
    return numbers and (reduction == "sum" or (reduction in _REDUCTIONS and not x.is_complex()))


@hookimpl(when=_is_one_scatter, lacks=tuple(UNSIGNED))
def scatter_along_axis(x: Any, indices: Any, values: Any, /, *, axis: int = -1, reduction: str = "replace") -> Any:
    if indices.dtype is not torch.int64:
        indices = indices.long()
    if target := _written(x.shape, axis, indices.shape, values.shape):
        indices, values = indices.expand(target), values.expand(target)
    if reduction == "replace":
        return by_index(torch.scatter, x, axis, indices, values)
    if reduction == "sum":
        return by_index(torch.scatter_add, x, axis, indices, values)
    return by_index(torch.scatter_reduce, x, axis, indices, values, _REDUCTIONS[reduction])


def _is_one_sum(indices: Any, updates: Any, shape: Any, base: Any, reduction: str) -> bool:
    if reduction != "sum" or base is None or shape is not None or not base.ndim or indices.dtype not in _INDICES:
        return False
    if base.dtype in _UNSIGNED or base.dtype is torch.bool or 0 in base.shape:
        return False
    return indices.ndim > 0 and indices.shape[-1] == 1 and updates.shape == indices.shape[:-1] + base.shape[1:]


@hookimpl(when=_is_one_sum, via=HALF)
def scatter_nd(indices: Any, updates: Any, /, shape: Any = None, *, base: Any = None, reduction: str = "sum") -> Any:
    rows = updates.reshape(-1, *base.shape[1:])
    return by_index(torch.index_add, base, 0, as_indices(indices).reshape(-1), rows)


@hookimpl(via=VALUES | HALF, lacks=("uint64",))  # the bits of which have another order
def unsorted_segment_max(x: Any, segment_ids: Any, num_segments: int, /) -> Any:
    empty = -math.inf if x.is_floating_point() else torch.iinfo(x.dtype).min
    return _joined("amax", x, segment_ids, num_segments, empty)


@hookimpl(via=VALUES | HALF, lacks=("uint64",))  # the bits of which have another order
def unsorted_segment_min(x: Any, segment_ids: Any, num_segments: int, /) -> Any:
    empty = math.inf if x.is_floating_point() else torch.iinfo(x.dtype).max
    return _joined("amin", x, segment_ids, num_segments, empty)


@hookimpl(via=VALUES | HALF, lacks=("complex floating",))
def unsorted_segment_prod(x: Any, segment_ids: Any, num_segments: int, /) -> Any:
    if _are_derived_at_zero(x):
        return _products(x, segment_ids, num_segments)
    return _joined("prod", x, segment_ids, num_segments, 1)


@hookimpl(via=VALUES | HALF)
def unsorted_segment_sum(x: Any, segment_ids: Any, num_segments: int, /) -> Any:
    rows, ids = _flat(x, segment_ids, num_segments)
    shape = rows.shape[1:]
    if at_hand(ids):
        try:  # in place, which transforms do not let
            return rows.new_zeros((num_segments, *shape)).index_add_(0, ids, rows)
        except (IndexError, RuntimeError):  # one belongs to no segment
            pass
    ids = _with_one_more(ids, num_segments)
    return rows.new_zeros((num_segments + 1, *shape)).index_add(0, ids, rows)[:num_segments]


def _are_derived_at_zero(*factors: Any) -> bool:
    """Whether a derivative may be asked for that torch does not have: beyond the first one at zeros, any in forward mode."""
    if transforming():
        return factors[0].is_floating_point() or factors[0].is_complex()
    if not (factors[0].requires_grad or factors[-1].requires_grad):
        return False
    return any(extreme(torch.count_nonzero, x) != x.numel() for x in factors)


def _products(x: Any, ids: Any, count: int) -> Any:
    """Take zeros out of the products, and put them back as what is differentiated up to three times, but not above."""
    zero = x == 0
    zeros = torch.where(zero, x, 0)
    powers = (zero.long(), zeros, zeros * zeros, zeros * zeros * zeros)
    number, one, squares, cubes = (unsorted_segment_sum(power, ids, count) for power in powers)
    two, three = (one * one - squares) / 2, (one * one * one - 3 * one * squares + 2 * cubes) / 6
    among_zeros = torch.where(number == 0, 1, 0)
    for k, product in enumerate((one, two, three), 1):
        among_zeros = torch.where(number == k, product, among_zeros)
    factors = torch.where(zero, 1, x)
    if not transforming():
        return _joined("prod", factors, ids, count, 1) * among_zeros
    sizes = torch.where(factors.isfinite(), factors if x.is_complex() else factors.abs(), 1)
    logarithms = unsorted_segment_sum(sizes.log(), ids, count)
    rate = torch.exp(logarithms - logarithms.detach())  # 1, with the derivatives of the product divided by it
    return _joined("prod", factors.detach(), ids, count, 1) * rate * among_zeros


def _joined(how: str, x: Any, ids: Any, count: int, empty: float) -> Any:
    rows, ids, whole = _rows(x, ids, count)
    ids = ids.reshape(-1, *(1,) * (rows.ndim - 1)).expand_as(rows)
    return rows.new_full((whole, *rows.shape[1:]), empty).scatter_reduce(0, ids, rows, how)[:count]


def _flat(x: Any, ids: Any, count: int) -> tuple[Any, Any]:
    """Lay out rows and their segments flat."""
    if x.dtype is torch.bool:
        raise TypeError("segments of truth values have no sum")
    if count < 0 or x.shape[: ids.ndim] != ids.shape:
        raise ValueError(f"an array of shape {tuple(x.shape)} has no {count} segments by {tuple(ids.shape)} ids")
    rest = x.shape[ids.ndim :]
    ids = as_indices(ids)
    return (x, ids) if ids.ndim == 1 else (x.reshape(ids.numel(), *rest), ids.reshape(-1))


def _rows(x: Any, ids: Any, count: int) -> tuple[Any, Any, int]:
    """Do the same, with a segment more where some may belong to none."""
    rows, ids = _flat(x, ids, count)
    found = extremes(ids)
    if found is not None and 0 <= found[0] <= found[1] < count:
        return rows, ids, count
    return rows, _with_one_more(ids, count), count + 1


def _with_one_more(ids: Any, count: int) -> Any:
    return torch.where((ids >= 0) & (ids < count), ids, count)
