"""Arithmetic. Where JAX leaves the standard's tables of special values, they are restored within the one compiled call."""

from __future__ import annotations

from typing import Any

from jax import lax
from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax import complexes
from corearray_jax.native import compiled, is_complex, is_floating


@compiled()
def _abs(x: Any) -> Any:
    return complexes.absolute(x) if is_complex(x) else jnp.abs(x)


@hookimpl
def abs(x: Any, /) -> Any:
    return _abs(x)


_add = compiled()(jnp.add)


@hookimpl(scalars=True)
def add(x1: Any, x2: Any, /) -> Any:
    return _add(x1, x2)


@compiled()
def _clip(x: Any, min: Any, max: Any) -> Any:
    if min is not None:
        x = jnp.maximum(x, min)
    return x if max is None else jnp.minimum(x, max)


@hookimpl(scalars=True)
def clip(x: Any, /, min: Any = None, max: Any = None) -> Any:
    return _clip(x, min, max)


@compiled()
def _complex(real: Any, imag: Any) -> Any:
    part = jnp.result_type(real, imag, jnp.float32)
    return lax.complex(*jnp.broadcast_arrays(jnp.asarray(real, part), jnp.asarray(imag, part)))


@hookimpl(scalars=True)
def complex(real: Any, imag: Any, /) -> Any:
    return _complex(real, imag)


_conj = compiled()(jnp.conj)


@hookimpl
def conj(x: Any, /) -> Any:
    return _conj(x)


_divide = compiled()(jnp.true_divide)


@hookimpl(scalars=True)
def divide(x1: Any, x2: Any, /) -> Any:
    return _divide(x1, x2)


@compiled()
def _floor_divide(x1: Any, x2: Any) -> Any:
    found = jnp.floor_divide(x1, x2)
    if not is_floating(found):
        return found
    ratio = jnp.true_divide(x1, x2)
    found = jnp.where(jnp.isinf(x1) | jnp.isinf(x2) | (x2 == 0), jnp.floor(ratio), found)
    return jnp.where(found == 0, jnp.copysign(found, ratio), found)


@hookimpl(scalars=True)
def floor_divide(x1: Any, x2: Any, /) -> Any:
    return _floor_divide(x1, x2)


_hypot = compiled()(jnp.hypot)


@hookimpl(scalars=True)
def hypot(x1: Any, x2: Any, /) -> Any:
    return _hypot(x1, x2)


_imag = compiled()(jnp.imag)


@hookimpl
def imag(x: Any, /) -> Any:
    return _imag(x)


_maximum = compiled()(jnp.maximum)


@hookimpl(scalars=True)
def maximum(x1: Any, x2: Any, /) -> Any:
    return _maximum(x1, x2)


_minimum = compiled()(jnp.minimum)


@hookimpl(scalars=True)
def minimum(x1: Any, x2: Any, /) -> Any:
    return _minimum(x1, x2)


_multiply = compiled()(jnp.multiply)


@hookimpl(scalars=True)
def multiply(x1: Any, x2: Any, /) -> Any:
    return _multiply(x1, x2)


_negative = compiled()(jnp.negative)


@hookimpl
def negative(x: Any, /) -> Any:
    return _negative(x)


_positive = compiled()(jnp.positive)


@hookimpl
def positive(x: Any, /) -> Any:
    return _positive(x)


_real = compiled()(jnp.real)


@hookimpl
def real(x: Any, /) -> Any:
    return _real(x)


_reciprocal = compiled()(jnp.reciprocal)


@hookimpl
def reciprocal(x: Any, /) -> Any:
    return _reciprocal(x)


@compiled()
def _remainder(x1: Any, x2: Any) -> Any:
    found = jnp.remainder(x1, x2)
    return jnp.where(found == 0, jnp.copysign(found, x2), found) if is_floating(found) else found


@hookimpl(scalars=True)
def remainder(x1: Any, x2: Any, /) -> Any:
    return _remainder(x1, x2)


@compiled()
def _sign(x: Any) -> Any:
    if is_complex(x):
        return complexes.sign(x)
    return jnp.where(x == 0, jnp.zeros_like(x), jnp.sign(x))


@hookimpl
def sign(x: Any, /) -> Any:
    return _sign(x)


_subtract = compiled()(jnp.subtract)


@hookimpl(scalars=True)
def subtract(x1: Any, x2: Any, /) -> Any:
    return _subtract(x1, x2)
