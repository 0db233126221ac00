"""Rejection sampling: draw for all elements, keep the accepted ones, and draw again for the rest.

Each element gets the same numbers regardless of the others. The number of rounds is that of the slowest element.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corearray.calls.truths import known_truth
from corearray.random.number_dtypes import widest
from corearray.random.programs import LoopDraws

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from corearray.backends.backend import Backend
    from corearray.random.source import Source

__all__ = ["log_gamma", "poisson"]

#: Means from which on a Poisson distribution is drawn by rejection, and so many steps find the number below it.
_LARGE, _STEPS = 10.0, 64


def log_gamma(be: Backend, shape: Any, source: Source, size: tuple[int, ...]) -> Any:
    """Draw logarithms of gamma variates for positive, finite shape parameters of the size, in float64.

    For a parameter below 1 the variate of the parameter plus 1 is multiplied by a power of a uniform number; its logarithm
    does not underflow.

    Marsaglia and Tsang, "A simple method for generating gamma variables", 2000.
    """
    depth = be.where(shape < 1.0, shape + 1.0, shape) - 1.0 / 3.0
    width = 1.0 / be.sqrt(9.0 * depth)
    below = be.log1p(-source._fractions(be, size, 53)) / shape
    fixed_depth, fixed_width = be.stop_gradient(depth), be.stop_gradient(width)

    def draw() -> tuple[Any, Any]:
        x, log_u = source._normal(be, size), be.log1p(-source._fractions(be, size, 53))
        root = 1.0 + fixed_width * x
        accepted = (root > 0.0) & (log_u < 0.5 * x * x + fixed_depth * (1.0 - root**3 + _log_cube(be, root)))
        return x, accepted

    x = _accepted(be, source, draw, be.zeros_like(fixed_depth))
    found = be.log(depth) + _log_cube(be, 1.0 + width * x)
    return be.where(shape < 1.0, found + below, found)


def _log_cube(be: Backend, root: Any) -> Any:
    return 3.0 * be.log(be.where(root > 0.0, root, 1.0))


def _accepted(be: Backend, source: Source, draw: Callable[[], tuple[Any, Any]], found: Any) -> Any:
    """Return for each element the first number that is accepted.

    Parameters
    ----------
    be, source
        The backend, and the generator, of which nothing else is drawn afterwards.
    draw
        Function that draws of the generator: numbers, and which of them are accepted.
    found
        Numbers to begin with.
    """

    def after(found: Any, missing: Any) -> tuple[Any, Any]:
        drawn, accepted = draw()
        return be.where(missing & accepted, drawn, found), missing & ~accepted

    if found.device.kind == "meta":  # a device of arrays without elements: nothing is accepted, and nothing is missing
        return found

    def goes_on(missing: Any) -> bool | None:
        """Return whether elements are missing; `None` if only a loop of the framework will know."""
        some = be.any(missing)
        return be.facts["truth"](some.native) if "truth" in be.facts else bool(some)

    missing = be.ones_like(found, dtype=be.bool)
    while known := goes_on(missing):
        found, missing = after(found, missing)
    if known is not None:
        return found
    draws = LoopDraws(be, [source], [source])

    def following(natives: Sequence[Any]) -> list[Any]:
        (found, missing), positions = draws(lambda: after(*map(be.wrap, natives[:2])), natives[2:])
        return [found.native, missing.native, *positions]

    start = [found.native, missing.native, *draws.positions]
    return be.wrap(be.facts["looped"](lambda natives: be.any(be.wrap(natives[1])).native, following, start)[0])


def poisson(be: Backend, mean: Any, source: Source, size: tuple[int, ...]) -> Any:
    """Draw Poisson variates for finite, non-negative means of the size, in float64."""
    found = _counted(be, be.where(mean < _LARGE, mean, 0.0), source._fractions(be, size, 53))
    large = mean >= _LARGE
    if known_truth(be.any(large)) is False:
        return found
    return be.where(large, _transformed(be, be.where(large, mean, _LARGE), source, size), found)


def _counted(be: Backend, mean: Any, u: Any) -> Any:
    """Count the numbers up to which the probability is no more than `u`."""
    probability = be.exp(-mean)
    total, count = probability, be.zeros_like(mean)
    for number in range(1, _STEPS + 1):
        count = count + be.astype(u >= total, widest(be))
        probability = probability * mean / number
        total = total + probability
    return count


def _transformed(be: Backend, mean: Any, source: Source, size: tuple[int, ...]) -> Any:
    """Draw by transformed rejection.

    Hoermann, "The transformed rejection method for generating Poisson random variables", 1993, the algorithm PTRS.
    """
    b = 0.931 + 2.53 * be.sqrt(mean)
    a = -0.059 + 0.02483 * b
    inverse = 1.1239 + 1.1328 / (b - 3.4)
    squeeze = 0.9277 - 3.6224 / (b - 2.0)
    log_mean = be.log(mean)

    def draw() -> tuple[Any, Any]:
        u, v = source._fractions(be, size, 53) - 0.5, 1.0 - source._fractions(be, size, 53)
        edge = be.maximum(0.5 - be.abs(u), 2.0**-54)
        k = be.floor((2.0 * a / edge + b) * u + mean + 0.43)
        counted = be.maximum(k, 0.0)
        within = be.log(v * inverse / (a / (edge * edge) + b)) <= counted * log_mean - mean - be.lgamma(counted + 1.0)
        sure = (edge >= 0.07) & (v <= squeeze)
        return counted, (k >= 0.0) & (sure | (within & ~((edge < 0.013) & (v > edge))))

    return _accepted(be, source, draw, be.zeros_like(mean))
