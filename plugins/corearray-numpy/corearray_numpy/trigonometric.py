"""Circular and hyperbolic functions. NumPy's ufuncs are what the standard wants, complex ones included."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl
from corearray_numpy.native import WEAK_SCALARS


@hookimpl(native=np.arccos, native_out=True)
def acos(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.arccosh, native_out=True)
def acosh(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.arcsin, native_out=True)
def asin(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.arcsinh, native_out=True)
def asinh(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.arctan, native_out=True)
def atan(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.arctan2, native_out=True, scalars=WEAK_SCALARS)
def atan2(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.arctanh, native_out=True)
def atanh(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.cos, native_out=True)
def cos(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.cosh, native_out=True)
def cosh(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.sin, native_out=True)
def sin(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.sinh, native_out=True)
def sinh(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.tan, native_out=True)
def tan(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.tanh, native_out=True)
def tanh(x: Any, /, *, out: Any = None) -> Any: ...
