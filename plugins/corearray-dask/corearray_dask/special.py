"""Special functions: one task a chunk each, where compositions would have thousands."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_dask.blocks import each


@hookimpl(scalars=True)
def betainc(a: Any, b: Any, x: Any, /) -> Any:
    return each("betainc", a, b, x)


@hookimpl
def digamma(x: Any, /) -> Any:
    return each("digamma", x)


@hookimpl
def entr(x: Any, /) -> Any:
    return each("entr", x)


@hookimpl
def erf(x: Any, /) -> Any:
    return each("erf", x)


@hookimpl
def erfc(x: Any, /) -> Any:
    return each("erfc", x)


@hookimpl
def erfinv(x: Any, /) -> Any:
    return each("erfinv", x)


@hookimpl
def i0(x: Any, /) -> Any:
    return each("i0", x)


@hookimpl(scalars=True)
def igamma(a: Any, x: Any, /) -> Any:
    return each("igamma", a, x)


@hookimpl(scalars=True)
def igammac(a: Any, x: Any, /) -> Any:
    return each("igammac", a, x)


@hookimpl
def lgamma(x: Any, /) -> Any:
    return each("lgamma", x)


@hookimpl
def ndtri(p: Any, /) -> Any:
    return each("ndtri", p)


@hookimpl
def polygamma(x: Any, /, n: Any = 1) -> Any:
    return each("polygamma", x, n)


@hookimpl
def rel_entr(x1: Any, x2: Any, /) -> Any:
    return each("rel_entr", x1, x2)


@hookimpl(scalars=True)
def zeta(x: Any, q: Any, /) -> Any:
    return each("zeta", x, q)
