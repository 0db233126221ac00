"""Exponentials, logarithms and powers."""

from __future__ import annotations

from functools import partial
from typing import Any

import jax
from jax import lax
from jax import numpy as jnp
from jax.custom_derivatives import SymbolicZero

from corearray.plugin import hookimpl
from corearray_jax import complexes
from corearray_jax.native import compiled, counts_truth, is_complex, is_floating, promoted


@compiled()
def _exp(x: Any) -> Any:
    return complexes.exp(x) if is_complex(x) else lax.exp(x)


@hookimpl(native=_exp)
def exp(x: Any, /) -> Any: ...


@compiled()
def _expm1(x: Any) -> Any:
    return complexes.expm1(x) if is_complex(x) else lax.expm1(x)


@hookimpl(native=_expm1)
def expm1(x: Any, /) -> Any: ...


@compiled()
def _log(x: Any) -> Any:
    return complexes.log(x) if is_complex(x) else lax.log(x)


@hookimpl(native=_log)
def log(x: Any, /) -> Any: ...


@compiled()
def _log10(x: Any) -> Any:
    return complexes.log10(x) if is_complex(x) else jnp.log10(x)


@hookimpl(native=_log10)
def log10(x: Any, /) -> Any: ...


@compiled()
def _log1p(x: Any) -> Any:
    return complexes.log1p(x) if is_complex(x) else lax.log1p(x)


@hookimpl(native=_log1p)
def log1p(x: Any, /) -> Any: ...


@compiled()
def _log2(x: Any) -> Any:
    return complexes.log2(x) if is_complex(x) else jnp.log2(x)


@hookimpl(native=_log2)
def log2(x: Any, /) -> Any: ...


def shares(x1: Any, x2: Any, rate: float = 1.0) -> tuple[Any, Any]:
    """Return the shares of two numbers in the sum of their exponentials; equal infinities have one half each."""
    equal = jnp.isinf(x1) & (x1 == x2)
    gap = rate * jnp.where(equal, 0, x1 - x2)
    return jax.nn.sigmoid(gap), jax.nn.sigmoid(-gap)


@jax.custom_jvp
def _log_of_sum(x1: Any, x2: Any) -> Any:
    """JAX's own derivative at an infinity is that of the other number."""
    return jnp.logaddexp(x1, x2)


@_log_of_sum.defjvp
def _(primals: Any, tangents: Any) -> Any:
    first, second = shares(*primals)
    return _log_of_sum(*primals), first * tangents[0] + second * tangents[1]


@compiled()
def _logaddexp(x1: Any, x2: Any) -> Any:
    return _log_of_sum(*promoted(x1, x2))


@hookimpl(native=_logaddexp, scalars=True)
def logaddexp(x1: Any, x2: Any, /) -> Any: ...


@jax.custom_jvp
def _power(x1: Any, x2: Any) -> Any:
    """JAX's own multiplies zero by infinity for derivatives of zero to the power of 0, 1 and 2."""
    return jnp.power(x1, x2)


@partial(_power.defjvp, symbolic_zeros=True)
def _(primals: Any, tangents: Any) -> Any:
    x1, x2 = primals
    power, slope = _power(x1, x2), 0
    if type(tangents[0]) is not SymbolicZero:
        slope += tangents[0] * x2 * _power(x1, jnp.where(x2 == 0, 1, x2) - 1)
    if type(tangents[1]) is not SymbolicZero:
        slope += tangents[1] * power * jnp.log(jnp.where(x1 == 0, 1, x1))
    return power, slope


@compiled()
@counts_truth
def _pow(x1: Any, x2: Any) -> Any:
    return _power(*promoted(x1, x2)) if is_floating(x2) else jnp.power(x1, x2)


@compiled("exponent")
def _pow_static(x: Any, exponent: int) -> Any:
    return lax.integer_pow(x, exponent)


@hookimpl(scalars=True)
def pow(x1: Any, x2: Any, /) -> Any:
    """Raise to a power; small integers that are known are multiplied out, as in `x**2`."""
    if type(x2) in _NUMBERS and -4 < x2 < 9 and x2 == int(x2) and is_floating(x1):
        return _pow_static(x1, int(x2))
    return _pow(x1, x2)


_NUMBERS = (int, float)


@compiled()
def _sqrt(x: Any) -> Any:
    return complexes.sqrt(x) if is_complex(x) else lax.sqrt(x)


@hookimpl(native=_sqrt, versions=">=0.5")
def sqrt(x: Any, /) -> Any: ...


@compiled()
def _sqrt_before_0_5(x: Any) -> Any:
    return complexes.sqrt_from_parts(x) if is_complex(x) else lax.sqrt(x)


@hookimpl(native=_sqrt_before_0_5)
def sqrt_v_0p4_and_below(x: Any, /) -> Any: ...


_square = compiled()(counts_truth(jnp.square))


@hookimpl(native=_square)
def square(x: Any, /) -> Any: ...
