"""Comparisons, tests for special values, and logic."""

from __future__ import annotations

from typing import Any

from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax.native import compiled

_equal = compiled()(jnp.equal)
_greater = compiled()(jnp.greater)
_greater_equal = compiled()(jnp.greater_equal)
_isfinite = compiled()(jnp.isfinite)
_isinf = compiled()(jnp.isinf)
_isnan = compiled()(jnp.isnan)
_less = compiled()(jnp.less)
_less_equal = compiled()(jnp.less_equal)
_logical_and = compiled()(jnp.logical_and)
_logical_not = compiled()(jnp.logical_not)
_logical_or = compiled()(jnp.logical_or)
_logical_xor = compiled()(jnp.logical_xor)
_not_equal = compiled()(jnp.not_equal)


@hookimpl(scalars=True)
def equal(x1: Any, x2: Any, /) -> Any:
    return _equal(x1, x2)


@hookimpl(scalars=True)
def greater(x1: Any, x2: Any, /) -> Any:
    return _greater(x1, x2)


@hookimpl(scalars=True)
def greater_equal(x1: Any, x2: Any, /) -> Any:
    return _greater_equal(x1, x2)


@hookimpl
def isfinite(x: Any, /) -> Any:
    return _isfinite(x)


@hookimpl
def isinf(x: Any, /) -> Any:
    return _isinf(x)


@hookimpl
def isnan(x: Any, /) -> Any:
    return _isnan(x)


@hookimpl(scalars=True)
def less(x1: Any, x2: Any, /) -> Any:
    return _less(x1, x2)


@hookimpl(scalars=True)
def less_equal(x1: Any, x2: Any, /) -> Any:
    return _less_equal(x1, x2)


@hookimpl(scalars=True)
def logical_and(x1: Any, x2: Any, /) -> Any:
    return _logical_and(x1, x2)


@hookimpl
def logical_not(x: Any, /) -> Any:
    return _logical_not(x)


@hookimpl(scalars=True)
def logical_or(x1: Any, x2: Any, /) -> Any:
    return _logical_or(x1, x2)


@hookimpl(scalars=True)
def logical_xor(x1: Any, x2: Any, /) -> Any:
    return _logical_xor(x1, x2)


@hookimpl(scalars=True)
def not_equal(x1: Any, x2: Any, /) -> Any:
    return _not_equal(x1, x2)
