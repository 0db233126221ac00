"""Rounding: one task a chunk each."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_dask.blocks import each


@hookimpl
def ceil(x: Any, /) -> Any:
    return each("ceil", x)


@hookimpl(scalars=True)
def copysign(x1: Any, x2: Any, /) -> Any:
    return each("copysign", x1, x2)


@hookimpl
def floor(x: Any, /) -> Any:
    return each("floor", x)


@hookimpl(scalars=True)
def nextafter(x1: Any, x2: Any, /) -> Any:
    return each("nextafter", x1, x2)


@hookimpl
def round(x: Any, /) -> Any:
    return each("round", x)


@hookimpl
def signbit(x: Any, /) -> Any:
    return each("signbit", x)


@hookimpl
def trunc(x: Any, /) -> Any:
    return each("trunc", x)
