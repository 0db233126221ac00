"""Rounding, and the bits of floating-point numbers: signs and neighbours."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_tensorflow.native import (
    COMPLEX,
    INTEGERS,
    TRUTH_AS_NUMBERS,
    bits_of,
    choose,
    complex_of,
    imag_part,
    raw_ops,
    real_part,
    with_sign,
)


@hookimpl(via=TRUTH_AS_NUMBERS)
def ceil(x: Any, /) -> Any:
    return raw_ops.Identity(input=x) if x.dtype in INTEGERS else raw_ops.Ceil(x=x)


@hookimpl
def copysign(x1: Any, x2: Any, /) -> Any:
    return with_sign(x1, x2)


@hookimpl(via=TRUTH_AS_NUMBERS)
def floor(x: Any, /) -> Any:
    return raw_ops.Identity(input=x) if x.dtype in INTEGERS else raw_ops.Floor(x=x)


@hookimpl
def nextafter(x1: Any, x2: Any, /) -> Any:
    return raw_ops.NextAfter(x1=x1, x2=x2) if x1.dtype.size >= 4 else _neighbour(x1, x2)


@hookimpl(via=TRUTH_AS_NUMBERS)
def round(x: Any, /) -> Any:
    if x.dtype in COMPLEX:
        return complex_of(raw_ops.Round(x=real_part(x)), raw_ops.Round(x=imag_part(x)))
    return raw_ops.Identity(input=x) if x.dtype in INTEGERS else raw_ops.Round(x=x)


@hookimpl
def signbit(x: Any, /) -> Any:
    return raw_ops.Less(x=bits_of(x), y=0)


@hookimpl(via=TRUTH_AS_NUMBERS)
def trunc(x: Any, /) -> Any:
    if x.dtype in INTEGERS:
        return raw_ops.Identity(input=x)
    return choose(raw_ops.Less(x=x, y=0), raw_ops.Ceil(x=x), raw_ops.Floor(x=x))


def _neighbour(x1: Any, x2: Any) -> Any:
    """Step to the next number of 16 bits: one up in its bits is one further from zero, on both sides."""
    bits = bits_of(x1)
    one = raw_ops.OnesLike(x=bits)
    outward = raw_ops.Equal(x=raw_ops.Less(x=x1, y=x2), y=raw_ops.Greater(x=x1, y=0))
    stepped = raw_ops.AddV2(x=bits, y=choose(outward, one, -1))
    smallest = choose(raw_ops.Greater(x=x2, y=0), one, -(2**15) + 1)
    found = raw_ops.Bitcast(input=choose(raw_ops.Equal(x=x1, y=0), smallest, stepped), type=x1.dtype)
    found = choose(raw_ops.Equal(x=x1, y=x2), x2, found)
    return choose(raw_ops.NotEqual(x=x1, y=x1), x1, choose(raw_ops.NotEqual(x=x2, y=x2), x2, found))
