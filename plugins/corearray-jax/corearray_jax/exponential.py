"""Exponentials, logarithms and powers."""

from __future__ import annotations

from typing import Any

from jax import lax
from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax import complexes
from corearray_jax.native import compiled, is_complex, is_floating


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


_logaddexp = compiled()(jnp.logaddexp)


@hookimpl(native=_logaddexp, scalars=True)
def logaddexp(x1: Any, x2: Any, /) -> Any: ...


_pow = compiled()(jnp.power)


@compiled("exponent")
def _pow_static(x: Any, exponent: int) -> Any:
    return lax.integer_pow(x, exponent)


@hookimpl(scalars=True)
def pow(x1: Any, x2: Any, /) -> Any:
    """Raise to a power; small integers that are known are multiplied out, as in `x**2`."""
    if type(x2) is int and -4 < x2 < 9 and is_floating(x1):
        return _pow_static(x1, x2)
    return _pow(x1, x2)


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


_square = compiled()(jnp.square)


@hookimpl(native=_square)
def square(x: Any, /) -> Any: ...
