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


@hookimpl(native=_ceil)
def ceil(x: Any, /) -> Any: ...


_copysign = compiled()(jnp.copysign)


@hookimpl(native=_copysign, scalars=True)
def copysign(x1: Any, x2: Any, /) -> Any: ...


@compiled()
def _floor(x: Any) -> Any:
    return lax.floor(x) if is_floating(x) else x


@hookimpl(native=_floor)
def floor(x: Any, /) -> Any: ...


_nextafter = compiled()(jnp.nextafter)


@hookimpl(native=_nextafter, scalars=True)
def nextafter(x1: Any, x2: Any, /) -> Any: ...


@compiled()
def _round(x: Any) -> Any:
    if not is_floating(x):
        return x
    if is_complex(x):
        return lax.complex(_round(lax.real(x)), _round(lax.imag(x)))
    return lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN)


@hookimpl(native=_round)
def round(x: Any, /) -> Any: ...


_signbit = compiled()(jnp.signbit)


@hookimpl(native=_signbit)
def signbit(x: Any, /) -> Any: ...


@compiled()
def _trunc(x: Any) -> Any:
    return jnp.trunc(x) if is_floating(x) else x


@hookimpl(native=_trunc)
def trunc(x: Any, /) -> Any: ...
