"""Rounding, and the bits of floating-point numbers: signs and neighbours."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_tensorflow.native import COMPLEX, FLOATING, bits_of, choose, complex_of, imag_part, real_part, with_sign
from tensorflow import raw_ops


@hookimpl
def ceil(x: Any, /) -> Any:
    return raw_ops.Ceil(x=x) if x.dtype in FLOATING else raw_ops.Identity(input=x)


@hookimpl
def copysign(x1: Any, x2: Any, /) -> Any:
    return with_sign(x1, x2)


@hookimpl
def floor(x: Any, /) -> Any:
    return raw_ops.Floor(x=x) if x.dtype in FLOATING else raw_ops.Identity(input=x)


@hookimpl
def nextafter(x1: Any, x2: Any, /) -> Any:
    return raw_ops.NextAfter(x1=x1, x2=x2) if x1.dtype.size >= 4 else _neighbour(x1, x2)


@hookimpl
def round(x: Any, /) -> Any:
    if x.dtype in COMPLEX:
        return complex_of(raw_ops.Round(x=real_part(x)), raw_ops.Round(x=imag_part(x)))
    return raw_ops.Round(x=x) if x.dtype in FLOATING else raw_ops.Identity(input=x)


@hookimpl
def signbit(x: Any, /) -> Any:
    return raw_ops.Less(x=bits_of(x), y=0)


@hookimpl
def trunc(x: Any, /) -> Any:
    if x.dtype not in FLOATING:
        return raw_ops.Identity(input=x)
    return choose(raw_ops.Less(x=x, y=0), raw_ops.Ceil(x=x), raw_ops.Floor(x=x))


def _neighbour(x1: Any, x2: Any) -> Any:
    """Step to the next number of 16 bits, by way of integers that count the numbers in their order from minus infinity."""
    lowest = -(2**15)
    bits = bits_of(x1)
    place = choose(raw_ops.Less(x=bits, y=0), raw_ops.Sub(x=lowest + raw_ops.ZerosLike(x=bits), y=bits), bits)
    up = raw_ops.Cast(x=raw_ops.Less(x=x1, y=x2), DstT=bits.dtype)
    down = raw_ops.Cast(x=raw_ops.Greater(x=x1, y=x2), DstT=bits.dtype)
