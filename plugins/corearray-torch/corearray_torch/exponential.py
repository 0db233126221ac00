"""Exponentials, logarithms and powers; torch's complex `expm1` and `log1p` are wrong at infinities and cancel."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import BITS, OWN_UINT64, WIDE

_TOP = 1 << 62


@hookimpl(native=torch.exp, tries=True)
def exp(x: Any, /) -> Any: ...


@hookimpl(native=torch.expm1, lacks=("complex floating",))
def expm1(x: Any, /) -> Any: ...


@hookimpl(native=torch.log, tries=True)
def log(x: Any, /) -> Any: ...


@hookimpl(native=torch.log10, tries=True)
def log10(x: Any, /) -> Any: ...


@hookimpl(native=torch.log1p, lacks=("complex floating",))
def log1p(x: Any, /) -> Any: ...


@hookimpl(native=torch.log2, tries=True)
def log2(x: Any, /) -> Any: ...


@hookimpl(native=torch.logaddexp)
def logaddexp(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(scalars=True, via=WIDE | OWN_UINT64)
def pow(x1: Any, x2: Any, /) -> Any:
    """Raise to a power; torch's complex `0 ** 0` is NaN."""
    if getattr(x1, "dtype", None) is torch.uint64:
        return torch.pow(x1.view(torch.int64), _lowered(x2.view(torch.int64))).view(torch.uint64)
    power = torch.pow(x1, x2)
    if power.is_complex() and isinstance(x2, torch.Tensor):
        return torch.where(x2 == 0, 1, power)
    return power


@hookimpl(native=torch.sqrt, tries=True)
def sqrt(x: Any, /) -> Any: ...


@hookimpl(native=torch.square, via=BITS)
def square(x: Any, /) -> Any: ...


def _lowered(exponent: Any) -> Any:
    """Exchange an exponent with its top bit set for a smaller one: modulo 2**64 odd bases repeat after 2**62."""
    return torch.where(exponent < 0, (exponent & (_TOP - 1)) | _TOP, exponent)
