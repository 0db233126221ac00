"""Special functions of SciPy, which is imported by the first call of one."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl
from corearray_numpy.native import HALF, as_array
from corearray_numpy.tracer import whole


@hookimpl(via=HALF)
def betainc(a: Any, b: Any, x: Any, /) -> Any:
    from scipy import special

    return special.betainc(a, b, x, dtype=x.dtype)


@hookimpl(via=HALF)
def digamma(x: Any, /) -> Any:
    from scipy import special

    return special.digamma(x)


@hookimpl(via=HALF)
def erf(x: Any, /) -> Any:
    from scipy import special

    return special.erf(x)


@hookimpl(via=HALF)
def erfc(x: Any, /) -> Any:
    from scipy import special

    return special.erfc(x)


@hookimpl(via=HALF)
def erfinv(x: Any, /) -> Any:
    """SciPy drops the sign of zero."""
    from scipy import special

    return np.copysign(special.erfinv(x), x)


@hookimpl(via=HALF)
def i0(x: Any, /) -> Any:
    return bessel_0(x)


@whole("scipy.special.i0")
def bessel_0(x: Any) -> Any:
    """SciPy's overflows before its result does, and divides two infinities for an infinite argument."""
    from scipy import special

    found = special.i0(x)
    if np.isfinite(found).all():
        return found
    size = np.minimum(np.abs(x), 2000.0, dtype=x.dtype)
    with np.errstate(over="ignore"):
        half = np.exp(0.5 * size)
        return np.where(size > 700.0, half * special.i0e(size) * half, found)


@hookimpl(via=HALF)
def igamma(a: Any, x: Any, /) -> Any:
    """SciPy 1.17 gives `float64` on NumPy 1.26 where one of the arrays has no axes."""
    from scipy import special

    return special.gammainc(a, x, dtype=a.dtype)


@hookimpl(via=HALF)
def igammac(a: Any, x: Any, /) -> Any:
    from scipy import special

    return special.gammaincc(a, x, dtype=a.dtype)


@hookimpl(via=HALF)
def lgamma(x: Any, /) -> Any:
    return log_gamma(x)


@whole("scipy.special.gammaln")
def log_gamma(x: Any) -> Any:
    """SciPy's loses digits next to its zeros at 1 and 2, where the complex one has a series, and is -inf at -inf.

    It computes `float32` in `float64`, which leaves digits enough.
    """
    from scipy import special

    found = as_array(special.gammaln(x))
    if found.dtype == np.float64:
        near = np.abs(np.abs(x - 1.5) - 0.5) < 0.2
        if near.any():
            found[near] = special.loggamma(x[near] + 0j).real + 0.0  # not -0.0
    found[np.isinf(x)] = np.inf
    return found


@hookimpl(via=HALF)
def zeta(x: Any, q: Any, /) -> Any:
    """SciPy has no sum for an infinite exponent, which leaves the first term alone."""
    from scipy import special

    return np.where(np.isposinf(x), np.power(q, -x), special.zeta(x, q))


@hookimpl(via=HALF)
def entr(x: Any, /) -> Any:
    from scipy import special

    return special.entr(x)


@hookimpl(via=HALF)
def ndtri(p: Any, /) -> Any:
    from scipy import special

    return special.ndtri(p)


@hookimpl(via=HALF)
def rel_entr(x1: Any, x2: Any, /) -> Any:
    from scipy import special

    return special.rel_entr(x1, x2)
