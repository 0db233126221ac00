"""Special functions: the error function and its complement.

The error function is composed of quotients of polynomials, as it is computed everywhere since 1969.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from corearray.declaration import declare

if TYPE_CHECKING:
    import corearray as xp
    from corearray.array import Array

__all__ = ["erf", "erfc"]

# W. J. Cody, Rational Chebyshev approximations for the error function, Mathematics of Computation 23 (1969), 631-637:
# quotients of polynomials, the highest power first, on three intervals.
_NEAR = (
    (1.85777706184603153e-1, 3.16112374387056560, 1.13864154151050156e2, 3.77485237685302021e2, 3.20937758913846947e3),
    (1.0, 2.36012909523441209e1, 2.44024637934444173e2, 1.28261652607737228e3, 2.84423683343917062e3),
)
_MIDDLE = (
    (
        2.15311535474403846e-8, 5.64188496988670089e-1, 8.88314979438837594, 6.61191906371416295e1,
        2.98635138197400131e2, 8.81952221241769090e2, 1.71204761263407058e3, 2.05107837782607147e3,
        1.23033935479799725e3,
    ),
    (
        1.0, 1.57449261107098347e1, 1.17693950891312499e2, 5.37181101862009858e2, 1.62138957456669019e3,
        3.29079923573345963e3, 4.36261909014324716e3, 3.43936767414372164e3, 1.23033935480374942e3,
    ),
)  # fmt: skip
_FAR = (
    (
        1.63153871373020978e-2, 3.05326634961232344e-1, 3.60344899949804439e-1, 1.25781726111229246e-1,
        1.60837851487422766e-2, 6.58749161529837803e-4,
    ),
    (1.0, 2.56852019228982242, 1.87295284992346047, 5.27905102951428412e-1, 6.05183413124413191e-2,
     2.33520497626869185e-3),
)  # fmt: skip


@declare(floating=True, real=True, gives="same")
def erf(x: Array, /, out: Array | None = None) -> Array:
    """Error function of each element, the integral of `2 / sqrt(pi) * exp(-t**2)` from 0 to the element.

    Parameters
    ----------
    x
        Real array of any shape; integers are computed in the default floating dtype.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype, between -1 and 1.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.erf(ca.asarray([0.0, ca.inf, -ca.inf])).tolist()
    [0.0, 1.0, -1.0]

    Notes
    -----
    The sign of zero passes through. `scipy.special.erf`; composed after W. J. Cody, Mathematics of Computation 23
    (1969), 631-637.
    """
    if xp.finfo(x.dtype).bits < 32:  # the coefficients do not fit into half precision
        return xp.astype(xp.erf(xp.astype(x, xp.float32)), x.dtype)
    size = xp.abs(x)
    beyond = xp.copysign(1.0 - _upper(size), x)
    return xp.where(size <= _NEAR_TO, _lower(x, size), beyond)


@declare(floating=True, real=True, gives="same")
def erfc(x: Array, /, out: Array | None = None) -> Array:
    """Complementary error function of each element, `1 - erf(x)` without cancellation.

    Parameters
    ----------
    x
        Real array of any shape; integers are computed in the default floating dtype.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype, between 0 and 2.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.erfc(ca.asarray([0.0, ca.inf, -ca.inf])).tolist()
    [1.0, 0.0, 2.0]

    Notes
    -----
    `scipy.special.erfc`; composed after W. J. Cody, Mathematics of Computation 23 (1969), 631-637.
    """
    if xp.finfo(x.dtype).bits < 32:
        return xp.astype(xp.erfc(xp.astype(x, xp.float32)), x.dtype)
    size = xp.abs(x)
    beyond = _upper(size)
    beyond = xp.where(x < 0.0, 2.0 - beyond, beyond)
    return xp.where(size <= _NEAR_TO, 1.0 - _lower(x, size), beyond)


#: Up to here the error function is a product of `x`, beyond it one minus a multiple of `exp(-x**2)`.
_NEAR_TO = 0.46875


def _lower(x: Array, size: Array) -> Array:
    """Compute `erf` near zero."""
    near = xp.where(size <= _NEAR_TO, x, 0.0)
    return near * _quotient(_NEAR, near * near)


def _upper(size: Array) -> Array:
    """Compute `erfc` of sizes that are not near zero.

    `exp(-size**2)` is taken as a product, of a square without rounding error and of the rest, or the error of the
    square would be multiplied by `size**2`.
    """
    size = xp.minimum(size, 30.0)  # where it has long vanished
    middle = xp.clip(size, _NEAR_TO, 4.0)
    far = xp.maximum(size, 4.0)
    square = 1.0 / (far * far)
    tail = (1.0 / math.sqrt(math.pi) - square * _quotient(_FAR, square)) / far
    scaled = xp.where(size <= 4.0, _quotient(_MIDDLE, middle), tail)
    coarse = xp.trunc(size * 16.0) / 16.0
    return xp.exp(-coarse * coarse) * xp.exp((coarse - size) * (coarse + size)) * scaled


def _quotient(polynomials: tuple[tuple[float, ...], ...], x: Array) -> Array:
    """Divide one polynomial by another, both by Horner's rule."""
    above, below = (_polynomial(each, x) for each in polynomials)
    return above / below


def _polynomial(coefficients: tuple[float, ...], x: Array) -> Array:
    value = x * coefficients[0]
    for coefficient in coefficients[1:-1]:
        value = (value + coefficient) * x
    return value + coefficients[-1]
