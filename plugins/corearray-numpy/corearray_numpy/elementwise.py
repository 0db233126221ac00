""""""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl
from corearray_numpy.native import WEAK_SCALARS


@hookimpl(native_out=True)
def abs(x: Any, /, *, out: Any = None) -> Any:
    return np.absolute(x, out=out)


@hookimpl(native_out=True, scalars=WEAK_SCALARS)
def add(x1: Any, x2: Any, /, *, out: Any = None) -> Any:
    return np.add(x1, x2, out=out)


@hookimpl(native_out=True)
def conj(x: Any, /, *, out: Any = None) -> Any:
    return np.conjugate(x, out=out)


@hookimpl(native_out=True, scalars=WEAK_SCALARS)
def divide(x1: Any, x2: Any, /, *, out: Any = None) -> Any:
    return np.divide(x1, x2, out=out)


@hookimpl(native_out=True, scalars=WEAK_SCALARS)
def hypot(x1: Any, x2: Any, /, *, out: Any = None) -> Any:
    return np.hypot(x1, x2, out=out)


@hookimpl(native_out=True, scalars=WEAK_SCALARS)
def maximum(x1: Any, x2: Any, /, *, out: Any = None) -> Any:
    return np.maximum(x1, x2, out=out)


@hookimpl(native_out=True, scalars=WEAK_SCALARS)
def minimum(x1: Any, x2: Any, /, *, out: Any = None) -> Any:
    return np.minimum(x1, x2, out=out)


@hookimpl(native_out=True, scalars=WEAK_SCALARS)
def multiply(x1: Any, x2: Any, /, *, out: Any = None) -> Any:
    return np.multiply(x1, x2, out=out)


@hookimpl(native_out=True)
def negative(x: Any, /, *, out: Any = None) -> Any:
    return np.negative(x, out=out)


@hookimpl(native_out=True)
def positive(x: Any, /, *, out: Any = None) -> Any:
    return np.positive(x, out=out)


@hookimpl(native_out=True)
def reciprocal(x: Any, /, *, out: Any = None) -> Any:
    return np.reciprocal(x, out=out)


@hookimpl(native_out=True, scalars=WEAK_SCALARS)
def remainder(x1: Any, x2: Any, /, *, out: Any = None) -> Any:
    return np.remainder(x1, x2, out=out)


@hookimpl(native_out=True)
def sign(x: Any, /, *, out: Any = None) -> Any:
    return np.sign(x, out=out)


@hookimpl(native_out=True, scalars=WEAK_SCALARS)
def subtract(x1: Any, x2: Any, /, *, out: Any = None) -> Any:
    return np.subtract(x1, x2, out=out)
