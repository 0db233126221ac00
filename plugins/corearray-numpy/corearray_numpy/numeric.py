"""Elementwise functions of NumPy beyond the standard, those that are ufuncs."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl
from corearray_numpy.native import WEAK_SCALARS

_EXPONENTS = frozenset(np.dtype(name) for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32"))


#: What is no integer, which the composition refuses.
_NO_INTEGERS = ("bool", "real floating", "complex floating")


def _has_ldexp(x1: Any, x2: Any) -> bool:
    """NumPy computes integers in its own default dtype, and takes no exponents of uint64."""
    return x1.dtype.kind == "f" and getattr(x2, "dtype", None) in _EXPONENTS


@hookimpl(native=np.deg2rad)
def deg2rad(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.exp2)
def exp2(x: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.fmax, scalars=WEAK_SCALARS)
def fmax(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.fmin, scalars=WEAK_SCALARS)
def fmin(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.fmod, scalars=WEAK_SCALARS)
def fmod(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.frexp)
def frexp(x: Any, /) -> Any: ...


@hookimpl(lacks=_NO_INTEGERS, native=np.gcd, scalars=WEAK_SCALARS)
def gcd(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.heaviside, scalars=WEAK_SCALARS)
def heaviside(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(lacks=_NO_INTEGERS, native=np.lcm, scalars=WEAK_SCALARS)
def lcm(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(when=_has_ldexp)
def ldexp(x1: Any, x2: Any, /) -> Any:
    return np.ldexp(x1, x2)


@hookimpl(native=np.logaddexp2, scalars=WEAK_SCALARS)
def logaddexp2(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(native=np.modf)
def modf(x: Any, /) -> Any: ...


@hookimpl(native=np.rad2deg)
def rad2deg(x: Any, /, *, out: Any = None) -> Any: ...
