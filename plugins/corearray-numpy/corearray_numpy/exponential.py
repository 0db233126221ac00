"""Exponentials, logarithms and powers. Complex `expm1` is the one with wrong special values."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl
from corearray_numpy.native import COMPLEX, WEAK_SCALARS


@hookimpl(native_out=True)
def exp(x: Any, /, *, out: Any = None) -> Any:
    return np.exp(x, out=out)


@hookimpl
def expm1(x: Any, /) -> Any:
    """NumPy multiplies by the sine and cosine of infinite and zero parts; `exp` knows these cases."""
    if x.dtype not in COMPLEX:
        return np.expm1(x)
    special = np.asarray(np.exp(x) - x.dtype.type(1))
    return np.expm1(x, where=np.isfinite(x) & (x != 0), out=special)


@hookimpl(native_out=True)
def log(x: Any, /, *, out: Any = None) -> Any:
    return np.log(x, out=out)


@hookimpl(native_out=True)
def log10(x: Any, /, *, out: Any = None) -> Any:
    return np.log10(x, out=out)


@hookimpl(native_out=True)
def log1p(x: Any, /, *, out: Any = None) -> Any:
    return np.log1p(x, out=out)


@hookimpl(native_out=True)
def log2(x: Any, /, *, out: Any = None) -> Any:
    return np.log2(x, out=out)


@hookimpl(native_out=True, scalars=WEAK_SCALARS)
def logaddexp(x1: Any, x2: Any, /, *, out: Any = None) -> Any:
    return np.logaddexp(x1, x2, out=out)


@hookimpl(native_out=True, scalars=WEAK_SCALARS)
def pow(x1: Any, x2: Any, /, *, out: Any = None) -> Any:
    return np.power(x1, x2, out=out)


@hookimpl(native_out=True)
def sqrt(x: Any, /, *, out: Any = None) -> Any:
    return np.sqrt(x, out=out)


@hookimpl(native_out=True)
def square(x: Any, /, *, out: Any = None) -> Any:
    return np.square(x, out=out)
