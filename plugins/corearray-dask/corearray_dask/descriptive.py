"""Counts, whose length is one more than the greatest value and so unknown, and quantiles of arrays of unknown sizes."""

from __future__ import annotations

from typing import Any

import dask.array as da

from corearray.plugin import hookimpl
from corearray_dask.blocks import over, places, task, whole
from corearray_dask.native import known


@hookimpl(when=lambda x, weights=None, minlength=0, length=None: length is None)
def bincount(x: Any, /, weights: Any = None, *, minlength: int = 0, length: int | None = None) -> Any:
    """Add the counts of each chunk up; integer and complex weights, which Dask adds in double precision, come whole."""
    if weights is not None and weights.dtype.kind != "f":
        return whole("bincount", x, weights, minlength=minlength, unknown=((0,),))
    counts = da.bincount(x, weights=weights, minlength=minlength)
    return counts if weights is None else counts.astype(weights.dtype)


def _unknown(
    x: Any, q: Any, axis: Any = None, keepdims: bool = False, method: str = "linear", weights: Any = None
) -> bool:
    return not known(x)


@hookimpl(when=_unknown)
def nanquantile(
    x: Any, q: Any, /, *, axis: Any = None, keepdims: bool = False, method: str = "linear", weights: Any = None
) -> Any:
    return _quantiles("nanquantile", x, q, axis=axis, keepdims=keepdims, method=method, weights=weights)


@hookimpl(when=_unknown)
def quantile(
    x: Any, q: Any, /, *, axis: Any = None, keepdims: bool = False, method: str = "linear", weights: Any = None
) -> Any:
    return _quantiles("quantile", x, q, axis=axis, keepdims=keepdims, method=method, weights=weights)


def _quantiles(name: str, x: Any, q: Any, /, *, axis: Any, weights: Any, **options: Any) -> Any:
    """Bring the axes that are reduced into one chunk: the composition counts their elements in Python."""
    made, arrays = task(name, (x, q), {"axis": axis, "weights": weights, **options})
    axes = range(x.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
    taken = {places(at, x.ndim) for at in axes} if weights is None else set(range(x.ndim))
    mine = [None if at in taken else at for at in range(x.ndim)]
    kept = mine if options["keepdims"] else [label for at, label in enumerate(mine) if at not in taken]

    def labels(count: int, number: int) -> list[Any]:
        return [*[None] * (count - len(kept)), *kept]

    return over(made, arrays, [mine, *([None] * one.ndim for one in arrays[1:])], labels)
