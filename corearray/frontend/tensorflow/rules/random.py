"""Random numbers: those of TensorFlow's stateless functions bit by bit, and others from corearray's generator.

Stateless functions use Philox.
"""

from __future__ import annotations

from math import prod
from typing import Any

import corearray as ca
from corearray.errors import FunctionNotImplementedError
from corearray.frontend.philox import high_word, joined_words, low_word, philox
from corearray.frontend.tensorflow.described import rule

__all__ = ["fractions_of", "key_counter", "words_of"]


@rule("tensorflow.raw_ops.StatelessRandomGetKeyCounter")
def key_counter(seed: ca.Array) -> Any:
    """Return the key and the counter of a seed of two integers."""
    words = ca.astype(seed, ca.int64)
    first, second = words[0], words[1]
    fixed = [ca.full_like(first, number) for number in (0x3EC8F720, 0x02461E29)]
    mixed = philox([low_word(first), high_word(first), low_word(second), high_word(second)], fixed)
    key = ca.reshape(joined_words(mixed[0], mixed[1]), (1,))
    counter = ca.stack([ca.zeros_like(key[0]), joined_words(mixed[2], mixed[3])])
    return [key, counter]


@rule("tensorflow.raw_ops.StatelessRandomGetKeyCounterAlg")
def key_counter_alg(seed: ca.Array) -> Any:
    """Return key, counter and algorithm of a seed."""
    return [*key_counter(seed), ca.asarray(1, dtype=ca.int32)]


@rule("tensorflow.raw_ops.StatelessRandomGetAlg")
def algorithm() -> Any:
    """Return the number of Philox."""
    return ca.asarray(1, dtype=ca.int32)


def words_of(key: ca.Array, counter: ca.Array, count: int, alg: Any) -> Any:
    """Return random words for so many places, as a flat array."""
    return _words_at(key, counter, ca.arange(-(-count // 4), dtype=ca.int64), alg)


def _words_at(key: ca.Array, counter: ca.Array, blocks: ca.Array, alg: Any) -> Any:
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


def _pairs(words: Any) -> Any:
    """Return the first and the second word of each pair."""
    pairs = ca.reshape(words, (-1, 2))
    return pairs[:, 0], pairs[:, 1]


def _refuse_narrow(dtype: Any) -> None:
    if dtype not in (ca.float32, ca.float64):
        raise FunctionNotImplementedError(
            f"stateless random numbers of dtype {dtype} are not known; draw float32 or float64 and cast it"
        )


def fractions_of(words: Any, dtype: Any) -> Any:
    """Return numbers from 0 to 1: `float32` of the low 23 bits of a word, `float64` of 52 bits of a pair of words."""
    if dtype == ca.float32:
        return ca.astype(ca.bitwise_and(words, 0x7FFFFF), dtype) * 2.0**-23
    first, second = _pairs(words)
    bits = ca.bitwise_or(ca.bitwise_left_shift(ca.bitwise_and(first, 0xFFFFF), 32), second)
    return ca.astype(bits, dtype) * 2.0**-52


def _normal(words: Any, dtype: Any) -> Any:
    """Return numbers of the normal distribution by Box and Muller's method, as a flat array."""
    first, second = _pairs(fractions_of(words, dtype))
    radius = ca.sqrt(-2.0 * ca.log(ca.maximum(first, 1.0e-7)))
    angle = 2.0 * ca.pi * second
    return ca.reshape(ca.stack([radius * ca.sin(angle), radius * ca.cos(angle)], axis=-1), (-1,))


@rule("tensorflow.raw_ops.StatelessRandomUniformV2")
def stateless_uniform(shape: Any, key: ca.Array, counter: ca.Array, alg: Any, dtype: Any = ca.float32) -> Any:
    """Return numbers from 0 to 1, TensorFlow's bits."""
    _refuse_narrow(dtype)
    count = prod(shape)
    words = words_of(key, counter, count * (dtype.bits // 32), alg)
    return ca.reshape(fractions_of(words, dtype)[:count], tuple(shape))


@rule("tensorflow.raw_ops.StatelessRandomNormalV2")
def stateless_normal(shape: Any, key: ca.Array, counter: ca.Array, alg: Any, dtype: Any = ca.float32) -> Any:
    """Return numbers of the normal distribution, TensorFlow's but for rounding."""
    _refuse_narrow(dtype)
    count = prod(shape)
    words = words_of(key, counter, count * (dtype.bits // 32), alg)
    return ca.reshape(_normal(words, dtype)[:count], tuple(shape))


@rule("tensorflow.raw_ops.StatelessTruncatedNormalV2")
def stateless_truncated_normal(shape: Any, key: ca.Array, counter: ca.Array, alg: Any, dtype: Any = ca.float32) -> Any:
    """Return numbers of the normal distribution within two standard deviations, TensorFlow's but for rounding.

    TensorFlow reserves 256 words for each result, and fills groups of four `float32` or two `float64` with the first numbers
    within the limits. One of 22 lies outside; of 16 more than 12 do with a probability of 1e-15.
    """
    _refuse_narrow(dtype)
    count, size = prod(shape), 128 // dtype.bits
    groups = ca.arange(-(-count // size), dtype=ca.int64)[:, None]
    blocks = ca.reshape(groups * (64 * size) + ca.arange(16 // size, dtype=ca.int64), (-1,))
    tried = ca.reshape(_normal(_words_at(key, counter, blocks, alg), dtype), (groups.shape[0], 16))
    order = ca.argsort(ca.astype(ca.abs(tried) >= 2.0, ca.int32), axis=1, stable=True)[:, :size]
    return ca.reshape(ca.reshape(ca.take_along_axis(tried, order, axis=1), (-1,))[:count], tuple(shape))


@rule("tensorflow.raw_ops.StatelessRandomUniformIntV2")
def stateless_integers(shape: Any, key: ca.Array, counter: ca.Array, alg: Any, minval: Any, maxval: Any) -> Any:
    """Return integers of 32 or 64 bits from a range, TensorFlow's: the remainder of one word or of a pair."""
    count, dtype = prod(shape), minval.dtype
    if dtype.bits == 32:
        words = words_of(key, counter, count, alg)[:count]
        low, high = ca.astype(minval, ca.int64), ca.astype(maxval, ca.int64)
        return ca.reshape(ca.astype(low + ca.remainder(words, high - low), dtype), tuple(shape))
    words = joined_words(*_pairs(words_of(key, counter, 2 * count, alg)))[:count]
    width = ca.astype(maxval, ca.uint64) - ca.astype(minval, ca.uint64)
    return ca.reshape(ca.astype(minval, dtype) + ca.astype(ca.remainder(words, width), dtype), tuple(shape))


@rule("tensorflow.raw_ops.StatelessRandomUniformFullIntV2")
def stateless_bits(shape: Any, key: ca.Array, counter: ca.Array, alg: Any, dtype: Any = ca.uint64) -> Any:
    """Return integers from the whole range of a dtype of 32 or 64 bits, TensorFlow's."""
    count = prod(shape)
    if dtype in (ca.int32, ca.uint32):
        words = words_of(key, counter, count, alg)[:count]
        signed = ca.where(words >= 2**31, words - 2**32, words) if dtype == ca.int32 else words
        return ca.reshape(ca.astype(signed, dtype), tuple(shape))
    pairs = ca.reshape(words_of(key, counter, 2 * count, alg)[: 2 * count], (count, 2))
    joined = ca.bitwise_or(pairs[:, 0], ca.bitwise_left_shift(pairs[:, 1], 32))
    return ca.reshape(ca.astype(joined, dtype), tuple(shape))


@rule("tensorflow.raw_ops.RandomUniform")
def uniform(shape: Any, dtype: Any, seed: int = 0, seed2: int = 0) -> Any:
    """Draw numbers from 0 to 1 from corearray's generator."""
    return ca.random.uniform(shape=tuple(shape), dtype=dtype)


@rule("tensorflow.raw_ops.RandomStandardNormal")
def normal(shape: Any, dtype: Any, seed: int = 0, seed2: int = 0) -> Any:
    """Draw numbers of the normal distribution from corearray's generator."""
    return ca.random.normal(shape=tuple(shape), dtype=dtype)


@rule("tensorflow.raw_ops.RandomUniformInt")
def integers(shape: Any, minval: Any, maxval: Any, seed: int = 0, seed2: int = 0) -> Any:
    """Draw integers from a range, by numbers from 0 to 1 of corearray's generator."""
    fractions = ca.random.uniform(shape=tuple(shape), dtype=ca.float64)
    width = ca.astype(maxval - minval, ca.float64)
    return minval + ca.astype(ca.floor(fractions * width), minval.dtype)
