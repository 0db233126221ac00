"""Reductions and running sums."""

from __future__ import annotations

from functools import partial
from operator import index
from typing import Any

from jax import lax
from jax import numpy as jnp
from jax.nn import logsumexp as logsumexp_of

from corearray.plugin import Fast, hookimpl
from corearray_jax.native import HALF, INDEX, compiled, is_complex, ordered, root, static


def _only_axis(x: Any, axis: int | None) -> int:
    """Return the axis of a scan, counted from the front."""
    if axis is None and x.ndim != 1:
        raise ValueError(f"an array of shape {x.shape} has not one axis; say along which one with axis=")
    axis = 0 if axis is None else index(axis)
    if not -x.ndim <= axis < x.ndim:
        raise IndexError(f"axis {axis} is out of bounds for an array of shape {x.shape}")
    return axis % x.ndim


def _running(operation: Any, start: int, x: Any, axis: int | None, dtype: Any, include_initial: bool) -> Any:
    axis = _only_axis(x, axis)
    if dtype == jnp.bool_:  # JAX runs over numbers only
        return _running(operation, start, x != 0, axis, INDEX, include_initial) != 0
    result = operation(lax.convert_element_type(x, dtype), axis=axis)
    if not include_initial:
        return result
    initial = lax.full((*x.shape[:axis], 1, *x.shape[axis + 1 :]), start, dtype)
    return lax.concatenate([initial, result], axis)


def in_full(reduction: Any, x: Any, dtype: Any, **options: Any) -> Any:
    """Reduce to a dtype: JAX accumulates half precision in single precision, unless it is asked for by name."""
    if dtype is None or jnp.dtype(dtype).name not in HALF:
        return reduction(x, dtype=dtype, **options)
    return lax.convert_element_type(reduction(x, dtype=jnp.float32, **options), dtype)


@compiled("axis")
def _cummax(x: Any, axis: int | None) -> Any:
    return lax.cummax(x, axis=_only_axis(x, axis))


@hookimpl(via={"bool": "uint8"})
def cummax(x: Any, /, axis: int | None = None) -> Any:
    return _cummax(x, axis)


@compiled("axis")
def _cummin(x: Any, axis: int | None) -> Any:
    return lax.cummin(x, axis=_only_axis(x, axis))


@hookimpl(via={"bool": "uint8"})
def cummin(x: Any, /, axis: int | None = None) -> Any:
    return _cummin(x, axis)


@compiled("axis", "dtype", "include_initial")
def _cumulative_prod(x: Any, axis: int | None, dtype: Any, include_initial: bool) -> Any:
    return _running(lax.cumprod, 1, x, axis, dtype, include_initial)


@hookimpl(via=HALF)
def cumulative_prod(x: Any, /, axis: int | None = None, dtype: Any = None, include_initial: bool = False) -> Any:
    return _cumulative_prod(x, axis, dtype, include_initial)


@compiled("axis", "dtype", "include_initial")
def _cumulative_sum(x: Any, axis: int | None, dtype: Any, include_initial: bool) -> Any:
    return _running(lax.cumsum, 0, x, axis, dtype, include_initial)


@hookimpl(via=HALF)
def cumulative_sum(x: Any, /, axis: int | None = None, dtype: Any = None, include_initial: bool = False) -> Any:
    return _cumulative_sum(x, axis, dtype, include_initial)


@compiled("axis", "keepdims")
def _logsumexp(x: Any, axis: Any, keepdims: bool) -> Any:
    return logsumexp_of(x, axis=axis, keepdims=keepdims)


@hookimpl(via=HALF)
def logsumexp(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return _logsumexp(x, static(axis), keepdims)


def chosen(reduction: Any, x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Choose half precision in single precision: the derivative divides by the count of equal elements."""
    if x.dtype.name not in HALF:
        return reduction(x, axis=axis, keepdims=keepdims)
    wide = reduction(lax.convert_element_type(x, jnp.float32), axis=axis, keepdims=keepdims)
    return lax.convert_element_type(wide, x.dtype)


@compiled("axis", "keepdims")
def _max(x: Any, axis: Any, keepdims: bool) -> Any:
    return chosen(jnp.max, x, axis, keepdims)


@hookimpl(fast=ordered(partial(chosen, jnp.max)), trusts_framework=True)
def max(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return _max(x, static(axis), keepdims)


@compiled("axis", "keepdims")
def _mean(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """JAX's own multiplies infinite parts of complex numbers by zero."""
    if is_complex(x):
        return lax.complex(*(jnp.mean(part, axis=axis, keepdims=keepdims) for part in (jnp.real(x), jnp.imag(x))))
    return jnp.mean(x, axis=axis, keepdims=keepdims)


@hookimpl(fast=_mean)
def mean(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return _mean(x, static(axis), keepdims)


@compiled("axis", "keepdims")
def _min(x: Any, axis: Any, keepdims: bool) -> Any:
    return chosen(jnp.min, x, axis, keepdims)


@hookimpl(fast=ordered(partial(chosen, jnp.min)), trusts_framework=True)
def min(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return _min(x, static(axis), keepdims)


@compiled("axis", "dtype", "keepdims")
def _prod(x: Any, axis: Any, dtype: Any, keepdims: bool) -> Any:
    return in_full(jnp.prod, x, dtype, axis=axis, keepdims=keepdims)


@hookimpl(
    fast=Fast(compiled()(jnp.prod), with_options=lambda x, axis, keepdims: _prod(x, static(axis), None, keepdims)),
    trusts_framework=True,
)
def prod(x: Any, /, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    return _prod(x, static(axis), dtype, keepdims)


@compiled("axis", "correction", "keepdims")
def _std(x: Any, axis: Any, correction: float, keepdims: bool) -> Any:
    return root(jnp.var(x, axis=axis, ddof=correction, keepdims=keepdims))


@hookimpl
def std(x: Any, /, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Any:
    return _std(x, static(axis), correction, keepdims)


@compiled("axis", "dtype", "keepdims")
def _sum(x: Any, axis: Any, dtype: Any, keepdims: bool) -> Any:
    return in_full(jnp.sum, x, dtype, axis=axis, keepdims=keepdims)


@hookimpl(
    fast=Fast(compiled()(jnp.sum), with_options=lambda x, axis, keepdims: _sum(x, static(axis), None, keepdims)),
    trusts_framework=True,
)
def sum(x: Any, /, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    return _sum(x, static(axis), dtype, keepdims)


@compiled("axis", "correction", "keepdims")
def _var(x: Any, axis: Any, correction: float, keepdims: bool) -> Any:
    return jnp.var(x, axis=axis, ddof=correction, keepdims=keepdims)


@hookimpl
def var(x: Any, /, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Any:
    return _var(x, static(axis), correction, keepdims)
