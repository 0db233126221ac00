"""Sorting. JAX sorts stably unless told otherwise; NaN counts as the greatest number."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
from jax import lax
from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax.keys import on_host
from corearray_jax.native import INDEX, compiled, is_floating

#: The dtypes in which NumPy computes as fast as it reads.
_LOOKED_AT = frozenset({np.dtype("float32"), np.dtype("float64")})


@compiled("axis", "descending", "stable")
def _argsort(x: Any, axis: int, descending: bool, stable: bool) -> Any:
    return jnp.argsort(x, axis=index(axis), descending=descending, stable=stable).astype(INDEX)


@hookimpl
def argsort(x: Any, /, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    return _argsort(x, axis, descending, stable)


@compiled("axis", "descending", "stable")
def _sort(x: Any, axis: int, descending: bool, stable: bool) -> Any:
    return jnp.sort(x, axis=index(axis), descending=descending, stable=stable)


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


@compiled("k", "axis", "largest", "ordered")
def _top_k(x: Any, k: int, axis: int, largest: bool, ordered: bool) -> Any:
    """Find the greatest as they stand, where neither NaN nor a zero among them has a sign that counts.

    The product with itself is NaN for NaN alone, and takes two thirds of the greatest element's time; that there is none,
    `ordered` says.
    """
    rows = jnp.moveaxis(x, axis, -1)
    if largest and is_floating(rows):
        found = tuple(lax.top_k(rows, k))
        signs = jnp.any(found[0] == 0)
        if not ordered:
            signs |= jnp.isnan(jnp.vdot(rows, rows))
        found = lax.cond(signs, lambda: _top_k_of_keys(rows, k, largest), lambda: found)
    else:
        found = _top_k_of_keys(rows, k, largest)
    values, indices = found
    return jnp.moveaxis(values, -1, axis), jnp.moveaxis(indices, -1, axis).astype(INDEX)


def _top_k_of_keys(rows: Any, k: int, largest: bool) -> Any:
    """Find the greatest in the total order, in which zeros and NaN have signs: the ones lose theirs, the others get one.

    The least are the greatest of negatives, or for integers of what has each bit turned, which never overflows.
    """
    keys = lax.stop_gradient(rows.astype("uint8") if rows.dtype == bool else rows)
    if is_floating(keys):
        keys = jnp.where(keys == 0, 0, keys if largest else -keys)
        keys = jnp.where(jnp.isnan(keys), jnp.asarray(np.copysign(np.nan, 1 if largest else -1), keys.dtype), keys)
    elif not largest:
        keys = ~keys
    indices = lax.top_k(keys, k)[1]
    return jnp.take_along_axis(rows, indices, -1), indices


def _is_there(x: Any, k: int, axis: int) -> bool:
    return bool(-x.ndim <= axis < x.ndim and 0 <= k <= x.shape[axis])


@hookimpl(when=_is_there)
def top_k(x: Any, k: int, /, *, axis: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    """Find the greatest; NumPy looks for NaN while XLA computes, on one of the cores, as if there were none."""
    if largest and x.dtype in _LOOKED_AT and on_host(x):
        found = _top_k(x, k, axis, largest, True)
        if not np.isnan(np.maximum.reduce(np.asarray(x), axis=None, initial=0)):
            return found
    return _top_k(x, k, axis, largest, False)
