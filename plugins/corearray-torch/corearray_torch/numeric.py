"""Elementwise functions of NumPy beyond the standard.

torch's `heaviside` of NaN is a number, its `ldexp` overflows on the way, and its `sinc` of an integer is not zero.
"""

from __future__ import annotations

import math
from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.exponential import greater_and_gap, may_be_derived
from corearray_torch.native import BITS_IN, NOT_REAL, ORDER, TRUTH_TO_INT8, WIDE, extreme

#: What is no integer, which the composition refuses, and the integers without a kernel.
_NOT_DIVISIBLE = ("bool", "real floating", "complex floating", "uint64")


@hookimpl(lacks=("bool", "integral", "real floating"))
def angle(x: Any, /, deg: bool = False) -> Any:
    found = torch.angle(x)
    return torch.rad2deg(found) if deg else found


@hookimpl(native=torch.deg2rad)
def deg2rad(x: Any, /) -> Any: ...


@hookimpl(native=torch.exp2)
def exp2(x: Any, /) -> Any: ...


@hookimpl(native=torch.fmax, via=ORDER)
def fmax(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=torch.fmin, via=ORDER)
def fmin(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=torch.fmod, lacks=("uint64",), via=WIDE | TRUTH_TO_INT8)
def fmod(x1: Any, x2: Any, /) -> Any: ...


def _frexp(x: Any) -> Any:
    """Return mantissa and exponent; in compiled programs of float64 from the bits.

    There torch's compiler takes the exponents for two vectors where they are one, which is an error of C++.
    """
    if x.dtype is not torch.float64 or not torch.compiler.is_compiling():
        return torch.frexp(x)
    is_subnormal = _exponent_field(x) == 0
    exponent = _exponent_field(torch.where(is_subnormal, x * 2.0**54, x)) - 1022 - torch.where(is_subnormal, 54, 0)
    exponent = torch.where((x == 0) | ~torch.isfinite(x), 0, exponent)
    half = exponent >> 1  # the power of the whole exponent may be no normal number
    return x * _power(half) * _power(exponent - half), exponent.to(torch.int32)


def _exponent_field(x: Any) -> Any:
    return x.view(torch.int64) >> 52 & 0x7FF


def _power(exponent: Any) -> Any:
    """Return `2**-exponent` in float64."""
    return (1023 - exponent << 52).view(torch.float64)


@hookimpl(native=_frexp)
def frexp(x: Any, /) -> Any: ...


@hookimpl(lacks=_NOT_DIVISIBLE, via=WIDE)
def gcd(x1: Any, x2: Any, /) -> Any:
    """Take the absolute value, because torch gives a sign to divisors of the smallest integer."""
    return torch.gcd(x1, x2).abs()


def _are_tolerated(rtol: float, atol: float) -> bool:
    """Whether torch takes the tolerances: none below zero, which nothing keeps."""
    return rtol >= 0 and atol >= 0


@hookimpl(when=_are_tolerated, lacks=("bool", "integral"))
def isclose(x1: Any, x2: Any, /, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    return torch.isclose(x1, x2, rtol, atol, equal_nan)


@hookimpl(native=torch.isreal, via=BITS_IN)
def isreal(x: Any, /) -> Any: ...


@hookimpl(native=torch.lerp)
def lerp(start: Any, end: Any, weight: Any, /) -> Any: ...


@hookimpl
def logaddexp2(x1: Any, x2: Any, /) -> Any:
    """torch's derivatives at infinities are NaN, and so are second ones at numbers that lie far apart."""
    if may_be_derived(x1, x2):
        large, gap = greater_and_gap(x1, x2)
        return large + torch.log1p(torch.exp2(gap)) / math.log(2.0)
    return torch.logaddexp2(x1, x2)


@hookimpl(lacks=NOT_REAL)
def nan_to_num(x: Any, /, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None) -> Any:
    return torch.nan_to_num(x, nan, posinf, neginf)


@hookimpl(native=torch.rad2deg)
def rad2deg(x: Any, /) -> Any: ...


@hookimpl(lacks=("uint64",), via=WIDE | TRUTH_TO_INT8)
def trunc_divide(x1: Any, x2: Any, /) -> Any:
    return torch.div(x1, x2, rounding_mode="trunc")


@hookimpl(lacks=("complex floating",))
def xlogy(x1: Any, x2: Any, /) -> Any:
    """torch divides zero by zero for a derivative of two zeros."""
    if may_be_derived(x1, x2) and extreme(torch.count_nonzero, x2) != x2.numel():
        x2 = torch.where((x1 == 0) & (x2 == 0), 1, x2)
    return torch.xlogy(x1, x2)
