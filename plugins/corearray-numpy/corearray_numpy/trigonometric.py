"""Circular and hyperbolic functions. NumPy's ufuncs are what the standard wants, complex ones included."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl
from corearray_numpy.native import WEAK_SCALARS


@hookimpl(native_out=True)
def acos(x: Any, /, *, out: Any = None) -> Any:
    return np.arccos(x, out=out)


@hookimpl(native_out=True)
def acosh(x: Any, /, *, out: Any = None) -> Any:
    return np.arccosh(x, out=out)


@hookimpl(native_out=True)
def asin(x: Any, /, *, out: Any = None) -> Any:
    return np.arcsin(x, out=out)


@hookimpl(native_out=True)
def asinh(x: Any, /, *, out: Any = None) -> Any:
    return np.arcsinh(x, out=out)


@hookimpl(native_out=True)
def atan(x: Any, /, *, out: Any = None) -> Any:
    return np.arctan(x, out=out)


@hookimpl(native_out=True, scalars=WEAK_SCALARS)
def atan2(x1: Any, x2: Any, /, *, out: Any = None) -> Any:
    return np.arctan2(x1, x2, out=out)


@hookimpl(native_out=True)
def atanh(x: Any, /, *, out: Any = None) -> Any:
    return np.arctanh(x, out=out)


@hookimpl(native_out=True)
def cos(x: Any, /, *, out: Any = None) -> Any:
    return np.cos(x, out=out)


@hookimpl(native_out=True)
def cosh(x: Any, /, *, out: Any = None) -> Any:
    return np.cosh(x, out=out)


@hookimpl(native_out=True)
def sin(x: Any, /, *, out: Any = None) -> Any:
    return np.sin(x, out=out)


@hookimpl(native_out=True)
def sinh(x: Any, /, *, out: Any = None) -> Any:
    return np.sinh(x, out=out)


@hookimpl(native_out=True)
def tan(x: Any, /, *, out: Any = None) -> Any:
    return np.tan(x, out=out)


@hookimpl(native_out=True)
def tanh(x: Any, /, *, out: Any = None) -> Any:
    return np.tanh(x, out=out)
