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


@hookimpl(native=_equal, scalars=True)
def equal(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=_greater, scalars=True)
def greater(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=_greater_equal, scalars=True)
def greater_equal(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=_isfinite)
def isfinite(x: Any, /) -> Any: ...


@hookimpl(native=_isinf)
def isinf(x: Any, /) -> Any: ...


@hookimpl(native=_isnan)
def isnan(x: Any, /) -> Any: ...


@hookimpl(native=_less, scalars=True)
def less(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=_less_equal, scalars=True)
def less_equal(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=_logical_and, scalars=True)
def logical_and(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=_logical_not)
def logical_not(x: Any, /) -> Any: ...


@hookimpl(native=_logical_or, scalars=True)
def logical_or(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=_logical_xor, scalars=True)
def logical_xor(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=_not_equal, scalars=True)
def not_equal(x1: Any, x2: Any, /) -> Any: ...
