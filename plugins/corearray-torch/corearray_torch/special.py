"""Special functions."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import HALF


@hookimpl(native=torch.erf, tries=True)
def erf(x: Any, /) -> Any: ...


@hookimpl(native=torch.erfc, tries=True)
def erfc(x: Any, /) -> Any: ...


@hookimpl(native=torch.digamma, via=HALF)
def digamma(x: Any, /) -> Any: ...


@hookimpl(native=torch.erfinv, via=HALF)
def erfinv(x: Any, /) -> Any: ...


@hookimpl(via=HALF)
def i0(x: Any, /) -> Any:
    """torch divides two infinities for an infinite argument."""
    return torch.where(x.isinf(), x.abs(), torch.i0(x))


def _is_single(a: Any) -> bool:
    """torch's incomplete gamma functions have nine digits, and no derivative by `a`."""
    return a.dtype is not torch.float64 and not a.requires_grad


@hookimpl(native=torch.special.gammainc, via=HALF, when=_is_single)
def igamma(a: Any, x: Any, /) -> Any: ...


@hookimpl(native=torch.special.gammaincc, via=HALF, when=_is_single)
def igammac(a: Any, x: Any, /) -> Any: ...


@hookimpl(native=torch.lgamma, via=HALF)
def lgamma(x: Any, /) -> Any: ...


def _has_derivative(x: Any) -> bool:
    """torch has none by the exponent."""
    return not x.requires_grad


@hookimpl(native=torch.special.zeta, via=HALF, when=_has_derivative)
def zeta(x: Any, q: Any, /) -> Any: ...
