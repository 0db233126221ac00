"""Counts of integers."""

from __future__ import annotations

from typing import Any

import jax
from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax.native import HALF, INDEX, compiled, counting


def _has_bincount(x: Any, weights: Any = None, minlength: int = 0, length: int | None = None) -> bool:
    """Leave what is wrong to the composition, which says so."""
    fits = weights is None or (weights.shape == x.shape and jnp.issubdtype(weights.dtype, jnp.inexact))
    return length is None and bool(x.ndim == 1 and jnp.issubdtype(x.dtype, jnp.integer) and fits and minlength >= 0)


@compiled("length")
def _bincount(x: Any, weights: Any, length: int) -> Any:
    added = jnp.ones(x.shape, INDEX) if weights is None else weights
    wide = jnp.promote_types(added.dtype, HALF.get(added.dtype.name, added.dtype))
    counts = jnp.zeros(length, wide).at[counting(x, (length,))].add(added.astype(wide))
    return counts.astype(added.dtype)


@hookimpl(when=_has_bincount)
def bincount(x: Any, /, weights: Any = None, minlength: int = 0, length: int | None = None) -> Any:
    if minlength and isinstance(x, jax.core.Tracer):  # the length cannot depend on elements that are not known yet
        return _bincount(x, weights, minlength)
    if x.size and int(x.min()) < 0:
        raise ValueError("integers that are not negative are counted, and there is a negative one")
    return _bincount(x, weights, max(int(x.max()) + 1 if x.size else 0, minlength))
