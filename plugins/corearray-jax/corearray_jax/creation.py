"""New arrays. The values to fill with are arguments of the compiled functions, shapes and dtypes are static."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import jax
import numpy as np
from jax import lax
from jax import numpy as jnp

from corearray.plugin import hookimpl, is_constant, read_range
from corearray_jax.data_type import cast, copied
from corearray_jax.native import COMPLEX, REAL, compiled, elsewhere, is_floating, like, placed


@compiled("length", "dtype")
def _arange(start: Any, step: Any, length: int, dtype: Any) -> Any:
    values = start + lax.iota(start.dtype, length) * step
    floored = jnp.issubdtype(dtype, jnp.integer) and is_floating(start)
    return (jnp.floor(values) if floored else values).astype(dtype)


@hookimpl
def arange(start: Any, /, stop: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None) -> Any:
    first, step, count = read_range(start, stop, step, dtype)
    work = dtype if type(first) is int else REAL
    step = np.asarray(step).astype(work)  # which may be negative for an unsigned dtype
    return placed(_arange(np.asarray(first, work), step, count, dtype), device)


@compiled()
def _scalar(value: Any) -> Any:
    """Return the array of a number of NumPy's, which older versions give back as it is while they differentiate."""
    return lax.reshape(value, ())


@hookimpl
def asarray(obj: Any, /, dtype: Any = None, device: Any = None, copy: bool | None = None) -> Any:
    if isinstance(obj, jax.Array):
        return _of_array(obj, dtype, device, copy)
    if copy is False and not hasattr(obj, "__dlpack__"):
        raise ValueError(f"a {type(obj).__name__} cannot become an array without a copy")
    constant = not isinstance(obj, (np.ndarray, np.generic)) and hasattr(obj, "__dlpack__") and is_constant(obj)
    if copy is None and not constant:
        copy = True  # a write into the other array must not change this one
    if copy is False or (hasattr(obj, "__dlpack__") and not hasattr(obj, "__array__")):
        return _of_array(from_dlpack(obj, copy=copy), dtype, device, None if copy else copy)
    if not copy:
        with suppress(TypeError, ValueError, RuntimeError, BufferError):  # a dtype that is not exchanged so
            return _of_array(from_dlpack(obj), dtype, device, None)
    if isinstance(obj, (bool, int, float, complex)):
        return placed(_scalar(np.asarray(obj, dtype)), device)
    try:
        values = np.asarray(obj, dtype)
        if not values.dtype.isnative:
            values = values.astype(values.dtype.newbyteorder("="))
        return placed(jnp.array(values), device)
    except jax.errors.TracerArrayConversionError:
        return placed(jnp.array(obj, dtype), device)
    except (TypeError, RuntimeError):
        if not hasattr(obj, "__dlpack__"):
            raise
        return _of_array(from_dlpack(obj, copy=copy), dtype, device, None)


def _of_array(x: Any, dtype: Any, device: Any, copy: bool | None) -> Any:
    moves = elsewhere(x, device)
    if copy is False and (moves or (dtype is not None and x.dtype != dtype)):
        raise ValueError(f"an array of dtype {x.dtype} cannot become {dtype} on {device} without a copy")
    if (dtype is not None and x.dtype != dtype) or x.weak_type:
        x = cast(x, dtype or x.dtype)
    elif copy and not moves:
        x = copied(x)
    return jax.device_put(x, device) if moves else x


@hookimpl
def empty(shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
    return placed(_zeros(shape, dtype), device)


@hookimpl
def empty_like(x: Any, /, dtype: Any = None, device: Any = None) -> Any:
    return like(_zeros(x.shape, dtype), x, device)


@compiled("n_rows", "n_cols", "k", "dtype")
def _eye(n_rows: int, n_cols: int | None, k: int, dtype: Any) -> Any:
    return jnp.eye(n_rows, n_cols, k, dtype)


@hookimpl
def eye(n_rows: int, n_cols: int | None = None, /, k: int = 0, dtype: Any = None, device: Any = None) -> Any:
    return placed(_eye(n_rows, n_cols, k, dtype), device)


@hookimpl
def from_dlpack(x: Any, /, device: Any = None, copy: bool | None = None) -> Any:
    """Import; JAX shares what it can, also for `copy=True`, and refuses to copy memory with gaps."""
    try:
        result = jnp.from_dlpack(x, device=device, copy=False if copy is False else None)
    except Exception as error:
        if copy is False:
            raise ValueError(f"this {type(x).__name__} cannot be imported without a copy: {error}") from error
        return placed(jnp.array(np.from_dlpack(x)), device)
    return copied(result) if copy else result


@compiled("shape", "dtype")
def _full(value: Any, shape: Any, dtype: Any) -> Any:
    if value.ndim:
        raise ValueError(f"the value has the shape {value.shape}; it is one number")
    return jnp.full(shape, value, dtype)


@hookimpl
def full(shape: Any, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Any:
    if not isinstance(fill_value, jax.Array):
        fill_value = np.asarray(fill_value, dtype)
    return placed(_full(fill_value, shape, dtype), device)


@hookimpl
def full_like(x: Any, /, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Any:
    return like(full(x.shape, fill_value, dtype=dtype), x, device)


@compiled("num", "dtype", "endpoint", "axis")
def _linspace(start: Any, stop: Any, num: int, dtype: Any, endpoint: bool, axis: int = 0) -> Any:
    values = jnp.linspace(start, stop, num, endpoint=endpoint, axis=axis)
    return (jnp.floor(values) if jnp.issubdtype(dtype, jnp.integer) else values).astype(dtype)


@hookimpl
def linspace(
    start: Any, stop: Any, /, num: int, *, dtype: Any = None, device: Any = None, endpoint: bool = True, axis: int = 0
) -> Any:
    wide = COMPLEX if jnp.issubdtype(dtype, jnp.complexfloating) else REAL
    if isinstance(start, jax.Array) or isinstance(stop, jax.Array):
        values = _linspace(jnp.asarray(start, wide), jnp.asarray(stop, wide), num, dtype, endpoint, axis)
    else:
        values = _linspace(np.asarray(start, wide), np.asarray(stop, wide), num, dtype, endpoint)
    return placed(values, device)


@compiled("indexing")
def _meshgrid(arrays: Any, indexing: str) -> tuple[Any, ...]:
    return tuple(jnp.meshgrid(*arrays, indexing=indexing))


@hookimpl
def meshgrid(*arrays: Any, indexing: str = "xy") -> tuple[Any, ...]:
    return _meshgrid([x.reshape(1) if x.ndim == 0 else x for x in arrays], indexing)


@compiled("shape", "dtype")
def _ones(shape: Any, dtype: Any) -> Any:
    return jnp.ones(shape, dtype)


@hookimpl
def ones(shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
    return placed(_ones(shape, dtype), device)


@hookimpl
def ones_like(x: Any, /, dtype: Any = None, device: Any = None) -> Any:
    return like(_ones(x.shape, dtype), x, device)


@compiled("k")
def _tril(x: Any, k: int) -> Any:
    return jnp.tril(x, k)


@hookimpl
def tril(x: Any, /, k: int = 0) -> Any:
    return _tril(x, k)


@compiled("k")
def _triu(x: Any, k: int) -> Any:
    return jnp.triu(x, k)


@hookimpl
def triu(x: Any, /, k: int = 0) -> Any:
    return _triu(x, k)


@compiled("shape", "dtype")
def _zeros(shape: Any, dtype: Any) -> Any:
    return jnp.zeros(shape, dtype)


@hookimpl
def zeros(shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
    return placed(_zeros(shape, dtype), device)


@hookimpl
def zeros_like(x: Any, /, dtype: Any = None, device: Any = None) -> Any:
    return like(_zeros(x.shape, dtype), x, device)
