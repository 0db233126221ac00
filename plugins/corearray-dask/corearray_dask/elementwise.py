"""Arithmetic: one task a chunk each."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_dask.blocks import each


@hookimpl
def abs(x: Any, /) -> Any:
    return each("abs", x)


@hookimpl(scalars=True)
def add(x1: Any, x2: Any, /) -> Any:
    return each("add", x1, x2)


@hookimpl(scalars=True)
def clip(x: Any, /, min: Any = None, max: Any = None) -> Any:
    return each("clip", x, min, max)


@hookimpl(scalars=True)
def complex(real: Any, imag: Any, /) -> Any:
    return each("complex", real, imag)


@hookimpl
def conj(x: Any, /) -> Any:
    return each("conj", x)


@hookimpl(scalars=True)
def divide(x1: Any, x2: Any, /) -> Any:
    return each("divide", x1, x2)


@hookimpl(scalars=True)
def floor_divide(x1: Any, x2: Any, /) -> Any:
    return each("floor_divide", x1, x2)


@hookimpl(scalars=True)
def hypot(x1: Any, x2: Any, /) -> Any:
    return each("hypot", x1, x2)


@hookimpl
def imag(x: Any, /) -> Any:
    return each("imag", x)


@hookimpl(scalars=True)
def maximum(x1: Any, x2: Any, /) -> Any:
    return each("maximum", x1, x2)


@hookimpl(scalars=True)
def minimum(x1: Any, x2: Any, /) -> Any:
    return each("minimum", x1, x2)


@hookimpl(scalars=True)
def multiply(x1: Any, x2: Any, /) -> Any:
    return each("multiply", x1, x2)


@hookimpl
def negative(x: Any, /) -> Any:
    return each("negative", x)


@hookimpl
def positive(x: Any, /) -> Any:
    return each("positive", x)


@hookimpl
def real(x: Any, /) -> Any:
    return each("real", x)


@hookimpl
def reciprocal(x: Any, /) -> Any:
    return each("reciprocal", x)


@hookimpl(scalars=True)
def remainder(x1: Any, x2: Any, /) -> Any:
    return each("remainder", x1, x2)


@hookimpl
def sign(x: Any, /) -> Any:
    return each("sign", x)


@hookimpl(scalars=True)
def stable_divide(numerator: Any, denominator: Any, /, *, min_denominator: Any = None) -> Any:
    return each("stable_divide", numerator, denominator, min_denominator=min_denominator)


@hookimpl(scalars=True)
def stable_pow(base: Any, exponent: Any, /, *, min_base: Any = None) -> Any:
    return each("stable_pow", base, exponent, min_base=min_base)


@hookimpl(scalars=True)
def subtract(x1: Any, x2: Any, /) -> Any:
    return each("subtract", x1, x2)
