"""Special functions: error, gamma, zeta and Bessel functions.

The error function is composed of rational approximations, the others of series whose constants are computed from
Bernoulli and zeta numbers. Each series is used only where its terms do not cancel.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from corearray.contract.declaration import declare
from corearray.functional.precision import _is_half, _widest
from corearray.functional.rational import _CENTRAL_TO, _normal_quantiles, _quotient

if TYPE_CHECKING:
    from collections.abc import Iterator

    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.contract.declaration import Scalar

__all__ = [
    "betainc",
    "digamma",
    "entr",
    "erf",
    "erfc",
    "erfinv",
    "i0",
    "igamma",
    "igammac",
    "lgamma",
    "ndtri",
    "polygamma",
    "rel_entr",
    "zeta",
]

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
    """Compute the error function, the integral of `2 / sqrt(pi) * exp(-t**2)` from 0 to `x`.

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
    if _is_half(x):  # the coefficients do not fit
        return xp.astype(xp.erf(xp.astype(x, xp.float32)), x.dtype)
    size = xp.abs(x)
    beyond = xp.copysign(1.0 - _upper(size), x)
    return xp.where(size <= _NEAR_TO, _lower(x, size), beyond)


@declare(floating=True, real=True, gives="same")
def erfc(x: Array, /, out: Array | None = None) -> Array:
    """Compute the complementary error function `1 - erf(x)` without cancellation.

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
    if _is_half(x):
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


#: The series of the logarithm of the gamma function around 2, from the first power on (DLMF 5.7.3).
_AROUND_TWO = (
    0.42278433509846713, 0.3224670334241132, -0.0673523010531981, 0.020580808427784546, -0.007385551028673986,
    0.0028905103307415234, -0.001192753911703261, 0.0005096695247430425, -0.00022315475845357939,
    9.945751278180853e-05, -4.492623673813314e-05, 2.050721277567069e-05, -9.439488275268397e-06,
    4.374866789907488e-06, -2.039215753801366e-06, 9.55141213040742e-07, -4.492469198764566e-07,
    2.1207184805554665e-07, -1.0043224823968099e-07, 4.7698101693639804e-08, -2.2711094608943164e-08,
    1.0838659214896955e-08, -5.183475041970047e-09, 2.4836745438024785e-09, -1.1921401405860912e-09,
    5.731367241678862e-10, -2.7595228851242334e-10, 1.330476437424449e-10, -6.4229645638381e-11,
    3.1044247747322276e-11, -1.5021384080754142e-11, 7.275974480239079e-12, -3.527742476575915e-12,
)  # fmt: skip
#: Those of Stirling for this function and, with the sign changed, for its derivative (DLMF 5.11.1 and 5.11.2).
_STIRLING = (
    0.08333333333333333, -0.002777777777777778, 0.0007936507936507937, -0.0005952380952380953, 0.0008417508417508417,
    -0.0019175269175269176, 0.00641025641025641, -0.029550653594771242, 0.17964437236883057,
)  # fmt: skip
_DIGAMMA = (
    0.08333333333333333, -0.008333333333333333, 0.003968253968253968, -0.004166666666666667, 0.007575757575757576,
    -0.021092796092796094, 0.08333333333333333, -0.4432598039215686, 3.0539543302701198,
)  # fmt: skip
#: Bernoulli numbers over factorials, of the formula of Euler and Maclaurin.
_EULER = (
    0.08333333333333333, -0.001388888888888889, 3.306878306878307e-05, -8.267195767195768e-07, 2.08767569878681e-08,
    -5.284190138687493e-10, 1.3382536530684679e-11, -3.3896802963225827e-13, 8.586062056277845e-15,
    -2.174868698558062e-16, 5.5090028283602295e-18, -1.3954464685812522e-19,
)  # fmt: skip
#: From here on Stirling's series is as exact as double precision.
_ASYMPTOTIC_FROM = 8.5


@declare(floating=True, real=True, gives="same")
def digamma(x: Array, /, out: Array | None = None) -> Array:
    """Compute the digamma function, the derivative of `lgamma`.

    Parameters
    ----------
    x
        Real array of any shape; integers are computed in the default floating dtype.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> round(float(ca.digamma(ca.asarray(1.0, dtype="float64"))), 12)
    -0.577215664902

    Notes
    -----
    NaN for negative integers; at zero an infinity, negative for +0. DLMF 5.5.2, 5.5.4 and 5.11.2; as
    `scipy.special.digamma`, with an error of a few units of the last place of 1 near the zeros of the function.
    """
    if _is_half(x):
        return xp.astype(xp.digamma(xp.astype(x, xp.float32)), x.dtype)
    turned = x < 0.5
    at = xp.where(turned, 1.0 - x, x)
    # Small ones are raised by 8: the reciprocals that this costs are summed in pairs, k and 7 - k.
    small = at < _ASYMPTOTIC_FROM
    first = xp.where(small, at, 1.0)
    paired = first * (first + 7.0)
    pairs = 1.0 / paired + 1.0 / (paired + 6.0) + 1.0 / (paired + 10.0) + 1.0 / (paired + 12.0)
    lost = xp.where(small, (2.0 * first + 7.0) * pairs, 0.0)
    at = xp.where(small, at + 8.0, at)
    inverse = 1.0 / at
    squared = inverse * inverse
    found = xp.log(at) - 0.5 * inverse - squared * _series(squared, _DIGAMMA) - lost
    # The period is taken off first; next to a multiple of a half the cotangent is the tangent's reciprocal.
    angle = xp.where(turned & xp.isfinite(x), x - xp.round(x), 0.25)
    mirrored = found - math.pi / xp.tan(math.pi * angle)
    found = xp.where(turned, mirrored, found)
    whole = turned & (angle == 0)
    found = xp.where(whole, xp.where(x == 0, xp.copysign(xp.full_like(x, math.inf), -x), math.nan), found)
    return xp.where(x == -math.inf, math.nan, found)


@declare(floating=True, real=True, gives="same")
def erfinv(x: Array, /, out: Array | None = None) -> Array:
    """Compute the inverse of the error function.

    Parameters
    ----------
    x
        Real array of any shape, of numbers from -1 to 1; integers are computed in the default floating dtype.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype; infinities at -1 and 1, NaN beyond.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.erfinv(ca.asarray([0.0, 1.0, -1.0])).tolist()
    [0.0, inf, -inf]

    Notes
    -----
    As `scipy.special.erfinv`; composed after M. J. Wichura, Applied Statistics 37 (1988), 477-484.
    """
    if _is_half(x):
        return xp.astype(xp.erfinv(xp.astype(x, xp.float32)), x.dtype)
    size = xp.abs(x)
    inside = size < 1.0
    held = xp.where(inside, size, 0.5)
    central, outer = _normal_quantiles(0.5 * xp.where(inside, x, 0.0), 0.5 * (1.0 - held))
    found = xp.where(size <= 2.0 * _CENTRAL_TO, central, xp.copysign(outer, x)) * math.sqrt(0.5)
    edge = xp.where(inside, 1.0, x) * xp.where(size == 1.0, math.inf, math.nan)  # as steep as it is large
    return xp.where(inside, found, edge)


#: The series of the Bessel function for the square of half the argument over 100, and for 20 over the argument.
_I0_NEAR = tuple(100.0**k / math.factorial(k) ** 2 for k in range(49))
_I0_FAR = tuple(
    math.prod((2 * j - 1) ** 2 for j in range(1, k + 1)) / (math.factorial(k) * 160.0**k) for k in range(29)
)


@declare(floating=True, real=True, gives="same")
def i0(x: Array, /, out: Array | None = None) -> Array:
    """Compute the modified Bessel function of the first kind of order 0.

    Parameters
    ----------
    x
        Real array of any shape; integers are computed in the default floating dtype.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.i0(ca.asarray([0.0, 2.0], dtype="float64")).tolist()[0]
    1.0

    Notes
    -----
    DLMF 10.25.2 and 10.40.1, where all terms are positive; as `numpy.i0`.
    """
    if _is_half(x):
        return xp.astype(xp.i0(xp.astype(x, xp.float32)), x.dtype)
    size = xp.abs(x)
    far = size > 20.0
    squared = xp.square(xp.where(far, 0.0, 0.5 * x))  # not of the size, which has no second derivative at zero
    small = _series(squared / 100.0, _I0_NEAR)
    inverse = 1.0 / (8.0 * xp.where(far, size, 20.0))
    large = _series(160.0 * inverse, _I0_FAR)
    half = xp.exp(xp.where(far, 0.5 * size, 0.0))
    large = half * (large * xp.sqrt(inverse * (4.0 / math.pi))) * half
    return xp.where(size == math.inf, math.inf, xp.where(far, large, small + (size - size)))


@declare(promote=("a", "x"), floating=True, real=True, gives="same")
def igamma(a: Array | Scalar, x: Array | Scalar, /, out: Array | None = None) -> Array:
    """Compute the regularised lower incomplete gamma function.

    Parameters
    ----------
    a
        Exponent, positive: real array; or a Python scalar, if `x` is an array.
    x
        End of the integral, at least 0: real array, broadcastable with `a`; or a Python scalar, if `a` is an array.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype, from 0 to 1; integers give the default floating dtype. NaN where
    an argument is negative. For `a` of zero or infinity there is no defined result.

    Examples
    --------
    >>> import corearray as ca
    >>> round(float(ca.igamma(ca.asarray(1.0, dtype="float64"), 1.0)), 12)
    0.632120558829

    Notes
    -----
    The integral of `t**(a - 1) * exp(-t) / gamma(a)`, DLMF 8.2.4; as `scipy.special.gammainc`. Composed of its power
    series (DLMF 8.7.1) for `x` below 1, else of the integral by the tanh-sinh rule (Takahasi and Mori, 1974).
    """
    return _incomplete(cast("Array", a), cast("Array", x), upper=False)


@declare(promote=("a", "x"), floating=True, real=True, gives="same")
def igammac(a: Array | Scalar, x: Array | Scalar, /, out: Array | None = None) -> Array:
    """Compute the regularised upper incomplete gamma function, `1 - igamma(a, x)`, without cancellation for large `x`.

    Parameters
    ----------
    a
        Exponent, positive: real array; or a Python scalar, if `x` is an array.
    x
        Start of the integral, at least 0: real array, broadcastable with `a`; or a Python scalar, if `a` is an array.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype, from 0 to 1; integers give the default floating dtype. NaN where
    an argument is negative. For `a` of zero or infinity there is no defined result.

    Examples
    --------
    >>> import corearray as ca
    >>> round(float(ca.igammac(ca.asarray(1.0, dtype="float64"), 1.0)), 12)
    0.367879441171

    Notes
    -----
    DLMF 8.2.4; as `scipy.special.gammaincc`, and composed as `igamma` is.
    """
    return _incomplete(cast("Array", a), cast("Array", x), upper=True)


@declare(floating=True, real=True, gives="same")
def lgamma(x: Array, /, out: Array | None = None) -> Array:
    """Compute the logarithm of the absolute value of the gamma function.

    Parameters
    ----------
    x
        Real array of any shape; integers are computed in the default floating dtype.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype; infinity at zero, the negative integers and both infinities.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.lgamma(ca.asarray([1.0, 2.0, 0.0])).tolist()
    [0.0, 0.0, inf]

    Notes
    -----
    DLMF 5.5.1, 5.5.3, 5.7.3 and 5.11.1; as `scipy.special.gammaln` and C's `lgamma`. Among negative numbers, next to the
    zeros of the function, the error is a few units of the last place of the terms.
    """
    if _is_half(x):
        return xp.astype(xp.lgamma(xp.astype(x, xp.float32)), x.dtype)
    below = x < 0.0
    size = xp.where(below, -x, x)
    turns = xp.where(below & xp.isfinite(x), x - xp.round(x), 0.5)
    sine = xp.abs(xp.sin(math.pi * turns))
    mirrored = math.log(math.pi) - xp.log(sine) - xp.log(xp.where(below, size, 1.0))
    found = _positive_lgamma(size)
    found = xp.where(below & xp.isfinite(x), mirrored - found, found)
    return xp.where(turns == 0.0, math.inf, found)  # of large numbers both terms are infinite


@declare(promote=("x", "q"), floating=True, real=True, gives="same")
def zeta(x: Array | Scalar, q: Array | Scalar, /, out: Array | None = None) -> Array:
    """Compute the Hurwitz zeta function, the sum of `(q + k)**-x` over `k >= 0`.

    Parameters
    ----------
    x
        Exponent: real array; or a Python scalar, if `q` is an array.
    q
        First term of the sum, positive: real array, broadcastable with `x`; or a Python scalar, if `x` is an array.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype; integers give the default floating dtype. Infinity for `x` of 1,
    NaN below. For `q` that is not positive, and at infinities, there is no defined result.

    Examples
    --------
    >>> import corearray as ca
    >>> round(float(ca.zeta(ca.asarray(2.0, dtype="float64"), 1.0)), 12)
    1.644934066848

    Notes
    -----
    The formula of Euler and Maclaurin, DLMF 25.11.5; as `scipy.special.zeta`.
    """
    power, first = cast("Array", x), cast("Array", q)
    if _is_half(power):
        return xp.astype(xp.zeta(xp.astype(power, xp.float32), xp.astype(first, xp.float32)), power.dtype)
    regular = (power > 1.0) & (first > 0.0) & xp.isfinite(power)
    s, a = xp.where(regular, power, 2.0), xp.where(regular, first, 1.0)
    total = xp.zeros_like(s * a)
    for k in range(11, -1, -1):
        total = total + xp.pow(a + float(k), -s)
    end = a + 12.0
    last = xp.pow(end, -s)
    total = total + last * end / (s - 1.0) + 0.5 * last
    term = last * s / end
    for k, constant in enumerate(_EULER):
        total = total + constant * term
        term = term * ((s + (2.0 * k + 1.0)) / end) * ((s + (2.0 * k + 2.0)) / end)
    # An infinite exponent leaves the first term alone.
    edge = xp.where(power == math.inf, xp.pow(first, -power), xp.where(power == 1.0, math.inf, math.nan))
    return xp.where(regular, total, xp.where(first > 0.0, edge, math.nan))


#: Steps of the tanh-sinh rule: which share of the interval lies between the start and a node, and the node's weight.
_NODES = tuple(
    (1.0 / (1.0 + math.exp(-2.0 * u)), math.pi / 64 * math.cosh(s) / math.cosh(u) ** 2)
    for s, u in ((s, 0.5 * math.pi * math.sinh(s)) for s in (k / 16 for k in range(-51, 52)))
)


def _nodes(x: Array) -> Iterator[tuple[Array, Array]]:
    """Yield shares and weights of nodes, an axis of the integrand, in groups where that would need much memory."""
    group = len(_NODES) if x.size is not None and x.size < 10_000 else 26
    for start in range(0, len(_NODES), group):
        shares, weights = zip(*_NODES[start : start + group], strict=True)
        yield (
            xp.asarray(list(shares), dtype=x.dtype, device=x.device),
            xp.asarray(list(weights), dtype=x.dtype, device=x.device),
        )


@declare(promote=("a", "b", "x"), floating=True, real=True, gives="same")
def betainc(a: Array | Scalar, b: Array | Scalar, x: Array, /, out: Array | None = None) -> Array:
    """Compute the regularised incomplete beta function, the distribution function of the beta distribution.

    Parameters
    ----------
    a, b
        Exponents, not below 0: real arrays, broadcastable with each other and `x`, or Python scalars.
    x
        Upper end of the integral, from 0 to 1: real array.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted floating dtype; NaN outside of these ranges, and for two exponents that are
    both 0 or both infinite.

    Examples
    --------
    >>> import corearray as ca
    >>> round(float(ca.betainc(2.0, 1.0, ca.asarray(0.5, dtype="float64"))), 12)
    0.25

    Notes
    -----
    DLMF 8.17.2; as `scipy.special.betainc`. The composition integrates numerically from `x` to the end where the integrand
    falls off. It has derivatives by all three arguments.
    """
    dtype = cast("Array", a).dtype
    p, q, end = (xp.astype(cast("Array", z), _widest()) for z in (a, b, x))
    inside = (p > 0.0) & (q > 0.0) & (end > 0.0) & (end < 1.0) & xp.isfinite(p) & xp.isfinite(q)
    # At its limits the distribution has one place, 0 or 1.
    at_zero = (p == 0.0) | (q == math.inf)
    known = (p >= 0.0) & (q >= 0.0) & (end >= 0.0) & (end <= 1.0) & ((p != q) | ((p > 0.0) & (p < math.inf)))
    limit = xp.where((end == 1.0) | (at_zero & (end > 0.0)), 1.0, xp.where(known, 0.0, math.nan))
    p, q, end = (xp.where(inside, z, 0.5) for z in (p, q, end))
    # From the side on which the integrand is the smaller part.
    mirrored = end * (p + q) > p
    near, far = xp.where(mirrored, 1.0 - end, end), xp.where(mirrored, end, 1.0 - end)
    part = _beta_tail(xp.where(mirrored, q, p), xp.where(mirrored, p, q), near, far)
    found = xp.where(mirrored, 1.0 - part, part)
    return xp.astype(xp.where(inside, found, xp.where(known, limit, math.nan)), dtype)


def _beta_tail(a: Array, b: Array, x: Array, y: Array) -> Array:
    """Integrate from 0 to `x`, at most the mean of the distribution; `y` is `1 - x`."""
    # An exponent below 1 makes a pole at 0: one partial integration raises it.
    small = a < 1.0
    raised = xp.where(small, a + 1.0, a)
    constant = _beta_constant(raised, b)
    spread = xp.stop_gradient(xp.sqrt(raised * b / (raised + b)) / (raised + b))
    width = xp.minimum(x, 9.0 * spread + 40.0 / (raised + b))
    width = xp.where(x - width < 0.05 * x, x, width)
    area = xp.zeros_like(x)
    least = float(xp.finfo(x.dtype).smallest_normal)
    raised_, b_, x_, y_, width_, constant_ = (xp.expand_dims(z, -1) for z in (raised, b, x, y, width, constant))
    for shares, weights in _nodes(x):
        t = xp.maximum(x_ - shares * width_, least)
        rest = y_ + shares * width_
        density = xp.exp(_beta_exponent(raised_, b_, t, rest) + constant_ - xp.log(t * rest))
        area = area + xp.sum(weights * density, axis=-1)
    first = xp.exp(_beta_exponent(raised, b, x, y) + constant - xp.log(x)) / (raised - 1.0 + b)
    return area * width + xp.where(small, first, 0.0)


def _beta_exponent(a: Array, b: Array, x: Array, y: Array) -> Array:
    """Compute the logarithm of `(x / x0)**a * (y / y0)**b`, where `x0` is the mean: without cancellation around it."""
    gap = a * y - b * x
    return a * _log_of_quotient(-gap / a, x * ((a + b) / a)) + b * _log_of_quotient(gap / b, y * ((a + b) / b))


def _log_of_quotient(away: Array, quotient: Array) -> Array:
    """Compute the logarithm of a quotient, which is `1 + away`."""
    near = xp.abs(away) < 0.5
    return xp.where(near, xp.log1p(xp.where(near, away, 0.0)), xp.log(xp.where(near, 1.0, quotient)))


def _beta_constant(a: Array, b: Array) -> Array:
    """Compute the logarithm of `x0**a * y0**b / beta(a, b)`, where `x0` is the mean."""
    # Stirling's series holds for large exponents; others are raised, by the recurrence of the function.
    large_a, large_b = a >= _ASYMPTOTIC_FROM, b >= _ASYMPTOTIC_FROM
    more_a, more_b = xp.where(large_a, 0.0, 9.0), xp.where(large_b, 0.0, 9.0)
    raised_a, raised_b = a + more_a, b + more_b
    total = raised_a + raised_b
    constant = 0.5 * xp.log(raised_a * (raised_b / total) * (0.5 / math.pi))
    for z, sign in ((total, 1.0), (raised_a, -1.0), (raised_b, -1.0)):
        inverse = 1.0 / z
        constant = constant + sign * inverse * _series(inverse * inverse, _STIRLING)
    steps = xp.where(large_a, 0.0, _log_of_quotients(xp.where(large_a, 1.0, a), b))
    steps = steps + xp.where(large_b, 0.0, _log_of_quotients(xp.where(large_b, 1.0, b), raised_a))
    # From the mean of the raised exponents to that of the given ones.
    gap = (b * more_a - a * more_b) / (a + b)
    move = a * _log_of_quotient(-gap / raised_a, a * (total / (a + b)) / raised_a)
    move = move + b * _log_of_quotient(gap / raised_b, b * (total / (a + b)) / raised_b)
    return constant + steps + move - more_a * xp.log(raised_a / total) - more_b * xp.log(raised_b / total)


def _log_of_quotients(a: Array, b: Array) -> Array:
    """Compute the logarithm of the product of `(a + k) / (a + b + k)` for k from 0 to 8, which itself may be too small."""
    raised = xp.expand_dims(a, -1) + xp.arange(9, dtype=a.dtype, device=a.device)
    return xp.sum(xp.log(raised / (raised + xp.expand_dims(b, -1))), axis=-1)


def _incomplete(exponent: Array, end: Array, *, upper: bool) -> Array:
    """Compute an incomplete gamma function, in float64 if there is one: the part into which the integrand falls off."""
    regular = (exponent > 0.0) & (end >= 0.0) & (end < math.inf)
    a, x = (xp.where(regular, xp.astype(z, _widest()), 2.0) for z in (exponent, end))
    # The logarithm of the integrand, in a form that loses nothing for large exponents: by Stirling's series.
    power = a - 1.0
    large = power >= _ASYMPTOTIC_FROM
    centre = xp.where(large, power, 1.0)
    inverse = 1.0 / xp.where(large, power, _ASYMPTOTIC_FROM)
    stirling = 0.5 * xp.log(inverse / (2.0 * math.pi)) - inverse * _series(inverse * inverse, _STIRLING)
    gamma = xp.lgamma(a)
    constant = xp.where(large, stirling, -1.0 - gamma)
    # Up to where it has vanished.
    spread = 9.0 * xp.stop_gradient(xp.sqrt(xp.maximum(power, 0.0)))
    beyond = x > power
    right = xp.maximum(power, x) + spread + 40.0
    left = xp.maximum(xp.minimum(power, x) - spread, 0.0)
    width = xp.where(beyond, right, left) - x
    least = 4.0 * float(xp.finfo(x.dtype).eps) - 1.0
    start, width_, centre_, power_, constant_ = (
        xp.expand_dims(z, -1) for z in (x - centre, width, centre, power, constant)
    )
    area = xp.zeros_like(x)
    for shares, weights in _nodes(x):
        away = start + shares * width_
        density = xp.exp(power_ * xp.log1p(xp.maximum(away / centre_, least)) - away + constant_)
        area = area + xp.sum(weights * density, axis=-1)
    area = area * xp.abs(width)
    near = x < 1.0
    beyond = beyond & (x >= 1.0)
    small = xp.where(near, x, 0.0)
    total = xp.ones_like(small)
    for k in range(20, 0, -1):
        total = 1.0 + total * (small / (a + float(k)))
    # By a power, which has derivatives at zero; both factors are at most 1 where it counts, so that neither overflows.
    start = xp.where(near, x, 1.0) ** a * xp.exp(-small - gamma - xp.log(a))
    part = xp.where(near, start * total, area)
    found = xp.where(beyond == upper, part, 1.0 - part)
    edge = xp.where(end == math.inf, float(not upper), math.nan)
    found = xp.where(regular, found, xp.where(exponent > 0.0, edge, math.nan))
    return xp.astype(found, exponent.dtype)


def _series(t: Array, constants: tuple[float, ...]) -> Array:
    """Sum constants times the powers of `t` from 0 on."""
    total = xp.full_like(t, constants[-1])
    for constant in constants[-2::-1]:
        total = total * t + constant
    return total


def _positive_lgamma(x: Array) -> Array:
    """Compute the logarithm of the gamma function of numbers that are not negative."""
    far = x > _ASYMPTOTIC_FROM
    at = xp.where(far, x, _ASYMPTOTIC_FROM)
    inverse = 1.0 / at
    tail = inverse * _series(inverse * inverse, _STIRLING)
    large = at * (xp.log(at) - 1.0) - 0.5 * xp.log(at) + (tail + 0.5 * math.log(2.0 * math.pi))
    # Others are brought to 1.5 to 2.5, or for small ones to the same distance from 1 or 0: no two terms cancel.
    near = xp.where(far | xp.isnan(x), 2.0, x)
    product = xp.ones_like(near)
    for _ in range(math.ceil(_ASYMPTOTIC_FROM - 2.5)):
        down = near > 2.5
        near = xp.where(down, near - 1.0, near)
        product = xp.where(down, product * near, product)
    away = xp.where(near > 1.5, near - 2.0, xp.where(near > 0.5, near - 1.0, near))
    factor = xp.where(near > 1.5, product, xp.where(near > 0.5, near, near * (1.0 + near)))
    small = away * _series(away, _AROUND_TWO) + xp.where(near > 1.5, xp.log(factor), -xp.log(factor))
    return xp.where(xp.isnan(x) | xp.isinf(x), x, xp.where(far, large, small))


@declare(floating=True, real=True, gives="same")
def entr(x: Array, /, out: Array | None = None) -> Array:
    """Compute the terms of an entropy, `-x * log(x)`.

    Parameters
    ----------
    x
        Real array of any shape; integers are computed in the default floating dtype.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype; 0 for 0, -infinity for negative elements.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.round(1000.0 * ca.entr(ca.asarray([0.0, 0.5, -1.0]))).tolist()
    [0.0, 347.0, -inf]

    Notes
    -----
    `scipy.special.entr`.
    """
    found = -x * xp.log(xp.where(x > 0.0, x, 1.0))
    return xp.where(x < 0.0, -math.inf, xp.where(x == 0.0, 0.0, found))


@declare(floating=True, real=True, gives="same")
def ndtri(p: Array, /, out: Array | None = None) -> Array:
    """Compute the inverse of the distribution function of the normal distribution.

    Parameters
    ----------
    p
        Probabilities; real array of any shape.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `p` and its floating dtype; NaN outside the interval from 0 to 1.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.round(100.0 * ca.ndtri(ca.asarray([0.0, 0.975, 1.0]))).tolist()
    [-inf, 196.0, inf]

    Notes
    -----
    `scipy.special.ndtri`; composed after M. J. Wichura, Applied Statistics 37 (1988), 477-484.
    """
    if _is_half(p):
        return xp.astype(xp.ndtri(xp.astype(p, xp.float32)), p.dtype)
    inside = (p > 0.0) & (p < 1.0)
    lower = p < 0.5
    held = xp.where(inside, p, 0.5)
    away = held - 0.5
    central, outer = _normal_quantiles(away, xp.where(lower, held, 1.0 - held))
    found = xp.where(xp.abs(away) <= _CENTRAL_TO, central, xp.where(lower, -outer, outer))
    edge = xp.where(p == 0.0, -math.inf, xp.where(p == 1.0, math.inf, math.nan))
    return xp.where(inside, found, edge)


@declare(floating=True, real=True, gives="same")
def polygamma(x: Array, /, n: int = 1, *, out: Array | None = None) -> Array:
    """Compute a derivative of the digamma function.

    Parameters
    ----------
    x
        Real array of any shape; integers are computed in the default floating dtype.
    n
        Order of the derivative, at least 0.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype; NaN for negative elements if `n` is above 0.

    Raises
    ------
    ValueError
        If `n` is negative.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.round(ca.polygamma(ca.asarray([1.0]), 1) * 6.0 / ca.pi**2).tolist()
    [1.0]

    Notes
    -----
    `(-1)**(n + 1) * n! * zeta(n + 1, x)`. `scipy.special.polygamma`, which takes the order first.
    """
    if n < 0:
        raise ValueError(f"'polygamma' was asked for n={n}; it is at least 0")
    if n == 0:
        return xp.digamma(x)
    factor = float(math.factorial(n)) * (1.0 if n % 2 else -1.0)
    regular = (x > 0.0) & xp.isfinite(x)
    found = factor * xp.zeta(xp.full_like(x, float(n + 1)), xp.where(regular, x, 1.0))
    edge = xp.where(x == 0.0, math.copysign(math.inf, factor), xp.where(x == math.inf, 0.0, math.nan))
    return xp.where(regular, found, edge)


@declare(promote=("x1", "x2"), floating=True, real=True, gives="same")
def rel_entr(x1: Array, x2: Array, /, out: Array | None = None) -> Array:
    """Compute the terms of a relative entropy, `x1 * log(x1 / x2)`.

    Parameters
    ----------
    x1, x2
        Real arrays of broadcastable shapes.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted floating dtype; 0 where `x1` is 0 and `x2` not negative, infinity where an
    element is negative, or `x2` alone is 0.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.rel_entr(ca.asarray([0.0, 2.0, 1.0]), ca.asarray([0.0, 2.0, 0.0])).tolist()
    [0.0, 0.0, inf]

    Notes
    -----
    `scipy.special.rel_entr`. The sum is the Kullback-Leibler divergence.
    """
    regular = (x1 > 0.0) & (x2 > 0.0)
    one, two = xp.where(regular, x1, 1.0), xp.where(regular, x2, 1.0)
    found = one * (xp.log(one) - xp.log(two))
    missing = xp.isnan(x1) | xp.isnan(x2)
    edge = xp.where((x1 == 0.0) & (x2 >= 0.0), 0.0, xp.where(missing, math.nan, math.inf))
    return xp.where(regular, found, edge)
