"""Special functions."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import HALF, extreme, finite_sum, transforming


@hookimpl(native=torch.erf, trusts_framework=True)
def erf(x: Any, /) -> Any: ...


@hookimpl(native=torch.erfc, trusts_framework=True)
def erfc(x: Any, /) -> Any: ...


@hookimpl(native=torch.digamma, via=HALF)
def digamma(x: Any, /) -> Any: ...


@hookimpl(native=torch.erfinv, via=HALF)
def erfinv(x: Any, /) -> Any: ...


@hookimpl(via=HALF)
def i0(x: Any, /) -> Any:
    """torch's own overflows before its result does, and divides two infinities for an infinite argument."""
    found = torch.i0(x)
    return found if finite_sum(found) else _bessel_0(x)


def _bessel_0(x: Any) -> Any:
    """Compute the Bessel function in float64, the exponential function of the largest arguments as a product.

    The derivative of these is that of the logarithm, by its asymptotic series, as quotients of factors would overflow.
    """
    if x.dtype is not torch.float64:
        return _bessel_0(x.double()).to(x.dtype)
    size, infinite = x.abs(), x.isinf()
    far = (size > 700.0) & (size < 714.0)
    some = torch.where(far, size, 1.0)
    half = torch.exp(0.5 * some.detach())
    rate = some - 0.5 * some.log() + 0.125 / some + 0.0625 / some.square()
    large = (half * torch.special.i0e(some.detach()) * half) * torch.exp(rate - rate.detach())
    return torch.where(infinite, size, torch.where(far, large, torch.i0(torch.where(far | infinite, 0.0, x))))


def _is_single(a: Any, x: Any) -> bool:
    """torch's incomplete gamma functions have nine digits, no derivative by `a`, and a wrong one at an `x` of zero.

    In forward mode they have none.
    """
    if a.dtype is torch.float64 or a.requires_grad or transforming():
        return False
    return not x.requires_grad or (extreme(torch.min, x) or 0.0) > 0.0


@hookimpl(native=torch.special.gammainc, via=HALF, when=_is_single)
def igamma(a: Any, x: Any, /) -> Any: ...


@hookimpl(native=torch.special.gammaincc, via=HALF, when=_is_single)
def igammac(a: Any, x: Any, /) -> Any: ...


@hookimpl(native=torch.lgamma, via=HALF)
def lgamma(x: Any, /) -> Any: ...


def _has_derivative(x: Any) -> bool:
    """torch has none by the exponent, and in forward mode none at all."""
    return not (x.requires_grad or transforming())


@hookimpl(native=torch.special.zeta, via=HALF, when=_has_derivative)
def zeta(x: Any, q: Any, /) -> Any: ...


@hookimpl(native=torch.special.entr, via=HALF)
def entr(x: Any, /) -> Any: ...


@hookimpl(native=torch.special.ndtri, via=HALF)
def ndtri(p: Any, /) -> Any: ...
