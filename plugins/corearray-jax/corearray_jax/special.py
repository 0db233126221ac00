"""Special functions."""

from __future__ import annotations

from typing import Any

import jax
from jax import lax
from jax import numpy as jnp
from jax.scipy import special

from corearray.plugin import hookimpl
from corearray_jax.native import HALF, compiled

_erf = compiled()(lax.erf)


@hookimpl(native=_erf)
def erf(x: Any, /) -> Any: ...


_erfc = compiled()(lax.erfc)


@hookimpl(native=_erfc)
def erfc(x: Any, /) -> Any: ...


@compiled()
def _digamma(x: Any) -> Any:
    """JAX's own of zero is NaN, and its derivative of negative numbers is wrong; these are reflected."""
    zero, negative = x == 0, x < 0
    place = x - jnp.round(x)
    pole = negative & (place == 0)
    found = lax.digamma(jnp.where(negative, 1 - x, jnp.where(zero, 1, x)))
    angle = jnp.pi * jnp.where(negative & ~pole, place, 0.25)
    found = jnp.where(negative, found - jnp.pi * (jnp.cos(angle) / jnp.sin(angle)), found)
    return jnp.where(zero, -1 / jnp.where(zero, x, 1), jnp.where(pole, jnp.nan * jnp.where(pole, x, 1), found))


@hookimpl(native=_digamma, via=HALF)
def digamma(x: Any, /) -> Any: ...


@jax.custom_jvp
def _bessel_0(x: Any) -> Any:
    """Compute the Bessel function; JAX's own overflows too early, and its derivative at zero is not zero."""
    return jnp.where(jnp.isinf(x), jnp.abs(x), _unscaled(special.i0e, x))


@_bessel_0.defjvp
def _(primals: Any, tangents: Any) -> Any:
    return _bessel_0(*primals), tangents[0] * _bessel_1(*primals)


@jax.custom_jvp
def _bessel_1(x: Any) -> Any:
    return jnp.where(jnp.isinf(x), x, _unscaled(special.i1e, x))


@_bessel_1.defjvp
def _(primals: Any, tangents: Any) -> Any:
    (x,), found = primals, _bessel_1(*primals)
    small = jnp.abs(x) < 0.01  # where the quotient of the two has a series
    ratio = jnp.where(small, 0.5 + x * x * (1 / 16 + x * x * (1 / 384 + x * x / 18432)), found / jnp.where(small, 1, x))
    return found, tangents[0] * (_bessel_0(x) - ratio)


def _unscaled(function: Any, x: Any) -> Any:
    """Take the exponential function, which a function is divided by, as a product that overflows where the result does."""
    half = jnp.exp(0.5 * jnp.abs(x))
    return half * function(x) * half


_i0 = compiled()(_bessel_0)


@hookimpl(native=_i0, via=HALF)
def i0(x: Any, /) -> Any: ...


_zeta = compiled()(special.zeta)


@hookimpl(native=_zeta, via=HALF)
def zeta(x: Any, q: Any, /) -> Any: ...
