"""Elements by indices of any shape."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_tensorflow.keys import by_places
from corearray_tensorflow.native import checked_axis, raw_ops


@hookimpl(when=lambda indices: indices is not None)
def gather(x: Any, indices: Any = None, /, *, axis: int = -1, batch_dims: int = 0) -> Any:
    axis = checked_axis(axis, x.shape.rank)
    if not 0 <= batch_dims <= min(axis, indices.shape.rank):
        raise ValueError(f"batch_dims={batch_dims} counts axes in front of axis {axis}, which the indices have too")
    if x.shape[:batch_dims] != indices.shape[:batch_dims]:
        raise ValueError(
            f"the shapes {tuple(x.shape)} and {tuple(indices.shape)} differ along the first {batch_dims} axes"
        )
    return by_places(
        lambda chosen: raw_ops.GatherV2(params=x, indices=chosen, axis=axis, batch_dims=batch_dims), indices, x, axis
    )


def _is_one_gather(x: Any, indices: Any, batch_dims: int) -> bool:
    known = x.shape.is_fully_defined() and indices.shape.is_fully_defined() and indices.shape.rank > 0
    return known and batch_dims == 0 and 0 < indices.shape[-1] <= x.shape.rank and 0 not in (*x.shape, *indices.shape)


@hookimpl(when=_is_one_gather)
def gather_nd(x: Any, indices: Any, /, *, batch_dims: int = 0) -> Any:
    return by_places(lambda chosen: raw_ops.GatherNd(params=x, indices=chosen), indices, x, None)
