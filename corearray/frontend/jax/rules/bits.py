"""Bits: shifts, counts, and reading the bits of a number as another dtype."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.errors import FunctionNotImplementedError
from corearray.frontend.bits import bitcast, unsigned, width
from corearray.frontend.jax.described import rule
from corearray.frontend.operands import as_array

__all__: list[str] = []


def _shifted(x: Any, y: Any, shift: Any, beyond: Any) -> Any:
    """Shift by fewer places than there are bits; `beyond` says what is left of shifts by more."""
    array = x if isinstance(x, ca.Array) else y
    bits, x = width(array.dtype), as_array(x, array)
    if not isinstance(y, ca.Array):
        return shift(x, y) if 0 <= y < bits else beyond(x)
    inside = (y >= 0) & (y < bits)
    return ca.where(inside, shift(x, ca.where(inside, y, 0)), beyond(x))


@rule("jax.lax.shift_left_p")
def shift_left(x: Any, y: Any) -> Any:
    """Shift bits to the left."""
    return _shifted(x, y, ca.bitwise_left_shift, ca.zeros_like)


@rule("jax.lax.shift_right_arithmetic_p")
def shift_right_arithmetic(x: Any, y: Any) -> Any:
    """Shift bits to the right and keep the sign."""
    return _shifted(x, y, ca.bitwise_right_shift, lambda x: ca.where(x < 0, ca.full_like(x, -1), 0))


@rule("jax.lax.shift_right_logical_p")
def shift_right_logical(x: Any, y: Any) -> Any:
    """Shift bits to the right, with zeros from the left."""
    array = x if isinstance(x, ca.Array) else y
    if array.dtype.category == "unsigned integer":
        return _shifted(x, y, ca.bitwise_right_shift, ca.zeros_like)
    bits = width(array.dtype)

    def shift(x: Any, y: Any) -> Any:
        moved = ca.bitwise_right_shift(x, y)
        mask = ca.bitwise_invert(ca.bitwise_left_shift(ca.full_like(x, -1), bits - y))  # the lower bits
        return ca.where(ca.asarray(y == 0), x, ca.bitwise_and(moved, mask))

    return _shifted(x, y, shift, ca.zeros_like)


@rule("jax.lax.population_count_p")
def population_count(x: ca.Array) -> Any:
    """Count the bits that are set."""
    zero = ca.zeros_like(x)
    return sum(((ca.bitwise_right_shift(x, place) & 1) for place in range(width(x.dtype))), zero)


@rule("jax.lax.clz_p")
def clz(x: ca.Array) -> Any:
    """Count the zeros before the first bit that is set."""
    bits = width(x.dtype)
    count, seen = ca.zeros_like(x), ca.zeros_like(x)
    for place in reversed(range(bits)):
        seen = seen | (ca.bitwise_right_shift(x, place) & 1)
        count = count + (1 - seen)
    return count


@rule("jax.lax.mulhi_p")
def mulhi(x: ca.Array, y: ca.Array) -> Any:
    """Return the upper half of the bits of a product."""
    bits = width(x.dtype)
    if bits < 64:
        wide = ca.uint64 if x.dtype.category == "unsigned integer" else ca.int64
        return ca.astype(ca.bitwise_right_shift(ca.astype(x, wide) * ca.astype(y, wide), bits), x.dtype)
    if x.dtype.category != "unsigned integer":
        raise FunctionNotImplementedError("the upper half of a product of int64 has no rule; use uint64")
    mask, half = 0xFFFFFFFF, 32
    a, b, c, d = x >> half, x & mask, y >> half, y & mask
    middle = (b * d >> half) + (a * d & mask) + (b * c & mask)
    return a * c + (a * d >> half) + (b * c >> half) + (middle >> half)


rule("jax.lax.bitcast_convert_type_p")(bitcast)
