"""Arithmetic, signs, minima and maxima of two arrays, and the parts of complex numbers.

The four operations, the integer divisions and the parts of a complex number are primary. The others are composed
without loss of precision: scaling prevents overflow, and the branch of a `where` that is not selected computes on a
harmless value, so that it raises no floating-point warning and its derivative is not NaN.

The names `abs` and `complex` are the public functions in this file.
"""

from __future__ import annotations

import builtins
import math
from typing import TYPE_CHECKING, cast

from corearray.contract.declaration import declare
from corearray.settings.context import current_settings

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.contract.declaration import Scalar

__all__ = [
    "abs",
    "add",
    "clip",
    "complex",
    "conj",
    "divide",
    "floor_divide",
    "hypot",
    "imag",
    "maximum",
    "minimum",
    "multiply",
    "negative",
    "positive",
    "real",
    "reciprocal",
    "remainder",
    "sign",
    "stable_divide",
    "stable_pow",
    "subtract",
]


@declare()
def abs(x: Array, /, out: Array | None = None) -> Array:
    """Compute the absolute value of each element; for complex numbers the modulus.

    Parameters
    ----------
    x
        Numeric array of any shape.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x`; of its dtype, or for a complex dtype the real one of the same precision.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.abs(ca.asarray([-2, 0, 3])).tolist()
    [2, 0, 3]
    >>> ca.abs(ca.asarray([3.0 + 4.0j])).tolist()
    [5.0]

    Notes
    -----
    The smallest signed integer has no positive counterpart and stays as it is. The modulus does not overflow
    on the way and is infinite if one part is, even beside a NaN. Array API standard 2025.12, `abs`.
    """
    if xp.isdtype(x.dtype, "complex floating"):
        return xp.hypot(xp.real(x), xp.imag(x))
    if xp.isdtype(x.dtype, "real floating"):
        return xp.copysign(x, 1.0)
    if xp.isdtype(x.dtype, "signed integer"):
        return xp.where(x < 0, xp.negative(x), x)
    return xp.positive(x)


@declare(promote=("x1", "x2"), gives="same")
def add(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Add two arrays elementwise.

    Parameters
    ----------
    x1, x2
        Numeric arrays of broadcastable shapes; one of them may be a Python scalar.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype; integers wrap around.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.add(ca.asarray([1, 2]), ca.asarray([3, 4])).tolist()
    [4, 6]

    Notes
    -----
    Array API standard 2025.12, `add`; floating-point addition is that of IEEE 754.
    """
    ...


@declare(promote=("x", "min", "max"), real=True, gives="same")
def clip(
    x: Array,
    /,
    min: Array | Scalar | None = None,
    max: Array | Scalar | None = None,
    *,
    out: Array | None = None,
) -> Array:
    """Clip each element to the interval from `min` to `max`.

    Parameters
    ----------
    x
        Real array.
    min, max
        Bounds, broadcastable with `x`; `None` sets no bound. Where `min` exceeds `max`, the result is `max`.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype (that of `x` for bounds of its dtype and for scalars
    of its kind).

    Examples
    --------
    >>> import corearray as ca
    >>> ca.clip(ca.asarray([-3, 0, 7]), -1, 5).tolist()
    [-1, 0, 5]

    Notes
    -----
    A NaN in `x`, `min` or `max` gives NaN. The derivative of an element that equals a bound is 1. Array API standard
    2025.12, `clip`.
    """
    if min is not None:
        x = xp.maximum(x, min)
    if max is not None:
        x = xp.minimum(x, max)
    return xp.positive(x) if min is None and max is None else x


@declare(promote=("real", "imag"), floating=True, real=True)
def complex(real: Array | Scalar, imag: Array | Scalar, /) -> Array:
    """Build complex numbers from real and imaginary parts.

    Parameters
    ----------
    real, imag
        Real arrays of broadcastable shapes; one of them may be a Python scalar.

    Returns
    -------
    Array of the broadcast shape: `complex128` for `float64`, else `complex64`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.complex(ca.asarray([1.0, -2.0]), ca.asarray([0.5, ca.inf])).tolist()
    [(1+0.5j), (-2+infj)]

    Notes
    -----
    Unlike `real + 1j * imag` it keeps each part as it is, infinities, NaN and the signs of zeros included; complex
    results are put together with it. Not in the array API standard.
    """
    along, across = cast("Array", real), cast("Array", imag)
    dtype = xp.complex128 if along.dtype == xp.float64 else xp.complex64
    # First +0 + abs(imag) * 1j, which is exact for finite parts, then `minus`, exactly +0 - imag * 1j.
    turned = xp.astype(xp.where(xp.isfinite(across), xp.abs(across), 0.0), dtype) * 1j
    turned = xp.where(xp.isinf(across), builtins.complex(0.0, math.inf), turned)
    turned = xp.where(xp.isnan(across), builtins.complex(0.0, math.nan), turned)
    minus = xp.where(xp.signbit(across), turned, xp.conj(turned))
    # The minuend is real - 0j: subtracting from it leaves the sign of either zero alone.
    return xp.subtract(xp.conj(xp.astype(along, dtype)), minus)


@declare(gives="same")
def conj(x: Array, /, out: Array | None = None) -> Array:
    """Compute the complex conjugate of each element.

    Parameters
    ----------
    x
        Numeric array of any shape; real values come back as they are.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape and dtype of `x`, its imaginary parts negated.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.conj(ca.asarray([1.0 + 2.0j])).tolist()
    [(1-2j)]

    Notes
    -----
    Array API standard 2025.12, `conj`.
    """
    ...


@declare(promote=("x1", "x2"), floating=True, gives="same")
def divide(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Divide two arrays elementwise.

    Parameters
    ----------
    x1
        Dividend: numeric array; or a Python scalar, if `x2` is an array.
    x2
        Divisor: numeric array, broadcastable with `x1`; or a Python scalar, if `x1` is an array.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype; integers give the default floating dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.divide(ca.asarray([1, 3]), 2).tolist()
    [0.5, 1.5]

    Notes
    -----
    Division by zero gives a signed infinity, or NaN for a zero dividend. Array API standard 2025.12,
    `divide`.
    """
    ...


@declare(promote=("x1", "x2"), real=True, gives="same")
def floor_divide(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Divide two arrays elementwise and round towards minus infinity.

    Parameters
    ----------
    x1
        Dividend: real array; or a Python scalar, if `x2` is an array.
    x2
        Divisor: real array, broadcastable with `x1`; or a Python scalar, if `x1` is an array.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.floor_divide(ca.asarray([7, -7]), 2).tolist()
    [3, -4]

    Notes
    -----
    With an infinite or a zero operand the floating result is `floor(x1 / x2)`; an integer divided by zero has
    no defined result. Array API standard 2025.12, `floor_divide`.
    """
    ...


@declare(promote=("x1", "x2"), floating=True, real=True, gives="same")
def hypot(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Compute `sqrt(x1**2 + x2**2)` without intermediate overflow.

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
    >>> ca.hypot(ca.asarray([3.0, 0.0]), ca.asarray([4.0, -2.0])).tolist()
    [5.0, 2.0]

    Notes
    -----
    An infinite argument gives infinity even beside a NaN. Array API standard 2025.12, `hypot`.
    """
    # `promote` has made an array of a scalar before a composition runs.
    side1, side2 = xp.abs(cast("Array", x1)), xp.abs(cast("Array", x2))
    long, short = xp.maximum(side1, side2), xp.minimum(side1, side2)
    plain = (long > 0) & xp.isfinite(long)
    ratio = xp.where(plain, short, 0.0) / xp.where(plain, long, 1.0)
    length = xp.where(plain, long, 1.0) * xp.sqrt(1.0 + ratio * ratio)
    infinite = xp.isinf(side1) | xp.isinf(side2)
    return xp.where(infinite, math.inf, xp.where(plain, length, long))


@declare()
def imag(x: Array, /) -> Array:
    """Return the imaginary part of each element.

    Parameters
    ----------
    x
        Complex array of any shape; a real array has zeros for imaginary parts.

    Returns
    -------
    Array of the shape of `x` and the real dtype of the same precision.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.imag(ca.asarray([1.0 + 2.0j])).tolist()
    [2.0]

    Notes
    -----
    Array API standard 2025.12, `imag`.
    """
    ...


@declare(promote=("x1", "x2"), real=True, gives="same")
def maximum(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Compute the elementwise maximum of two arrays.

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
    >>> ca.maximum(ca.asarray([1, 5]), ca.asarray([4, 2])).tolist()
    [4, 5]

    Notes
    -----
    NaN if either value is; of two zeros either one may come. Array API standard 2025.12, `maximum`.
    """
    return xp.where(xp.equal(x2, x2), xp.where(xp.less(x1, x2), x2, x1), x2)


@declare(promote=("x1", "x2"), real=True, gives="same")
def minimum(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Compute the elementwise minimum of two arrays.

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
    >>> ca.minimum(ca.asarray([1, 5]), ca.asarray([4, 2])).tolist()
    [1, 2]

    Notes
    -----
    NaN if either value is; of two zeros either one may come. Array API standard 2025.12, `minimum`.
    """
    return xp.where(xp.equal(x2, x2), xp.where(xp.less(x2, x1), x2, x1), x2)


@declare(promote=("x1", "x2"), gives="same")
def multiply(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Multiply two arrays elementwise.

    Parameters
    ----------
    x1, x2
        Numeric arrays of broadcastable shapes; one of them may be a Python scalar.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype; integers wrap around.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.multiply(ca.asarray([1.5, 2.0]), 2).tolist()
    [3.0, 4.0]

    Notes
    -----
    Zero times infinity is NaN. Array API standard 2025.12, `multiply`.
    """
    ...


@declare(gives="same")
def negative(x: Array, /, out: Array | None = None) -> Array:
    """Negate each element.

    Parameters
    ----------
    x
        Numeric array of any shape.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape and dtype of `x`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.negative(ca.asarray([1, -2])).tolist()
    [-1, 2]

    Notes
    -----
    Zeros change their sign; unsigned integers and the smallest signed one wrap around. Array API standard
    2025.12, `negative`.
    """
    if xp.isdtype(x.dtype, "bool"):
        raise TypeError("truth values have no negative")
    if xp.isdtype(x.dtype, "complex floating"):
        return xp.subtract(builtins.complex(-0.0, -0.0), x)
    return xp.subtract(-0.0 if xp.isdtype(x.dtype, "real floating") else 0, x)


@declare(gives="same")
def positive(x: Array, /, out: Array | None = None) -> Array:
    """Return a copy of an array, as `+x` does.

    Parameters
    ----------
    x
        Numeric array of any shape.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape and dtype of `x`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.positive(ca.asarray([1, -2])).tolist()
    [1, -2]

    Notes
    -----
    Array API standard 2025.12, `positive`.
    """
    return xp.astype(x, x.dtype)


@declare()
def real(x: Array, /) -> Array:
    """Return the real part of each element.

    Parameters
    ----------
    x
        Numeric array of any shape; real values come back as they are.

    Returns
    -------
    Array of the shape of `x`; of its dtype, or for a complex dtype the real one of the same precision.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.real(ca.asarray([1.0 + 2.0j])).tolist()
    [1.0]

    Notes
    -----
    Array API standard 2025.12, `real`.
    """
    ...


@declare(floating=True, gives="same")
def reciprocal(x: Array, /, out: Array | None = None) -> Array:
    """Compute `1 / x` for each element.

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
    >>> ca.reciprocal(ca.asarray([2.0, -4.0])).tolist()
    [0.5, -0.25]

    Notes
    -----
    The same as `divide(1.0, x)`, special values included. Array API standard 2025.12, `reciprocal`.
    """
    return xp.divide(1.0, x)


@declare(promote=("x1", "x2"), real=True, gives="same")
def remainder(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Compute the remainder of the division of `x1` by `x2`, with the sign of `x2`.

    Parameters
    ----------
    x1
        Dividend: real array; or a Python scalar, if `x2` is an array.
    x2
        Divisor: real array, broadcastable with `x1`; or a Python scalar, if `x1` is an array.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.remainder(ca.asarray([7, -7]), 3).tolist()
    [1, 2]

    Notes
    -----
    What Python's `%` gives, also for an infinite divisor; a floating divisor of zero gives NaN, an integer
    one has no defined result. Array API standard 2025.12, `remainder`.
    """
    ...


@declare(gives="same")
def sign(x: Array, /, out: Array | None = None) -> Array:
    """Return the sign of each element: -1, 0 or 1; for complex numbers `x / abs(x)`.

    Parameters
    ----------
    x
        Numeric array of any shape.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape and dtype of `x`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.sign(ca.asarray([-2.5, 0.0, 7.0])).tolist()
    [-1.0, 0.0, 1.0]

    Notes
    -----
    NaN gives NaN, both zeros give zero. A complex number with a NaN gives NaN in both parts, an infinite part
    gives NaN. Array API standard 2025.12, `sign`.
    """
    if xp.isdtype(x.dtype, "complex floating"):
        along, across = xp.real(x), xp.imag(x)
        scale = xp.maximum(xp.abs(along), xp.abs(across))
        zero = scale == 0
        scale = xp.where(zero | xp.isinf(scale), 1.0, scale)
        along, across = along / scale, across / scale
        length = xp.where(zero, 1.0, xp.hypot(along, across))
        return xp.complex(xp.where(zero, 0.0, along / length), xp.where(zero, 0.0, across / length))
    above = xp.astype(x > 0, x.dtype)
    if xp.isdtype(x.dtype, "unsigned integer"):
        return above
    return xp.where(xp.isnan(x), x, above - xp.astype(x < 0, x.dtype))


@declare()
def stable_divide(
    numerator: Array | Scalar, denominator: Array | Scalar, /, *, min_denominator: float | None = None
) -> Array:
    """Divide with a small number added to the denominator, which prevents a division by zero.

    Parameters
    ----------
    numerator, denominator
        Numeric arrays of broadcastable shapes; one of them may be a Python scalar.
    min_denominator
        Number added to the denominator; by default the setting `min_denominator`, which starts as 1e-12.

    Returns
    -------
    Array of the broadcast shape and the promoted floating-point dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.stable_divide(ca.asarray([0.0, 2.0]), ca.asarray([0.0, 4.0]), min_denominator=1e-9).tolist()
    [0.0, 0.5]
    """
    return xp.divide(numerator, denominator + _least(min_denominator, current_settings().min_denominator))


@declare()
def stable_pow(base: Array | Scalar, exponent: Array | Scalar, /, *, min_base: float | None = None) -> Array:
    """Raise to a power with a small number added to the base, so that the derivative at a base of zero is finite.

    Parameters
    ----------
    base, exponent
        Numeric arrays of broadcastable shapes; one of them may be a Python scalar.
    min_base
        Number added to the base; by default the setting `min_base`, which starts as 1e-5.

    Returns
    -------
    Array of the broadcast shape and the promoted floating-point dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.stable_pow(ca.asarray([0.0, 3.0]), 2, min_base=1.0).tolist()
    [1.0, 16.0]
    """
    return xp.pow(base + _least(min_base, current_settings().min_base), exponent)


@declare(promote=("x1", "x2"), gives="same")
def subtract(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Subtract two arrays elementwise.

    Parameters
    ----------
    x1, x2
        Numeric arrays of broadcastable shapes; one of them may be a Python scalar.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype; integers wrap around.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.subtract(ca.asarray([5, 2]), ca.asarray([3, 4])).tolist()
    [2, -2]

    Notes
    -----
    Floating-point rules are those of `add(x1, -x2)`. Array API standard 2025.12, `subtract`.
    """
    ...


def _least(given: float | None, setting: float) -> float:
    return setting if given is None else given
