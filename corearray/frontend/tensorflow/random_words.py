"""The random words that TensorFlow's stateless functions take from Philox, and numbers made of them."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.errors import FunctionNotImplementedError
from corearray.frontend.philox import high_word, joined_words, low_word, philox

__all__ = ["fractions_of", "key_and_counter", "pairs_of", "words_at", "words_of"]


def key_and_counter(seed: ca.Array) -> list[Any]:
    """Return the key and the counter of a seed of two integers."""
    words = ca.astype(seed, ca.int64)
    first, second = words[0], words[1]
    fixed = [ca.full_like(first, number) for number in (0x3EC8F720, 0x02461E29)]
    mixed = philox([low_word(first), high_word(first), low_word(second), high_word(second)], fixed)
    key = ca.reshape(joined_words(mixed[0], mixed[1]), (1,))
    counter = ca.stack([ca.zeros_like(key[0]), joined_words(mixed[2], mixed[3])])
    return [key, counter]


def words_of(key: ca.Array, counter: ca.Array, count: int, alg: Any) -> Any:
    """Return random words for so many places, as a flat array."""
    return words_at(key, counter, ca.arange(-(-count // 4), dtype=ca.int64), alg)


def words_at(key: ca.Array, counter: ca.Array, blocks: ca.Array, alg: Any) -> Any:
    """Return the four words of each block, as a flat array."""
    if not isinstance(alg, ca.Array) and int(alg) not in (1, 3):
        raise FunctionNotImplementedError(
            f"random numbers of algorithm {alg} are not known; use Philox, alg='philox' or 'auto_select'"
        )
    secret = ca.astype(key[0], ca.int64)
    start, rest = ca.astype(counter[0], ca.int64), ca.astype(counter[1], ca.int64)
    places = start + blocks
    made = philox(
        [low_word(places), high_word(places), low_word(rest) + 0 * places, high_word(rest) + 0 * places],
        [low_word(secret), high_word(secret)],
    )
    return ca.reshape(ca.stack(made, axis=-1), (-1,))


def pairs_of(words: Any) -> Any:
    """Return the first and the second word of each pair."""
    pairs = ca.reshape(words, (-1, 2))
    return pairs[:, 0], pairs[:, 1]


def fractions_of(words: Any, dtype: Any) -> Any:
    """Return numbers from 0 to 1: `float32` of the low 23 bits of a word, `float64` of 52 bits of a pair of words."""
    if dtype == ca.float32:
        return ca.astype(ca.bitwise_and(words, 0x7FFFFF), dtype) * 2.0**-23
    first, second = pairs_of(words)
    bits = ca.bitwise_or(ca.bitwise_left_shift(ca.bitwise_and(first, 0xFFFFF), 32), second)
    return ca.astype(bits, dtype) * 2.0**-52
