"""Exponentials, logarithms and powers; torch's complex `expm1` and `log1p` are wrong at infinities and cancel."""

from __future__ import annotations

import math
from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import BITS, OWN_UINT64, TRUTH_TO_INT8, WIDE, extreme, transforming
from corearray_torch.scalars import held

_TOP = 1 << 62


@hookimpl(native=torch.exp, trusts_framework=True)
def exp(x: Any, /) -> Any: ...


@hookimpl(native=torch.expm1, lacks=("complex floating",))
def expm1(x: Any, /) -> Any: ...


@hookimpl(native=torch.log, trusts_framework=True)
def log(x: Any, /) -> Any: ...


@hookimpl(native=torch.log10, trusts_framework=True)
def log10(x: Any, /) -> Any: ...


@hookimpl(native=torch.log1p, lacks=("complex floating",))
def log1p(x: Any, /) -> Any: ...


@hookimpl(native=torch.log2, trusts_framework=True)
def log2(x: Any, /) -> Any: ...


@hookimpl
def logaddexp(x1: Any, x2: Any, /) -> Any:
    """torch's derivatives at infinities are NaN, and so are second ones at numbers that lie far apart."""
    if may_be_derived(x1, x2):
        large, gap = greater_and_gap(x1, x2)
        return large + torch.log1p(torch.exp(gap))
    return torch.logaddexp(x1, x2)


@hookimpl(scalars=True, via=WIDE | OWN_UINT64 | TRUTH_TO_INT8)
def pow(x1: Any, x2: Any, /) -> Any:
    """Raise to a power; torch's complex `0 ** 0` is NaN, and so are derivatives of powers of zero."""
    if not isinstance(x2, torch.Tensor):
        return torch.pow(x1, held(x2, x1))
    if x2.dtype is torch.uint64:
        return torch.pow(x1.view(torch.int64), _lowered(x2.view(torch.int64))).view(torch.uint64)
    if type(x1) is float and x1 == 0.0:
        x1 = torch.full_like(x2, x1)
    if isinstance(x1, torch.Tensor) and may_be_derived(x1, x2) and extreme(torch.count_nonzero, x1) != x1.numel():
        return _power_of_zeros(x1, x2)
    power = torch.pow(x1, x2)
    return torch.where(x2 == 0, 1, power) if power.is_complex() else power


@hookimpl(native=torch.sqrt, trusts_framework=True)
def sqrt(x: Any, /) -> Any: ...


@hookimpl(native=torch.square, via=BITS | TRUTH_TO_INT8)
def square(x: Any, /) -> Any: ...


def may_be_derived(x1: Any, x2: Any) -> bool:
    """Whether a derivative by one of two arrays may be asked for."""
    return x1.requires_grad or x2.requires_grad or (transforming() and x1.is_floating_point())


def greater_and_gap(x1: Any, x2: Any) -> tuple[Any, Any]:
    """Return the greater of two numbers, and the other less it; equal numbers share the derivative, infinite ones too."""
    less = x1 < x2
    large, small = torch.where(less, x2, x1), torch.where(less, x1, x2)
    gap = torch.where(small.isinf(), -math.inf, small - large)
    return torch.where((x1 == x2) & x1.isinf(), 0.5 * (x1 + x2), large), gap


def _power_of_zeros(x1: Any, x2: Any) -> Any:
    """Raise to a power: of zero, the first three as products, and none has a derivative by the exponent."""
    zero = x1 == 0
    base, exponent = torch.where(zero, x1, 1), x2.detach()
    small = (exponent == 0) | (exponent == 1) | (exponent == 2)
    powers = torch.pow(base, torch.where(small, 3, exponent))
    for k, power in enumerate((torch.ones_like(base), base, base * base)):
        powers = torch.where(exponent == k, power, powers)
    return torch.where(zero, powers, torch.pow(torch.where(zero, 1, x1), x2))


def _lowered(exponent: Any) -> Any:
    """Exchange an exponent with its top bit set for a smaller one: modulo 2**64 odd bases repeat after 2**62."""
    return torch.where(exponent < 0, (exponent & (_TOP - 1)) | _TOP, exponent)
