"""Arithmetic, signs, extremes of two, and the parts of complex numbers.

A body stands where NumPy's function and the standard differ; most functions are the ufunc itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl
from corearray_numpy.native import COMPLEX, INTEGERS, TRUTH_AS_NUMBERS, WEAK_SCALARS, as_array
from corearray_numpy.tracer import whole


@hookimpl(native=np.absolute)
def abs(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.add, scalars=WEAK_SCALARS)
def add(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(scalars=WEAK_SCALARS)
def clip(x: Any, /, min: Any = None, max: Any = None, *, out: Any = None) -> Any:
    if min is None and max is None:
        return np.positive(x, out=out)
    return x.clip(min, max, out)


@hookimpl
def complex(real: Any, imag: Any, /) -> Any:
    result = np.empty(np.broadcast_shapes(real.shape, imag.shape), np.result_type(real.dtype, np.complex64))
    result.real = real
    result.imag = imag
    return result


@hookimpl(native=np.conjugate, via=TRUTH_AS_NUMBERS)
def conj(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.divide, scalars=WEAK_SCALARS)
def divide(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(scalars=WEAK_SCALARS)
def floor_divide(x1: Any, x2: Any, /) -> Any:
    if (x1 if hasattr(x1, "dtype") else x2).dtype in INTEGERS:
        return np.floor_divide(x1, x2)
    return floored_quotient(x1, x2)


@whole("numpy.floor_divide")
def floored_quotient(x1: Any, x2: Any) -> Any:
    """As Python, NumPy pairs `//` with `%`; the standard wants `floor(x1 / x2)` where an operand is infinite."""
    finite = np.isfinite(x1) & np.isfinite(x2)
    if np.count_nonzero(finite) == finite.size:
        return np.floor_divide(x1, x2)
    return np.floor_divide(x1, x2, where=finite, out=np.asarray(np.floor(np.divide(x1, x2))))


@hookimpl(native=np.hypot, scalars=WEAK_SCALARS)
def hypot(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl
def imag(x: Any, /) -> Any:
    return x.imag if x.dtype in COMPLEX else np.zeros(x.shape, x.dtype)


@hookimpl(native=np.maximum, scalars=WEAK_SCALARS)
def maximum(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.minimum, scalars=WEAK_SCALARS)
def minimum(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.multiply, scalars=WEAK_SCALARS)
def multiply(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.negative)
def negative(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.positive, via=TRUTH_AS_NUMBERS)
def positive(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl
def real(x: Any, /) -> Any:
    return x.real


@hookimpl
def reciprocal(x: Any, /) -> Any:
    """NumPy's reciprocal of a complex zero is NaN in both parts, unlike its quotient."""
    return np.divide(x.dtype.type(1), x) if x.dtype in COMPLEX else np.reciprocal(x)


@hookimpl(native=np.remainder, scalars=WEAK_SCALARS)
def remainder(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(via=TRUTH_AS_NUMBERS)
def sign(x: Any, /) -> Any:
    """NumPy 1 has another complex sign, and that of NumPy 2 is wrong where the absolute value overflows."""
    if x.dtype not in COMPLEX:
        return np.sign(x)
    scale = as_array(np.maximum(np.abs(x.real), np.abs(x.imag)))
    scale[(scale == 0) | np.isinf(scale)] = 1
    along, across = x.real / scale, x.imag / scale
    size = as_array(np.hypot(along, across))
    size[size == 0] = 1
    zero = size.dtype.type(0)  # a Python one would take a scalar of NumPy 1 to float64
    return complex(along / size + zero, across / size + zero)


@hookimpl(native=np.subtract, scalars=WEAK_SCALARS)
def subtract(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...
