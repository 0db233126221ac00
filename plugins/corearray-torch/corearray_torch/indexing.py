"""Elements by their indices along an axis; negative indices count from the end."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import VALUES, as_indices, by_index


@hookimpl(via=VALUES)
def take(x: Any, indices: Any, /, axis: int | None = None) -> Any:
    """Select rows; indexing, which counts from the end too, takes several times as long."""
    if indices.dtype is not torch.int64:
        indices = as_indices(indices)
    if axis is None:
        if x.ndim != 1:
            raise ValueError(f"'take' needs an axis for an array with {x.ndim} axes")
        axis = 0
    place = axis if axis >= 0 else axis + x.ndim
    if not 0 <= place < x.ndim:
        raise IndexError(f"'take' got axis {axis} for an array with {x.ndim} axes")
    if indices.ndim != 1:
        return x[(slice(None),) * place + (indices,)]
    return by_index(lambda places: torch.index_select(x, place, places), indices, x.shape[place])


@hookimpl(via=VALUES)
def take_along_axis(x: Any, indices: Any, /, axis: int = -1) -> Any:
    if indices.dtype is not torch.int64:
        indices = as_indices(indices)
    return by_index(lambda places: torch.take_along_dim(x, places, axis), indices, x.shape[axis])
