"""Distributions of `jax.random` with parameters: gamma and its relatives, counts, and others, with JAX's bits."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.jax.draws import floating, normal_of, uniform_of, words_of
from corearray.frontend.jax.members_of.creation import shape_of
from corearray.frontend.jax.members_of.derivatives import BackwardsOnly, forwards
from corearray.frontend.jax.members_of.lax_elementwise import primitive
from corearray.frontend.jax.promotion import cast, default, inexact, promoted, requested
from corearray.frontend.jax.wrapper import Array, converted

__all__ = [
    "FUNCTIONS", "ball", "beta", "chisquare", "dirichlet", "double_sided_maxwell", "f", "gamma", "generalized_normal",
    "geometric", "loggamma", "maxwell", "pareto", "rayleigh", "t", "triangular", "wald", "weibull_min",
]  # fmt: skip


def _checked_shape(name: str, shape: Any, *parameters: ca.Array) -> tuple[int, ...]:
    """Return the shape of a draw. The default is the shape of the parameters.

    Raises
    ------
    ValueError
        If the parameters do not fit into it.
    """
    shapes = [tuple(x.shape) for x in parameters]
    if shape is None:
        return tuple(ca.broadcast_shapes(*shapes))
    sizes = shape_of(shape)
    joined = tuple(ca.broadcast_shapes(sizes, *shapes))
    if joined != sizes:
        raise CoreArrayValueError(
            f"{name} parameter shapes must be broadcast-compatible with shape argument, and the result of broadcasting the "
            f"shapes must equal the shape argument, but got result {joined} for shape argument {sizes}."
        )
    return sizes


def _parameters(name: str, own: ca.DType, *xs: Any) -> list[Any]:
    """Return parameters in the dtype of the draw.

    Raises
    ------
    TypeError
        If that would lose digits.
    """
    made = []
    for x in xs:
        array, weak = converted(x)
        if promoted([(own, False), (array.dtype, weak)])[0] != own:
            raise CoreArrayTypeError(
                f"In arguments to {name}, cannot safely cast argument of type {array.dtype} to {own}"
            )
        made.append(cast(array, own))
    return made


def _split(words: ca.Array, count: int = 2) -> list[Any]:
    made = primitive("random_split")(words, shape=(count,))
    return [made[i] for i in range(count)]


def _exponential(words: ca.Array, shape: tuple[int, ...], own: ca.DType) -> Any:
    return -ca.log1p(-uniform_of(words, shape, own))


def _signs(words: ca.Array, shape: tuple[int, ...], own: ca.DType) -> Any:
    half = uniform_of(words, shape, default(float)) < 0.5
    return ca.where(half, ca.ones((), dtype=own), -ca.ones((), dtype=own))


def _gamma(words: ca.Array, a: ca.Array, shape: tuple[int, ...], *, log_space: bool) -> Any:
    if forwards.get():
        raise BackwardsOnly
    return primitive("random_gamma")(words, ca.broadcast_to(a, shape), log_space=log_space)


def _gamma_function(name: str, log_space: bool) -> Callable[..., Any]:
    def function(key: Any, a: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Any:
        own = floating(dtype, name)
        parameter = cast(converted(a)[0], own)
        sizes = _checked_shape("gamma", shape, parameter)
        return Array(_gamma(words_of(name, key)[0], parameter, sizes, log_space=log_space))

    function.__name__ = name
    return function


gamma = _gamma_function("gamma", False)
gamma.__doc__ = "Return numbers of the gamma distribution."
loggamma = _gamma_function("loggamma", True)
loggamma.__doc__ = "Return logarithms of numbers of the gamma distribution, which are right for small parameters too."


def beta(key: Any, a: Any, b: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Return numbers of the beta distribution."""
    own = floating(dtype, "beta")
    one, other = _parameters("beta", own, a, b)
    sizes = _checked_shape("beta", shape, one, other)
    first, second = _split(words_of("beta", key)[0])
    logs = [_gamma(words, x, sizes, log_space=True) for words, x in ((first, one), (second, other))]
    top = ca.maximum(*logs)
    shares = [ca.exp(x - top) for x in logs]
    return Array(shares[0] / (shares[0] + shares[1]))


def dirichlet(key: Any, alpha: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Return vectors of the Dirichlet distribution."""
    own = floating(dtype, "dirichlet")
    parameter = cast(converted(alpha)[0], own)
    if not parameter.ndim:
        raise CoreArrayValueError("dirichlet requires alpha.ndim >= 1, got alpha.ndim == 0")
    front = _checked_shape("dirichlet", shape, parameter[..., 0])
    logs = _gamma(words_of("dirichlet", key)[0], parameter, (*front, parameter.shape[-1]), log_space=True)
    return Array(ca.softmax(logs, axis=-1))


def _chisquare(words: ca.Array, df: ca.Array, shape: tuple[int, ...]) -> Any:
    return ca.exp(_gamma(words, df / 2, shape, log_space=True)) * 2


def chisquare(key: Any, df: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Return numbers of the chi-squared distribution."""
    (freedom,) = _parameters("chisquare", floating(dtype, "chisquare"), df)
    return Array(_chisquare(words_of("chisquare", key)[0], freedom, _checked_shape("chisquare", shape, freedom)))


def f(key: Any, dfnum: Any, dfden: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Return numbers of the F distribution."""
    above, below = _parameters("f", floating(dtype, "f"), dfnum, dfden)
    sizes = _checked_shape("f", shape, above, below)
    second, first = _split(words_of("f", key)[0])
    top, bottom = (_chisquare(words, x, sizes) / x for words, x in ((first, above), (second, below)))
    return Array(top / bottom)


def t(key: Any, df: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Return numbers of Student's t distribution."""
    own = floating(dtype, "t")
    (freedom,) = _parameters("t", own, df)
    sizes = _checked_shape("t", shape, freedom)
    first, second = _split(words_of("t", key)[0])
    half = freedom / 2
    return Array(normal_of(first, sizes, own) * ca.sqrt(half / _gamma(second, half, sizes, log_space=False)))


def pareto(key: Any, b: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Return numbers of the Pareto distribution."""
    own = floating(dtype, "pareto")
    (power,) = _parameters("pareto", own, b)
    sizes = _checked_shape("pareto", shape, power)
    return Array(ca.exp(_exponential(words_of("pareto", key)[0], sizes, own) / power))


def _maxwell(words: ca.Array, shape: tuple[int, ...], own: ca.DType) -> Any:
    return ca.linalg.vector_norm(normal_of(words, (*shape, 3), own), axis=-1)


def maxwell(key: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Return numbers of the Maxwell distribution."""
    own = floating(dtype, "maxwell")
    return Array(_maxwell(words_of("maxwell", key)[0], shape_of(shape), own))


def double_sided_maxwell(key: Any, loc: Any, scale: Any, shape: Any = (), dtype: Any = None) -> Any:
    """Return numbers of the Maxwell distribution with random signs, times `scale`, plus `loc`."""
    own = floating(dtype, "double_sided_maxwell")
    (place, place_weak), (factor, factor_weak) = converted(loc), converted(scale)
    joined = tuple(ca.broadcast_shapes(tuple(place.shape), tuple(factor.shape)))
    sizes = (*(shape_of(shape) or joined), *joined)
    first, second = _split(words_of("double_sided_maxwell", key)[0])
    drawn = Array(_maxwell(first, sizes, own)) * Array(_signs(second, sizes, own))
    return drawn * Array(factor, factor_weak) + Array(place, place_weak)


def weibull_min(key: Any, scale: Any, concentration: Any, shape: Any = (), dtype: Any = None) -> Any:
    """Return numbers of the Weibull distribution."""
    own = floating(dtype, "weibull_min")
    drawn = Array(_exponential(words_of("weibull_min", key)[0], shape_of(shape), own))
    power, factor = (Array(*converted(x)) for x in (concentration, scale))
    return drawn ** (1.0 / power) * factor


def _generalized_normal(words: ca.Array, p: ca.Array, shape: tuple[int, ...], own: ca.DType) -> Any:
    first, second = _split(words)
    return _signs(second, shape, own) * _gamma(first, 1 / p, shape, log_space=False) ** (1 / p)


def generalized_normal(key: Any, p: Any, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Return numbers of the generalized normal distribution."""
    own = floating(dtype, "generalized_normal")
    power = cast(converted(p)[0], own)
    return Array(_generalized_normal(words_of("generalized_normal", key)[0], power, shape_of(shape), own))


def ball(key: Any, d: int, p: Any = 2, shape: Any = (), dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Return points of the unit ball of `d` axes in the norm `p`."""
    own, sizes = floating(dtype, "ball"), shape_of(shape)
    power = cast(converted(p)[0], own)
    first, second = _split(words_of("ball", key)[0])
    point = _generalized_normal(first, power, (*sizes, operator.index(d)), own)
    size = (ca.sum(ca.abs(point) ** power, axis=-1) + _exponential(second, sizes, own)) ** (1 / power)
    return Array(point / size[..., None])


def rayleigh(key: Any, scale: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Return numbers of the Rayleigh distribution."""
    own = floating(dtype, "rayleigh")
    (factor,) = _parameters("rayleigh", own, scale)
    sizes = _checked_shape("rayleigh", shape, factor)
    return Array(factor * ca.sqrt(-2 * ca.log(uniform_of(words_of("rayleigh", key)[0], sizes, own))))


def wald(key: Any, mean: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Return numbers of the Wald distribution."""
    own = floating(dtype, "wald")
    (center,) = _parameters("wald", own, mean)
    sizes = _checked_shape("wald", shape, center)
    first, second = _split(words_of("wald", key)[0])
    y = ca.square(normal_of(first, sizes, own))
    squared = center * center
    x = center + squared * y / 2 - center / 2 * ca.sqrt(4 * center * y + squared * (y * y))
    return Array(ca.where(uniform_of(second, sizes, own) <= center / (center + x), x, squared / x))


def triangular(
    key: Any, left: Any, mode: Any, right: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None
) -> Any:
    """Return numbers of the triangular distribution."""
    own = floating(dtype, "triangular")
    low, peak, high = _parameters("triangular", own, left, mode, right)
    sizes = _checked_shape("triangular", shape, low, peak, high)
    u = uniform_of(words_of("triangular", key)[0], sizes, own)
    rising = low + ca.sqrt(u * (high - low) * (peak - low))
    falling = high - ca.sqrt((1 - u) * (high - low) * (high - peak))
    return Array(ca.where(u < (peak - low) / (high - low), rising, falling))


def geometric(key: Any, p: Any, shape: Any = None, dtype: Any = None, *, out_sharding: Any = None) -> Any:
    """Return the number of trials up to the first success."""
    own = requested(int if dtype is None else dtype, "geometric")
    if own is None or own.category not in ("signed integer", "unsigned integer"):
        raise CoreArrayValueError(f"dtype argument to `geometric` must be an int dtype, got {own}")
    chance = converted(p)[0]
    chance = cast(chance, inexact(chance.dtype))
    sizes = _checked_shape("geometric", shape, chance)
    u = uniform_of(words_of("geometric", key)[0], sizes, chance.dtype)
    drawn = ca.floor(ca.log(ca.where(u == 0, 1.0, u)) / ca.log1p(-chance)) + 1
    return Array(ca.astype(ca.minimum(drawn, float(min(ca.iinfo(own).max, math.inf))), own))


FUNCTIONS: dict[str, Any] = {
    f"random.{one.__name__}": one
    for one in (
        gamma, loggamma, beta, dirichlet, chisquare, f, t, pareto, maxwell, double_sided_maxwell, weibull_min,
        generalized_normal, ball, rayleigh, wald, triangular, geometric,
    )
}  # fmt: skip
