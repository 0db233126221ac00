"""Reductions, chunk by chunk and then over a tree of partial results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dask.array as da

from corearray.plugin import hookimpl
from corearray_dask.blocks import along, places
from corearray_dask.native import HALF


def over_axes(reduce: Callable[..., Any], x: Any, axis: Any, keepdims: bool, **options: Any) -> Any:
    """Reduce along axes; along none the array stays."""
    axes = tuple(range(x.ndim)) if axis is None else (axis,) if isinstance(axis, int) else tuple(axis)
    axes = tuple(places(at, x.ndim) for at in axes)
    if len(set(axes)) < len(axes):
        raise ValueError(f"an axis is named twice in {axis}")
    if reduce in (da.max, da.min) and any(x.shape[at] == 0 for at in axes):
        raise ValueError(f"an array of the shape {x.shape} has no greatest or least element along the axes {axes}")
    if not axes:
        dtype = options.get("dtype")
        return x if dtype is None or dtype == x.dtype else x.astype(dtype)
    if 0 in x.shape and reduce in (da.max, da.min):
        return along("max" if reduce is da.max else "min", axes, x, axis=axes, keepdims=keepdims)
    return reduce(x, axis=axes, keepdims=keepdims, **options)


@hookimpl
def cummax(x: Any, /, axis: int | None = None) -> Any:
    return along("cummax", _only(x, axis), x, axis=axis)


@hookimpl
def cummin(x: Any, /, axis: int | None = None) -> Any:
    return along("cummin", _only(x, axis), x, axis=axis)


@hookimpl
def cumulative_prod(x: Any, /, axis: int | None = None, dtype: Any = None, include_initial: bool = False) -> Any:
    return _accumulated(da.cumprod, da.ones_like, x, axis, dtype, include_initial)


@hookimpl
def cumulative_sum(x: Any, /, axis: int | None = None, dtype: Any = None, include_initial: bool = False) -> Any:
    return _accumulated(da.cumsum, da.zeros_like, x, axis, dtype, include_initial)


@hookimpl
def max(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return over_axes(da.max, x, axis, keepdims)


@hookimpl(via=HALF)
def mean(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return over_axes(da.mean, x, axis, keepdims)


@hookimpl
def min(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return over_axes(da.min, x, axis, keepdims)


@hookimpl
def prod(x: Any, /, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    return over_axes(da.prod, x, axis, keepdims, dtype=dtype or x.dtype)


@hookimpl
def sum(x: Any, /, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    return over_axes(da.sum, x, axis, keepdims, dtype=dtype or x.dtype)


def _only(x: Any, axis: int | None) -> int:
    if axis is None and x.ndim != 1:
        raise ValueError(f"an array of {x.ndim} axes is accumulated along one of them; name it")
    return places(0 if axis is None else axis, x.ndim)


def _accumulated(function: Any, first: Any, x: Any, axis: int | None, dtype: Any, include_initial: bool) -> Any:
    axis = _only(x, axis)
    dtype = dtype or x.dtype
    result = function(x, axis=axis, dtype=dtype)
    if not include_initial:
        return result
    shape = tuple(1 if at == axis else size for at, size in enumerate(x.shape))
    chunks = tuple((1,) if at == axis else sizes for at, sizes in enumerate(x.chunks))
    return da.concatenate([first(x, dtype=dtype, shape=shape, chunks=chunks), result], axis)
