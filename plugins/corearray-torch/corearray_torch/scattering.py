"""Reductions of segments; what belongs to none goes to a row of its own, which is cut off."""

from __future__ import annotations

import math
from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import VALUES, as_indices, extreme, is_real


def _is_ordered(x: Any) -> bool:
    """Whether the bits that stand for the numbers have their order."""
    return x.dtype is not torch.uint64


@hookimpl(via=VALUES, when=_is_ordered)
def unsorted_segment_max(x: Any, segment_ids: Any, num_segments: int, /) -> Any:
    empty = -math.inf if x.is_floating_point() else torch.iinfo(x.dtype).min
    return _joined("amax", x, segment_ids, num_segments, empty)


@hookimpl(via=VALUES, when=_is_ordered)
def unsorted_segment_min(x: Any, segment_ids: Any, num_segments: int, /) -> Any:
    empty = math.inf if x.is_floating_point() else torch.iinfo(x.dtype).max
    return _joined("amin", x, segment_ids, num_segments, empty)


@hookimpl(via=VALUES, when=is_real)
def unsorted_segment_prod(x: Any, segment_ids: Any, num_segments: int, /) -> Any:
    return _joined("prod", x, segment_ids, num_segments, 1)


@hookimpl(via=VALUES)
def unsorted_segment_sum(x: Any, segment_ids: Any, num_segments: int, /) -> Any:
    rows, ids, count = _rows(x, segment_ids, num_segments)
    return rows.new_zeros((count, *rows.shape[1:])).index_add(0, ids, rows)[:num_segments]


def _joined(how: str, x: Any, ids: Any, count: int, empty: float) -> Any:
    rows, ids, whole = _rows(x, ids, count)
    ids = ids.reshape(-1, *(1,) * (rows.ndim - 1)).expand_as(rows)
    return rows.new_full((whole, *rows.shape[1:]), empty).scatter_reduce(0, ids, rows, how)[:count]


def _rows(x: Any, ids: Any, count: int) -> tuple[Any, Any, int]:
    """Lay out rows and their segments flat, with a segment more where some may belong to none."""
    if x.dtype is torch.bool:
        raise TypeError("segments of truth values have no sum")
    if count < 0 or x.shape[: ids.ndim] != ids.shape:
        raise ValueError(f"an array of shape {tuple(x.shape)} has no {count} segments by {tuple(ids.shape)} ids")
    rest = x.shape[ids.ndim :]
    ids = as_indices(ids).reshape(-1)
    rows, low, high = x.reshape(len(ids), *rest), extreme(torch.min, ids), extreme(torch.max, ids)
    if low is not None and high is not None and 0 <= low <= high < count:
        return rows, ids, count
    return rows, torch.where((ids >= 0) & (ids < count), ids, count), count + 1
