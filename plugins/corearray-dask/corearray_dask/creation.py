"""New arrays, cut into chunks of Dask's `array.chunk-size`."""

from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np

import corearray as ca
from corearray.plugin import hookimpl, read_range
from corearray_dask.data_type import astype


@hookimpl
def arange(start: Any, /, stop: Any = None, step: Any = 1, *, dtype: Any = None) -> Any:
    first, step, count = read_range(start, stop, step, dtype)
    if type(first) is int and type(step) is int:
        limits = np.iinfo(dtype) if np.dtype(dtype).kind in "iu" else None
        last = first + count * step
        if limits is None or (limits.min <= min(first, last) and max(first, last) <= limits.max):
            return da.arange(first, last, step, dtype=dtype, chunks="auto")
    values = da.arange(count, dtype=np.float64, chunks="auto") * step + first
    return (da.floor(values) if np.dtype(dtype).kind in "iu" else values).astype(dtype)


@hookimpl
def asarray(obj: Any, /, dtype: Any = None, copy: bool | None = None) -> Any:
    if isinstance(obj, (list, tuple)) and _holds_lazy(obj):
        obj = _stacked(obj)
    if isinstance(obj, da.Array):
        if copy is False and dtype is not None and dtype != obj.dtype:
            raise ValueError("an array of another dtype cannot be made without a copy; leave copy=False out")
        return astype(obj, obj.dtype if dtype is None else dtype, copy=bool(copy))
    _refuse_sharing(obj, copy)
    if not hasattr(obj, "__array__") and hasattr(obj, "__dlpack__"):
        obj = np.from_dlpack(obj)
    values = np.asarray(obj, dtype=dtype)
    if not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    return da.from_array(values, chunks="auto")


def _refuse_sharing(obj: Any, copy: bool | None) -> None:
    """Refuse `copy=False`: `dask.array.from_array` always copies, because a graph must not change."""
    if copy is False:
        raise ValueError(f"Dask cannot use the memory of a {type(obj).__name__}; leave copy=False out")


def _stacked(obj: Any) -> Any:
    """Return nested lists with lazy arrays among the items as one array."""
    if isinstance(obj, (list, tuple)):
        return da.stack([_stacked(item) for item in obj])
    return obj if isinstance(obj, da.Array) else da.asarray(obj)


def _holds_lazy(obj: Any) -> bool:
    if isinstance(obj, (list, tuple)):
        return any(map(_holds_lazy, obj))
    return isinstance(obj, da.Array)


@hookimpl
def empty(shape: Any, *, dtype: Any = None) -> Any:
    return da.empty(_checked(shape), dtype=dtype, chunks="auto")


def _checked(shape: Any) -> Any:
    """Refuse negative sizes, which Dask takes."""
    if min(shape if isinstance(shape, (tuple, list)) else (shape,), default=0) < 0:
        raise ValueError(f"the shape {shape}")
    return shape


@hookimpl
def eye(n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: Any = None) -> Any:
    """Compare indices, one task a chunk; Dask's own has square chunks only."""
    rows, columns = da.arange(n_rows, chunks="auto"), da.arange(n_rows if n_cols is None else n_cols, chunks="auto")
    return (rows[:, None] + k == columns).astype(dtype)


@hookimpl
def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Any:
    native = ca.to_native(x)
    if isinstance(native, da.Array):
        return native.copy() if copy else native
    _refuse_sharing(x, copy)
    return da.from_array(np.from_dlpack(x), chunks="auto")


@hookimpl
def full(shape: Any, fill_value: Any, *, dtype: Any = None) -> Any:
    if isinstance(fill_value, da.Array):
        return da.broadcast_to(fill_value.astype(dtype), _checked(shape))
    return da.full(_checked(shape), np.asarray(fill_value, dtype)[()], dtype=dtype, chunks="auto")


@hookimpl
def ones(shape: Any, *, dtype: Any = None) -> Any:
    return da.ones(_checked(shape), dtype=dtype, chunks="auto")


@hookimpl
def zeros(shape: Any, *, dtype: Any = None) -> Any:
    return da.zeros(_checked(shape), dtype=dtype, chunks="auto")


@hookimpl
def empty_like(x: Any, /, *, dtype: Any = None) -> Any:
    return da.empty_like(x, dtype=dtype)


@hookimpl
def full_like(x: Any, /, fill_value: Any, *, dtype: Any = None) -> Any:
    if isinstance(fill_value, da.Array):
        return da.zeros_like(x, dtype=dtype) + fill_value.astype(dtype)
    return da.full_like(x, np.asarray(fill_value, dtype or x.dtype)[()], dtype=dtype)


@hookimpl
def ones_like(x: Any, /, *, dtype: Any = None) -> Any:
    return da.ones_like(x, dtype=dtype)


@hookimpl
def zeros_like(x: Any, /, *, dtype: Any = None) -> Any:
    return da.zeros_like(x, dtype=dtype)
