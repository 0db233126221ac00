"""Reading the bits of a number as another dtype, for several frontends."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.errors import CoreArrayValueError

__all__ = ["bitcast", "unsigned", "width"]

#: Bits of exponent and fraction of the floating-point formats, and the exponent's bias.
_FORMATS = {"float16": (5, 10, 15), "bfloat16": (8, 7, 127), "float32": (8, 23, 127), "float64": (11, 52, 1023)}


def width(dtype: Any) -> int:
    """Return how many bits a number has."""
    return 8 if dtype == ca.bool else int(str(dtype).lstrip("abcdefghijklmnopqrstuvwxyz"))


def unsigned(bits: int) -> Any:
    """Return the dtype of unsigned integers with so many bits."""
    return getattr(ca, f"uint{bits}")


def bitcast(x: ca.Array, *, new_dtype: Any) -> Any:
    """Read the bits of numbers as another dtype; the last axis counts the parts where the sizes differ."""
    if x.dtype == new_dtype:
        return x
    old, new = width(x.dtype), width(new_dtype)
    words = _to_words(x)
    if old > new:
        parts = [(words >> place) & ((1 << new) - 1) for place in range(0, old, new)]
        words = ca.stack([ca.astype(part, unsigned(new)) for part in parts], axis=-1)
    elif old < new:
        if x.shape[-1:] != (new // old,):
            raise CoreArrayValueError(
                f"bits of {x.dtype} numbers of the shape {tuple(x.shape)} are read as {new_dtype}, which takes {new // old} of "
                "them; give a last axis of that length"
            )
        wide = ca.astype(words, unsigned(new))
        words = wide[..., 0]
        for place in range(1, new // old):
            words = words | (wide[..., place] << (place * old))
    return _from_words(words, new_dtype)


def _to_words(x: ca.Array) -> Any:
    """Return the bits of numbers as unsigned integers of their size."""
    whole = unsigned(width(x.dtype))
    if x.dtype.category != "real floating":
        return ca.astype(x, whole)
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
    made = ca.astype(number, whole)
    return made | (ca.astype(sign, whole) << (width(x.dtype) - 1))


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
    negative = (words >> (width(dtype) - 1)) > 0
    return ca.astype(ca.where(negative, -size, size), dtype)
