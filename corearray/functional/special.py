"""Special functions: error, gamma, zeta and Bessel functions.

Most are composed of sums over the nodes of a quadrature, whose terms have one sign: few calls on arrays with one axis more,
in place of the many steps of a series or of several polynomials.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from corearray.contract.declaration import declare
from corearray.functional.precision import _is_half, _sum_of_terms, _table, _widened, _widest
from corearray.functional.rational import _normal_quantiles

if TYPE_CHECKING:
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

#: The rule of Gauss and Legendre with 13 nodes on the interval from 0 to 1, which is exact to double precision for
#: `exp(-(x * t)**2)` with `x` up to 2: squares of nodes, and weights times `2 / sqrt(pi)`.
_ERF_SQUARES = (
    6.254393950879415e-05, 0.0016975059526539297, 0.009842813519259648, 0.03197849874969024, 0.07604006141483664,
    0.14804860087065178, 0.25, 0.3785069168257866, 0.5245328124512835, 0.6743278381900305, 0.8114209042525695,
    0.9192959051756319, 0.9842455986580969,
)  # fmt: skip
_ERF_WEIGHTS = (
    0.022840653788888946, 0.05197399062924271, 0.07835098789671684, 0.10050810669678877, 0.11724764931437785,
    0.12766661323638587, 0.13120316397071063, 0.12766661323638587, 0.11724764931437785, 0.10050810669678877,
    0.07835098789671684, 0.05197399062924271, 0.022840653788888946,
)  # fmt: skip
#: The rule of Gauss and Hermite for DLMF 7.7.1, without weights that add nothing: squares of nodes, and weights over pi.
_ERF_TAIL_SQUARES = (
    0.02543799658568936, 0.22910231649262433, 0.6372902787326687, 1.2517406323627465, 2.075112909852381,
    3.1110524551477132, 4.3642830769353065, 5.840733271323608, 7.547704680023454, 9.494095330026488,
    11.690695926056073, 14.150586187285759, 16.889671928527108, 19.927425875242463, 23.287932824879917,
    27.001406056472355, 31.106464709046566, 35.653703516328214, 40.71159818554311,
)  # fmt: skip
_ERF_TAIL_WEIGHTS = (
    0.1979894051653021, 0.16167693948135872, 0.10771891241361084, 0.05845588986488296, 0.025770162747451725,
    0.009195948149722927, 0.0026438850417045967, 0.0006088582609375393, 0.00011150422802334623,
    1.6097561374541306e-05, 1.8126211802038565e-06, 1.571597126603219e-07, 1.0329245798571479e-08,
    5.048692411540689e-10, 1.792273441065775e-11, 4.486216615953436e-13, 7.624093875510775e-15,
    8.372566196038302e-17, 5.557792218040117e-19,
)  # fmt: skip
#: The midpoint rule for `erfc` (C. Chiarella and A. Reichel, Mathematics of Computation 22 (1968), 137-143) with steps of a
#: half: squares of nodes, and weights.
_ERFC_SQUARES = tuple((0.5 * k + 0.25) ** 2 for k in range(13))
_ERFC_WEIGHTS = tuple(math.exp(-square) / math.pi for square in _ERFC_SQUARES)


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
    The sign of zero passes through. `scipy.special.erf`; composed by quadrature of the integral.
    """
    if _is_half(x):
        return xp.astype(xp.erf(xp.astype(x, xp.float32)), x.dtype)
    size = xp.abs(x)
    inside = size < 2.0
    near = xp.where(inside, x, 0.0)
    small = xp.square(near)
    central = near * _sum_of_terms(
        lambda squares, weights: weights / xp.exp(small * squares), x, _ERF_SQUARES, _ERF_WEIGHTS
    )
    # The distance to 1 or -1. Its derivative has all digits; the terms of the sum above cancel there.
    far = xp.where(size > 30.0, 30.0, x - near)  # where it has long vanished; 0 inside
    square = xp.square(far)
    rest = far * _sum_of_terms(
        lambda squares, weights: weights / (squares + square), x, _ERF_TAIL_SQUARES, _ERF_TAIL_WEIGHTS
    )
    rest = rest * xp.exp(0.0 - square)
    return xp.where(inside, central, xp.copysign(1.0, x) - rest)


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
    `scipy.special.erfc`; composed after C. Chiarella and A. Reichel, Mathematics of Computation 22 (1968), 137-143.
    """
    if _is_half(x):
        return xp.astype(xp.erfc(xp.astype(x, xp.float32)), x.dtype)
    below = x < 0.0
    size = xp.where(below, 0.0 - x, x)
    size = xp.where(size > 30.0, 30.0, size)  # where it has long vanished
    squared = xp.square(size)
    body = _sum_of_terms(lambda squares, weights: weights / (squared + squares), x, _ERFC_SQUARES, _ERFC_WEIGHTS)
    # A product, of the exponential of a square without rounding error and of the rest, or the error of the square would be
    # multiplied by the square.
    coarse = xp.floor(size * 16.0) * 0.0625
    fall = xp.exp(0.0 - coarse * coarse) * xp.exp((coarse - size) * (coarse + size))
    pole = xp.where(size < 6.0, xp.exp(size * (-4.0 * math.pi)), 0.0)
    found = fall * size * body + 2.0 * pole / (1.0 + pole)
    return xp.where(below, 2.0 - found, found)


#: Poles and weights of sums `weight / (1 + pole * t)`: Gauss quadratures of three integrals. The first is the logarithm of the
#: gamma function around 2 (DLMF 5.7.3). The second is the remainder of Stirling's formula (DLMF 5.11.1); there `t` is the
#: reciprocal of the squared argument.
_AROUND_TWO_POLES = (
    0.0033278968517109764, 0.01737358322740299, 0.04199357606236889, 0.07610991844558444, 0.11822296409306197,
    0.16649655653174256, 0.21892076491666046, 0.27259049508319233, 0.3236151705563146, 0.377124833767791,
    0.421331952269056, 0.4567110117588366, 0.48211638895564696, 0.4965768159164625,
)  # fmt: skip
_AROUND_TWO_WEIGHTS = (
    0.008479491736573298, 0.018966277956294818, 0.02772171905927315, 0.03401267243683576, 0.03744890095332133,
    0.03802783393552699, 0.036131577071110116, 0.030788010361968383, 0.027815578152053315, 0.018239488282270542,
    0.016841599754756114, 0.013967062290665059, 0.009673120897322737, 0.004353700536141591,
)  # fmt: skip
_STIRLING_POLES = (
    0.014167220672794476, 0.3583090994843815, 1.563951057210007, 4.495287287920863, 11.217664437271354,
)  # fmt: skip
_STIRLING_WEIGHTS = (
    0.07902150826694111, 0.004219137664427279, 9.215990068547951e-05, 5.271485447040022e-07, 3.5273475492755404e-10,
)  # fmt: skip
#: Poles and weights of the sum `weight / (pole + z**2)`, which `digamma(z + 0.5)` exceeds `log(z)` by: the Gauss quadrature
#: of the integral of `2 * t / ((z**2 + t**2) * (exp(2 * pi * t) + 1))`.
_DIGAMMA_POLES = (
    0.0621896577178152, 0.4658314017804177, 1.5494192504443287, 3.7727803892186733, 7.8429497603307095,
    15.0428811930809, 28.469968473362158,
)  # fmt: skip
_DIGAMMA_WEIGHTS = (
    0.03182912703090212, 0.009195750245745083, 0.000626652233790456, 1.5015063551987812e-05, 1.2184480727280007e-07,
    2.478174504990943e-10, 5.229384863710811e-14,
)  # fmt: skip
#: The derivative of the logarithm of the gamma function at 2.
_SLOPE_AT_TWO = 0.42278433509846713
#: Bernoulli numbers over factorials, of the formula of Euler and Maclaurin.
_EULER = (
    0.08333333333333333, -0.001388888888888889, 3.306878306878307e-05, -8.267195767195768e-07, 2.08767569878681e-08,
    -5.284190138687493e-10, 1.3382536530684679e-11, -3.3896802963225827e-13, 8.586062056277845e-15,
    -2.174868698558062e-16, 5.5090028283602295e-18, -1.3954464685812522e-19,
)  # fmt: skip
#: From here on the sum for Stirling's formula, and that around 2 below, is as exact as double precision.
_ASYMPTOTIC_FROM = 5.5


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
    below = x < 0.0
    at = xp.where(below, 1.0 - x, x)
    # The recurrence leads to where the sum holds. Differences, which keep the sign of zero.
    lost = _sum_of_terms(lambda steps: 1.0 / (at - steps), x, (0.0, -1.0, -2.0, -3.0, -4.0))
    middle = at + 4.5
    inverse = 1.0 / middle
    rest = _sum_of_terms(
        lambda poles, weights: weights / (middle + poles * inverse), x, _DIGAMMA_POLES, _DIGAMMA_WEIGHTS
    )
    found = xp.log(middle) + inverse * rest - lost
    # The period is taken off before pi is multiplied.
    turns = xp.where(below, 0.0 - x, 0.25)
    turns = turns - xp.floor(turns)
    angle = math.pi * xp.where(turns > 0.5, turns - 1.0, turns)
    mirrored = xp.where(turns == 0.0, math.nan, found + math.pi * xp.cos(angle) / xp.sin(angle))
    return xp.where(below, mirrored, found)


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
    return _normal_quantiles(0.5 * x, 0.5 - xp.abs(0.5 * x)) * math.sqrt(0.5)


#: The midpoint rule for the integral of DLMF 10.32.1: cosines of angles.
_I0_COSINES = tuple(math.cos((k + 0.5) * math.pi / 24) for k in range(12))
#: The rule of Gauss and Hermite with 16 nodes, for arguments above 20: squares of nodes, and weights times `2 / pi`.
_I0_SQUARES = (
    0.07479188259681827, 0.6772490876492891, 1.9051136350314284, 3.809476361484907,
    6.483145428627171, 10.093323675221344, 14.972627088426393, 21.98427284096265,
)  # fmt: skip
_I0_WEIGHTS = (
    0.32335794931034084, 0.17866572116397533, 0.053355129477539925, 0.008199860997759892,
    0.0005935104333522621, 1.7264237548041943e-05, 1.477582297127607e-07, 1.6901029297847524e-10,
)  # fmt: skip


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
    Composed of quadratures of DLMF 10.32.1, whose terms are all positive; as `numpy.i0`.
    """
    if _is_half(x):
        return xp.astype(xp.i0(xp.astype(x, xp.float32)), x.dtype)
    size = xp.abs(x)
    far = size > 20.0
    near = xp.where(far, 0.0, x)  # not of the size, which has no second derivative at zero

    def cosh(cosines: Array) -> Array:
        grown = xp.exp(near * cosines)
        return grown + 1.0 / grown

    small = _sum_of_terms(cosh, x, _I0_COSINES) * (0.5 / len(_I0_COSINES))
    large = xp.where(far, size, 20.0)
    inverse = 1.0 / large
    fall = _sum_of_terms(
        lambda squares, weights: weights / xp.sqrt(2.0 - squares * inverse), x, _I0_SQUARES, _I0_WEIGHTS
    )
    half = xp.exp(xp.where(far, 0.5 * size, 0.0))
    large = half * (fall / xp.sqrt(large)) * half
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
    DLMF 5.5.1, 5.5.3, 5.7.3 and 5.11.1, the series by quadrature; as `scipy.special.gammaln` and C's `lgamma`. Among
    negative numbers, next to the zeros of the function, the error is a few units of the last place of the terms.
    """
    if _is_half(x):
        return xp.astype(xp.lgamma(xp.astype(x, xp.float32)), x.dtype)
    below = x < 0.0
    size = xp.where(below, 0.0 - x, x)
    held = xp.where(below, xp.where(size < 1e17, size, 1.0), 0.5)  # larger numbers are integers, the poles
    turns = held - xp.floor(held)
    pole = turns == 0.0
    sine = xp.sin(math.pi * xp.where(turns > 0.5, 1.0 - turns, turns))
    found = _positive_lgamma(size)
    mirrored = math.log(math.pi) - xp.log(xp.where(pole, 1.0, sine)) - xp.log(held) - found
    return xp.where(below, xp.where(pole, math.inf, mirrored), found)


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
    power_ = 0.0 - s
    total = _sum_of_terms(lambda steps: xp.pow(a + steps, power_), s, tuple(map(float, range(12))))
    end = a + 12.0
    last = xp.pow(end, power_)
    total = total + last * end / (s - 1.0) + 0.5 * last
    # Each term is the one before times two factors; for large exponents all of them have vanished.
    odd = xp.where(s < 100.0, s, 100.0) + _table(tuple(map(float, range(1, 2 * len(_EULER) - 2, 2))), s)
    factors = odd * (odd + 1.0) / xp.square(end)
    series = _EULER[0] + xp.sum(_table(_EULER[1:], s) * xp.cumulative_prod(factors, axis=0), axis=0)
    total = total + last * s / end * series
    # An infinite exponent leaves the first term alone.
    edge = xp.where(power == 1.0, math.inf, xp.where(power == math.inf, xp.pow(first, -power), math.nan))
    return xp.where(regular, total, xp.where(first > 0.0, edge, math.nan))


#: Steps of the tanh-sinh rule: which share of the interval lies between the start and a node, and the node's weight.
_NODES = tuple(
    (1.0 / (1.0 + math.exp(-2.0 * u)), math.pi / 64 * math.cosh(s) / math.cosh(u) ** 2)
    for s, u in ((s, 0.5 * math.pi * math.sinh(s)) for s in (k / 16 for k in range(-51, 52)))
)
_SHARES, _WEIGHTS = zip(*_NODES, strict=True)


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
    limit = xp.astype((end == 1.0) | (at_zero & (end > 0.0)), end.dtype)
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
    least = float(xp.finfo(x.dtype).smallest_normal)

    def density(shares: Array, weights: Array) -> Array:
        away = shares * width
        t = xp.maximum(x - away, least)
        rest = y + away
        return weights * xp.exp(_beta_exponent(raised, b, t, rest) + constant - xp.log(t * rest))

    area = _sum_of_terms(density, x, _SHARES, _WEIGHTS)
    first = xp.exp(_beta_exponent(raised, b, x, y) + constant - xp.log(x)) / (raised - 1.0 + b)
    return area * width + xp.where(small, first, 0.0)


def _beta_exponent(a: Array, b: Array, x: Array, y: Array) -> Array:
    """Compute the logarithm of `(x / x0)**a * (y / y0)**b`, where `x0` is the mean: without cancellation around it."""
    gap = a * y - b * x
    return a * _log_of_quotient(-gap / a, x * ((a + b) / a)) + b * _log_of_quotient(gap / b, y * ((a + b) / b))


def _log_of_quotient(away: Array, quotient: Array) -> Array:
    """Compute the logarithm of a quotient, which is `1 + away`."""
    # The rounding error of the quotient is added again (W. Kahan).
    near = xp.abs(away) < 0.5
    lost = xp.where(near, away - (quotient - 1.0), 0.0) / xp.where(near, quotient, 1.0)
    return xp.log(quotient) + lost


def _beta_constant(a: Array, b: Array) -> Array:
    """Compute the logarithm of `x0**a * y0**b / beta(a, b)`, where `x0` is the mean."""
    # Stirling's series holds for large exponents; others are raised, by the recurrence of the function.
    large_a, large_b = a >= _ASYMPTOTIC_FROM, b >= _ASYMPTOTIC_FROM
    more_a, more_b = xp.where(large_a, 0.0, 9.0), xp.where(large_b, 0.0, 9.0)
    raised_a, raised_b = a + more_a, b + more_b
    total = raised_a + raised_b
    constant = 0.5 * xp.log(raised_a * (raised_b / total) * (0.5 / math.pi))
    constant = constant + _stirling(total) - _stirling(raised_a) - _stirling(raised_b)
    steps = xp.where(large_a, 0.0, _log_of_quotients(xp.where(large_a, 1.0, a), b))
    steps = steps + xp.where(large_b, 0.0, _log_of_quotients(xp.where(large_b, 1.0, b), raised_a))
    # From the mean of the raised exponents to that of the given ones.
    gap = (b * more_a - a * more_b) / (a + b)
    move = a * _log_of_quotient(-gap / raised_a, a * (total / (a + b)) / raised_a)
    move = move + b * _log_of_quotient(gap / raised_b, b * (total / (a + b)) / raised_b)
    return constant + steps + move - more_a * xp.log(raised_a / total) - more_b * xp.log(raised_b / total)


def _log_of_quotients(a: Array, b: Array) -> Array:
    """Compute the logarithm of the product of `(a + k) / (a + b + k)` for k from 0 to 8, which itself may be too small."""
    raised = a + _table(tuple(map(float, range(9))), a)
    return xp.sum(xp.log(raised / (raised + b)), axis=0)


def _incomplete(exponent: Array, end: Array, *, upper: bool) -> Array:
    """Compute an incomplete gamma function, in float64 if there is one: the part into which the integrand falls off."""
    regular = (exponent > 0.0) & (end >= 0.0) & (end < math.inf)
    a, x = (xp.where(regular, xp.astype(z, _widest()), 2.0) for z in (exponent, end))
    # The logarithm of the integrand, in a form that loses nothing for large exponents: by Stirling's series.
    power = a - 1.0
    large = a >= _ASYMPTOTIC_FROM
    centre = xp.where(large, a, 1.0)
    gamma, stirling = _lgamma_above(a, large)
    constant = xp.where(large, stirling, xp.log(a) - 1.0 - gamma)
    # Up to where it has vanished.
    spread = 9.0 * xp.stop_gradient(xp.sqrt(xp.maximum(power, 0.0)))
    beyond = x > power
    right = xp.maximum(power, x) + spread + 40.0
    left = xp.maximum(xp.minimum(power, x) - spread, 0.0)
    width = xp.where(beyond, right, left) - x
    least = 4.0 * float(xp.finfo(x.dtype).eps) - 1.0
    gap = x - centre

    def density(shares: Array, weights: Array) -> Array:
        away = gap + shares * width
        return weights * xp.exp(power * xp.log1p(xp.maximum(away / centre, least)) - away + constant)

    area = _sum_of_terms(density, x, _SHARES, _WEIGHTS) * xp.abs(width)
    near = x < 1.0
    beyond = beyond & (x >= 1.0)
    small = xp.where(near, x, 0.0)
    steps = _table(tuple(map(float, range(1, 21))), a)
    total = 1.0 + xp.sum(xp.cumulative_prod(small / (a + steps), axis=0), axis=0)
    # By a power, which has derivatives at zero; both factors are at most 1 where it counts, so that neither overflows.
    start = xp.where(near, x, 1.0) ** a * xp.exp(-small - gamma)
    part = xp.where(near, start * total, area)
    found = xp.where(beyond == upper, part, 1.0 - part)
    found = xp.where(regular, found, math.nan)
    found = xp.where((end == math.inf) & (exponent > 0.0), float(not upper), found)
    return xp.astype(found, exponent.dtype)


def _sum_of_poles(t: Array, poles: tuple[float, ...], weights: tuple[float, ...]) -> Array:
    """Sum weights over `1 + pole * t`."""
    return _sum_of_terms(lambda poles, weights: weights / (1.0 + poles * t), t, poles, weights)


def _stirling(x: Array) -> Array:
    """Compute what Stirling's formula lacks, for arguments from `_ASYMPTOTIC_FROM` on."""
    inverse = 1.0 / x
    return inverse * _sum_of_poles(xp.square(inverse), _STIRLING_POLES, _STIRLING_WEIGHTS)


def _lgamma_above(a: Array, large: Array) -> tuple[Array, Array]:
    """Compute `lgamma(a + 1)` for positive `a`, and what a large `a` adds to `a * (log(a) - 1)` there, negated."""
    # Small numbers are raised to where Stirling's series holds.
    raised = xp.where(large, a, a + 6.0)
    depth = xp.log(raised)
    stirling = -0.5 * depth - (_stirling(raised) + 0.5 * math.log(2.0 * math.pi))
    steps = xp.where(large, 0.0, a) + _table((1.0, 2.0, 3.0, 4.0, 5.0, 6.0), a)
    lost = xp.where(large, 0.0, xp.log(xp.prod(steps, axis=0)))
    return raised * (depth - 1.0) - stirling - lost, stirling


def _positive_lgamma(x: Array) -> Array:
    """Compute the logarithm of the gamma function of numbers that are not negative."""
    far = x > _ASYMPTOTIC_FROM
    at = xp.where(far, x, _ASYMPTOTIC_FROM)
    large = (at - 0.5) * (xp.log(at) - 1.0) + (_stirling(at) + (0.5 * math.log(2.0 * math.pi) - 0.5))
    # Around 2 and, one step of the recurrence further, around 1 no two terms cancel.
    low = x < 1.5
    held = xp.where(far, 2.0, x)
    away = xp.where(low, held - 1.0, held - 2.0)
    near = away * (_SLOPE_AT_TWO + away * _sum_of_poles(away, _AROUND_TWO_POLES, _AROUND_TWO_WEIGHTS))
    return xp.where(far, large, near - xp.log(xp.where(low, held, 1.0)))


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
    wide = _widened(x)
    found = -wide * xp.log(xp.where(wide > 0.0, wide, 1.0))
    return xp.astype(xp.where(wide < 0.0, -math.inf, xp.where(wide == 0.0, 0.0, found)), x.dtype, copy=False)


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
    away = p - 0.5
    return _normal_quantiles(away, xp.where(p < 0.5, p, 1.0 - p))


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
    found = xp.where(x == math.inf, 0.0, xp.where(regular, found, math.nan))
    return xp.where(x == 0.0, math.copysign(math.inf, factor), found)


@declare(promote=("x1", "x2"), floating=True, real=True, gives="same")
def rel_entr(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Compute the terms of a relative entropy, `x1 * log(x1 / x2)`.

    Parameters
    ----------
    x1, x2
        Real arrays of broadcastable shapes; one of them may be a Python scalar.
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
    x1, x2 = cast("Array", x1), cast("Array", x2)
    regular = (x1 > 0.0) & (x2 > 0.0)
    one, two = xp.where(regular, x1, 1.0), xp.where(regular, x2, 1.0)
    found = one * (xp.log(one) - xp.log(two))
    missing = xp.isnan(x1) | xp.isnan(x2)
    edge = xp.where((x1 == 0.0) & (x2 >= 0.0), 0.0, xp.where(missing, x1 + x2, math.inf))
    return xp.where(regular, found, edge)
