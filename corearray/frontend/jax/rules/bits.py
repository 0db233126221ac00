"""Bits: shifts, counts, and reading the bits of a number as another dtype."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.errors import FunctionNotImplementedError
from corearray.frontend.jax.described import rule
from corearray.frontend.operands import as_array

__all__: list[str] = []

#: Bits of exponent and fraction of the floating-point formats, and the exponent's bias.
_FORMATS = {"float16": (5, 10, 15), "bfloat16": (8, 7, 127), "float32": (8, 23, 127), "float64": (11, 52, 1023)}


def _width(dtype: Any) -> int:
    return 8 if dtype == ca.bool else int(str(dtype).lstrip("abcdefghijklmnopqrstuvwxyz"))


def _unsigned(bits: int) -> Any:
    return getattr(ca, f"uint{bits}")


def _shifted(x: Any, y: Any, shift: Any, beyond: Any) -> Any:
    """Shift by fewer places than there are bits; `beyond` says what is left of shifts by more."""
    array = x if isinstance(x, ca.Array) else y
    bits, x = _width(array.dtype), as_array(x, array)
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
    bits = _width(array.dtype)

    def shift(x: Any, y: Any) -> Any:
        moved = ca.bitwise_right_shift(x, y)
        mask = ca.bitwise_invert(ca.bitwise_left_shift(ca.full_like(x, -1), bits - y))  # the lower bits
        return ca.where(ca.asarray(y == 0), x, ca.bitwise_and(moved, mask))

    return _shifted(x, y, shift, ca.zeros_like)


@rule("jax.lax.population_count_p")
def population_count(x: ca.Array) -> Any:
    """Count the bits that are set."""
    zero = ca.zeros_like(x)
    return sum(((ca.bitwise_right_shift(x, place) & 1) for place in range(_width(x.dtype))), zero)


@rule("jax.lax.clz_p")
def clz(x: ca.Array) -> Any:
    """Count the zeros before the first bit that is set."""
    bits = _width(x.dtype)
    count, seen = ca.zeros_like(x), ca.zeros_like(x)
    for place in reversed(range(bits)):
        seen = seen | (ca.bitwise_right_shift(x, place) & 1)
        count = count + (1 - seen)
    return count


@rule("jax.lax.mulhi_p")
def mulhi(x: ca.Array, y: ca.Array) -> Any:
    """Return the upper half of the bits of a product."""
    bits = _width(x.dtype)
    if bits < 64:
        wide = ca.uint64 if x.dtype.category == "unsigned integer" else ca.int64
        return ca.astype(ca.bitwise_right_shift(ca.astype(x, wide) * ca.astype(y, wide), bits), x.dtype)
    if x.dtype.category != "unsigned integer":
        raise FunctionNotImplementedError("the upper half of a product of int64 has no rule; use uint64")
    mask, half = 0xFFFFFFFF, 32
    a, b, c, d = x >> half, x & mask, y >> half, y & mask
    middle = (b * d >> half) + (a * d & mask) + (b * c & mask)
    return a * c + (a * d >> half) + (b * c >> half) + (middle >> half)


@rule("jax.lax.bitcast_convert_type_p")
def bitcast_convert_type(x: ca.Array, *, new_dtype: Any) -> Any:
    """Read the bits of numbers as another dtype; the last axis counts the parts where the sizes differ."""
    if x.dtype == new_dtype:
        return x
    old, new = _width(x.dtype), _width(new_dtype)
    words = _to_words(x)
    if old > new:
        parts = [(words >> place) & ((1 << new) - 1) for place in range(0, old, new)]
        words = ca.stack([ca.astype(part, _unsigned(new)) for part in parts], axis=-1)
    elif old < new:
        wide = ca.astype(words, _unsigned(new))
        words = wide[..., 0]
        for place in range(1, new // old):
            words = words | (wide[..., place] << (place * old))
    return _from_words(words, new_dtype)


def _to_words(x: ca.Array) -> Any:
    """Return the bits of numbers as unsigned integers of their size."""
    unsigned = _unsigned(_width(x.dtype))
    if x.dtype.category != "real floating":
        return ca.astype(x, unsigned)
    _, places, bias = _FORMATS[str(x.dtype)]
    wide = ca.astype(x, ca.float64)
    sign = ca.astype(ca.signbit(wide), ca.int64)
    size = ca.abs(wide)
    fraction, exponent = ca.frexp(ca.where(ca.isfinite(size), size, 1.0))
    exponent = ca.astype(exponent, ca.int64) + (bias - 1)
    normal = exponent > 0
    stored = ca.where(normal, exponent, 0)
    shift = ca.where(normal, places + 1, places + exponent)
    digits = ca.astype(ca.ldexp(fraction, shift), ca.int64)
    number = ca.where(normal, digits - (1 << places), digits) | (stored << places)
    infinite = ((1 << (_FORMATS[str(x.dtype)][0])) - 1) << places
    number = ca.where(size == 0, 0, number)
    number = ca.where(ca.isinf(size), infinite, number)
    number = ca.where(ca.isnan(size), infinite | 1 << (places - 1), number)
    made = ca.astype(number, unsigned)
    return made | (ca.astype(sign, unsigned) << (_width(x.dtype) - 1))


def _from_words(words: ca.Array, dtype: Any) -> Any:
    """Return the numbers of bits that stand in unsigned integers of their size."""
    if dtype.category != "real floating":
        return ca.astype(words, dtype)
    exponents, places, bias = _FORMATS[str(dtype)]
    number = ca.astype(words & ((1 << (places + exponents)) - 1), ca.int64)
    exponent, digits = number >> places, number & ((1 << places) - 1)
    normal = exponent > 0
    whole = ca.astype(ca.where(normal, digits + (1 << places), digits), ca.float64)
    size = ca.ldexp(whole, ca.where(normal, exponent, 1) - (bias + places))
    last = exponent == (1 << exponents) - 1
    size = ca.where(last, ca.where(digits == 0, ca.inf, ca.nan), size)
    negative = (words >> (_width(dtype) - 1)) > 0
    return ca.astype(ca.where(negative, -size, size), dtype)
