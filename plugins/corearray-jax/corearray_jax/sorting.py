"""Sorting. JAX sorts stably unless told otherwise; NaN counts as the greatest number."""

from __future__ import annotations

from typing import Any

from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax.native import INDEX, compiled


@compiled("axis", "descending", "stable")
def _argsort(x: Any, axis: int, descending: bool, stable: bool) -> Any:
    return jnp.argsort(x, axis=axis, descending=descending, stable=stable).astype(INDEX)


@hookimpl
def argsort(x: Any, /, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    return _argsort(x, axis, descending, stable)


@compiled("axis", "descending", "stable")
def _sort(x: Any, axis: int, descending: bool, stable: bool) -> Any:
    return jnp.sort(x, axis=axis, descending=descending, stable=stable)


@hookimpl
def sort(x: Any, /, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    return _sort(x, axis, descending, stable)


@compiled("axis")
def _lexsort(keys: Any, axis: int) -> Any:
    if len({key.shape for key in keys}) != 1:
        raise ValueError("the keys are not of one shape")
    if not keys[0].ndim:
        raise IndexError("keys without axes are not sorted")
    return jnp.lexsort(keys, axis)


@hookimpl
def lexsort(keys: Any, /, *, axis: int = -1) -> Any:
    return _lexsort(tuple(keys), axis)
