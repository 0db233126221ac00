"""Exponentials, logarithms and powers.

NumPy's complex `expm1` has other values at zeros and infinities than the standard, those of `exp` are right; its
complex `log1p` loses the digits that the function is there for, and overflows before its result does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl
from corearray_numpy.native import COMPLEX, WEAK_SCALARS, as_array


@hookimpl(native=np.exp)
def exp(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl
def expm1(x: Any, /) -> Any:
    if x.dtype not in COMPLEX:
        return np.expm1(x)
    result = as_array(np.exp(x) - x.dtype.type(1))
    near = (np.abs(x.real) <= 1.0) & np.isfinite(x.imag) & (x != 0)
    result.real = np.expm1(x, where=near, out=result.copy()).real
    return result


@hookimpl(native=np.log)
def log(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.log10)
def log10(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl
def log1p(x: Any, /) -> Any:
    if x.dtype not in COMPLEX:
        return np.log1p(x)
    moved = np.array(x)
    moved.real += 1.0
    result = as_array(np.log(moved))
    near = (np.abs(x.real) < 0.5) & (np.abs(x.imag) < 0.5)
    along, across = np.where(near, x.real, 0.0), np.where(near, x.imag, 0.0)
    result.real = np.where(near, 0.5 * np.log1p(along * (2.0 + along) + across * across), result.real)
    return result


@hookimpl(native=np.log2)
def log2(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.logaddexp, scalars=WEAK_SCALARS)
def logaddexp(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.power, scalars=WEAK_SCALARS)
def pow(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.sqrt)
def sqrt(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.square)
def square(x: Any, /, *, out: Any = None) -> Any: ...
