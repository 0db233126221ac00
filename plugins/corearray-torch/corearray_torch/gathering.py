"""Elements by indices of several axes."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_torch.native import VALUES, as_indices
from corearray_torch.sharding import whole


def _as_key(indices: Any, batch_dims: int) -> bool:
    """Whether `x[key]` has the elements; of one index alone it would be a view."""
    return batch_dims == 0 and indices.ndim > 1 and indices.shape[-1] > 0


@hookimpl(when=lambda indices, axis, batch_dims: indices is None and axis == -1 and batch_dims == 0)
def gather(x: Any, indices: Any = None, /, *, axis: int = -1, batch_dims: int = 0) -> Any:
    return whole(x)


@hookimpl(via=VALUES, when=_as_key)
def gather_nd(x: Any, indices: Any, /, *, batch_dims: int = 0) -> Any:
    if indices.shape[-1] > x.ndim:
        raise ValueError(f"{indices.shape[-1]} indices each for an array with {x.ndim} axes")
    return x[as_indices(whole(indices)).unbind(-1)]
