"""Elementwise functions of NumPy and SciPy beyond the standard.

All are composed of the standard's functions. Where a quotient or a scaling would overflow or round twice, mantissa and
exponent are handled separately. The branch of a `where` that is not selected computes on a harmless value, so that its
derivative is not NaN.
"""

from __future__ import annotations

import builtins
import math
from typing import TYPE_CHECKING, cast

from corearray.contract.declaration import declare
from corearray.errors import CoreArrayTypeError
from corearray.functional.precision import _widened, _widest
from corearray.types.namedtuples import NamedTuple

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.contract.declaration import Scalar

__all__ = [
    "FrexpResult",
    "ModfResult",
    "angle",
    "deg2rad",
    "exp2",
    "fix",
    "float_power",
    "fmax",
    "fmin",
    "fmod",
    "frexp",
    "gcd",
    "heaviside",
    "isclose",
    "isreal",
    "lcm",
    "ldexp",
    "lerp",
    "logaddexp2",
    "modf",
    "nan_to_num",
    "rad2deg",
    "sinc",
    "trunc_divide",
    "xlogy",
]


class FrexpResult(NamedTuple):
    """Result of `frexp`.

    Attributes
    ----------
    mantissa
        Numbers of a size from 0.5 to below 1, or zero, infinite or NaN as the argument.
    exponent
        Exponents of two, as `int32`; 0 where the argument is zero, infinite or NaN.
    """

    mantissa: Array
    exponent: Array


class ModfResult(NamedTuple):
    """Result of `modf`.

    Attributes
    ----------
    fractional
        Fractional part, with the sign of the argument.
    integral
        Integral part, as floating-point numbers.
    """

    fractional: Array
    integral: Array


@declare(floating=True)
def angle(x: Array, /, *, deg: bool = False, out: Array | None = None) -> Array:
    """Compute the argument of each complex number in radians.

    Parameters
    ----------
    x
        Numeric array of any shape; of a negative real number the angle is pi.
    deg
        Whether to measure in degrees, else in radians.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x`, of the real dtype of the same precision, from -pi to pi.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.angle(ca.asarray([2j, -1.0]), deg=True).tolist()
    [90.0, 180.0]

    Notes
    -----
    `atan2(imag(x), real(x))`, as `numpy.angle`.
    """
    if xp.isdtype(x.dtype, "complex floating"):
        found = xp.atan2(xp.imag(x), xp.real(x))
    else:
        found = xp.atan2(xp.zeros_like(x), xp.stop_gradient(x))  # by steps
    return xp.rad2deg(found) if deg else found


@declare(floating=True, real=True, gives="same")
def deg2rad(x: Array, /, out: Array | None = None) -> Array:
    """Convert degrees to radians.

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
    >>> ca.deg2rad(ca.asarray([180.0], dtype="float64")).tolist()
    [3.141592653589793]

    Notes
    -----
    As `numpy.deg2rad`.
    """
    return xp.multiply(x, math.pi / 180.0)


@declare(floating=True, real=True, gives="same")
def exp2(x: Array, /, out: Array | None = None) -> Array:
    """Compute `2**x` for each element.

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
    >>> ca.exp2(ca.asarray([-1.0, 0.0, 10.0])).tolist()
    [0.5, 1.0, 1024.0]

    Notes
    -----
    As `numpy.exp2`.
    """
    return xp.pow(2.0, x)


@declare(real=True, gives="same")
def fix(x: Array, /, out: Array | None = None) -> Array:
    """Round each element towards zero.

    Parameters
    ----------
    x
        Real array of any shape.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape and dtype of `x`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.fix(ca.asarray([2.7, -2.7])).tolist()
    [2.0, -2.0]

    Notes
    -----
    `trunc` by the name that it has in `numpy.fix`.
    """
    return xp.trunc(x)


@declare()
def float_power(
    x1: Array | int | float | builtins.complex, x2: Array | int | float | builtins.complex, /, out: Array | None = None
) -> Array:
    """Raise `x1` to the power `x2` elementwise, in double precision.

    Parameters
    ----------
    x1, x2
        Numeric arrays of broadcastable shapes; one of them may be a Python scalar.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape, `complex128` if an argument is complex, else `float64`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.float_power(ca.asarray([2, 4]), -1).tolist()
    [0.5, 0.25]

    Notes
    -----
    As `numpy.float_power`. A negative number to a power that is no integer is NaN.
    """
    turning = any(
        isinstance(x, builtins.complex) or (not isinstance(x, (int, float)) and xp.isdtype(x.dtype, "complex floating"))
        for x in (x1, x2)
    )
    wide = xp.complex128 if turning else xp.float64
    base, exponent = (
        x if isinstance(x, (int, float, builtins.complex)) else xp.astype(x, wide, copy=False) for x in (x1, x2)
    )
    return xp.pow(base, exponent)


@declare(promote=("x1", "x2"), real=True, gives="same")
def fmax(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Compute the elementwise maximum of two arrays and ignore NaN.

    Parameters
    ----------
    x1, x2
        Real arrays of broadcastable shapes; one of them may be a Python scalar.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.fmax(ca.asarray([1.0, ca.nan]), ca.asarray([4.0, 2.0])).tolist()
    [4.0, 2.0]

    Notes
    -----
    NaN only if both values are; of two zeros either one may come. As `numpy.fmax`.
    """
    return xp.where(xp.greater_equal(x1, x2) | xp.not_equal(x2, x2), x1, x2)


@declare(promote=("x1", "x2"), real=True, gives="same")
def fmin(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Compute the elementwise minimum of two arrays and ignore NaN.

    Parameters
    ----------
    x1, x2
        Real arrays of broadcastable shapes; one of them may be a Python scalar.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.fmin(ca.asarray([1.0, ca.nan]), ca.asarray([4.0, 2.0])).tolist()
    [1.0, 2.0]

    Notes
    -----
    NaN only if both values are; of two zeros either one may come. As `numpy.fmin`.
    """
    return xp.where(xp.less_equal(x1, x2) | xp.not_equal(x2, x2), x1, x2)


@declare(promote=("x1", "x2"), real=True, gives="same")
def fmod(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Compute the remainder of the division of `x1` by `x2`, with the sign of `x1`.

    Parameters
    ----------
    x1, x2
        Real arrays of broadcastable shapes; one of them may be a Python scalar.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.fmod(ca.asarray([7, -7]), 3).tolist()
    [1, -1]

    Notes
    -----
    What C's `fmod` and `%` give; a floating divisor of zero gives NaN, an integer one has no defined result. As
    `numpy.fmod`; `remainder` has the sign of the divisor.
    """
    # `promote` has made an array of a scalar before a composition runs.
    dividend, divisor = cast("Array", x1), cast("Array", x2)
    if xp.isdtype(dividend.dtype, "real floating"):
        return xp.copysign(xp.remainder(xp.abs(dividend), xp.abs(divisor)), dividend)
    rest = xp.remainder(dividend, divisor)
    return xp.where((rest != 0) & ((dividend < 0) != (divisor < 0)), rest - divisor, rest)


@declare(floating=True, real=True)
def frexp(x: Array, /) -> FrexpResult:
    """Decompose each element into mantissa and exponent: `x == mantissa * 2**exponent`.

    Parameters
    ----------
    x
        Real array of any shape; integers are computed in the default floating dtype.

    Returns
    -------
    Named tuple `(mantissa, exponent)` of arrays of the shape of `x`: of its floating dtype, and of `int32`.

    Examples
    --------
    >>> import corearray as ca
    >>> [part.tolist() for part in ca.frexp(ca.asarray([1.0, -6.0]))]
    [[0.5, -0.75], [1, 3]]

    Notes
    -----
    Exact. As `numpy.frexp`.
    """
    plain = xp.isfinite(x) & (x != 0)
    size = xp.where(plain, xp.abs(x), 1.0)
    exponent = xp.floor(xp.log2(size)) + 1.0
    mantissa = _scaled(size, -exponent)
    # The logarithm may be rounded up or down to an integer.
    over, under = mantissa >= 1.0, mantissa < 0.5
    exponent = exponent + xp.astype(over, x.dtype) - xp.astype(under, x.dtype)
    mantissa = xp.where(over, 0.5 * mantissa, xp.where(under, 2.0 * mantissa, mantissa))
    return FrexpResult(
        xp.where(plain, xp.copysign(mantissa, x), x), xp.astype(xp.where(plain, exponent, 0.0), xp.int32)
    )


@declare(promote=("x1", "x2"), real=True, gives="same")
def gcd(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Compute the greatest common divisor elementwise.

    Parameters
    ----------
    x1, x2
        Integer arrays of broadcastable shapes; one of them may be a Python scalar.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype, not negative; zero where both arguments are.

    Raises
    ------
    TypeError
        If an argument is no integer.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.gcd(ca.asarray([12, 0, -9]), ca.asarray([20, 5, 6])).tolist()
    [4, 5, 3]

    Notes
    -----
    Euclid's algorithm, with as many steps as the longest sequence of the dtype takes (Lamé, 1844). As `numpy.gcd`.
    """
    large, small = _integers("gcd", x1, x2)
    if large.dtype == xp.uint64:  # after three steps int64 holds the numbers, which more frameworks divide
        for _ in range(3):
            large, small = _step_of_euclid(large, small)
        rest = xp.gcd(xp.astype(large, xp.int64), xp.astype(small, xp.int64))
        return xp.where(small == 0, large, xp.astype(rest, xp.uint64))
    # Two steps more, and no size exceeds the dtype. A divisor of zero leaves the sequence (divisor, divisor) from here on.
    for _ in range(2):
        large, small = _step_of_euclid(large, small)
    large, small = xp.abs(large), xp.abs(small)
    either = xp.maximum(large, 1)
    small = xp.where(small == 0, either, small)
    # The remainder counts from 1 to the divisor, so that none is zero: `above` is the dividend minus 1.
    above, below = either - 1, small - 1
    for _ in range(math.ceil(xp.iinfo(large.dtype).bits * math.log(2.0) / math.log((1.0 + math.sqrt(5.0)) / 2.0)) + 1):
        above, below = below, xp.remainder(above, small)
        small = below + 1
    return xp.where(large > 0, small, large)


@declare(promote=("x1", "x2"), floating=True, real=True, gives="same")
def heaviside(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Compute the Heaviside step function: 0 below zero, 1 above, and a given value at zero.

    Parameters
    ----------
    x1
        Argument of the function: real array; or a Python scalar, if `x2` is an array.
    x2
        Its value at zero: real array, broadcastable with `x1`; or a Python scalar, if `x1` is an array.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype; integers give the default floating dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.heaviside(ca.asarray([-1.5, 0.0, 2.0]), 0.5).tolist()
    [0.0, 0.5, 1.0]

    Notes
    -----
    NaN where `x1` is. As `numpy.heaviside`.
    """
    place = cast("Array", x1)
    step = xp.where(xp.isnan(place), place, xp.astype(place > 0, place.dtype))
    return xp.where(place == 0, x2, step)


@declare(promote=("x1", "x2"), gives="bool")
def isclose(
    x1: Array | Scalar,
    x2: Array | Scalar,
    /,
    *,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: bool = False,
    out: Array | None = None,
) -> Array:
    """Test elementwise whether two arrays are equal within a tolerance.

    Parameters
    ----------
    x1
        Numeric array; or a Python scalar, if `x2` is an array. Integers are computed in float64.
    x2
        Numeric array, broadcastable with `x1`; or a Python scalar, if `x1` is an array.
    rtol
        Tolerance relative to the size of `x2`.
    atol
        Absolute tolerance.
    equal_nan
        Whether a NaN is close to a NaN.
    out
        Array that receives the result.

    Returns
    -------
    Boolean array of the broadcast shape: whether `abs(x1 - x2) <= atol + rtol * abs(x2)`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.isclose(ca.asarray([1.0, 1.0]), ca.asarray([1.1, 1.0000001])).tolist()
    [False, True]

    Notes
    -----
    Infinities are close to themselves only. As `numpy.isclose`, not symmetric in its arguments.
    """
    actual, desired = cast("Array", x1), cast("Array", x2)
    if xp.isdtype(actual.dtype, ("bool", "integral")):
        actual, desired = xp.astype(actual, _widest()), xp.astype(desired, _widest())
    both = xp.isfinite(actual) & xp.isfinite(desired)
    one, other = xp.where(both, actual, 0.0), xp.where(both, desired, 0.0)
    close = (both & (xp.abs(one - other) <= atol + rtol * xp.abs(other))) | (actual == desired)
    return close | (xp.isnan(actual) & xp.isnan(desired)) if equal_nan else close


@declare(gives="bool")
def isreal(x: Array, /, out: Array | None = None) -> Array:
    """Test elementwise for an imaginary part of zero.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    out
        Array that receives the result.

    Returns
    -------
    Boolean array of the shape of `x`; true for all elements of a real array.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.isreal(ca.asarray([1.0 + 2.0j, 3.0])).tolist()
    [False, True]

    Notes
    -----
    As `numpy.isreal`.
    """
    return xp.imag(x) == 0 if xp.isdtype(x.dtype, "complex floating") else xp.ones_like(x, dtype=xp.bool)


@declare(promote=("x1", "x2"), real=True, gives="same")
def lcm(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Compute the least common multiple elementwise.

    Parameters
    ----------
    x1, x2
        Integer arrays of broadcastable shapes; one of them may be a Python scalar.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype, not negative; zero where an argument is.

    Raises
    ------
    TypeError
        If an argument is no integer.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.lcm(ca.asarray([4, 0, -3]), 6).tolist()
    [12, 0, 6]

    Notes
    -----
    A multiple that the dtype does not hold has no defined result. As `numpy.lcm`.
    """
    one, other = _integers("lcm", x1, x2)
    divisor = xp.gcd(one, other)
    return xp.abs(xp.floor_divide(one, xp.where(divisor == 0, 1, divisor)) * other)


@declare()
def ldexp(x1: Array, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Compute `x1 * 2**x2` without intermediate overflow or double rounding.

    Parameters
    ----------
    x1
        Real array of any shape; integers are computed in the default floating dtype.
    x2
        Integer array, broadcastable with `x1`, or a Python integer.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the floating dtype of `x1`.

    Raises
    ------
    TypeError
        If `x1` is complex or `x2` is no integer.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.ldexp(ca.asarray([1.5, -3.0]), ca.asarray([4, -1])).tolist()
    [24.0, -1.5]

    Notes
    -----
    The inverse of `frexp`. As `numpy.ldexp`.
    """
    x = xp.astype(x1, xp.result_type(x1, 1.0), copy=False)
    steps = xp.asarray(x2, device=x.device) if isinstance(x2, int) else cast("Array", x2)
    if not hasattr(steps, "dtype") or not xp.isdtype(steps.dtype, "integral"):
        found = getattr(steps, "dtype", type(steps).__name__)
        raise CoreArrayTypeError(f"'ldexp' takes an integer exponent, found one of {found}; round and cast it first")
    wide = _widened(x)
    limits = xp.finfo(wide.dtype)
    reach, digits = -round(math.log2(limits.smallest_normal)), -round(math.log2(limits.eps))
    # First half of the way to the other end of the dtype, without rounding.
    half = (reach + digits) // 2
    small = xp.abs(wide) < 1.0
    centred = xp.where(small, wide * 2.0**half, wide * 2.0**-half)
    exponent = xp.astype(steps, wide.dtype)
    exponent = xp.where(small, exponent - half, exponent + half)
    most = 2.0 * (reach - 1)  # from here on all is infinite, and below the negative of it 0
    exponent = xp.where(exponent > most, most, xp.where(exponent < -most, -most, exponent))
    return xp.astype(_scaled(centred, exponent), x.dtype, copy=False)


@declare(promote=("start", "end", "weight"), floating=True, gives="same")
def lerp(start: Array | Scalar, end: Array | Scalar, weight: Array | Scalar, /, out: Array | None = None) -> Array:
    """Interpolate linearly: `start + weight * (end - start)`.

    Parameters
    ----------
    start, end, weight
        Numeric arrays of broadcastable shapes, at least one of them; the others may be Python scalars. The result is
        `start` for a weight of 0 and `end` for 1.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype; integers give the default floating dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.lerp(ca.asarray([1.0, 2.0]), 5.0, 0.25).tolist()
    [2.0, 2.75]

    Notes
    -----
    From the nearer end, so that both ends come exactly, as `torch.lerp` says.
    """
    first, last, part = cast("Array", start), cast("Array", end), cast("Array", weight)
    way = last - first
    return xp.where(xp.abs(part) < 0.5, first + part * way, last - way * (1.0 - part))


@declare(promote=("x1", "x2"), floating=True, real=True, gives="same")
def logaddexp2(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Compute `log2(2**x1 + 2**x2)` without intermediate overflow.

    Parameters
    ----------
    x1, x2
        Real arrays of broadcastable shapes; one of them may be a Python scalar.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype; integers give the default floating dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.logaddexp2(ca.asarray([3.0, -ca.inf]), ca.asarray([3.0, 2.0])).tolist()
    [4.0, 2.0]

    Notes
    -----
    As `numpy.logaddexp2`.
    """
    # Chosen once: extremes and the absolute gap may lose half of the derivative of equal numbers.
    less = xp.less(x1, x2)
    large, small = xp.where(less, x2, x1), xp.where(less, x1, x2)
    alone = xp.isinf(small)  # where the greater is the result
    gap = xp.where(alone, -math.inf, xp.where(alone, 0.0, small) - large)
    return large + xp.log1p(xp.exp2(gap)) / math.log(2.0)


@declare(floating=True, real=True)
def modf(x: Array, /) -> ModfResult:
    """Split each element into fractional and integral part, both with its sign.

    Parameters
    ----------
    x
        Real array of any shape; integers are computed in the default floating dtype.

    Returns
    -------
    Named tuple `(fractional, integral)` of arrays of the shape of `x` and its floating dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> [part.tolist() for part in ca.modf(ca.asarray([2.5, -0.25]))]
    [[0.5, -0.25], [2.0, -0.0]]

    Notes
    -----
    The fractional part of an infinity is zero. As `numpy.modf`.
    """
    endless = xp.isinf(x)
    finite = xp.where(endless, 0.0, x)
    lower = xp.trunc(finite)
    # A difference of equal numbers has no sign, and `copysign` of zero no derivative.
    fractional = xp.where(xp.signbit(x), -(lower - finite), finite - lower)
    return ModfResult(fractional, xp.where(endless, x, lower))


@declare(gives="same")
def nan_to_num(
    x: Array,
    /,
    *,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
    out: Array | None = None,
) -> Array:
    """Replace NaN and infinities by numbers.

    Parameters
    ----------
    x
        Array of any shape and dtype; of complex numbers each part is looked at. Integers come back as they are.
    nan
        Replacement for NaN.
    posinf, neginf
        Replacements for the infinities; by default the largest and the smallest number of the dtype.
    out
        Array that receives the result.

    Returns
    -------
    New array of the shape and dtype of `x`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.nan_to_num(ca.asarray([1.5, ca.nan, ca.inf]), posinf=9.0).tolist()
    [1.5, 0.0, 9.0]

    Notes
    -----
    As `numpy.nan_to_num`, but always a copy.
    """
    if xp.isdtype(x.dtype, "complex floating"):
        along, across = (
            xp.nan_to_num(part, nan=nan, posinf=posinf, neginf=neginf) for part in (xp.real(x), xp.imag(x))
        )
        return xp.complex(along, across)
    if not xp.isdtype(x.dtype, "real floating"):
        return xp.astype(x, x.dtype)
    limits = xp.finfo(x.dtype)
    high, low = limits.max if posinf is None else posinf, limits.min if neginf is None else neginf
    finite = xp.where(xp.isnan(x), nan, x)
    return xp.where(x == math.inf, high, xp.where(x == -math.inf, low, finite))


@declare(floating=True, real=True, gives="same")
def rad2deg(x: Array, /, out: Array | None = None) -> Array:
    """Convert radians to degrees.

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
    >>> ca.rad2deg(ca.asarray([ca.pi], dtype="float64")).tolist()
    [180.0]

    Notes
    -----
    As `numpy.rad2deg`.
    """
    return xp.multiply(x, 180.0 / math.pi)


@declare(floating=True, gives="same")
def sinc(x: Array, /, out: Array | None = None) -> Array:
    """Compute the normalised sinc function, `sin(pi * x) / (pi * x)`.

    Parameters
    ----------
    x
        Numeric array of any shape; integers are computed in the default floating dtype.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype; 1 at zero.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.sinc(ca.asarray([0.0, 1.0, -2.0])).tolist()
    [1.0, 0.0, 0.0]

    Notes
    -----
    As `numpy.sinc`, but of integers exactly zero, because the period is taken off before the multiplication by pi.
    """
    # Near zero its series, for the sake of derivatives: the next term is lost in the rounding of 1.
    near = xp.abs(x) < math.cbrt(630.0 * float(xp.finfo(x.dtype).eps)) ** 0.5 / math.pi
    small = xp.where(near, x, 0.0)
    squared = (math.pi**2 * small) * small
    safe = xp.where(near, 1.0, x)
    turns = xp.round(xp.real(safe) if xp.isdtype(x.dtype, "complex floating") else safe)
    away = math.pi * (safe - turns)
    # The sign of each half turn; away from zero, so that an integer gives the zero without a sign.
    sign = 1.0 - 2.0 * xp.remainder(turns, 2.0)
    far = sign * xp.sin(away) / (math.pi * safe) + 0.0
    return xp.where(near, 1.0 - squared * (1.0 / 6.0 - squared / 120.0), far)


@declare(promote=("x1", "x2"), real=True, gives="same")
def trunc_divide(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Divide two arrays elementwise and round towards zero.

    Parameters
    ----------
    x1, x2
        Real arrays of broadcastable shapes; one of them may be a Python scalar.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.trunc_divide(ca.asarray([7, -7]), 2).tolist()
    [3, -3]

    Notes
    -----
    What C's `/` gives for integers, and `trunc(x1 / x2)` for floating numbers; an integer divided by zero has no
    defined result. As `torch.div` with `rounding_mode="trunc"`.
    """
    dividend, divisor = cast("Array", x1), cast("Array", x2)
    if xp.isdtype(dividend.dtype, "real floating"):
        return xp.trunc(dividend / divisor)
    quotient = xp.floor_divide(dividend, divisor)
    up = ((dividend < 0) != (divisor < 0)) & (quotient * divisor != dividend)
    return quotient + xp.astype(up, quotient.dtype)


@declare(promote=("x1", "x2"), floating=True, gives="same")
def xlogy(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Compute `x1 * log(x2)`, which is zero where `x1` is zero.

    Parameters
    ----------
    x1, x2
        Numeric arrays of broadcastable shapes; one of them may be a Python scalar.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype; integers give the default floating dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.xlogy(ca.asarray([0.0, 2.0]), ca.asarray([0.0, 1.0])).tolist()
    [0.0, 0.0]

    Notes
    -----
    NaN where `x2` is, even beside a zero. As `scipy.special.xlogy`.
    """
    factor, x = cast("Array", x1), cast("Array", x2)
    endless = xp.isinf(x) | ((x == 0) if xp.isdtype(x.dtype, "complex floating") else (x <= 0))
    # Where the logarithm is a number it stays, for it is the derivative; the zero gets no sign.
    return factor * xp.log(xp.where((factor == 0) & endless, 1.0, x)) + 0.0


def _scaled(x: Array, exponent: Array) -> Array:
    """Multiply by a power of two in two steps, of which the powers are in range and the first one rounds nothing."""
    half = xp.floor(0.5 * exponent)
    return x * xp.exp2(half) * xp.exp2(exponent - half)


def _step_of_euclid(large: Array, small: Array) -> tuple[Array, Array]:
    """Return the divisor and what its division leaves; a divisor of zero ends the sequence."""
    done = small == 0
    rest = xp.remainder(large, xp.where(done, 1, small))
    return xp.where(done, large, small), xp.where(done, 0, rest)


def _integers(name: str, x1: Array | Scalar, x2: Array | Scalar) -> tuple[Array, Array]:
    """Return the two arguments, which `promote` has brought to one dtype, if it is an integer one."""
    one, other = cast("Array", x1), cast("Array", x2)
    if not xp.isdtype(one.dtype, "integral"):
        raise CoreArrayTypeError(f"'{name}' is a function of integers, found arguments of {one.dtype}; cast them first")
    return one, other
