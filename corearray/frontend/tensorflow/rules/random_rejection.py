"""Stateless random numbers by rejection: gamma, Poisson and binomial distributions; and of classes and truncated normals.

TensorFlow reserves 256 groups of four words for each result, or 42 where it inverts the distribution function, from which it takes as many numbers of 64 bits as it needs, the
second of a group first. Here all results that wait for a number take it at once.

Sources: Marsaglia and Tsang, A simple method for generating gamma variables, 2000; Hormann, The transformed rejection method
for generating Poisson random variables, 1993, and The generation of binomial random variates, 1993.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import corearray as ca
from corearray.frontend.philox import high_word, low_word, philox
from corearray.frontend.tensorflow.described import rule
from corearray.frontend.tensorflow.random_words import fractions_of, key_and_counter, words_of

__all__: list[str] = []

#: What Stirling's formula lacks for the logarithms of the factorials of 0 to 9.
_STIRLING = (
    0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.02079067210376509, 0.0166446911898211, 0.0138761288230707,
    0.0118967099458917, 0.0104112652619720, 0.00925546218271273, 0.00833056343336287,
)  # fmt: skip


class _Source:
    """A place in the stream of random words for each result, and the numbers of its last group that are left."""

    def __init__(self, key: ca.Array, counter: ca.Array, places: ca.Array, reserved: int = 256) -> None:
        secret, rest = ca.astype(key[0], ca.int64), ca.astype(counter[1], ca.int64)
        self.key = [low_word(secret), high_word(secret)]
        self.rest = [low_word(rest) + 0 * places, high_word(rest) + 0 * places]
        self.start: Any = ca.astype(counter[0], ca.int64) + reserved * places

    def group(self, position: Any) -> tuple[Any, Any]:
        """Return the two numbers from 0 to 1 of a group."""
        words = philox([low_word(position), high_word(position), *self.rest], self.key)
        both = fractions_of(ca.reshape(ca.stack(words, axis=-1), (-1,)), ca.float64)
        pairs = ca.reshape(both, (-1, 2))
        return pairs[:, 0], pairs[:, 1]

    def drawn(self, state: dict[str, Any], wanted: Any, kind: str = "spare") -> Any:
        """Return a number for each result that wants one, and move its place on; `kind` is "normal" for normal numbers."""
        first, second = self.group(state["position"])
        if kind == "normal":
            radius, angle = ca.sqrt(-2.0 * ca.log(ca.maximum(first, 1.0e-7))), 2.0 * ca.pi * second
            first, second = radius * ca.sin(angle), radius * ca.cos(angle)
        left = state[f"{kind}_left"]
        fresh = ca.logical_and(wanted, ca.logical_not(left))
        value = ca.where(left, state[kind], second)
        state[kind] = ca.where(fresh, first, state[kind])
        state[f"{kind}_left"] = ca.where(wanted, ca.logical_not(left), left)
        state["position"] = state["position"] + ca.astype(fresh, ca.int64)
        return value


def _source(seed: ca.Array, places: ca.Array, reserved: int = 256) -> _Source:
    key, counter = key_and_counter(seed)
    return _Source(key, counter, places, reserved)


def _rejected(source: _Source, waits: Any, step: Callable[[dict[str, Any]], Any], **more: Any) -> Any:
    """Return results that a step computes. It takes the state of all results, and returns values and which are accepted."""
    zero = ca.zeros(waits.shape, dtype=ca.float64)
    start = {"waits": waits, "result": zero, "position": source.start, **more}
    for kind in ("spare", "normal"):
        start |= {kind: zero, f"{kind}_left": ca.zeros(waits.shape, dtype=ca.bool)}
    names = list(start)

    def following(values: Any) -> Any:
        state = dict(zip(names, values, strict=True))
        found, accepted = step(state)
        accepted = ca.logical_and(state["waits"], accepted)
        state["result"] = ca.where(accepted, found, state["result"])
        state["waits"] = ca.logical_and(state["waits"], ca.logical_not(accepted))
        return [state[name] for name in names]

    return ca.while_loop(lambda values: ca.any(values[0]), following, list(start.values()))[1]


def _laid_out(count: int, parameters: ca.Array) -> tuple[Any, Any]:
    """Return the places and the parameters of results, one parameter after the other in TensorFlow's stream."""
    each = count // max(prod(parameters.shape), 1)
    return ca.arange(count, dtype=ca.int64), ca.repeat(ca.astype(ca.reshape(parameters, (-1,)), ca.float64), each)


def _shaped(made: Any, shape: Any, parameters: int, dtype: ca.DType) -> Any:
    """Return results in the shape of the caller, whose last axes are the parameters."""
    turned = ca.matrix_transpose(ca.reshape(made, (parameters, -1)))
    return ca.reshape(ca.astype(turned, dtype), tuple(shape))


@rule("tensorflow.raw_ops.StatelessRandomGammaV3")
def stateless_gamma(shape: Any, key: ca.Array, counter: ca.Array, alg: Any, alpha: ca.Array) -> Any:
    """Return numbers of the gamma distribution, TensorFlow's but for rounding."""
    if not prod(shape):
        return ca.zeros(tuple(shape), dtype=alpha.dtype)
    places, form = _laid_out(prod(shape), alpha)
    bad = ca.logical_not(form >= 0)
    form = ca.where(bad, 1.0, form)
    source = _Source(key, counter, places)
    below = form < 1
    d = form + ca.where(below, 2.0 / 3, -1.0 / 3)
    c = 1.0 / 3 / ca.sqrt(d)
    inverse = ca.where(form > 0, 1.0 / ca.where(form > 0, form, 1.0), ca.inf)

    def step(state: dict[str, Any]) -> Any:
        x = source.drawn(state, state["waits"], "normal")
        v = 1 + c * x
        usable = ca.logical_and(state["waits"], v > 0)
        v = ca.where(usable, v, 1.0) ** 3
        u = source.drawn(state, usable)
        square = x * x
        squeezed = u < 1 - 0.0331 * square * square
        slow = ca.log(u) < 0.5 * square + d * (1 - v + ca.log(v))
        accepted = ca.logical_and(usable, ca.logical_or(squeezed, slow))
        power = source.drawn(state, ca.logical_and(accepted, below))
        return d * v * ca.where(below, power**inverse, 1.0), accepted

    exponential = form == 1
    made = _rejected(source, ca.logical_not(exponential), step)
    made = ca.where(exponential, -ca.log(1.0 - source.group(source.start)[1]), made)
    made = ca.where(bad, ca.nan, made)
    return _shaped(made, shape, prod(alpha.shape), alpha.dtype)


@rule("tensorflow.raw_ops.StatelessRandomPoisson")
def stateless_poisson(shape: Any, seed: ca.Array, lam: ca.Array, dtype: Any = ca.int64) -> Any:
    """Return numbers of the Poisson distribution, TensorFlow's; 0 for negative rates, and rates that are not finite."""
    if not prod(shape):
        return ca.zeros(tuple(shape), dtype=dtype)
    places, rate = _laid_out(prod(shape), lam)
    source = _source(seed, places)
    fine = ca.isfinite(rate)
    small, large = ca.logical_and(fine, rate < 10), ca.logical_and(fine, rate >= 10)
    threshold = ca.exp(-rate)

    def few(state: dict[str, Any]) -> Any:
        state["product"] = state["product"] * source.drawn(state, state["waits"])
        accepted = state["product"] <= threshold
        found = state["count"]
        state["count"] = found + 1
        return found, accepted

    raised = ca.where(large, rate, 10.0)
    b = 0.931 + 2.53 * ca.sqrt(raised)
    a = -0.059 + 0.02483 * b
    inverse = 1.1239 + 1.1328 / (b - 3.4)

    def many(state: dict[str, Any]) -> Any:
        u = source.drawn(state, state["waits"]) - 0.5
        v = source.drawn(state, state["waits"])
        shifted = 0.5 - ca.abs(u)
        k = ca.floor((2.0 * a / shifted + b) * u + raised + 0.43)
        box = ca.logical_and(shifted >= 0.07, v <= 0.9277 - 3.6224 / (b - 2.0))
        outside = ca.logical_or(k < 0, ca.logical_and(shifted < 0.013, v > shifted))
        left = ca.log(v * inverse / (a / (shifted * shifted) + b))
        right = -raised + k * ca.log(raised) - ca.lgamma(ca.where(k < 0, 0.0, k) + 1.0)
        return k, ca.logical_or(box, ca.logical_and(ca.logical_not(outside), left <= right))

    ones, zeros = ca.ones(rate.shape, dtype=ca.float64), ca.zeros(rate.shape, dtype=ca.float64)
    made = ca.where(small, _rejected(source, small, few, product=ones, count=zeros), _rejected(source, large, many))
    made = ca.where(fine, made, rate) if dtype.category == "real floating" else made
    return _shaped(made, shape, prod(lam.shape), dtype)


def _stirling(k: Any) -> Any:
    near = ca.take(ca.asarray(_STIRLING, dtype=ca.float64), ca.astype(ca.clip(k, 0.0, 9.0), ca.int64))
    above = k + 1
    return ca.where(k <= 9, near, (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / above / above) / above / above) / above)


@rule("tensorflow.raw_ops.StatelessRandomBinomial")
def stateless_binomial(shape: Any, seed: ca.Array, counts: ca.Array, probs: ca.Array, dtype: Any = ca.int64) -> Any:
    """Return numbers of the binomial distribution, TensorFlow's; NaN for probabilities that are NaN."""
    counts, probs = ca.broadcast_arrays(counts, probs)
    if not prod(shape):
        return ca.zeros(tuple(shape), dtype=dtype)
    places, count = _laid_out(prod(shape), counts)
    chance = _laid_out(prod(shape), probs)[1]
    source, inverted = (_source(seed, places, reserved) for reserved in (256, 42))
    fine = ca.logical_not(ca.isnan(chance))
    mirrored = chance > 0.5
    p = ca.where(fine, ca.where(mirrored, 1.0 - chance, chance), 0.0)
    large = count * p >= 10
    below = ca.log1p(-p)

    def few(state: dict[str, Any]) -> Any:
        u = inverted.drawn(state, state["waits"])
        state["reached"] = state["reached"] + ca.where(
            below == 0, ca.inf, ca.ceil(ca.log(u) / ca.where(below == 0, 1.0, below))
        )
        accepted = state["reached"] > count
        found = state["successes"]
        state["successes"] = found + 1
        return found, accepted

    n, q = ca.where(large, count, 40.0), ca.where(large, p, 0.5)
    deviation = ca.sqrt(n * q * (1 - q))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * q
    center, limit = n * q + 0.5, 0.92 - 4.2 / b
    odds, alpha, middle = q / (1 - q), (2.83 + 5.1 / b) * deviation, ca.floor((n + 1) * q)

    def many(state: dict[str, Any]) -> Any:
        u = source.drawn(state, state["waits"]) - 0.5
        v = source.drawn(state, state["waits"])
        shifted = 0.5 - ca.abs(u)
        k = ca.floor((2 * a / shifted + b) * u + center)
        box = ca.logical_and(shifted >= 0.07, v <= limit)
        inside = ca.logical_and(k >= 0, k <= n)
        k = ca.where(ca.logical_or(box, inside), k, 0.0)
        left = ca.log(v * alpha / (a / (shifted * shifted) + b))
        safe = ca.clip(k, ca.zeros_like(k), n)
        right = (
            (middle + 0.5) * ca.log((middle + 1) / (odds * (n - middle + 1)))
            + (n + 1) * ca.log((n - middle + 1) / (n - safe + 1))
            + (safe + 0.5) * ca.log(odds * (n - safe + 1) / (safe + 1))
            + _stirling(middle) + _stirling(n - middle) - _stirling(safe) - _stirling(n - safe)
        )  # fmt: skip
        return k, ca.logical_or(box, ca.logical_and(inside, left <= right))

    zeros = ca.zeros(count.shape, dtype=ca.float64)
    small = ca.logical_and(fine, ca.logical_not(large))
    made = _rejected(inverted, small, few, reached=zeros, successes=zeros)
    made = ca.where(large, _rejected(source, large, many), made)
    made = ca.where(mirrored, count - made, made)
    made = ca.where(fine, made, ca.nan) if dtype.category == "real floating" else made
    return _shaped(made, shape, prod(counts.shape), dtype)


def _fractions(seed: ca.Array, count: int) -> Any:
    """Return numbers from 0 to 1 of 64 bits."""
    key, counter = key_and_counter(seed)
    return fractions_of(words_of(key, counter, 2 * count, 1), ca.float64)[:count]


@rule("tensorflow.raw_ops.StatelessMultinomial")
def stateless_multinomial(logits: ca.Array, num_samples: Any, seed: ca.Array, output_dtype: Any = ca.int64) -> Any:
    """Return classes by the logarithms of their probabilities, TensorFlow's for all rows that one of its threads computes."""
    rows = logits.shape[0]
    draws = int(num_samples)
    count = rows * draws
    if not count:
        return ca.zeros((rows, draws), dtype=output_dtype)
    scores = ca.astype(logits, ca.float64)
    known = ca.isfinite(scores)
    top = ca.max(ca.where(known, scores, -ca.inf), axis=1, keepdims=True)
    weights = ca.where(known, ca.exp(ca.where(known, scores - top, 0.0)), 0.0)
    sums = ca.cumulative_sum(weights, axis=1)
    wanted = ca.reshape(_fractions(seed, count), (rows, draws)) * sums[:, -1:]
    return ca.sum(ca.astype(sums[:, None, :] <= wanted[:, :, None], output_dtype), axis=-1, dtype=output_dtype)


@rule("tensorflow.raw_ops.StatelessParameterizedTruncatedNormal")
def stateless_parameterized_truncated_normal(
    shape: Any, seed: ca.Array, means: ca.Array, stddevs: ca.Array, minvals: ca.Array, maxvals: ca.Array
) -> Any:
    """Return numbers of normal distributions between limits, by the inverse of their distribution function.

    TensorFlow draws others from the same distribution, by rejection.
    """
    mean, deviation, low, high = (ca.astype(x, ca.float64) for x in (means, stddevs, minvals, maxvals))
    low, high = (x for x in (ca.where(deviation < 0, -high, low), ca.where(deviation < 0, -low, high)))
    sign = ca.where(deviation < 0, -1.0, 1.0)
    deviation = ca.abs(deviation)
    first, second = (low - sign * mean) / deviation, (high - sign * mean) / deviation
    # the tail with small shares is the one whose shares are exact
    turned = first > 0
    first, second = ca.where(turned, -second, first), ca.where(turned, -first, second)
    left, right = (0.5 * ca.erfc(-x * 0.5**0.5) for x in (first, second))
    count = prod(shape)
    u = ca.reshape(_fractions(seed, count), tuple(shape))
    found = ca.clip(ca.ndtri(left + u * (right - left)), first, second)
    found = sign * (sign * mean + deviation * ca.where(turned, -found, found))
    return ca.astype(ca.where(first < second, found, ca.nan), means.dtype)
