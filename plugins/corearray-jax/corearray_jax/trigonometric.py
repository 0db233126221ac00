"""Trigonometric and hyperbolic functions, and their inverses."""

from __future__ import annotations

from typing import Any

from jax import lax
from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax import complexes
from corearray_jax.native import HALF, compiled, is_complex


@compiled()
def _acos(x: Any) -> Any:
    return complexes.acos(x) if is_complex(x) else lax.acos(x)


@hookimpl(native=_acos)
def acos(x: Any, /) -> Any: ...


@compiled()
def _acosh(x: Any) -> Any:
    return complexes.acosh(x) if is_complex(x) else lax.acosh(x)


@hookimpl(native=_acosh, via=HALF)
def acosh(x: Any, /) -> Any: ...


@compiled()
def _asin(x: Any) -> Any:
    return complexes.asin(x) if is_complex(x) else lax.asin(x)


@hookimpl(native=_asin)
def asin(x: Any, /) -> Any: ...


@compiled()
def _asinh(x: Any) -> Any:
    return complexes.asinh(x) if is_complex(x) else lax.asinh(x)


@hookimpl(native=_asinh, via=HALF)
def asinh(x: Any, /) -> Any: ...


@compiled()
def _atan(x: Any) -> Any:
    return complexes.atan(x) if is_complex(x) else lax.atan(x)


@hookimpl(native=_atan)
def atan(x: Any, /) -> Any: ...


_atan2 = compiled()(jnp.arctan2)


@hookimpl(native=_atan2, scalars=True)
def atan2(x1: Any, x2: Any, /) -> Any: ...


@compiled()
def _atanh(x: Any) -> Any:
    return complexes.atanh(x) if is_complex(x) else lax.atanh(x)


@hookimpl(native=_atanh)
def atanh(x: Any, /) -> Any: ...


@compiled()
def _cos(x: Any) -> Any:
    return complexes.cos(x) if is_complex(x) else lax.cos(x)


@hookimpl(native=_cos)
def cos(x: Any, /) -> Any: ...


@compiled()
def _cosh(x: Any) -> Any:
    return complexes.cosh(x) if is_complex(x) else lax.cosh(x)


@hookimpl(native=_cosh)
def cosh(x: Any, /) -> Any: ...


@compiled()
def _sin(x: Any) -> Any:
    return complexes.sin(x) if is_complex(x) else lax.sin(x)


@hookimpl(native=_sin)
def sin(x: Any, /) -> Any: ...


@compiled()
def _sinh(x: Any) -> Any:
    return complexes.sinh(x) if is_complex(x) else lax.sinh(x)


@hookimpl(native=_sinh)
def sinh(x: Any, /) -> Any: ...


@compiled()
def _tan(x: Any) -> Any:
    return complexes.tan(x) if is_complex(x) else lax.tan(x)


@hookimpl(native=_tan)
def tan(x: Any, /) -> Any: ...


@compiled()
def _tanh(x: Any) -> Any:
    return complexes.tanh(x) if is_complex(x) else lax.tanh(x)


@hookimpl(native=_tanh)
def tanh(x: Any, /) -> Any: ...
