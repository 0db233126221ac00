"""Counts of integers."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl

_COUNTED = frozenset((torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8))
_WEIGHTS = frozenset((torch.float32, torch.float64))


def _has_bincount(x: Any, weights: Any = None) -> bool:
    """torch adds other weights up in float64, which does not hold all integers, and forgets the dtype of none at all."""
    return x.dtype in _COUNTED and (weights is None or (weights.dtype in _WEIGHTS and x.numel() > 0))


@hookimpl(when=_has_bincount)
def bincount(x: Any, /, weights: Any = None, minlength: int = 0) -> Any:
    return torch.bincount(x, weights, minlength)
