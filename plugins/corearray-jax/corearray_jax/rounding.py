"""Rounding, and the signs and neighbours of floating-point numbers. Integers are rounded already."""

from __future__ import annotations

from typing import Any

from jax import lax
from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax.native import compiled, is_complex, is_floating


@compiled()
def _ceil(x: Any) -> Any:
    return lax.ceil(x) if is_floating(x) else x


@hookimpl
def ceil(x: Any, /) -> Any:
    return _ceil(x)


_copysign = compiled()(jnp.copysign)


@hookimpl(scalars=True)
def copysign(x1: Any, x2: Any, /) -> Any:
    return _copysign(x1, x2)


@compiled()
def _floor(x: Any) -> Any:
    return lax.floor(x) if is_floating(x) else x


@hookimpl
def floor(x: Any, /) -> Any:
    return _floor(x)


_nextafter = compiled()(jnp.nextafter)


@hookimpl(scalars=True)
def nextafter(x1: Any, x2: Any, /) -> Any:
    return _nextafter(x1, x2)


@compiled()
def _round(x: Any) -> Any:
    if not is_floating(x):
        return x
    if is_complex(x):
        return lax.complex(_round(lax.real(x)), _round(lax.imag(x)))
    return lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN)


@hookimpl
def round(x: Any, /) -> Any:
    return _round(x)


_signbit = compiled()(jnp.signbit)


@hookimpl
def signbit(x: Any, /) -> Any:
    return _signbit(x)


@compiled()
def _trunc(x: Any) -> Any:
    return jnp.trunc(x) if is_floating(x) else x


@hookimpl
def trunc(x: Any, /) -> Any:
    return _trunc(x)
