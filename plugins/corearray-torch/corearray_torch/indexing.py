"""Elements by their indices along an axis; negative indices count from the end."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import VALUES


@hookimpl(via=VALUES)
def take(x: Any, indices: Any, /, *, axis: int | None = None) -> Any:
    indices = indices.long()
    if axis is None:
        if x.ndim != 1:
            raise ValueError(f"'take' needs an axis for an array with {x.ndim} axes")
        return x[indices]
    return x[(slice(None),) * (axis if axis >= 0 else axis + x.ndim) + (indices,)]


@hookimpl(via=VALUES)
def take_along_axis(x: Any, indices: Any, /, *, axis: int = -1) -> Any:
    indices = indices.long()
    return torch.take_along_dim(x, torch.where(indices < 0, indices + x.shape[axis], indices), axis)
