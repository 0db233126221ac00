"""Trigonometric functions: one task a chunk each."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_dask.blocks import each


@hookimpl
def acos(x: Any, /) -> Any:
    return each("acos", x)


@hookimpl
def acosh(x: Any, /) -> Any:
    return each("acosh", x)


@hookimpl
def asin(x: Any, /) -> Any:
    return each("asin", x)


@hookimpl
def asinh(x: Any, /) -> Any:
    return each("asinh", x)


@hookimpl
def atan(x: Any, /) -> Any:
    return each("atan", x)


@hookimpl(scalars=True)
def atan2(x1: Any, x2: Any, /) -> Any:
    return each("atan2", x1, x2)


@hookimpl
def atanh(x: Any, /) -> Any:
    return each("atanh", x)


@hookimpl
def cos(x: Any, /) -> Any:
    return each("cos", x)


@hookimpl
def cosh(x: Any, /) -> Any:
    return each("cosh", x)


@hookimpl
def sin(x: Any, /) -> Any:
    return each("sin", x)


@hookimpl
def sinh(x: Any, /) -> Any:
    return each("sinh", x)


@hookimpl
def tan(x: Any, /) -> Any:
    return each("tan", x)


@hookimpl
def tanh(x: Any, /) -> Any:
    return each("tanh", x)
