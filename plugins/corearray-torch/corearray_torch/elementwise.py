"""Arithmetic, signs, extremes of two, and the parts of complex numbers.

Operators and methods are torch's fastest public way in, and operators take Python scalars on either side.
"""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import BITS, ORDER, WIDE, Via

_SIGN = torch.iinfo(torch.int64).min
_TRUE = {"uint16": "bool", "uint32": "bool", "uint64": "bool"}


@hookimpl
def abs(x: Any, /) -> Any:
    return x.clone() if x.dtype in _UNSIGNED else x.abs()


@hookimpl(scalars=True, via=BITS)
def add(x1: Any, x2: Any, /) -> Any:
    return x1 + x2


@hookimpl(via=ORDER)
def clip(x: Any, /, min: Any = None, max: Any = None) -> Any:
    return x.clone() if min is None and max is None else torch.clamp(x, min, max)


@hookimpl
def conj(x: Any, /) -> Any:
    return x.conj_physical() if x.is_complex() else x.clone()


@hookimpl(scalars=True)
def divide(x1: Any, x2: Any, /) -> Any:
    return x1 / x2


@hookimpl(scalars=True, via=WIDE)
def floor_divide(x1: Any, x2: Any, /) -> Any:
    """Divide as Python does, and with an infinite operand as `floor(x1 / x2)`."""
    quotient = x1 // x2
    if not quotient.is_floating_point():
        return quotient
    difference = x1 - x2
    difference = difference - difference
    return torch.where(difference == difference, quotient, (x1 / x2).floor())


@hookimpl
def hypot(x1: Any, x2: Any, /) -> Any:
    return x1.hypot(x2)


@hookimpl
def imag(x: Any, /) -> Any:
    return x.imag if x.is_complex() else torch.zeros_like(x)


@hookimpl(via=ORDER)
def maximum(x1: Any, x2: Any, /) -> Any:
    return x1.maximum(x2)


@hookimpl(via=ORDER)
def minimum(x1: Any, x2: Any, /) -> Any:
    return x1.minimum(x2)


@hookimpl(scalars=True, via=BITS)
def multiply(x1: Any, x2: Any, /) -> Any:
    return x1 * x2


@hookimpl(via=BITS)
def negative(x: Any, /) -> Any:
    return -x


@hookimpl
def positive(x: Any, /) -> Any:
    return x.clone()


@hookimpl
def real(x: Any, /) -> Any:
    return x.real


@hookimpl
def reciprocal(x: Any, /) -> Any:
    return x.reciprocal()


@hookimpl(scalars=True, via=WIDE)
def remainder(x1: Any, x2: Any, /) -> Any:
    """Take Python's remainder; a zero has the sign of the divisor too."""
    rest = torch.remainder(x1, x2)
    return rest.copysign(x2) if rest.is_floating_point() else rest


@hookimpl(via=_TRUE)
def sign(x: Any, /) -> Any:
    return torch.sgn(x)


@hookimpl(scalars=True, via=BITS)
def subtract(x1: Any, x2: Any, /) -> Any:
    return x1 - x2
