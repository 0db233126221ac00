"""Arithmetic. Where JAX leaves the standard's tables of special values, they are restored within the one compiled call."""

from __future__ import annotations

from typing import Any

import jax
from jax import lax
from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax import complexes
from corearray_jax.native import choosing, compiled, counts_truth, is_complex, is_floating, promoted


@jax.custom_jvp
def magnitude(x: Any) -> Any:
    """Take absolute values of real numbers; JAX's own derivative of zero is 1."""
    return jnp.abs(x)


@magnitude.defjvp
def _(primals: Any, tangents: Any) -> Any:
    return magnitude(*primals), jnp.sign(primals[0]) * tangents[0]


@compiled()
def _abs(x: Any) -> Any:
    return complexes.absolute(x) if is_complex(x) else magnitude(x)


@hookimpl(native=_abs)
def abs(x: Any, /) -> Any: ...


_add = compiled()(jnp.add)


@hookimpl(native=_add, scalars=True)
def add(x1: Any, x2: Any, /) -> Any: ...


# An element at its bound has the whole derivative, which JAX halves.
_at_least = choosing(jnp.maximum, lambda x, min: ~(x < min))
_at_most = choosing(jnp.minimum, lambda x, max: ~(x > max))


@compiled()
def _clip(x: Any, min: Any, max: Any) -> Any:
    if min is not None:
        x = _at_least(*promoted(x, min))
    return x if max is None else _at_most(*promoted(x, max))


@hookimpl(scalars=True)
def clip(x: Any, /, min: Any = None, max: Any = None) -> Any:
    return _clip(x, min, max)


@compiled()
def _complex(real: Any, imag: Any) -> Any:
    part = jnp.result_type(real, imag, jnp.float32)
    return lax.complex(*jnp.broadcast_arrays(jnp.asarray(real, part), jnp.asarray(imag, part)))


@hookimpl(native=_complex, scalars=True)
def complex(real: Any, imag: Any, /) -> Any: ...


_conj = compiled()(jnp.conj)


@hookimpl(native=_conj)
def conj(x: Any, /) -> Any: ...


_divide = compiled()(jnp.true_divide)


@hookimpl(native=_divide, scalars=True)
def divide(x1: Any, x2: Any, /) -> Any: ...


@compiled()
@counts_truth
def _floor_divide(x1: Any, x2: Any) -> Any:
    found = jnp.floor_divide(x1, x2)
    if not is_floating(found):
        return found
    ratio = jnp.true_divide(x1, x2)
    found = jnp.where(jnp.isinf(x1) | jnp.isinf(x2) | (x2 == 0), jnp.floor(ratio), found)
    return jnp.where(found == 0, jnp.copysign(found, ratio), found)


@hookimpl(native=_floor_divide, scalars=True)
def floor_divide(x1: Any, x2: Any, /) -> Any: ...


@jax.custom_jvp
def _length(x1: Any, x2: Any) -> Any:
    """Compute the length of a vector; JAX's own has no second derivative where both parts are of one size."""
    return jnp.hypot(x1, x2)


@_length.defjvp
def _(primals: Any, tangents: Any) -> Any:
    found = _length(*primals)
    none = (found == 0) | jnp.isinf(found)
    shares = [jnp.where(none, 0, x / jnp.where(none, 1, found)) for x in primals]
    return found, tangents[0] * shares[0] + tangents[1] * shares[1]


@compiled()
def _hypot(x1: Any, x2: Any) -> Any:
    dtype = jnp.result_type(x1, x2)
    return _length(x1.astype(dtype), x2.astype(dtype))


@hookimpl(native=_hypot, scalars=True)
def hypot(x1: Any, x2: Any, /) -> Any: ...


_imag = compiled()(jnp.imag)


@hookimpl(native=_imag)
def imag(x: Any, /) -> Any: ...


_maximum = compiled()(jnp.maximum)


@hookimpl(native=_maximum, scalars=True)
def maximum(x1: Any, x2: Any, /) -> Any: ...


_minimum = compiled()(jnp.minimum)


@hookimpl(native=_minimum, scalars=True)
def minimum(x1: Any, x2: Any, /) -> Any: ...


_multiply = compiled()(jnp.multiply)


@hookimpl(native=_multiply, scalars=True)
def multiply(x1: Any, x2: Any, /) -> Any: ...


_negative = compiled()(jnp.negative)


@hookimpl(native=_negative)
def negative(x: Any, /) -> Any: ...


_positive = compiled()(jnp.positive)


@hookimpl(native=_positive)
def positive(x: Any, /) -> Any: ...


_real = compiled()(jnp.real)


@hookimpl(native=_real)
def real(x: Any, /) -> Any: ...


_reciprocal = compiled()(jnp.reciprocal)


@hookimpl(native=_reciprocal)
def reciprocal(x: Any, /) -> Any: ...


@jax.custom_jvp
def _with_sign_of_divisor(rest: Any, x2: Any) -> Any:
    """Give a remainder of zero the sign of the divisor, which changes no derivative."""
    return jnp.where(rest == 0, jnp.copysign(rest, x2), rest)


@_with_sign_of_divisor.defjvp
def _(primals: Any, tangents: Any) -> Any:
    return _with_sign_of_divisor(*primals), tangents[0]


@compiled()
@counts_truth
def _remainder(x1: Any, x2: Any) -> Any:
    found = jnp.remainder(x1, x2)
    return _with_sign_of_divisor(found, x2) if is_floating(found) else found


@hookimpl(native=_remainder, scalars=True)
def remainder(x1: Any, x2: Any, /) -> Any: ...


@compiled()
def _sign(x: Any) -> Any:
    if is_complex(x):
        return complexes.sign(x)
    if x.dtype == bool:
        return x
    return jnp.where(x == 0, jnp.zeros_like(x), jnp.sign(x))


@hookimpl(native=_sign)
def sign(x: Any, /) -> Any: ...


_subtract = compiled()(jnp.subtract)


@hookimpl(native=_subtract, scalars=True)
def subtract(x1: Any, x2: Any, /) -> Any: ...
