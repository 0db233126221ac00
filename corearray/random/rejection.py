"""Rejection sampling: draw for all elements, keep the accepted ones, and draw again for the rest.

Each element gets the same numbers regardless of the others. The number of rounds is that of the slowest element.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corearray.random.words import widest

if TYPE_CHECKING:
    from collections.abc import Callable

    from corearray.backends.backend import Backend

__all__ = ["log_gamma", "poisson"]

#: Means from which on a Poisson distribution is drawn by rejection, and so many steps find the number below it.
_LARGE, _STEPS = 10.0, 64


def log_gamma(be: Backend, shape: Any, normal: Callable[[], Any], uniform: Callable[[], Any]) -> Any:
    """Draw logarithms of gamma variates for positive, finite shape parameters, in float64.

    `normal` and `uniform` draw arrays of the shape of the result. For a parameter below 1 the variate of the parameter
    plus 1 is multiplied by a power of a uniform number; its logarithm does not underflow.

    Marsaglia and Tsang, "A simple method for generating gamma variables", 2000.
    """
    depth = be.where(shape < 1.0, shape + 1.0, shape) - 1.0 / 3.0
    width = 1.0 / be.sqrt(9.0 * depth)
    below = be.log1p(-uniform()) / shape
    found, missing = be.zeros_like(depth), be.ones_like(depth, dtype=be.bool)
    while be.any(missing):
        x, log_u = normal(), be.log1p(-uniform())
        root = 1.0 + width * x
        log_cube = 3.0 * be.log(be.where(root > 0.0, root, 1.0))
        accepted = (root > 0.0) & (log_u < 0.5 * x * x + depth * (1.0 - root**3 + log_cube))
        found = be.where(missing & accepted, be.log(depth) + log_cube, found)
        missing = missing & ~accepted
    return be.where(shape < 1.0, found + below, found)


def poisson(be: Backend, mean: Any, uniform: Callable[[], Any]) -> Any:
    """Draw Poisson variates for finite, non-negative means, in float64."""
    found = _counted(be, be.where(mean < _LARGE, mean, 0.0), uniform())
    large = mean >= _LARGE
    if not be.any(large):
        return found
    return be.where(large, _transformed(be, be.where(large, mean, _LARGE), uniform), found)


def _counted(be: Backend, mean: Any, u: Any) -> Any:
    """Count the numbers up to which the probability is no more than `u`."""
    probability = be.exp(-mean)
    total, count = probability, be.zeros_like(mean)
    for number in range(1, _STEPS + 1):
        count = count + be.astype(u >= total, widest(be))
        probability = probability * mean / number
        total = total + probability
    return count


def _transformed(be: Backend, mean: Any, uniform: Callable[[], Any]) -> Any:
    """Draw by transformed rejection.

    Hoermann, "The transformed rejection method for generating Poisson random variables", 1993, the algorithm PTRS.
    """
    b = 0.931 + 2.53 * be.sqrt(mean)
    a = -0.059 + 0.02483 * b
    inverse = 1.1239 + 1.1328 / (b - 3.4)
    squeeze = 0.9277 - 3.6224 / (b - 2.0)
    log_mean = be.log(mean)
    found, missing = be.zeros_like(mean), be.ones_like(mean, dtype=be.bool)
    while be.any(missing):
        u, v = uniform() - 0.5, 1.0 - uniform()
        edge = be.maximum(0.5 - be.abs(u), 2.0**-54)
        k = be.floor((2.0 * a / edge + b) * u + mean + 0.43)
        counted = be.maximum(k, 0.0)
        within = be.log(v * inverse / (a / (edge * edge) + b)) <= counted * log_mean - mean - be.lgamma(counted + 1.0)
        sure = (edge >= 0.07) & (v <= squeeze)
        accepted = (k >= 0.0) & (sure | (within & ~((edge < 0.013) & (v > edge))))
        found = be.where(missing & accepted, counted, found)
        missing = missing & ~accepted
    return found
