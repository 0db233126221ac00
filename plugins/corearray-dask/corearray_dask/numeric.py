"""Numeric functions: one task a chunk each."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_dask.blocks import each


@hookimpl
def angle(x: Any, /, *, deg: Any = False) -> Any:
    return each("angle", x, deg=deg)


@hookimpl
def deg2rad(x: Any, /) -> Any:
    return each("deg2rad", x)


@hookimpl
def exp2(x: Any, /) -> Any:
    return each("exp2", x)


@hookimpl
def fix(x: Any, /) -> Any:
    return each("fix", x)


@hookimpl
def float_power(x1: Any, x2: Any, /) -> Any:
    return each("float_power", x1, x2)


@hookimpl(scalars=True)
def fmax(x1: Any, x2: Any, /) -> Any:
    return each("fmax", x1, x2)


@hookimpl(scalars=True)
def fmin(x1: Any, x2: Any, /) -> Any:
    return each("fmin", x1, x2)


@hookimpl(scalars=True)
def fmod(x1: Any, x2: Any, /) -> Any:
    return each("fmod", x1, x2)


@hookimpl
def frexp(x: Any, /) -> Any:
    return each("frexp", x)


@hookimpl(scalars=True)
def gcd(x1: Any, x2: Any, /) -> Any:
    return each("gcd", x1, x2)


@hookimpl(scalars=True)
def heaviside(x1: Any, x2: Any, /) -> Any:
    return each("heaviside", x1, x2)


@hookimpl(scalars=True)
def isclose(x1: Any, x2: Any, /, *, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    return each("isclose", x1, x2, rtol=rtol, atol=atol, equal_nan=equal_nan)


@hookimpl
def isreal(x: Any, /) -> Any:
    return each("isreal", x)


@hookimpl(scalars=True)
def lcm(x1: Any, x2: Any, /) -> Any:
    return each("lcm", x1, x2)


@hookimpl(scalars=True)
def ldexp(x1: Any, x2: Any, /) -> Any:
    return each("ldexp", x1, x2)


@hookimpl(scalars=True)
def lerp(start: Any, end: Any, weight: Any, /) -> Any:
    return each("lerp", start, end, weight)


@hookimpl(scalars=True)
def logaddexp2(x1: Any, x2: Any, /) -> Any:
    return each("logaddexp2", x1, x2)


@hookimpl
def modf(x: Any, /) -> Any:
    return each("modf", x)


@hookimpl
def nan_to_num(x: Any, /, *, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    return each("nan_to_num", x, nan=nan, posinf=posinf, neginf=neginf)


@hookimpl
def rad2deg(x: Any, /) -> Any:
    return each("rad2deg", x)


@hookimpl
def sinc(x: Any, /) -> Any:
    return each("sinc", x)


@hookimpl(scalars=True)
def trunc_divide(x1: Any, x2: Any, /) -> Any:
    return each("trunc_divide", x1, x2)


@hookimpl(scalars=True)
def xlogy(x1: Any, x2: Any, /) -> Any:
    return each("xlogy", x1, x2)
