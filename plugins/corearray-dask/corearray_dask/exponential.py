"""Exponentials, logarithms and powers: one task a chunk each."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_dask.blocks import each


@hookimpl
def cbrt(x: Any, /) -> Any:
    return each("cbrt", x)


@hookimpl
def exp(x: Any, /) -> Any:
    return each("exp", x)


@hookimpl
def expm1(x: Any, /) -> Any:
    return each("expm1", x)


@hookimpl
def log(x: Any, /) -> Any:
    return each("log", x)


@hookimpl
def log10(x: Any, /) -> Any:
    return each("log10", x)


@hookimpl
def log1p(x: Any, /) -> Any:
    return each("log1p", x)


@hookimpl
def log2(x: Any, /) -> Any:
    return each("log2", x)


@hookimpl(scalars=True)
def logaddexp(x1: Any, x2: Any, /) -> Any:
    return each("logaddexp", x1, x2)


@hookimpl(scalars=True)
def pow(x1: Any, x2: Any, /) -> Any:
    return each("pow", x1, x2)


@hookimpl
def sqrt(x: Any, /) -> Any:
    return each("sqrt", x)


@hookimpl
def square(x: Any, /) -> Any:
    return each("square", x)
