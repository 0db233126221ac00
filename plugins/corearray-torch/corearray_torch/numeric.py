"""Elementwise functions of NumPy beyond the standard.

torch's `heaviside` of NaN is a number, its `ldexp` overflows on the way, and its `sinc` of an integer is not zero.
"""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import BITS_IN, ORDER, WIDE

_DIVISIBLE = frozenset(
    getattr(torch, name) for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32")
)


def _is_complex(x: Any) -> bool:
    return x.is_complex()


# Guards see the operands before they are promoted.


def _are_real(x1: Any, x2: Any) -> bool:
    return not (x1.is_complex() or x2.is_complex())


def _are_inexact(x1: Any, x2: Any) -> bool:
    return all(x.is_floating_point() or x.is_complex() for x in (x1, x2))


def _not_uint64(x1: Any, x2: Any) -> bool:
    return torch.uint64 not in (x1.dtype, x2.dtype)


def _are_divisible(x1: Any, x2: Any) -> bool:
    """Guard against `uint64`, which has no kernel, and what is no integer, which the composition refuses."""
    return x1.dtype in _DIVISIBLE and x2.dtype in _DIVISIBLE


@hookimpl(when=_is_complex)
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


@hookimpl(native=torch.fmod, when=_not_uint64, via=WIDE)
def fmod(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=torch.frexp)
def frexp(x: Any, /) -> Any: ...


@hookimpl(when=_are_divisible, via=WIDE)
def gcd(x1: Any, x2: Any, /) -> Any:
    """Take the absolute value, because torch gives a sign to divisors of the smallest integer."""
    return torch.gcd(x1, x2).abs()


def _are_tolerated(x1: Any, x2: Any, rtol: float, atol: float) -> bool:
    """Whether torch takes the tolerances: none below zero, which nothing keeps."""
    return _are_inexact(x1, x2) and rtol >= 0 and atol >= 0


@hookimpl(when=_are_tolerated)
def isclose(x1: Any, x2: Any, /, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    return torch.isclose(x1, x2, rtol, atol, equal_nan)


@hookimpl(native=torch.isreal, via=BITS_IN)
def isreal(x: Any, /) -> Any: ...


@hookimpl(native=torch.lcm, when=_are_divisible, via=WIDE)
def lcm(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=torch.lerp)
def lerp(start: Any, end: Any, weight: Any, /) -> Any: ...


@hookimpl(native=torch.logaddexp2)
def logaddexp2(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(lacks=("bool", "integral", "complex floating"))
def nan_to_num(x: Any, /, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None) -> Any:
    return torch.nan_to_num(x, nan, posinf, neginf)


@hookimpl(native=torch.rad2deg)
def rad2deg(x: Any, /) -> Any: ...


@hookimpl(when=_not_uint64, via=WIDE)
def trunc_divide(x1: Any, x2: Any, /) -> Any:
    return torch.div(x1, x2, rounding_mode="trunc")


@hookimpl(when=_are_real, native=torch.xlogy)
def xlogy(x1: Any, x2: Any, /) -> Any: ...
