"""Philox with four words of 32 bits and ten rounds, which TensorFlow and XLA use; the words are kept in integers of 64 bits.

Source: Salmon et al., Parallel random numbers: as easy as 1, 2, 3, 2011.
"""

from __future__ import annotations

from typing import Any

import corearray as ca

__all__ = ["high_word", "joined_words", "low_word", "philox"]

_WORD = 0xFFFFFFFF


def low_word(x: Any) -> Any:
    """Return the low word of integers of 64 bits."""
    return ca.bitwise_and(x, _WORD)


def high_word(x: Any) -> Any:
    """Return the high word of integers of 64 bits."""
    return ca.bitwise_and(ca.bitwise_right_shift(x, 32), _WORD)


def _product(x: Any, factor: int) -> tuple[Any, Any]:
    """Return the high and the low word of a product of a word."""
    factor_low, factor_high = factor & 0xFFFF, factor >> 16
    low, high = x * factor_low, x * factor_high  # each of 48 bits
    middle = low + ca.bitwise_left_shift(ca.bitwise_and(high, 0xFFFF), 16)
    return ca.bitwise_right_shift(high, 16) + ca.bitwise_right_shift(middle, 32), low_word(middle)


def philox(counter: list[Any], key: list[Any]) -> list[Any]:
    """Return four words for a counter of four words and a key of two."""
    (c0, c1, c2, c3), (k0, k1) = counter, key
    for place in range(10):
        if place:
            k0, k1 = low_word(k0 + 0x9E3779B9), low_word(k1 + 0xBB67AE85)
        high0, low0 = _product(c0, 0xD2511F53)
        high1, low1 = _product(c2, 0xCD9E8D57)
        c0, c1, c2, c3 = (
            ca.bitwise_xor(ca.bitwise_xor(high1, c1), k0), low1,
            ca.bitwise_xor(ca.bitwise_xor(high0, c3), k1), low0,
        )  # fmt: skip
    return [c0, c1, c2, c3]


def joined_words(low: Any, high: Any) -> Any:
    """Return an integer of 64 bits of two words."""
    return ca.astype(ca.bitwise_or(low, ca.bitwise_left_shift(high, 32)), ca.uint64)
