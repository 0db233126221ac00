"""Trigonometric and hyperbolic functions and their inverses.

`sin`, `cos` and `atan2` are primary. Real inverses are composed of `atan2` and `log1p`, real hyperbolic functions of
`expm1`. All keep full accuracy near zero and overflow only where the result does. None of them takes signs off by `abs` and
`copysign`, whose derivatives at zero are 0.

Complex inverses follow Hull, Fairgrieve and Tang ("Implementing the complex arcsine and arccosine functions using
exception handling", ACM TOMS 23, 1997): one real kernel in the first quadrant gives the parts of `asin`, `acos`,
`asinh` and `acosh`, and Kahan's kernel those of `atan` and `atanh`. `copysign` restores signs and places each point on
the right side of a branch cut. Infinities and NaN follow C99, Annex G.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from corearray.contract.declaration import declare

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.contract.declaration import Scalar

__all__ = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cos",
    "cosh",
    "sin",
    "sinh",
    "tan",
    "tanh",
]


@declare(floating=True, gives="same")
def acos(x: Array, /, out: Array | None = None) -> Array:
    """Compute the inverse cosine of each element.

    Parameters
    ----------
    x
        Numeric array of any shape; integers are computed in the default floating dtype.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype, in radians. Real parts lie between 0 and pi; real values
    beyond -1 and 1 give NaN.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.acos(ca.asarray([1.0, 2.0])).tolist()
    [0.0, nan]

    Notes
    -----
    The complex function is cut along the real axis outside of -1 and 1. Array API standard 2025.12, `acos`.
    """
    if xp.isdtype(x.dtype, "complex floating"):
        angle, _, size = _acos_parts(xp.real(x), xp.imag(x))
        return xp.complex(angle, xp.copysign(size, xp.negative(xp.imag(x))))
    return 2.0 * xp.atan2(xp.sqrt(1.0 - x), xp.sqrt(1.0 + x))


@declare(floating=True, gives="same")
def acosh(x: Array, /, out: Array | None = None) -> Array:
    """Compute the inverse hyperbolic cosine of each element.

    Parameters
    ----------
    x
        Numeric array of any shape; integers are computed in the default floating dtype.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype. Real parts are not negative, imaginary ones lie between
    -pi and pi; real values below 1 give NaN.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.acosh(ca.asarray([1.0, 0.0])).tolist()
    [0.0, nan]

    Notes
    -----
    The complex function is cut along the real axis below 1. Array API standard 2025.12, `acosh`.
    """
    if xp.isdtype(x.dtype, "complex floating"):
        angle, _, size = _acos_parts(xp.real(x), xp.imag(x))
        return xp.complex(size, xp.copysign(angle, xp.imag(x)))
    large = x > _large(x)
    step = xp.where(large, 1.0, x) - 1.0
    rise = step + xp.sqrt(step) * xp.sqrt(step + 2.0)
    return _log_of_twice(x, large, 1.0 + rise, rise)


@declare(floating=True, gives="same")
def asin(x: Array, /, out: Array | None = None) -> Array:
    """Compute the inverse sine of each element.

    Parameters
    ----------
    x
        Numeric array of any shape; integers are computed in the default floating dtype.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype, in radians. Real parts lie between -pi/2 and pi/2; real
    values beyond -1 and 1 give NaN.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.asin(ca.asarray([0.0, 2.0])).tolist()
    [0.0, nan]

    Notes
    -----
    The complex function is cut along the real axis outside of -1 and 1. Array API standard 2025.12, `asin`.
    """
    if xp.isdtype(x.dtype, "complex floating"):
        _, angle, size = _acos_parts(xp.abs(xp.real(x)), xp.imag(x))
        return xp.complex(xp.copysign(angle, xp.real(x)), xp.copysign(size, xp.imag(x)))
    return 2.0 * xp.atan2(x, 1.0 + xp.sqrt(1.0 - x) * xp.sqrt(1.0 + x))


@declare(floating=True, gives="same")
def asinh(x: Array, /, out: Array | None = None) -> Array:
    """Compute the inverse hyperbolic sine of each element.

    Parameters
    ----------
    x
        Numeric array of any shape; integers are computed in the default floating dtype.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype. Imaginary parts lie between -pi/2 and pi/2.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.asinh(ca.asarray([0.0, -ca.inf])).tolist()
    [0.0, -inf]

    Notes
    -----
    The complex function is cut along the imaginary axis outside of -1j and 1j. Array API standard 2025.12,
    `asinh`.
    """
    if xp.isdtype(x.dtype, "complex floating"):
        _, angle, size = _acos_parts(xp.abs(xp.imag(x)), xp.real(x))
        return xp.complex(xp.copysign(size, xp.real(x)), xp.copysign(angle, xp.imag(x)))
    sign = xp.copysign(1.0, x)
    size = sign * x
    large = size > _large(x)
    held = xp.where(large, 1.0, size)
    square = held * held
    root = xp.sqrt(1.0 + square)
    return sign * _log_of_twice(size, large, held + root, held + square / (1.0 + root))


@declare(floating=True, gives="same")
def atan(x: Array, /, out: Array | None = None) -> Array:
    """Compute the inverse tangent of each element.

    Parameters
    ----------
    x
        Numeric array of any shape; integers are computed in the default floating dtype.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype, in radians. Real parts lie between -pi/2 and pi/2.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.atan(ca.asarray([0.0, -0.0])).tolist()
    [0.0, -0.0]

    Notes
    -----
    The complex function is cut along the imaginary axis outside of -1j and 1j. Array API standard 2025.12,
    `atan`.
    """
    if xp.isdtype(x.dtype, "complex floating"):
        size, angle = _atanh_parts(xp.abs(xp.imag(x)), xp.abs(xp.real(x)))
        return xp.complex(xp.copysign(angle, xp.real(x)), xp.copysign(size, xp.imag(x)))
    return xp.atan2(x, 1.0)


@declare(promote=("x1", "x2"), floating=True, real=True, gives="same")
def atan2(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Compute the angle of the point with ordinate `x1` and abscissa `x2`.

    Parameters
    ----------
    x1
        Ordinates: real array; or a Python scalar, if `x2` is an array.
    x2
        Abscissas: real array, broadcastable with `x1`; or a Python scalar, if `x1` is an array.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype, in radians from -pi to pi; integers give the default
    floating dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.atan2(ca.asarray([0.0, -0.0]), 1.0).tolist()
    [0.0, -0.0]

    Notes
    -----
    The signs of zeros and of infinities tell the quadrant. Array API standard 2025.12, `atan2`.
    """
    ...


@declare(floating=True, gives="same")
def atanh(x: Array, /, out: Array | None = None) -> Array:
    """Compute the inverse hyperbolic tangent of each element.

    Parameters
    ----------
    x
        Numeric array of any shape; integers are computed in the default floating dtype.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype. Imaginary parts lie between -pi/2 and pi/2; real values
    beyond -1 and 1 give NaN.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.atanh(ca.asarray([0.0, 1.0, 2.0])).tolist()
    [0.0, inf, nan]

    Notes
    -----
    The complex function is cut along the real axis outside of -1 and 1. Array API standard 2025.12, `atanh`.
    """
    if xp.isdtype(x.dtype, "complex floating"):
        size, angle = _atanh_parts(xp.abs(xp.real(x)), xp.abs(xp.imag(x)))
        return xp.complex(xp.copysign(size, xp.real(x)), xp.copysign(angle, xp.imag(x)))
    # The difference of `log1p(x)` and `log1p(-x)`, whose rounding errors matter near zero alone.
    above, below = 1.0 + x, 1.0 - x
    lost = (x - (above - 1.0)) * below - ((1.0 - below) - x) * above  # `below` is `1 / above` as far as it matters
    lost = xp.stop_gradient(xp.where(xp.abs(x) < 0.5, lost, 0.0))
    return 0.5 * (lost - (xp.log(below) - xp.log(above)))


@declare(floating=True, gives="same")
def cos(x: Array, /, out: Array | None = None) -> Array:
    """Compute the cosine of each element.

    Parameters
    ----------
    x
        Angles in radians: numeric array of any shape; integers are computed in the default floating dtype.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.cos(ca.asarray([0.0, ca.inf])).tolist()
    [1.0, nan]

    Notes
    -----
    Complex special values are those of `cosh(1j * x)`. Array API standard 2025.12, `cos`.
    """
    ...


@declare(floating=True, gives="same")
def cosh(x: Array, /, out: Array | None = None) -> Array:
    """Compute the hyperbolic cosine of each element.

    Parameters
    ----------
    x
        Numeric array of any shape; integers are computed in the default floating dtype.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.cosh(ca.asarray([0.0, -ca.inf])).tolist()
    [1.0, inf]

    Notes
    -----
    Infinities and NaN follow C99, Annex G. Array API standard 2025.12, `cosh`.
    """
    if xp.isdtype(x.dtype, "complex floating"):
        return xp.cos(xp.complex(xp.negative(xp.imag(x)), xp.real(x)))
    half = 0.5 * x
    grown, fallen = xp.exp(half), xp.exp(xp.negative(half))
    return 0.5 * grown * grown + 0.5 * fallen * fallen


@declare(floating=True, gives="same")
def sin(x: Array, /, out: Array | None = None) -> Array:
    """Compute the sine of each element.

    Parameters
    ----------
    x
        Angles in radians: numeric array of any shape; integers are computed in the default floating dtype.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.sin(ca.asarray([0.0, ca.inf])).tolist()
    [0.0, nan]

    Notes
    -----
    The sign of zero passes through. Complex special values are those of `-1j * sinh(1j * x)`. Array API
    standard 2025.12, `sin`.
    """
    ...


@declare(floating=True, gives="same")
def sinh(x: Array, /, out: Array | None = None) -> Array:
    """Compute the hyperbolic sine of each element.

    Parameters
    ----------
    x
        Numeric array of any shape; integers are computed in the default floating dtype.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.sinh(ca.asarray([0.0, -ca.inf])).tolist()
    [0.0, -inf]

    Notes
    -----
    Infinities and NaN follow C99, Annex G. Array API standard 2025.12, `sinh`.
    """
    if xp.isdtype(x.dtype, "complex floating"):
        turned = xp.sin(xp.complex(xp.negative(xp.imag(x)), xp.real(x)))
        return xp.complex(xp.imag(turned), xp.negative(xp.real(turned)))
    # 2 * sinh(half) * cosh(half). Near zero the rounding error of the power counts, as in `expm1`.
    half = 0.5 * x
    power, inverse = xp.exp(half), xp.exp(0.0 - half)
    both = power + inverse
    lost = xp.stop_gradient((half - xp.log(power)) * both)
    gap = xp.where(both < 7.5, lost - (1.0 - power) * (1.0 + inverse), power - inverse)
    return 0.5 * both * gap


@declare(floating=True, gives="same")
def tan(x: Array, /, out: Array | None = None) -> Array:
    """Compute the tangent of each element.

    Parameters
    ----------
    x
        Angles in radians: numeric array of any shape; integers are computed in the default floating dtype.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.tan(ca.asarray([0.0, ca.inf])).tolist()
    [0.0, nan]

    Notes
    -----
    The sign of zero passes through. Complex special values are those of `-1j * tanh(1j * x)`. Array API
    standard 2025.12, `tan`.
    """
    if xp.isdtype(x.dtype, "complex floating"):
        size, swing = _tanh_parts(xp.abs(xp.imag(x)), xp.real(x))
        return xp.complex(swing, xp.copysign(size, xp.imag(x)))
    return xp.sin(x) / xp.cos(x)


@declare(floating=True, gives="same")
def tanh(x: Array, /, out: Array | None = None) -> Array:
    """Compute the hyperbolic tangent of each element.

    Parameters
    ----------
    x
        Numeric array of any shape; integers are computed in the default floating dtype.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.tanh(ca.asarray([0.0, -ca.inf])).tolist()
    [0.0, -1.0]

    Notes
    -----
    The sign of zero passes through. Infinities and NaN follow C99, Annex G. Array API standard 2025.12,
    `tanh`.
    """
    if xp.isdtype(x.dtype, "complex floating"):
        size, swing = _tanh_parts(xp.abs(xp.real(x)), xp.imag(x))
        return xp.complex(xp.copysign(size, xp.real(x)), swing)
    below = x < 0.0
    fall = xp.expm1(-2.0 * xp.where(below, 0.0 - x, x))
    found = xp.negative(fall) / (2.0 + fall)
    return xp.where(below, xp.negative(found), found)


def _large(x: Array) -> float:
    """From where on the square of a number dwarfs one in its dtype."""
    return 1.0 / math.sqrt(xp.finfo(x.dtype).eps)


def _log_of_twice(x: Array, large: Array, moved: Array, rise: Array) -> Array:
    """Compute `log1p(rise)` and `log(2 * x)` where `x` is large; `moved` is `1 + rise`, rounded."""
    lost = xp.where(large, math.log(2.0), (rise - (moved - 1.0)) / moved)
    return xp.stop_gradient(lost) + xp.log(xp.where(large, x, moved))


def _acos_parts(along: Array, across: Array) -> tuple[Array, Array, Array]:
    """Real parts of `acos` and of `asin` of `along + 1j * across`, and the size of their imaginary parts.

    The real part of `asin` is that of `abs(along)`. In Hull's words: `mean` is half the sum of the distances
    to -1 and to 1, the result depends on `sqrt(mean**2 - a**2)` and `sqrt(mean - 1)`, and both differences
    are written as sums of positive terms. Factors are rooted one by one, so that no square under- or
    overflows.
    """
    a, b = xp.abs(along), xp.abs(across)
    large = (a > _large(a)) | (b > _large(a))
    p, q = xp.where(large, 2.0, a), xp.where(large, 1.0, b)
    to_left, to_right = xp.hypot(p + 1.0, q), xp.hypot(p - 1.0, q)
    mean = 0.5 * (to_left + to_right)
    near = to_right + xp.abs(p - 1.0)
    over_far, over_near = q / (to_left + (p + 1.0)), q / xp.where(near == 0.0, 1.0, near)
    thin = xp.sqrt(q) * xp.sqrt(0.5 * (over_far + over_near))
    wide = xp.sqrt(0.5 * (q * over_far + near))
    cross = xp.sqrt(mean + p) * xp.where(p <= 1.0, wide, thin)
    above = xp.where(p < 1.0, thin, wide)
    scale = xp.where(large, xp.hypot(0.5 * a, 0.5 * b), 1.0)
    size = xp.where(large, xp.log(scale) + 2.0 * math.log(2.0), xp.log1p(above * (above + xp.sqrt(mean + 1.0))))
    opposite = xp.where(large, b, cross)
    angle = xp.where(a == 0.0, 0.5 * math.pi, xp.atan2(opposite, xp.where(xp.signbit(along), xp.negative(a), a)))
    complement = xp.where(a == 0.0, 0.0, xp.atan2(a, opposite))
    return angle, complement, size


def _atanh_parts(a: Array, b: Array) -> tuple[Array, Array]:
    """Sizes of the real and imaginary parts of `atanh(a + 1j * b)` for `a` and `b` that are not negative."""
    large = (a > _large(a)) | (b > _large(a))
    p, q = xp.where(large, 2.0, a), xp.where(large, 1.0, b)
    gap = xp.hypot(1.0 - p, q)
    close = gap < 1.0 / _large(a)
    apart = xp.where(close, 1.0, gap)
    near = 0.5 * (math.log(2.0) + 0.5 * xp.log(xp.where(close, p, 1.0)) - xp.log(xp.where(close, gap, 1.0)))
    size = xp.where(close, near, 0.25 * xp.log1p(4.0 * p / apart / apart))
    angle = 0.5 * xp.atan2(2.0 * q, (1.0 - p) * (1.0 + p) - q * q)
    distance = xp.hypot(a, b)
    plain = large & xp.isfinite(distance)
    divisor = xp.where(plain, distance, 1.0)
    size = xp.where(large, xp.where(plain, a, 0.0) / divisor / divisor, size)
    angle = xp.where(large, 0.5 * math.pi - xp.where(plain, b, 0.0) / divisor / divisor, angle)
    lost = xp.isnan(distance)
    size = xp.where(a == 0.0, 0.0, xp.where(lost, math.nan, size))
    return size, xp.where(lost | xp.isnan(b), math.nan, angle)


def _tanh_parts(a: Array, b: Array) -> tuple[Array, Array]:
    """Real and imaginary part of `tanh(a + 1j * b)` for `a` that is not negative, after Kahan."""
    far = a > 0.25 * math.log(float(xp.finfo(a.dtype).max))
    steep, growth = xp.tan(b), xp.sinh(xp.where(far, 0.0, a))
    widening = 1.0 + steep * steep
    divisor = 1.0 + widening * growth * growth
    size = widening * xp.sqrt(1.0 + growth * growth) * growth / divisor
    decay = xp.exp(-2.0 * xp.where(far, a, 0.0))
    faint = xp.where(xp.isinf(a), xp.copysign(0.0, b), 4.0 * xp.sin(b) * xp.cos(b) * decay)
    swing = xp.where(b == 0.0, b, xp.where(far, faint, steep / divisor))
    size = xp.where(far, xp.where(xp.isnan(faint), faint, 1.0), size)
    return xp.where(a == 0.0, 0.0, size), swing
