"""Comparisons and logic. NumPy's ufuncs are what the standard wants."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl
from corearray_numpy.native import WEAK_SCALARS


@hookimpl(native_out=True, scalars=WEAK_SCALARS)
def equal(x1: Any, x2: Any, /, *, out: Any = None) -> Any:
    return np.equal(x1, x2, out=out)


@hookimpl(native_out=True, scalars=WEAK_SCALARS)
def greater(x1: Any, x2: Any, /, *, out: Any = None) -> Any:
    return np.greater(x1, x2, out=out)


@hookimpl(native_out=True, scalars=WEAK_SCALARS)
def greater_equal(x1: Any, x2: Any, /, *, out: Any = None) -> Any:
    return np.greater_equal(x1, x2, out=out)


@hookimpl(native_out=True)
def isfinite(x: Any, /, *, out: Any = None) -> Any:
    return np.isfinite(x, out=out)


@hookimpl(native_out=True)
def isinf(x: Any, /, *, out: Any = None) -> Any:
    return np.isinf(x, out=out)


@hookimpl(native_out=True)
def isnan(x: Any, /, *, out: Any = None) -> Any:
    return np.isnan(x, out=out)


@hookimpl(native_out=True, scalars=WEAK_SCALARS)
def less(x1: Any, x2: Any, /, *, out: Any = None) -> Any:
    return np.less(x1, x2, out=out)


@hookimpl(native_out=True, scalars=WEAK_SCALARS)
def less_equal(x1: Any, x2: Any, /, *, out: Any = None) -> Any:
    return np.less_equal(x1, x2, out=out)


@hookimpl(native_out=True, scalars=WEAK_SCALARS)
def logical_and(x1: Any, x2: Any, /, *, out: Any = None) -> Any:
    return np.logical_and(x1, x2, out=out)


@hookimpl(native_out=True)
def logical_not(x: Any, /, *, out: Any = None) -> Any:
    return np.logical_not(x, out=out)


@hookimpl(native_out=True, scalars=WEAK_SCALARS)
def logical_or(x1: Any, x2: Any, /, *, out: Any = None) -> Any:
    return np.logical_or(x1, x2, out=out)


@hookimpl(native_out=True, scalars=WEAK_SCALARS)
def logical_xor(x1: Any, x2: Any, /, *, out: Any = None) -> Any:
    return np.logical_xor(x1, x2, out=out)


@hookimpl(native_out=True, scalars=WEAK_SCALARS)
def not_equal(x1: Any, x2: Any, /, *, out: Any = None) -> Any:
    return np.not_equal(x1, x2, out=out)
