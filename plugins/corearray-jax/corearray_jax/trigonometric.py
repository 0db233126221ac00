"""Trigonometric and hyperbolic functions, and their inverses."""

from __future__ import annotations

from typing import Any

from jax import lax
from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax import complexes
from corearray_jax.native import compiled, is_complex


@compiled()
def _acos(x: Any) -> Any:
    return complexes.acos(x) if is_complex(x) else lax.acos(x)


@hookimpl
def acos(x: Any, /) -> Any:
    return _acos(x)


@compiled()
def _acosh(x: Any) -> Any:
    return complexes.acosh(x) if is_complex(x) else lax.acosh(x)


@hookimpl
def acosh(x: Any, /) -> Any:
    return _acosh(x)


@compiled()
def _asin(x: Any) -> Any:
    return complexes.asin(x) if is_complex(x) else lax.asin(x)


@hookimpl
def asin(x: Any, /) -> Any:
    return _asin(x)


@compiled()
def _asinh(x: Any) -> Any:
    return complexes.asinh(x) if is_complex(x) else lax.asinh(x)


@hookimpl
def asinh(x: Any, /) -> Any:
    return _asinh(x)


@compiled()
def _atan(x: Any) -> Any:
    return complexes.atan(x) if is_complex(x) else lax.atan(x)


@hookimpl
def atan(x: Any, /) -> Any:
    return _atan(x)


_atan2 = compiled()(jnp.arctan2)


@hookimpl(scalars=True)
def atan2(x1: Any, x2: Any, /) -> Any:
    return _atan2(x1, x2)


@compiled()
def _atanh(x: Any) -> Any:
    return complexes.atanh(x) if is_complex(x) else lax.atanh(x)


@hookimpl
def atanh(x: Any, /) -> Any:
    return _atanh(x)


@compiled()
def _cos(x: Any) -> Any:
    return complexes.cos(x) if is_complex(x) else lax.cos(x)


@hookimpl
def cos(x: Any, /) -> Any:
    return _cos(x)


@compiled()
def _cosh(x: Any) -> Any:
    return complexes.cosh(x) if is_complex(x) else lax.cosh(x)


@hookimpl
def cosh(x: Any, /) -> Any:
    return _cosh(x)


@compiled()
def _sin(x: Any) -> Any:
    return complexes.sin(x) if is_complex(x) else lax.sin(x)


@hookimpl
def sin(x: Any, /) -> Any:
    return _sin(x)


@compiled()
def _sinh(x: Any) -> Any:
    return complexes.sinh(x) if is_complex(x) else lax.sinh(x)


@hookimpl
def sinh(x: Any, /) -> Any:
    return _sinh(x)


@compiled()
def _tan(x: Any) -> Any:
    return complexes.tan(x) if is_complex(x) else lax.tan(x)


@hookimpl
def tan(x: Any, /) -> Any:
    return _tan(x)


@compiled()
def _tanh(x: Any) -> Any:
    return complexes.tanh(x) if is_complex(x) else lax.tanh(x)


@hookimpl
def tanh(x: Any, /) -> Any:
    return _tanh(x)
