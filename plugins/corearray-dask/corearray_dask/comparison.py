"""Comparisons and logic: one task a chunk each."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_dask.blocks import each


@hookimpl(scalars=True)
def equal(x1: Any, x2: Any, /) -> Any:
    return each("equal", x1, x2)


@hookimpl(scalars=True)
def greater(x1: Any, x2: Any, /) -> Any:
    return each("greater", x1, x2)


@hookimpl(scalars=True)
def greater_equal(x1: Any, x2: Any, /) -> Any:
    return each("greater_equal", x1, x2)


@hookimpl
def isfinite(x: Any, /) -> Any:
    return each("isfinite", x)


@hookimpl
def isinf(x: Any, /) -> Any:
    return each("isinf", x)


@hookimpl
def isnan(x: Any, /) -> Any:
    return each("isnan", x)


@hookimpl(scalars=True)
def less(x1: Any, x2: Any, /) -> Any:
    return each("less", x1, x2)


@hookimpl(scalars=True)
def less_equal(x1: Any, x2: Any, /) -> Any:
    return each("less_equal", x1, x2)


@hookimpl(scalars=True)
def logical_and(x1: Any, x2: Any, /) -> Any:
    return each("logical_and", x1, x2)


@hookimpl
def logical_not(x: Any, /) -> Any:
    return each("logical_not", x)


@hookimpl(scalars=True)
def logical_or(x1: Any, x2: Any, /) -> Any:
    return each("logical_or", x1, x2)


@hookimpl(scalars=True)
def logical_xor(x1: Any, x2: Any, /) -> Any:
    return each("logical_xor", x1, x2)


@hookimpl(scalars=True)
def not_equal(x1: Any, x2: Any, /) -> Any:
    return each("not_equal", x1, x2)
