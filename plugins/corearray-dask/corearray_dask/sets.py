"""Arrays as sets: the values of each chunk, then those of all. Sizes of results are unknown."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_dask.blocks import over, parts, task, whole
from corearray_dask.manipulation import reshape


@hookimpl
def isin(x1: Any, x2: Any, /, *, invert: bool = False) -> Any:
    made, arrays = task("isin", (x1, x2), {"invert": invert})
    axes = list(range(x1.ndim))
    return over(made, arrays, [axes, [None] * x2.ndim], lambda count, number: axes)


@hookimpl
def unique_all(x: Any, /) -> Any:
    return whole("unique_all", x, unknown=((0,), (0,), (), (0,)))


@hookimpl
def unique_consecutive(x: Any, /, *, axis: int | None = None) -> Any:
    hidden = (0 if axis is None else axis % max(x.ndim, 1),)
    return whole("unique_consecutive", x, axis=axis, unknown=(hidden, (), (0,)))


@hookimpl
def unique_counts(x: Any, /) -> Any:
    return whole("unique_counts", x, unknown=((0,), (0,)))


@hookimpl
def unique_inverse(x: Any, /) -> Any:
    return whole("unique_inverse", x, unknown=((0,), ()))


@hookimpl
def unique_values(x: Any, /) -> Any:
    x = reshape(x, (-1,))
    if x.npartitions > 1:
        x = parts("unique_values", x, unknown=((0,),))
    return whole("unique_values", x, unknown=((0,),))
