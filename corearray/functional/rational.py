"""Rational approximations: quotients of polynomials, and the quantiles of the normal distribution that are made of them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, TypeAlias, cast

from corearray.functional.precision import _table

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array

#: The coefficients of a numerator and of a denominator, the highest power first.
_Pair: TypeAlias = tuple[tuple[float, ...], tuple[float, ...]]

__all__: list[str] = []

# M. J. Wichura, Algorithm AS 241: the percentage points of the normal distribution, Applied Statistics 37 (1988), 477-484:
# quotients of polynomials, the highest power first, for probabilities near a half, in the tails, and far out.
_QUANTILE_CENTRE = (
    (
        2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4, 4.5921953931549871457e4,
        1.3731693765509461125e4, 1.9715909503065514427e3, 1.3314166789178437745e2, 3.3871328727963666080,
    ),
    (
        5.2264952788528545610e3, 2.8729085735721942674e4, 3.9307895800092710610e4, 2.1213794301586595867e4,
        5.3941960214247511077e3, 6.8718700749205790830e2, 4.2313330701600911252e1, 1.0,
    ),
)  # fmt: skip
_QUANTILE_TAIL = (
    (
        7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1, 1.27045825245236838258,
        3.64784832476320460504, 5.76949722146069140550, 4.63033784615654529590, 1.42343711074968357734,
    ),
    (
        1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2, 1.48103976427480074590e-1,
        6.89767334985100004550e-1, 1.67638483018380384940, 2.05319162663775882187, 1.0,
    ),
)  # fmt: skip
_QUANTILE_FAR = (
    (
        2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3, 2.65321895265761230930e-2,
        2.96560571828504891230e-1, 1.78482653991729133580, 5.46378491116411436990, 6.65790464350110377720,
    ),
    (
        2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5, 7.86869131145613259100e-4,
        1.48753612908506148525e-2, 1.36929880922735805310e-1, 5.99832206555887937690e-1, 1.0,
    ),
)  # fmt: skip
#: How far from a half the first of them holds.
_CENTRAL_TO = 0.425


def _normal_quantiles(away: Array, tail: Array) -> Array:
    """Compute quantiles of the normal distribution.

    Parameters
    ----------
    away
        The probability minus a half.
    tail
        The probability or one minus it, whichever is less. The result is infinite where it is 0, and NaN below.
    """
    near = tail > 0.5 - _CENTRAL_TO
    inside = tail > 0.0
    depth = xp.sqrt(0.0 - xp.log(xp.where(near, 0.05, xp.where(inside, tail, 0.05))))
    far = depth > 5.0
    held = xp.where(near, away, 0.0)
    central, middle, outer = _quotients(
        (_QUANTILE_CENTRE, _QUANTILE_TAIL, _QUANTILE_FAR),
        xp.where(near, _CENTRAL_TO**2 - held * held, xp.where(far, depth - 5.0, depth - 1.6)),
    )
    found = xp.where(near, held * central, xp.copysign(xp.where(far, outer, middle), away))
    edge = xp.where(inside, 1.0, away) * math.inf  # as steep as it is large
    return xp.where(inside, found, xp.where(tail == 0.0, edge, math.nan))


def _quotients(pairs: tuple[_Pair, ...], x: Array) -> tuple[Array, ...]:
    """Divide pairs of polynomials of one degree, all by Horner's rule at once, on an axis of their own."""
    rows = zip(*(above for above, _ in pairs), *(below for _, below in pairs), strict=True)
    value: Array | None = None
    for row in rows:
        coefficients = _table(row, x)
        value = coefficients if value is None else value * x + coefficients
    found = cast("Array", value)
    found = found[: len(pairs)] / found[len(pairs) :]
    return tuple(found[i] for i in range(len(pairs)))
