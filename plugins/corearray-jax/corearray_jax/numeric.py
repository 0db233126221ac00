"""Elementwise functions of NumPy beyond the standard.

JAX's `exp2` of an integer is no power of two, so that the composition raises 2 to it; `modf` of an infinity has a
fractional part of NaN there, and `xlogy` of zero and NaN is zero.
"""

from __future__ import annotations

import math
from typing import Any

import jax
from jax import lax
from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax import complexes
from corearray_jax.exponential import shares
from corearray_jax.native import choosing, compiled, counts_truth, is_complex, promoted

#: What is no integer, which the composition refuses.
_NO_INTEGERS = ("bool", "real floating", "complex floating")


@compiled("deg")
def _angle(x: Any, deg: bool) -> Any:
    # A real number turns by steps, where JAX divides zero by zero.
    found = jnp.arctan2(jnp.imag(x), jnp.real(x) if is_complex(x) else lax.stop_gradient(x))
    return jnp.rad2deg(found) if deg else found


@hookimpl
def angle(x: Any, /, deg: bool = False) -> Any:
    return _angle(x, deg)


_deg2rad = compiled()(jnp.deg2rad)


@hookimpl(native=_deg2rad)
def deg2rad(x: Any, /) -> Any: ...


# Of equal numbers the first has the whole derivative; JAX gives zero to both.
_fmax_of_two = choosing(jnp.fmax, lambda x1, x2: (x1 >= x2) | jnp.isnan(x2))
_fmin_of_two = choosing(jnp.fmin, lambda x1, x2: (x1 <= x2) | jnp.isnan(x2))


@compiled()
def _fmax(x1: Any, x2: Any) -> Any:
    return _fmax_of_two(*promoted(x1, x2))


@hookimpl(native=_fmax, scalars=True)
def fmax(x1: Any, x2: Any, /) -> Any: ...


@compiled()
def _fmin(x1: Any, x2: Any) -> Any:
    return _fmin_of_two(*promoted(x1, x2))


@hookimpl(native=_fmin, scalars=True)
def fmin(x1: Any, x2: Any, /) -> Any: ...


_fmod = compiled()(counts_truth(jnp.fmod))


@hookimpl(native=_fmod, scalars=True)
def fmod(x1: Any, x2: Any, /) -> Any: ...


_frexp = compiled()(jnp.frexp)


@hookimpl(native=_frexp, versions=">=0.6.1")  # its derivative was 0 before
def frexp(x: Any, /) -> Any: ...


@compiled()
def _gcd(x1: Any, x2: Any) -> Any:
    """Run Euclid's algorithm; that of JAX comes to no end with the smallest integer, which has no absolute value."""

    def step(state: Any) -> Any:
        large, small = state
        done = small == 0
        rest = lax.rem(large, jnp.where(done, jnp.ones_like(small), small))
        return jnp.where(done, large, small), jnp.where(done, small, rest)

    found = lax.while_loop(lambda state: jnp.any(state[1] != 0), step, tuple(jnp.broadcast_arrays(x1, x2)))
    return jnp.abs(found[0])


@hookimpl(native=_gcd, lacks=_NO_INTEGERS)
def gcd(x1: Any, x2: Any, /) -> Any: ...


@compiled()
def _heaviside(x1: Any, x2: Any) -> Any:
    """Step; to older versions of JAX a NaN is not below zero, and so above."""
    return jnp.where(jnp.isnan(x1), x1, jnp.heaviside(x1, x2))


@hookimpl(native=_heaviside)
def heaviside(x1: Any, x2: Any, /) -> Any: ...


@compiled("equal_nan")
def _isclose(x1: Any, x2: Any, rtol: float, atol: float, equal_nan: bool) -> Any:
    return jnp.isclose(x1, x2, rtol, atol, equal_nan)


@hookimpl
def isclose(x1: Any, x2: Any, /, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    return _isclose(x1, x2, rtol, atol, equal_nan)


_isreal = compiled()(jnp.isreal)


@hookimpl(native=_isreal)
def isreal(x: Any, /) -> Any: ...


@compiled()
def _lcm(x1: Any, x2: Any) -> Any:
    divisor = _gcd(x1, x2)
    return jnp.abs(lax.div(*jnp.broadcast_arrays(x1, jnp.where(divisor == 0, jnp.ones_like(divisor), divisor))) * x2)


@hookimpl(native=_lcm, lacks=_NO_INTEGERS)
def lcm(x1: Any, x2: Any, /) -> Any: ...


@compiled()
def _lerp(start: Any, end: Any, weight: Any) -> Any:
    way = end - start
    return jnp.where(jnp.abs(weight) < 0.5, start + weight * way, end - way * (1 - weight))


@hookimpl(native=_lerp)
def lerp(start: Any, end: Any, weight: Any, /) -> Any: ...


@jax.custom_jvp
def _log_of_sum(x1: Any, x2: Any) -> Any:
    return jnp.logaddexp2(x1, x2)


@_log_of_sum.defjvp
def _(primals: Any, tangents: Any) -> Any:
    first, second = shares(*primals, math.log(2.0))
    return _log_of_sum(*primals), first * tangents[0] + second * tangents[1]


_logaddexp2 = compiled()(_log_of_sum)


@hookimpl(native=_logaddexp2)
def logaddexp2(x1: Any, x2: Any, /) -> Any: ...


@compiled()
def _nan_to_num(x: Any, nan: float, posinf: float | None, neginf: float | None) -> Any:
    return jnp.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf)


@hookimpl
def nan_to_num(x: Any, /, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None) -> Any:
    if isinstance(posinf, (tuple, list, dict)) or isinstance(neginf, (tuple, list, dict)):
        raise TypeError("trees are no numbers")  # `jax.jit` takes them, and does not read them for integers
    return _nan_to_num(x, nan, posinf, neginf)


_rad2deg = compiled()(jnp.rad2deg)


@hookimpl(native=_rad2deg)
def rad2deg(x: Any, /) -> Any: ...


@compiled()
def _xlogy(x1: Any, x2: Any) -> Any:
    """Multiply by the logarithm wherever it is a number, for it is the derivative."""
    endless = jnp.isinf(x2) | ((x2 == 0) if is_complex(x2) else (x2 <= 0))
    x2 = jnp.where((x1 == 0) & endless, jnp.ones_like(x2), x2)
    found = x1 * (complexes.log(x2) if is_complex(x2) else lax.log(x2))
    return found - lax.stop_gradient(jnp.where(x1 == 0, found, 0))  # the zero has no sign


@hookimpl(native=_xlogy)
def xlogy(x1: Any, x2: Any, /) -> Any: ...
