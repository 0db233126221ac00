"""Reductions, chunk by chunk and then over a tree of partial results."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import dask.array as da
import numpy as np

from corearray.plugin import hookimpl
from corearray_dask.blocks import Slot, Task, along, meta_of, places
from corearray_dask.native import HALF, known, occupied


def over_axes(reduce: Callable[..., Any], x: Any, axis: Any, keepdims: bool, **options: Any) -> Any:
    """Reduce along axes; along none the array stays."""
    axes = _axes(x, axis)
    if not axes:
        dtype = options.get("dtype")
        return x if dtype is None or dtype == x.dtype else x.astype(dtype)
    return reduce(x, axis=axes, keepdims=keepdims, **options)


def _axes(x: Any, axis: Any) -> tuple[int, ...]:
    axes = tuple(range(x.ndim)) if axis is None else (axis,) if isinstance(axis, int) else tuple(axis)
    axes = tuple(places(at, x.ndim) for at in axes)
    if len(set(axes)) < len(axes):
        raise ValueError(f"an axis is named twice in {axis}")
    return axes


def _extreme(find: Callable[..., Any], x: Any, axis: Any, keepdims: bool) -> Any:
    """Find greatest or least elements; `dask.array.max` fails if a chunk is empty, as after `x[mask]`."""
    axes = _axes(x, axis)
    if any(x.shape[at] == 0 for at in axes):
        raise ValueError(f"an array of the shape {x.shape} has no greatest or least element along the axes {axes}")
    if not axes:
        return x
    part, meta = partial(_extreme_of_chunk, find), meta_of(x._meta, x.ndim if keepdims else x.ndim - len(axes))
    return da.reduction(x, part, part, axis=axes, keepdims=keepdims, dtype=x.dtype, meta=meta)


def _extreme_of_chunk(find: Callable[..., Any], x: Any, axis: Any, keepdims: bool) -> Any:
    """Reduce a chunk. An axis without elements stays empty, so that the chunk adds nothing to the others."""
    if keepdims and 0 in [x.shape[at] for at in axis]:
        return x[tuple(slice(1) if at in axis else slice(None) for at in range(x.ndim))]
    return find(x, axis=axis, keepdims=keepdims)


@hookimpl
def cummax(x: Any, /, axis: int | None = None) -> Any:
    return along("cummax", _only(x, axis), x, axis=axis)


@hookimpl
def cummin(x: Any, /, axis: int | None = None) -> Any:
    return along("cummin", _only(x, axis), x, axis=axis)


@hookimpl
def cumulative_prod(x: Any, /, axis: int | None = None, dtype: Any = None, include_initial: bool = False) -> Any:
    return _accumulated("cumulative_prod", da.cumprod, da.ones_like, x, axis, dtype, include_initial)


@hookimpl
def cumulative_sum(x: Any, /, axis: int | None = None, dtype: Any = None, include_initial: bool = False) -> Any:
    return _accumulated("cumulative_sum", da.cumsum, da.zeros_like, x, axis, dtype, include_initial)


@hookimpl(via=HALF)
def logsumexp(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    """Reduce each chunk, then reduce the results. The result for no elements is -infinity."""
    axes = _axes(x, axis)
    if not axes:
        return x
    meta = meta_of(x._meta, x.ndim if keepdims else x.ndim - len(axes))
    return da.reduction(
        x, _logsumexp_of_chunk, _logsumexp_of_chunk, axis=axes, keepdims=keepdims, dtype=x.dtype, meta=meta
    )


def _logsumexp_of_chunk(x: Any, axis: Any, keepdims: bool) -> Any:
    return Task("logsumexp", (Slot(0),), {"axis": axis, "keepdims": keepdims}, {})(x)


@hookimpl
def max(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return _extreme(np.max, x, axis, keepdims)


@hookimpl(via=HALF)
def mean(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return over_axes(da.mean, x, axis, keepdims)


@hookimpl
def min(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return _extreme(np.min, x, axis, keepdims)


@hookimpl
def prod(x: Any, /, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    return over_axes(da.prod, x, axis, keepdims, dtype=dtype or x.dtype)


@hookimpl
def sum(x: Any, /, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    return over_axes(da.sum, x, axis, keepdims, dtype=dtype or x.dtype)


def _in_one_pass(x: Any, axis: Any = None, correction: float = 0.0) -> bool:
    """Return whether `dask.array.var` has the variance: real numbers in chunks that are not empty, more than `correction`."""
    axes = _axes(x, axis)
    return x.dtype.kind == "f" and bool(axes) and occupied(x) and math.prod([x.shape[at] for at in axes]) > correction


@hookimpl(
    when=lambda x, axis=None, correction=0.0: not known(x) or _in_one_pass(x, axis, correction),
    via=HALF,
)
def var(x: Any, /, *, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Any:
    """Read the chunks once where Dask can: data that does not fit into memory is read twice by the composition.

    Arrays of unknown sizes are counted here.
    """
    if known(x):
        return over_axes(da.var, x, axis, keepdims, ddof=correction, dtype=x.dtype)
    squares = da.absolute(x - over_axes(da.mean, x, axis, True)) ** 2
    count = over_axes(da.sum, da.ones_like(squares), axis, keepdims) - squares.dtype.type(correction)
    return over_axes(da.sum, squares, axis, keepdims) / da.where(count > 0, count, squares.dtype.type(math.nan))


def _only(x: Any, axis: int | None) -> int:
    if axis is None and x.ndim != 1:
        raise ValueError(f"an array of {x.ndim} axes is accumulated along one of them; name it")
    return places(0 if axis is None else axis, x.ndim)


def _accumulated(
    name: str, function: Any, first: Any, x: Any, axis: int | None, dtype: Any, include_initial: bool
) -> Any:
    axis = _only(x, axis)
    if not occupied(x):
        return along(name, axis, x, axis=axis, dtype=dtype, include_initial=include_initial)
    dtype = dtype or x.dtype
    result = function(x, axis=axis, dtype=dtype)
    if not include_initial:
        return result
    shape = tuple(1 if at == axis else size for at, size in enumerate(x.shape))
    chunks = tuple((1,) if at == axis else sizes for at, sizes in enumerate(x.chunks))
    return da.concatenate([first(x, dtype=dtype, shape=shape, chunks=chunks), result], axis)
