"""Circular and hyperbolic functions.

C leaves the sign of zero parts of complex tangents at infinity to `sin(2y)`; the standard wants that of the argument.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl
from corearray_numpy.native import COMPLEX, WEAK_SCALARS, as_array


@hookimpl(native=np.arccos)
def acos(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.arccosh)
def acosh(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.arcsin)
def asin(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.arcsinh)
def asinh(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.arctan)
def atan(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.arctan2, scalars=WEAK_SCALARS)
def atan2(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.arctanh)
def atanh(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.cos)
def cos(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.cosh)
def cosh(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.sin)
def sin(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.sinh)
def sinh(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl
def tan(x: Any, /) -> Any:
    if x.dtype not in COMPLEX:
        return np.tan(x)
    result = as_array(np.tan(x))
    np.copysign(0.0, x.real, where=np.isinf(x.imag), out=result.real)
    return result


@hookimpl
def tanh(x: Any, /) -> Any:
    if x.dtype not in COMPLEX:
        return np.tanh(x)
    result = as_array(np.tanh(x))
    np.copysign(0.0, x.imag, where=np.isinf(x.real), out=result.imag)
    return result
