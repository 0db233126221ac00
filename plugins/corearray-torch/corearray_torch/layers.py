"""Layers of `torch.nn.functional`."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional

from corearray.plugin import hookimpl
from corearray_torch.native import UNSIGNED, as_indices, by_index

_UNSIGNED = frozenset(getattr(torch, name) for name in UNSIGNED)


def _is_looked_up(weight: Any, max_norm: Any) -> bool:
    return max_norm is None and weight.ndim == 2 and weight.dtype not in _UNSIGNED


@hookimpl(when=_is_looked_up)
def embedding(indices: Any, weight: Any, /, *, max_norm: Any = None, norm_type: float = 2.0) -> Any:
    """Select rows; `torch.embedding` has no derivative by complex weights."""
    places = as_indices(indices)
    flat = places if places.ndim == 1 else places.reshape(-1)
    rows = by_index(torch.index_select, weight, 0, flat)
    return rows if flat is places else rows.reshape(*places.shape, weight.shape[1])


def _is_one_matrix(weight: Any, bias: Any) -> bool:
    """Guard of what torch takes and what it refuses by itself; to ask for a size takes longer than for the shape."""
    shape = weight.shape
    return len(shape) == 2 and (bias is None or bias.shape == (shape[0],))


@hookimpl(native=functional.linear, when=_is_one_matrix, lacks=("bool", "integral"))
def linear(x: Any, weight: Any, /, bias: Any = None) -> Any: ...
