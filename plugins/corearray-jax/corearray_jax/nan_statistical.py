"""Reductions of the elements that are not NaN."""

from __future__ import annotations

from typing import Any

from jax import lax
from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax.native import HALF, compiled, static
from corearray_jax.statistical import chosen, in_full


def _cast(x: Any, dtype: Any) -> Any:
    return x if dtype is None else lax.convert_element_type(x, dtype)


@compiled("axis", "keepdims")
def _nanmax(x: Any, axis: Any, keepdims: bool) -> Any:
    return chosen(jnp.nanmax, x, axis, keepdims)


@hookimpl
def nanmax(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return _nanmax(x, static(axis), keepdims)


@compiled("axis", "dtype", "keepdims")
def _nanmean(x: Any, axis: Any, dtype: Any, keepdims: bool) -> Any:
    return jnp.nanmean(_cast(x, dtype), axis=axis, keepdims=keepdims)


@hookimpl(via=HALF)
def nanmean(x: Any, /, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    return _nanmean(x, static(axis), dtype, keepdims)


@compiled("axis", "keepdims")
def _nanmin(x: Any, axis: Any, keepdims: bool) -> Any:
    return chosen(jnp.nanmin, x, axis, keepdims)


@hookimpl
def nanmin(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return _nanmin(x, static(axis), keepdims)


@compiled("axis", "dtype", "keepdims")
def _nanprod(x: Any, axis: Any, dtype: Any, keepdims: bool) -> Any:
    return in_full(jnp.nanprod, x, dtype or x.dtype, axis=axis, keepdims=keepdims)


@hookimpl
def nanprod(x: Any, /, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    return _nanprod(x, static(axis), dtype, keepdims)


@compiled("axis", "dtype", "correction", "keepdims")
def _nanstd(x: Any, axis: Any, dtype: Any, correction: float, keepdims: bool) -> Any:
    return jnp.nanstd(_cast(x, dtype), axis=axis, ddof=correction, keepdims=keepdims)


@hookimpl
def nanstd(x: Any, /, axis: Any = None, dtype: Any = None, correction: float = 0.0, keepdims: bool = False) -> Any:
    return _nanstd(x, static(axis), dtype, correction, keepdims)


@compiled("axis", "dtype", "keepdims")
def _nansum(x: Any, axis: Any, dtype: Any, keepdims: bool) -> Any:
    return in_full(jnp.nansum, x, dtype or x.dtype, axis=axis, keepdims=keepdims)


@hookimpl
def nansum(x: Any, /, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    return _nansum(x, static(axis), dtype, keepdims)


@compiled("axis", "dtype", "correction", "keepdims")
def _nanvar(x: Any, axis: Any, dtype: Any, correction: float, keepdims: bool) -> Any:
    return jnp.nanvar(_cast(x, dtype), axis=axis, ddof=correction, keepdims=keepdims)


@hookimpl
def nanvar(x: Any, /, axis: Any = None, dtype: Any = None, correction: float = 0.0, keepdims: bool = False) -> Any:
    return _nanvar(x, static(axis), dtype, correction, keepdims)
