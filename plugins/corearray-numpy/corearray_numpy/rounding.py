"""Rounding, and the bits of floating-point numbers. Before 2.1 NumPy rounds integers in floating point."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl
from corearray_numpy.native import INTEGERS, TRUTH_AS_NUMBERS, WEAK_SCALARS


@hookimpl
def ceil(x: Any, /, *, out: Any = None) -> Any:
    return np.positive(x, out=out) if x.dtype in INTEGERS else np.ceil(x, out=out)


@hookimpl(native=np.copysign, scalars=WEAK_SCALARS)
def copysign(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl
def floor(x: Any, /, *, out: Any = None) -> Any:
    return np.positive(x, out=out) if x.dtype in INTEGERS else np.floor(x, out=out)


@hookimpl(native=np.nextafter, scalars=WEAK_SCALARS)
def nextafter(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(via=TRUTH_AS_NUMBERS)
def round(x: Any, /, *, out: Any = None) -> Any:
    return np.positive(x, out=out) if x.dtype in INTEGERS else np.rint(x, out=out)


@hookimpl(native=np.signbit)
def signbit(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl
def trunc(x: Any, /, *, out: Any = None) -> Any:
    return np.positive(x, out=out) if x.dtype in INTEGERS else np.trunc(x, out=out)
