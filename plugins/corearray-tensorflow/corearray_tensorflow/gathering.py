"""Elements by indices of any shape."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_tensorflow.keys import places
from corearray_tensorflow.native import checked_axis, raw_ops


@hookimpl
def gather(x: Any, indices: Any, /, *, axis: int = -1, batch_dims: int = 0) -> Any:
    axis = checked_axis(axis, x.shape.rank)
    if not 0 <= batch_dims <= min(axis, indices.shape.rank):
        raise ValueError(f"batch_dims={batch_dims} counts axes in front of axis {axis}, which the indices have too")
    if x.shape[:batch_dims] != indices.shape[:batch_dims]:
        raise ValueError(
            f"the shapes {tuple(x.shape)} and {tuple(indices.shape)} differ along the first {batch_dims} axes"
        )
    return raw_ops.GatherV2(params=x, indices=places(indices, x, axis), axis=axis, batch_dims=batch_dims)
