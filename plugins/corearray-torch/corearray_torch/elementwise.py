"""Arithmetic, signs, extremes of two, and the parts of complex numbers.

Operators stand where they take Python scalars on either side and torch's functions do not.
"""

from __future__ import annotations

import cmath
import operator
from collections.abc import Callable, Iterator
from typing import Any

import torch

from corearray.plugin import Via, hookimpl
from corearray_torch.exponential import may_be_derived
from corearray_torch.native import BITS, HALF, ORDER, OWN_UINT64, TRUTH_AS_NUMBERS, TRUTH_TO_INT8, WIDE, extreme
from corearray_torch.scalars import held, scalar_tensor

_UNSIGNED = frozenset({torch.uint16, torch.uint32, torch.uint64})
_TRUTH = {"uint16": "bool", "uint32": "bool", "uint64": "bool"}
_NUMBERS = (int, float)
_MIN = torch.iinfo(torch.int64).min


def _added(x1: Any, x2: Any) -> Any:
    """Add complex numbers part by part: torch multiplies what it adds by 1+0j, and an infinity by 0 is NaN."""
    if isinstance(x1, torch.Tensor) and isinstance(x2, torch.Tensor):
        one, two = _as_real(x1, x2)
        return torch.view_as_complex(one + two)
    return _with_number(operator.add, _added, x1, x2)


def _subtracted(x1: Any, x2: Any) -> Any:
    if isinstance(x1, torch.Tensor) and isinstance(x2, torch.Tensor):
        one, two = _as_real(x1, x2)
        return torch.view_as_complex(one - two)
    return _with_number(operator.sub, _subtracted, x1, x2)


def _with_number(native: Callable[..., Any], by_parts: Callable[..., Any], x1: Any, x2: Any) -> Any:
    """Call torch's function of an array and a number, unless that is infinite."""
    number, x = (x2, x1) if isinstance(x1, torch.Tensor) else (x1, x2)
    if cmath.isfinite(number):
        return native(x1, x2)
    made = torch.tensor(number, dtype=x.dtype, device=x.device)
    return by_parts(x1, made) if x is x1 else by_parts(made, x2)


class _Parts:
    """Complex numbers that operators add part by part."""

    __slots__ = ("x",)

    def __init__(self, x: Any) -> None:
        self.x = x

    def __add__(self, other: _Parts) -> Any:
        return _added(self.x, other.x)

    def __sub__(self, other: _Parts) -> Any:
        return _subtracted(self.x, other.x)


def _by_parts(short: Callable[..., Any]) -> dict[str, Via]:
    return {name: Via(name, _Parts, back=False, fast=short) for name in ("complex64", "complex128")}


@hookimpl(via=TRUTH_AS_NUMBERS)
def abs(x: Any, /) -> Any:
    return x.clone() if x.dtype in _UNSIGNED else x.abs()


@hookimpl(native=operator.add, fast=torch.add, scalars=scalar_tensor, via=BITS | _by_parts(_added))
def add(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(scalars=True, via=ORDER | {"bool": "uint8"})
def clip(x: Any, /, min: Any = None, max: Any = None) -> Any:
    """Limit by two arrays or two numbers, as torch does; a number beside an array becomes one."""
    if min is None and max is None:
        return x.clone()
    if x.dtype is torch.float16:
        min, max = held(min, x), held(max, x)
    if isinstance(min, torch.Tensor) != isinstance(max, torch.Tensor):
        min, max = (x.new_full((), bound) if isinstance(bound, _NUMBERS) else bound for bound in (min, max))
    return x.clamp(min, max)


@hookimpl(via=HALF)
def complex(real: Any, imag: Any, /) -> Any:
    return torch.complex(real, imag)


@hookimpl
def conj(x: Any, /) -> Any:
    return x.conj_physical() if x.is_complex() else x.clone()


@hookimpl(fast=torch.div, scalars=scalar_tensor)
def divide(x1: Any, x2: Any, /) -> Any:
    """Divide; torch multiplies a number on the left by the reciprocal, so that 49.0 / 49.0 comes out below 1."""
    return x1 / x2 if isinstance(x1, torch.Tensor) else x2.new_full((), x1) / x2


@hookimpl(scalars=True, via=WIDE | OWN_UINT64 | TRUTH_TO_INT8)
def floor_divide(x1: Any, x2: Any, /) -> Any:
    """Divide as Python does, and with an infinite operand as `floor(x1 / x2)`."""
    if getattr(x1, "dtype", None) is torch.uint64:
        return _divided(x1.view(torch.int64), x2.view(torch.int64))[0].view(torch.uint64)
    x1, x2 = _both(x1, x2)
    quotient = torch.div(x1, x2, rounding_mode="floor")  # which has derivatives, unlike `//`
    if not quotient.is_floating_point():
        return quotient
    difference = x1 - x2
    difference = difference - difference
    return torch.where(difference == difference, quotient, (x1.detach() / x2.detach()).floor())


@hookimpl
def hypot(x1: Any, x2: Any, /) -> Any:
    """torch divides zero by zero for the derivative of a length of zero."""
    length = torch.hypot(x1, x2)
    if may_be_derived(x1, x2) and extreme(torch.count_nonzero, length) != length.numel():
        none = length == 0
        return torch.where(none, 0, torch.hypot(torch.where(none, 1, x1), x2))
    return length


@hookimpl
def imag(x: Any, /) -> Any:
    return x.resolve_conj().imag if x.is_complex() else torch.zeros_like(x)


@hookimpl(fast=torch.maximum, scalars=scalar_tensor, via=ORDER)
def maximum(x1: Any, x2: Any, /) -> Any:
    return torch.maximum(*_both(x1, x2))


@hookimpl(fast=torch.minimum, scalars=scalar_tensor, via=ORDER)
def minimum(x1: Any, x2: Any, /) -> Any:
    return torch.minimum(*_both(x1, x2))


@hookimpl(native=operator.mul, fast=torch.mul, scalars=scalar_tensor, via=BITS)
def multiply(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=operator.neg, via=BITS)
def negative(x: Any, /) -> Any: ...


@hookimpl(native=torch.clone)
def positive(x: Any, /) -> Any: ...


@hookimpl(native=torch.real)
def real(x: Any, /) -> Any: ...


@hookimpl(native=torch.reciprocal)
def reciprocal(x: Any, /) -> Any: ...


@hookimpl(scalars=True, via=WIDE | OWN_UINT64 | TRUTH_TO_INT8)
def remainder(x1: Any, x2: Any, /) -> Any:
    """Take Python's remainder, which has the sign of the divisor; so has a zero."""
    if getattr(x1, "dtype", None) is torch.uint64:
        return _divided(x1.view(torch.int64), x2.view(torch.int64))[1].view(torch.uint64)
    x1, x2 = _both(x1, x2)  # of a number on the left torch has no derivative
    if may_be_derived(x1, x2):  # the sign of a zero has no derivative
        turn = torch.ones_like(x2).copysign(x2.detach())
        return turn * (torch.remainder(turn * x1, turn * x2) + 0.0)
    rest = torch.remainder(x1, x2)
    return rest.copysign(x2) if rest.is_floating_point() else rest


@hookimpl(lacks=("complex floating",), via=_TRUTH)
def sign(x: Any, /) -> Any:
    """Return NaN for NaN, of which torch's sign is 0; torch's complex one overflows."""
    return torch.where(x == x, x.sign(), x) if x.is_floating_point() else x.sign()


@hookimpl(native=operator.sub, fast=torch.sub, scalars=scalar_tensor, via=BITS | _by_parts(_subtracted))
def subtract(x1: Any, x2: Any, /) -> Any: ...


def _as_real(x1: Any, x2: Any) -> Iterator[Any]:
    """View complex arrays as real ones, of which the new last axis is short: none is repeated along the one before it."""
    if x1.shape == x2.shape:
        yield torch.view_as_real(x1.resolve_conj())
        yield torch.view_as_real(x2.resolve_conj())
        return
    for x, other in ((x1, x2), (x2, x1)):
        length = other.shape[-1:]
        if length and x.shape[-1:] != length and x.shape[-1:] in ((), (1,)):
            x = x.expand(*x.shape[:-1], *length).contiguous()
        yield torch.view_as_real(x.resolve_conj())


def _both(x1: Any, x2: Any) -> tuple[Any, Any]:
    """Make an array of a number that stands beside one."""
    if isinstance(x1, torch.Tensor):
        return x1, x2 if isinstance(x2, torch.Tensor) else x1.new_full((), x2)
    return x2.new_full((), x1), x2


def _divided(dividend: Any, divisor: Any) -> tuple[Any, Any]:
    """Divide 64 bits without a sign, held by signed integers; return quotient and remainder.

    The half of the dividend is divided with a sign, which leaves twice the quotient at most one too small. A divisor
    with its top bit set goes into the dividend once or not at all. ("Hacker's Delight", chapter 9.)
    """
    large = divisor < 0
    half = (dividend >> 1) & ~_MIN
    quotient = torch.where(large, 0, half // torch.where(large, 1, divisor)) << 1
    rest = dividend - quotient * divisor
    more = (rest ^ _MIN) >= (divisor ^ _MIN)
    return quotient + more.long(), rest - torch.where(more, divisor, 0)
