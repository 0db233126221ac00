"""Places of elements."""

from __future__ import annotations

from typing import Any

import dask.array as da

from corearray.plugin import hookimpl
from corearray_dask.blocks import along, each, over, places, task, whole
from corearray_dask.native import known, occupied


@hookimpl
def argmax(x: Any, /, axis: int | None = None, keepdims: bool = False) -> Any:
    return _place("argmax", x, axis, keepdims)


@hookimpl
def argmin(x: Any, /, axis: int | None = None, keepdims: bool = False) -> Any:
    return _place("argmin", x, axis, keepdims)


def _place(name: str, x: Any, axis: int | None, keepdims: bool) -> Any:
    if axis is not None:
        axis = places(axis, x.ndim)
    if 0 in (x.shape if axis is None else (x.shape[axis],)):
        raise ValueError(f"an array of the shape {x.shape} has no greatest or least element")
    if not x.ndim:
        return da.zeros_like(x, dtype="int64")
    if not occupied(x):
        return along(name, axis, x, axis=axis, keepdims=keepdims)
    return getattr(da, name)(x, axis=axis, keepdims=keepdims).astype("int64")


@hookimpl
def nonzero(x: Any, /) -> tuple[Any, ...]:
    if not x.ndim:
        raise ValueError("an array without axes has no indices")
    if not known(x):
        return tuple(whole("nonzero", x, unknown=((0,),) * x.ndim))
    return tuple(found.astype("int64") for found in da.nonzero(x))


@hookimpl
def searchsorted(x1: Any, x2: Any, /, side: str = "left", sorter: Any = None) -> Any:
    """Look up chunk by chunk in the whole of the sorted numbers."""
    made, arrays = task("searchsorted", (x1, x2), {"side": side, "sorter": sorter})
    loops = [[None], list(range(x2.ndim)), [None]]
    return over(made, arrays, loops[: len(arrays)], lambda count, number: list(range(count)))


@hookimpl(scalars=True)
def where(condition: Any, x1: Any, x2: Any, /) -> Any:
    return each("where", condition, x1, x2)
