"""Exponentials, logarithms and powers. Complex `expm1` is the one with wrong special values."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl
from corearray_numpy.native import COMPLEX, WEAK_SCALARS


@hookimpl(native=np.exp, native_out=True)
def exp(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl
def expm1(x: Any, /) -> Any:
    """NumPy multiplies by the sine and cosine of infinite and zero parts; `exp` knows these cases."""
    if x.dtype not in COMPLEX:
        return np.expm1(x)
    special = np.asarray(np.exp(x) - x.dtype.type(1))
    return np.expm1(x, where=np.isfinite(x) & (x != 0), out=special)


@hookimpl(native=np.log, native_out=True)
def log(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.log10, native_out=True)
def log10(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.log1p, native_out=True)
def log1p(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.log2, native_out=True)
def log2(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.logaddexp, native_out=True, scalars=WEAK_SCALARS)
def logaddexp(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.power, native_out=True, scalars=WEAK_SCALARS)
def pow(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.sqrt, native_out=True)
def sqrt(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.square, native_out=True)
def square(x: Any, /, *, out: Any = None) -> Any: ...
