"""Counts of integers, and the number in the middle, for which not all are sorted."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import transforming
from corearray_torch.sharding import whole

_COUNTED = frozenset((torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8))
_WEIGHTS = frozenset((torch.float32, torch.float64))


def _has_bincount(x: Any, weights: Any = None, minlength: int = 0, length: int | None = None) -> bool:
    """torch adds other weights up in float64, which does not hold all integers, and forgets the dtype of none at all.

    It differentiates none of them.
    """
    if length is not None:
        return False
    if weights is None:
        return x.dtype in _COUNTED
    derived = weights.requires_grad or transforming()
    return x.dtype in _COUNTED and weights.dtype in _WEIGHTS and x.numel() > 0 and not derived


@hookimpl(when=_has_bincount)
def bincount(x: Any, /, weights: Any = None, minlength: int = 0, length: int | None = None) -> Any:
    return torch.bincount(whole(x), None if weights is None else whole(weights), minlength)


def _has_middle(x: Any, axis: Any) -> bool:
    """Leave several axes, wrong ones and no elements to the composition."""
    if axis is not None and (not isinstance(axis, int) or not -x.ndim <= axis < x.ndim):
        return False
    return x.is_floating_point() and x.numel() > 0


@hookimpl(when=_has_middle, trusts_framework=True)
def median(x: Any, /, *, axis: Any = None, keepdims: bool = False) -> Any:
    """Take the lower one of the middle two from torch, which is NaN if an element is; equal ones are not added."""
    rows, dim = (x.reshape(-1), 0) if axis is None else (x, axis)
    length = rows.shape[dim]
    found = torch.median(rows, dim).values
    if length % 2 == 0:
        high = torch.kthvalue(rows, length // 2 + 1, dim).values
        found = torch.where((found == high) | found.isnan(), found, 0.5 * found + 0.5 * high)
    if not keepdims:
        return found
    return found.reshape([1] * x.ndim) if axis is None else found.unsqueeze(axis)
