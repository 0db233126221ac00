"""Distributions of counts of `jax.random`, with JAX's bits: Poisson, binomial and multinomial.

Sources: Knuth, The art of computer programming, volume 2; Hörmann, The transformed rejection method for generating Poisson
random variables, 1993, and The generation of binomial random variates, 1993.
"""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.errors import CoreArrayValueError
from corearray.frontend.jax.draws import floating, uniform_of, words_of
from corearray.frontend.jax.members_of.creation import shape_of
from corearray.frontend.jax.members_of.lax_elementwise import primitive
from corearray.frontend.jax.promotion import cast, inexact, of_indices, promoted, requested
from corearray.frontend.jax.wrapper import Array, converted

__all__ = ["FUNCTIONS", "binomial", "multinomial", "poisson"]


def _split(words: ca.Array, count: int = 2) -> list[Any]:
    made = primitive("random_split")(words, shape=(count,))
    return [made[i] for i in range(count)]


def _knuth(words: ca.Array, rate: ca.Array) -> Any:
    """Count uniform factors until their product falls below exp(-rate)."""
    shape = tuple(rate.shape)

    def following(state: Any) -> Any:
        count, key, total = state
        key, drawn = _split(key)
        count = ca.where(total > -rate, count + 1, count)
        return count, key, total + ca.log(uniform_of(drawn, shape, rate.dtype))

    start = (ca.zeros(shape, dtype=of_indices()), words, ca.zeros_like(rate))
    return ca.while_loop(lambda state: ca.any(state[2] > -rate), following, start)[0] - 1


def _rejected(words: ca.Array, rate: ca.Array) -> Any:
    """Draw large counts by transformed rejection."""
    shape, own = tuple(rate.shape), rate.dtype
    b = 0.931 + 2.53 * ca.sqrt(rate)
    a = -0.059 + 0.02483 * b
    inverse, limit, logarithm = 1.1239 + 1.1328 / (b - 3.4), 0.9277 - 3.6224 / (b - 2), ca.log(rate)

    def following(state: Any) -> Any:
        found, accepted, key = state
        key, first, second = _split(key, 3)
        u, v = uniform_of(first, shape, own) - 0.5, uniform_of(second, shape, own)
        shifted = 0.5 - ca.abs(u)
        k = ca.floor((2 * a / shifted + b) * u + rate + 0.43)
        s = ca.log(v * inverse / (a / (shifted * shifted) + b))
        fits = s <= -rate + k * logarithm - ca.lgamma(k + 1)
        refused = ca.logical_or(k < 0, ca.logical_and(shifted < 0.013, v > shifted))
        accept = _accepted(shifted, v, limit, refused, fits)
        return ca.where(accept, k, found), ca.logical_or(accepted, accept), key

    return _until_accepted(following, words, rate)


def _accepted(shifted: ca.Array, v: ca.Array, limit: ca.Array, refused: ca.Array, fits: ca.Array) -> Any:
    near = ca.logical_and(shifted >= 0.07, v <= limit)
    return ca.logical_or(near, ca.logical_and(ca.logical_not(refused), fits))


def _until_accepted(following: Any, words: ca.Array, like: ca.Array) -> Any:
    start = (-ca.ones_like(like), ca.zeros(tuple(like.shape), dtype=ca.bool), words)
    return ca.while_loop(lambda state: ca.logical_not(ca.all(state[1])), following, start)[0]


def poisson(key: Any, lam: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Return numbers of the Poisson distribution."""
    words = words_of("poisson", key)[0]
    own = requested(int if dtype is None else dtype, "poisson")
    rate = cast(converted(lam)[0], ca.float32)
    rate = ca.broadcast_to(rate, tuple(rate.shape) if shape is None else shape_of(shape))
    if 0 in rate.shape:
        return Array(ca.zeros(tuple(rate.shape), dtype=own))
    small = ca.logical_or(ca.isnan(rate), rate < 10)
    few = _knuth(words, ca.where(small, rate, 0.0))
    many = _rejected(words, ca.where(small, 1e5, rate))
    made = ca.where(small, few, ca.astype(many, of_indices()))
    return Array(cast(ca.where(rate == 0, 0, made), own))


def _inversion(words: ca.Array, count: ca.Array, chance: ca.Array) -> Any:
    """Count geometric waiting times up to `count` trials."""
    shape, slope = tuple(chance.shape), ca.log1p(-chance)

    def following(state: Any) -> Any:
        number, total, key = state
        drawn, key = _split(key)
        number = ca.where(total <= count, number + 1, number)
        return number, total + ca.ceil(ca.log(uniform_of(drawn, shape, chance.dtype)) / slope), key

    start = (ca.zeros_like(chance), ca.zeros_like(chance), words)
    return ca.while_loop(lambda state: ca.any(state[1] <= count), following, start)[0] - 1


_TAILS = (
    0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509, 0.0166446911898211,
    0.0138761288230707, 0.0118967099458917, 0.010411265261972, 0.00925546218271273, 0.00833056343336287,
)  # fmt: skip


def _tail(k: ca.Array) -> Any:
    """Return what Stirling's formula leaves of the logarithm of a factorial."""
    inside = ca.clip(k, 0.0, 9.0)
    squared = (inside + 1) * (inside + 1)
    formula = (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / squared) / squared) / (inside + 1)
    table = ca.asarray(_TAILS, dtype=k.dtype)
    places = ca.astype(ca.floor(inside), of_indices())
    return ca.where(k <= 9, ca.reshape(ca.take(table, ca.reshape(places, (-1,)), axis=0), tuple(k.shape)), formula)


def _transformed(words: ca.Array, count: ca.Array, chance: ca.Array) -> Any:
    """Draw large binomial counts by transformed rejection with squeeze."""
    shape, own = tuple(chance.shape), chance.dtype
    deviation = ca.sqrt(count * chance * (1 - chance))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * chance
    c, limit, r = count * chance + 0.5, 0.92 - 4.2 / b, chance / (1 - chance)
    alpha, m = (2.83 + 5.1 / b) * deviation, ca.floor((count + 1) * chance)

    def following(state: Any) -> Any:
        found, accepted, key = state
        key, first, second = _split(key, 3)
        u, v = uniform_of(first, shape, own) - 0.5, uniform_of(second, shape, own)
        us = 0.5 - ca.abs(u)
        k = ca.floor((2 * a / us + b) * u + c)
        bound = (
            (m + 0.5) * ca.log((m + 1) / (r * (count - m + 1)))
            + (count + 1) * ca.log((count - m + 1) / (count - k + 1))
            + (k + 0.5) * ca.log(r * (count - k + 1) / (k + 1))
            + _tail(m) + _tail(count - m) - _tail(k) - _tail(count - k)
        )  # fmt: skip
        fits = ca.log(v * alpha / (a / (us * us) + b)) <= bound
        accept = _accepted(us, v, limit, ca.logical_or(k < 0, k > count), fits)
        return ca.where(accept, k, found), ca.logical_or(accepted, accept), key

    return _until_accepted(following, words, chance)


def _binomial(words: ca.Array, count: ca.Array, chance: ca.Array, own: ca.DType) -> Any:
    """Return counts of successes in trials, for arrays of one shape and dtype."""
    below = chance < 0.5
    q = ca.where(below, chance, 1.0 - chance)
    strange = ca.logical_or(ca.isnan(count), count < 0.0)
    endless = ca.isinf(count)
    unknown, negative = ca.isnan(q), q < 0.0
    q = ca.where(ca.logical_or(unknown, negative), 0.01, q)
    few = ca.logical_or(strange, count * q <= 10.0)
    whole = ca.floor(count)
    small = _inversion(words, ca.where(few, whole, 0.0), q)
    large = _transformed(words, ca.where(few, 10000.0, whole), ca.where(few, 0.5, q))
    made = cast(ca.where(few, small, large), own)
    wrong = ca.logical_or(ca.logical_or(negative, unknown), strange)
    made = ca.where(wrong, ca.nan, made)
    made = ca.where(ca.logical_and(endless, ca.logical_not(wrong)), ca.inf, made)
    kept = ca.logical_or(ca.logical_or(below, strange), ca.logical_or(unknown, endless))
    return ca.where(kept, made, cast(whole, own) - made)


def binomial(key: Any, n: Any, p: Any, shape: Any = None, dtype: Any = None) -> Any:
    """Return numbers of the binomial distribution, in a floating dtype."""
    own = floating(dtype, "binomial")
    chance = converted(p)[0]
    chance = cast(chance, inexact(chance.dtype))
    count = cast(converted(n)[0], chance.dtype)
    joined = tuple(ca.broadcast_shapes(tuple(count.shape), tuple(chance.shape)))
    sizes = joined if shape is None else shape_of(shape)
    if tuple(ca.broadcast_shapes(sizes, joined)) != sizes:
        raise CoreArrayValueError(
            "binomial parameter shapes must be broadcast-compatible with shape argument, and the result of broadcasting the "
            f"shapes must equal the shape argument, but got result {joined} for shape argument {sizes}."
        )
    count, chance = (ca.broadcast_to(x, sizes) for x in (count, chance))
    return Array(_binomial(words_of("binomial", key)[0], count, chance, own))


def multinomial(key: Any, n: Any, p: Any, *, shape: Any = None, dtype: Any = None, unroll: Any = 1) -> Any:
    """Return counts of the categories of trials, whose probabilities lie along the last axis."""
    (trials, _), (chances, _) = converted(n), converted(p)
    own = inexact(promoted([(trials.dtype, False), (chances.dtype, False)])[0])
    sizes = tuple(chances.shape) if shape is None else shape_of(shape)
    rest = ca.broadcast_to(cast(trials, own), sizes[:-1])
    parts = ca.unstack(ca.broadcast_to(cast(chances, own), sizes), axis=-1)
    keys = _split(words_of("multinomial", key)[0], len(parts))
    counts: list[Any] = []
    for place, (part, words) in enumerate(zip(parts, keys, strict=True)):
        left = part
        for later in parts[place + 1 :]:
            left = left + later
        ratio = ca.clip(part / ca.where(left == 0, 1.0, left), 0, 1)
        counts.append(_binomial(words, rest, ratio, own))
        rest = rest - counts[-1]
    return Array(cast(ca.stack(counts, axis=-1), own if dtype is None else floating(dtype, "multinomial")))


FUNCTIONS: dict[str, Any] = {f"random.{one.__name__}": one for one in (poisson, binomial, multinomial)}
