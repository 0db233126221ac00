"""Draws of the gamma distribution with JAX's bits, and their derivative by its parameter.

Source: Marsaglia and Tsang, A simple method for generating gamma variables, 2000; Figurnov et al., Implicit
reparameterization gradients, 2018.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import corearray as ca
from corearray.frontend.derivatives import with_derivative
from corearray.frontend.jax.described import rule
from corearray.frontend.jax.draws import normal_of, uniform_of
from corearray.frontend.jax.rules.random import random_split
from corearray.frontend.table import loops

__all__: list[str] = []


def _split(keys: ca.Array, count: int) -> list[Any]:
    """Return `count` arrays of keys, one of each kind for each key."""
    made = random_split(keys, shape=(count,))
    return [made[..., i, :] for i in range(count)]


def _chosen(where: ca.Array, new: Sequence[Any], old: Sequence[Any]) -> list[Any]:
    """Choose rows; arrays of keys have one axis more."""
    return [
        ca.where(ca.expand_dims(where, axis=-1) if x.ndim > where.ndim else where, x, y)
        for x, y in zip(new, old, strict=True)
    ]


def _positive(keys: ca.Array, c: ca.Array) -> tuple[Any, Any]:
    """Draw normal numbers x until 1 + c x is positive; return both."""

    def following(state: Any) -> Any:
        again = state[2] <= 0
        left, right = _split(state[0], 2)
        x = normal_of(right, (), c.dtype)
        return _chosen(again, [left, x, 1 + x * c], state)

    start = [keys, ca.zeros_like(c), -ca.ones_like(c)]
    state = ca.while_loop(lambda given: ca.any(given[2] <= 0), following, start)
    return state[1], state[2]


def _sampled(keys: ca.Array, alpha: ca.Array, *, log_space: bool) -> Any:
    """Draw one number for each key and parameter, by rejection."""
    large = alpha >= 1
    raised = ca.where(large, alpha, alpha + 1)
    d = raised - 1.0 / 3.0
    c = (1.0 / 3.0) / ca.sqrt(d)

    def rejected(state: Any) -> Any:
        _, x, v, u = state
        return ca.logical_and(u >= 1 - 0.0331 * (x * x), ca.log(u) >= x * 0.5 + d * ((1 - v) + ca.log(v)))

    def following(state: Any) -> Any:
        again = rejected(state)
        first, second, third = _split(state[0], 3)
        x, v = _positive(second, c)
        return _chosen(again, [first, x * x, v * v * v, uniform_of(third, (), alpha.dtype)], state)

    first, second = _split(keys, 2)
    start = [first, ca.zeros_like(alpha), ca.ones_like(alpha), ca.full_like(alpha, 2)]
    v = ca.while_loop(lambda state: ca.any(rejected(state)), following, start)[2]
    uniform = uniform_of(second, (), alpha.dtype)
    if log_space:
        drawn = ca.log1p(-uniform)  # minus an exponential number
        boost = ca.where(ca.logical_or(large, drawn == 0), 0.0, drawn * (1 / alpha))
        return ca.log(d) + ca.log(v) + boost
    return d * v * ca.where(large, 1.0, (1 - uniform) ** (1 / alpha))


def _by_parameter(a: ca.Array, x: ca.Array) -> Any:
    """Return the derivative of the regularised lower incomplete gamma function by its first argument."""
    share, back = ca.vjp(lambda parameter: ca.igamma(parameter, x), a)
    made = back(ca.ones_like(share))
    return made[0] if isinstance(made, (tuple, list)) else made


def _slope(alpha: ca.Array, sample: ca.Array) -> Any:
    """Return the derivative of a sample by its parameter.

    It is the derivative of the distribution function by the parameter, divided by the density.
    """
    wide = [ca.astype(x, ca.float64) for x in (alpha, sample)]
    by_parameter = _by_parameter(*wide)
    density = ca.exp((wide[0] - 1) * ca.log(wide[1]) - wide[1] - ca.lgamma(wide[0]))
    return ca.astype(-by_parameter / density, sample.dtype)


@rule("jax.lax.random_gamma_grad_p")
def random_gamma_grad(alpha: ca.Array, sample: ca.Array) -> Any:
    """Return the derivative of a sample of the gamma distribution by its parameter."""
    return _slope(alpha, sample)


@rule("jax.lax.igamma_grad_a_p")
def igamma_grad_a(a: ca.Array, x: ca.Array) -> Any:
    """Return the derivative of `igamma` by its first argument."""
    return ca.astype(_by_parameter(ca.astype(a, ca.float64), ca.astype(x, ca.float64)), x.dtype)


@rule("jax.lax.random_gamma_p")
@loops
def random_gamma(keys: ca.Array, alpha: ca.Array, *, log_space: bool) -> Any:
    """Draw numbers of the gamma distribution, or their logarithms; each parameter has a key of its own."""
    shape = tuple(alpha.shape)
    fixed = ca.stop_gradient(keys)

    def sample(parameter: ca.Array) -> Any:
        count = prod(shape[keys.ndim - 1 :])
        each = ca.reshape(random_split(ca.reshape(fixed, (-1, 2)), shape=(count,)), (-1, 2))
        flat = ca.stop_gradient(ca.reshape(parameter, (-1,)))
        return ca.reshape(_sampled(each, flat, log_space=log_space), shape)

    def gradient(given: Sequence[Any], found: Sequence[Any], slopes: Sequence[Any]) -> Any:
        (drawn,), (slope,) = found, slopes
        tiny = float(ca.finfo(drawn.dtype).smallest_normal)
        value = ca.maximum(ca.exp(drawn), tiny) if log_space else drawn
        by_parameter = _slope(given[0], value)
        return (slope * (by_parameter / value if log_space else by_parameter),)

    if 0 in shape:
        return alpha
    return with_derivative(lambda parameter: (sample(parameter),), gradient, [alpha])[0]


random_gamma.own_derivative = True  # type: ignore[attr-defined]  # which the graph of a target may lose
