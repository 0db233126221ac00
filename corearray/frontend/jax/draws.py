"""Draws of `jax.random` by the words of keys, several keys at once: bits, and uniform and normal numbers."""

from __future__ import annotations

import math
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.jax.key_arrays import KeyArray
from corearray.frontend.jax.members_of.lax_elementwise import primitive
from corearray.frontend.jax.promotion import cast, default, requested
from corearray.frontend.jax.wrapper import converted

__all__ = ["FRACTION", "bits_of", "floating", "normal_of", "uniform_of", "words_of"]

#: Bits behind the point of each dtype's numbers in [1, 2).
FRACTION = {"float16": 10, "bfloat16": 7, "float32": 23, "float64": 52}


def words_of(name: str, given: Any, *, several: bool = False) -> tuple[ca.Array, bool]:
    """Return the words of a key, and whether it came as an array of keys.

    Raises
    ------
    TypeError, ValueError
        If it is none, or there are several.
    """
    if isinstance(given, KeyArray):
        words = given.array
    else:
        try:
            words = converted(given)[0]
        except TypeError:
            raise CoreArrayTypeError(
                f"{name} accepts a PRNG key, got {given!r}; make one with jax.random.key(0)"
            ) from None
        if words.dtype != ca.uint32 or not words.ndim or words.shape[-1] != 2:
            raise CoreArrayTypeError(
                "JAX encountered invalid PRNG key data: expected uint32 "
                f"words with last axis 2, got {words.dtype}{tuple(words.shape)}"
            )
    if words.ndim > 1 and not several:
        raise CoreArrayValueError(
            f"{name} accepts a single key, but was given a key array of "
            f"shape {tuple(words.shape[:-1])} != (). Use jax.vmap for batching."
        )
    return words, isinstance(given, KeyArray)


def bits_of(words: Any, width: int, shape: tuple[int, ...]) -> Any:
    """Return random bits as unsigned integers, `shape` of them for each key."""
    return primitive("random_bits")(words, bit_width=width, shape=shape)


def floating(dtype: Any, name: str) -> ca.DType:
    """Return the dtype of a draw, `float32` or with 64 bits `float64` by default.

    Raises
    ------
    ValueError
        If it is no floating dtype.
    """
    own = default(float) if dtype is None else requested(dtype, name)
    if own is None or own.category != "real floating":
        raise CoreArrayValueError(f"dtype argument to `{name}` must be a float dtype, got {own}")
    return own


def uniform_of(words: Any, shape: tuple[int, ...], own: ca.DType, low: Any = 0.0, high: Any = 1.0) -> Any:
    """Return numbers between bounds: random fractions of numbers in [1, 2), less 1."""
    places, width = FRACTION[str(own)], 8 if str(own) == "bfloat16" else own.bits
    wide = ca.float64 if own == ca.float64 else ca.float32
    drawn = ca.bitwise_right_shift(bits_of(words, width, shape), width - places)
    floats = cast(ca.astype(drawn, wide) * 2.0**-places, own)
    low, high = (ca.asarray(x, dtype=own) if not isinstance(x, ca.Array) else cast(x, own) for x in (low, high))
    return ca.maximum(low, floats * (high - low) + low)


def normal_of(words: Any, shape: tuple[int, ...], own: ca.DType) -> Any:
    """Return numbers of the standard normal distribution, `shape` of them for each key."""
    low = -1.0 + 2.0 ** -(FRACTION[str(own)] + 1)
    return ca.asarray(math.sqrt(2.0), dtype=own) * ca.erfinv(uniform_of(words, shape, own, low, 1.0))
