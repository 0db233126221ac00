"""Functions of complex numbers with the values of the standard's tables (C99, Annex G) at zeros, infinities and NaN.

XLA computes them by formulas that lose the sign of a zero part, and let one infinite part make the other NaN. Here
each is put together from real parts and signs. Derivatives are those of JAX's own functions, since formulas that choose
between cases are not differentiable everywhere; but that of JAX's `acosh` has the wrong sign in the left half-plane.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import jax
from jax import lax
from jax import numpy as jnp

_Function = Callable[[Any], Any]


def _derived_as(base: _Function) -> Callable[[Callable[[Any, Any], tuple[Any, Any]]], _Function]:
    """Make a function of a complex number of one from parts to parts, with the derivative of `base`."""

    def decorate(parts: Callable[[Any, Any], tuple[Any, Any]]) -> _Function:
        @jax.custom_jvp
        def function(x: Any) -> Any:
            return lax.complex(*parts(lax.real(x), lax.imag(x)))

        @function.defjvp
        def derivative(primals: Any, tangents: Any) -> Any:
            return function(*primals), jax.jvp(base, primals, tangents)[1]

        return function

    return decorate


def _applied(base: _Function, a: Any, b: Any) -> tuple[Any, Any]:
    value = base(lax.complex(a, b))
    return lax.real(value), lax.imag(value)


def _turned(function: _Function) -> Callable[[Any, Any], tuple[Any, Any]]:
    """Make `-i f(iz)`, on parts."""

    def parts(a: Any, b: Any) -> tuple[Any, Any]:
        along, across = _applied(function, -b, a)
        return across, -along

    return parts


def absolute(x: Any) -> Any:
    """Return the absolute value, infinite if a part is."""
    return jnp.where(jnp.isinf(lax.real(x)) | jnp.isinf(lax.imag(x)), math.inf, lax.abs(x))


def sign(x: Any) -> Any:
    """Return the number on the unit circle in the same direction, 0 for 0."""
    a, b = lax.real(x), lax.imag(x)
    infinite = jnp.isinf(a) | jnp.isinf(b)
    a = jnp.where(infinite, jnp.where(jnp.isinf(a), jnp.sign(a), a * 0), a)
    b = jnp.where(infinite, jnp.where(jnp.isinf(b), jnp.sign(b), b * 0), b)
    zero = (a == 0) & (b == 0)
    size = jnp.where(zero, 1, jnp.hypot(jnp.where(zero, 1, a), jnp.where(zero, 0, b)))
    lost = jnp.isnan(a) | jnp.isnan(b)
    a, b = (jnp.where(lost, math.nan, jnp.where(zero, 0, part / size)) for part in (a, b))
    return lax.complex(a, b)


@_derived_as(lax.acos)
def acos(a: Any, b: Any) -> tuple[Any, Any]:
    along, across = _applied(lax.acos, a, lax.abs(b))
    along = jnp.where(jnp.isnan(b), jnp.where(_is_zero(a), math.pi / 2, math.nan), along)
    across = jnp.where(jnp.isinf(a) | jnp.isinf(b), math.inf, lax.abs(across))
    return along, jnp.copysign(jnp.where(_is_lost(a, b), math.nan, across), -b)


@_derived_as(lambda x: jnp.log(x + lax.sqrt(x - 1) * lax.sqrt(x + 1)))
def acosh(a: Any, b: Any) -> tuple[Any, Any]:
    along, across = _applied(acos, a, b)
    return lax.abs(across), jnp.copysign(along, b)


@_derived_as(lax.asinh)
def asinh(a: Any, b: Any) -> tuple[Any, Any]:
    along, across = _applied(lax.asinh, lax.abs(a), lax.abs(b))
    along = jnp.where(jnp.isinf(a) | jnp.isinf(b), math.inf, along)
    along = jnp.where(_is_lost(a, b), math.nan, along)
    across = jnp.where(_is_zero(b), 0, jnp.where(_is_lost(a, b), math.nan, across))
    return jnp.copysign(along, a), jnp.copysign(across, b)


@_derived_as(lax.atanh)
def atanh(a: Any, b: Any) -> tuple[Any, Any]:
    along, across = _applied(lax.atanh, lax.abs(a), lax.abs(b))
    along = jnp.where(_is_zero(a) | jnp.isinf(a) | jnp.isinf(b), 0, along)
    across = jnp.where(jnp.isinf(a) | jnp.isinf(b), math.pi / 2, across)
    across = jnp.where(jnp.isnan(b) | _is_lost(a, b), math.nan, across)
    across = jnp.where(_is_zero(b) & (lax.abs(a) <= 1), 0, across)
    return jnp.copysign(along, a), jnp.copysign(across, b)


@_derived_as(lax.sinh)
def sinh(a: Any, b: Any) -> tuple[Any, Any]:
    first, second = _split(lax.abs(a))
    along = jnp.where(second == 1, lax.sinh(a), jnp.copysign(first / 2, a)) * lax.cos(b) * second
    across = jnp.where(second == 1, lax.cosh(a), first / 2) * lax.sin(b) * second
    along = jnp.where(~jnp.isfinite(b) & (_is_zero(a) | jnp.isinf(a)), a, along)
    return along, jnp.where(_is_zero(b), b, across)


@_derived_as(lax.cosh)
def cosh(a: Any, b: Any) -> tuple[Any, Any]:
    first, second = _split(lax.abs(a))
    along = jnp.where(second == 1, lax.cosh(a), first / 2) * lax.cos(b) * second
    across = jnp.where(second == 1, lax.sinh(a), jnp.copysign(first / 2, a)) * lax.sin(b) * second
    along = jnp.where(jnp.isinf(a) & ~jnp.isfinite(b), math.inf, along)
    zero = jnp.where(jnp.signbit(a) == jnp.signbit(b), 0.0, -0.0)
    return along, jnp.where(_is_zero(b) | (_is_zero(a) & ~jnp.isfinite(b)), zero, across)


@_derived_as(lax.tanh)
def tanh(a: Any, b: Any) -> tuple[Any, Any]:
    along, across = _applied(lax.tanh, lax.abs(a), b)
    along = jnp.where(_is_zero(a), 0, jnp.where(jnp.isinf(a), 1, along))
    across = jnp.where(_is_zero(b), b, jnp.where(jnp.isinf(a), jnp.copysign(0, b), across))
    return jnp.copysign(along, a), across


@_derived_as(jnp.exp)
def exp(a: Any, b: Any) -> tuple[Any, Any]:
    first, second = _split(a)
    along, across = first * lax.cos(b) * second, first * lax.sin(b) * second
    odd = jnp.isinf(a) & ~jnp.isfinite(b)
    along = jnp.where(odd, jnp.where(a > 0, math.inf, 0), along)
    across = jnp.where(odd, jnp.where(a > 0, math.nan, 0), across)
    return along, jnp.where(_is_zero(b), b, across)


@_derived_as(jnp.expm1)
def expm1(a: Any, b: Any) -> tuple[Any, Any]:
    along, across = _applied(exp, a, b)
    half = lax.sin(b / 2)
    small = lax.abs(a) < 1
    near = lax.expm1(jnp.where(small, a, 0)) * lax.cos(b) - 2 * half * half
    along = jnp.where(small, near, along - 1)
    return jnp.where(_is_zero(a) & _is_zero(b), 0, along), across


@_derived_as(jnp.log)
def log(a: Any, b: Any) -> tuple[Any, Any]:
    return _log_parts(jnp.log, a, b)


@_derived_as(jnp.log10)
def log10(a: Any, b: Any) -> tuple[Any, Any]:
    return _log_parts(jnp.log10, a, b)


@_derived_as(jnp.log1p)
def log1p(a: Any, b: Any) -> tuple[Any, Any]:
    return _log_parts(jnp.log1p, a, b)


@_derived_as(jnp.log2)
def log2(a: Any, b: Any) -> tuple[Any, Any]:
    return _log_parts(jnp.log2, a, b)


@_derived_as(lax.sqrt)
def sqrt(a: Any, b: Any) -> tuple[Any, Any]:
    along, across = _applied(lax.sqrt, a, lax.abs(b))
    along = jnp.where(jnp.isinf(b) | (a == math.inf), math.inf, along)
    across = jnp.where(jnp.isinf(b) | (a == -math.inf), math.inf, across)
    return along, jnp.copysign(across, b)


@_derived_as(lax.sqrt)
def sqrt_from_parts(a: Any, b: Any) -> tuple[Any, Any]:
    """Return the square root where XLA's goes through the polar form, in which a small real part is lost."""
    limits = jnp.finfo(a.dtype)
    largest = jnp.maximum(lax.abs(a), lax.abs(b))
    scale = jnp.where(
        largest > limits.max / 4, 1 / 16, jnp.where(largest < limits.tiny * 4.0**limits.nmant, 4.0**30, 1)
    )
    a, b = a * scale, b * scale
    larger = lax.sqrt((lax.abs(a) + jnp.hypot(a, b)) / 2)
    smaller = jnp.where(larger == 0, 0, lax.abs(b) / (2 * larger))
    along, across = (jnp.where(first, larger, smaller) / lax.sqrt(scale) for first in (a >= 0, a < 0))
    along = jnp.where(jnp.isinf(b), math.inf, along)
    return along, jnp.copysign(jnp.where(jnp.isinf(b), math.inf, across), b)


asin = _derived_as(lax.asin)(_turned(asinh))
atan = _derived_as(lax.atan)(_turned(atanh))
sin = _derived_as(lax.sin)(_turned(sinh))
tan = _derived_as(lax.tan)(_turned(tanh))


@_derived_as(lax.cos)
def cos(a: Any, b: Any) -> tuple[Any, Any]:
    return _applied(cosh, -b, a)


def _split(a: Any) -> tuple[Any, Any]:
    """Return two factors of `exp(a)`, so that its product with a small number does not overflow halfway.

    The second one is 1 where there is no danger.
    """
    large = a > 0.9 * math.log(float(jnp.finfo(a.dtype).max))
    half = lax.exp(jnp.where(large, a / 2, 0))
    return jnp.where(large, half, lax.exp(a)), half


def _is_lost(a: Any, b: Any) -> Any:
    """Whether a part is NaN and no infinite one decides the result."""
    return (jnp.isnan(a) | jnp.isnan(b)) & ~jnp.isinf(a) & ~jnp.isinf(b)


def _is_zero(part: Any) -> Any:
    """Whether numbers are zero by their bits: for XLA's comparisons on CPU the tiniest numbers are zero too.

    LLVM would make such a comparison of the undivided bits again.
    """
    halves = lax.bitcast_convert_type(part, jnp.uint32 if part.dtype == jnp.float64 else jnp.uint16)
    return (halves[..., 0] | (halves[..., 1] << 1)) == 0


def _log_parts(base: _Function, a: Any, b: Any) -> tuple[Any, Any]:
    along, across = _applied(base, a, b)
    return jnp.where(jnp.isinf(a) | jnp.isinf(b), math.inf, along), across
