"""Elements by indices."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_dask.blocks import places, together
from corearray_dask.general import get_item


@hookimpl
def take(x: Any, indices: Any, /, axis: int | None = None) -> Any:
    if axis is None and x.ndim != 1:
        raise ValueError(f"an array of {x.ndim} axes is taken from along one of them; name it")
    if indices.dtype.kind not in "iu":
        raise TypeError(f"indices are integers, got an array of {indices.dtype}")
    axis = places(0 if axis is None else axis, x.ndim)
    return get_item(x, (*(slice(None),) * axis, indices))


@hookimpl
def take_along_axis(x: Any, indices: Any, /, axis: int = -1) -> Any:
    return together("take_along_axis", axis, x, indices, axis=axis)
