"""Elements by their indices along an axis; negative indices count from the end."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import VALUES, as_indices, by_index, with_side


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
    return by_index(torch.index_select, x, place, indices)


@hookimpl(via=VALUES)
def take_along_axis(x: Any, indices: Any, /, axis: int = -1) -> Any:
    """Gather; `torch.take_along_dim` takes an index that lies outside for one that does not."""
    if indices.dtype is not torch.int64:
        indices = as_indices(indices)
    if x.ndim != indices.ndim:
        raise ValueError(f"arrays with {x.ndim} and {indices.ndim} axes; both must have as many")
    length, count = x.shape[axis], indices.shape[axis]
    if x.shape != indices.shape:
        sides = torch.broadcast_shapes(*(with_side(one.shape, axis, 1) for one in (x, indices)))
        x, indices = x.expand(with_side(sides, axis, length)), indices.expand(with_side(sides, axis, count))
    return by_index(torch.gather, x, axis, indices)
