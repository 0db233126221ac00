"""Random numbers: those of TensorFlow's stateless functions bit by bit, and others from corearray's generator.

Stateless functions use Philox.
"""

from __future__ import annotations

from math import prod
from typing import Any

import corearray as ca
from corearray.errors import FunctionNotImplementedError
from corearray.frontend.philox import joined_words
from corearray.frontend.table import loops
from corearray.frontend.tensorflow.described import rule
from corearray.frontend.tensorflow.random_words import fractions_of, key_and_counter, pairs_of, words_at, words_of

__all__: list[str] = []


@rule("tensorflow.raw_ops.StatelessRandomGetKeyCounter")
def key_counter(seed: ca.Array) -> Any:
    """Return the key and the counter of a seed of two integers."""
    return key_and_counter(seed)


@rule("tensorflow.raw_ops.StatelessRandomGetKeyCounterAlg")
def key_counter_alg(seed: ca.Array) -> Any:
    """Return key, counter and algorithm of a seed."""
    return [*key_and_counter(seed), ca.asarray(1, dtype=ca.int32)]


@rule("tensorflow.raw_ops.StatelessRandomGetAlg")
def algorithm() -> Any:
    """Return the number of Philox."""
    return ca.asarray(1, dtype=ca.int32)


def _refuse_narrow(dtype: Any) -> None:
    if dtype not in (ca.float32, ca.float64):
        raise FunctionNotImplementedError(
            f"stateless random numbers of dtype {dtype} are not known; draw float32 or float64 and cast it"
        )


def _normal(words: Any, dtype: Any) -> Any:
    """Return numbers of the normal distribution by Box and Muller's method, as a flat array."""
    first, second = pairs_of(fractions_of(words, dtype))
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
    tried = ca.reshape(_normal(words_at(key, counter, blocks, alg), dtype), (groups.shape[0], 16))
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
    words = joined_words(*pairs_of(words_of(key, counter, 2 * count, alg)))[:count]
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


@rule("tensorflow.raw_ops.StatelessShuffle")
@loops
def stateless_shuffle(value: ca.Array, key: ca.Array, counter: ca.Array, alg: Any) -> ca.Array:
    """Return rows in a random order, TensorFlow's: each place in turn changes with itself or one behind it."""
    count = value.shape[0]
    words = words_of(key, counter, count, alg)[:count]
    numbers = ca.arange(count, dtype=ca.int64)
    others = numbers + ca.remainder(ca.astype(words, ca.int64), count - numbers)

    def exchanged(order: ca.Array, pair: Any) -> Any:
        places = ca.stack(list(pair))
        values = ca.take(order, ca.flip(places), axis=0)
        return ca.scatter_nd(places[:, None], values, base=order, reduction="replace"), None

    return ca.take(value, ca.scan(exchanged, numbers, (numbers, others))[0], axis=0)


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
