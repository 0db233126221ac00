"""Exponentials, logarithms and powers.

`exp`, `log`, `pow` and `sqrt` are primary. `expm1` and `log1p` are composed after Kahan: they measure the rounding error of
`exp(x)` or `1 + x` and add what is lost, which derivatives take for a constant. Their error is a few units in the last place.
Complex results are built from two real parts, so that an infinite part does not turn the other one into NaN.

The name `pow` is the public function in this file.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from corearray.contract.declaration import declare
from corearray.functional.precision import _is_half

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.contract.declaration import Scalar

__all__ = ["cbrt", "exp", "expm1", "log", "log1p", "log2", "log10", "logaddexp", "pow", "sqrt", "square"]


@declare(floating=True, real=True, gives="same")
def cbrt(x: Array, /, out: Array | None = None) -> Array:
    """Compute the cube root.

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
    >>> ca.cbrt(ca.asarray([8.0, -27.0])).tolist()
    [2.0, -3.0]

    Notes
    -----
    NumPy's `cbrt`. The power 1/3 is followed by a step of Newton's method.
    """
    if _is_half(x):
        return xp.astype(xp.cbrt(xp.astype(x, xp.float32)), x.dtype)
    size = xp.abs(x)
    regular = (size > 0.0) & xp.isfinite(size)
    safe = xp.where(regular, size, 1.0)
    root = xp.exp(xp.log(safe) / 3.0)
    root = root - (root - safe / (root * root)) / 3.0
    return xp.copysign(xp.where(regular, root, size), x)


@declare(floating=True, gives="same")
def exp(x: Array, /, out: Array | None = None) -> Array:
    """Compute the exponential of each element.

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
    >>> ca.exp(ca.asarray([0.0, -ca.inf])).tolist()
    [1.0, 0.0]

    Notes
    -----
    An infinite real part beside a NaN or an infinite imaginary one follows C99, Annex G. Array API standard
    2025.12, `exp`.
    """
    ...


@declare(floating=True, gives="same")
def expm1(x: Array, /, out: Array | None = None) -> Array:
    """Compute `exp(x) - 1` without cancellation near zero.

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
    >>> ca.expm1(ca.asarray([0.0, -ca.inf])).tolist()
    [0.0, -1.0]

    Notes
    -----
    The sign of zero passes through. Array API standard 2025.12, `expm1`; the correction is W. Kahan's, in N.
    J. Higham, Accuracy and Stability of Numerical Algorithms, section 1.14.
    """
    if xp.isdtype(x.dtype, "complex floating"):
        along, across = xp.real(x), xp.imag(x)
        power = xp.exp(x)
        near = xp.abs(along) <= 1.0
        small = xp.where(near & (along != 0.0), along, 0.0)  # +0 for either zero, as the standard wants
        half = xp.sin(0.5 * xp.where(near, across, 0.0))
        turned = xp.cos(xp.where(near, across, 0.0))
        return xp.complex(
            xp.where(near & xp.isfinite(across), xp.expm1(small) * turned - 2.0 * half * half, xp.real(power) - 1.0),
            xp.imag(power),
        )
    power = xp.exp(x)
    near = xp.abs(x) < 2.0
    held = xp.where(near, power, 1.0)
    lost = held * (xp.where(near, x, 0.0) - xp.log(held))
    return xp.stop_gradient(lost) - (1.0 - power)  # not `+ (power - 1.0)`, which loses the sign of zero


@declare(floating=True, gives="same")
def log(x: Array, /, out: Array | None = None) -> Array:
    """Compute the natural logarithm of each element.

    Parameters
    ----------
    x
        Numeric array of any shape; integers are computed in the default floating dtype.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype. Imaginary parts lie between -pi and pi.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.log(ca.asarray([1.0, 0.0, -1.0])).tolist()
    [0.0, -inf, nan]

    Notes
    -----
    The complex logarithm is cut along the negative real axis, where the sign of the imaginary zero tells the
    side. Array API standard 2025.12, `log`.
    """
    ...


@declare(floating=True, gives="same")
def log10(x: Array, /, out: Array | None = None) -> Array:
    """Compute the logarithm of each element to base 10.

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
    >>> ca.log10(ca.asarray([10.0, 1.0, 0.0])).tolist()
    [1.0, 0.0, -inf]

    Notes
    -----
    Integral for powers of ten. Array API standard 2025.12, `log10`.
    """
    return _log_to_base(x, 10.0)


@declare(floating=True, gives="same")
def log1p(x: Array, /, out: Array | None = None) -> Array:
    """Compute `log(1 + x)` without cancellation near zero.

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
    >>> ca.log1p(ca.asarray([0.0, -1.0, -2.0])).tolist()
    [0.0, -inf, nan]

    Notes
    -----
    The sign of zero passes through. Array API standard 2025.12, `log1p`; the correction is W. Kahan's, in N.
    J. Higham, Accuracy and Stability of Numerical Algorithms, problem 1.5.
    """
    if xp.isdtype(x.dtype, "complex floating"):
        along, across = xp.real(x), xp.imag(x)
        full = xp.log(xp.complex(along + 1.0, across))
        near = (xp.abs(along) < 0.5) & (xp.abs(across) < 0.5)
        a, b = xp.where(near, along, 0.0), xp.where(near, across, 0.0)
        return xp.complex(xp.where(near, 0.5 * xp.log1p(a * (2.0 + a) + b * b), xp.real(full)), xp.imag(full))
    near = xp.where(xp.abs(x) < 1.0, x, 0.0)
    moved = 1.0 + near
    lost = (near - (moved - 1.0)) / moved
    return xp.stop_gradient(lost) - (0.0 - xp.log(1.0 + x))  # not a sum, which loses the sign of zero


@declare(floating=True, gives="same")
def log2(x: Array, /, out: Array | None = None) -> Array:
    """Compute the logarithm of each element to base 2.

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
    >>> ca.log2(ca.asarray([8.0, 1.0, 0.0])).tolist()
    [3.0, 0.0, -inf]

    Notes
    -----
    Integral for powers of two. Array API standard 2025.12, `log2`.
    """
    return _log_to_base(x, 2.0)


@declare(promote=("x1", "x2"), floating=True, real=True, gives="same")
def logaddexp(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Compute `log(exp(x1) + exp(x2))` without overflow.

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
    >>> ca.logaddexp(ca.asarray([1000.0, -ca.inf]), ca.asarray([-1000.0, 2.0])).tolist()
    [1000.0, 2.0]

    Notes
    -----
    Two negative infinities give negative infinity. Array API standard 2025.12, `logaddexp`.
    """
    high, low = xp.maximum(x1, x2), xp.minimum(x1, x2)
    plain = xp.isfinite(high)
    gap = xp.where(plain, low, 0.0) - xp.where(plain, high, 0.0)
    return xp.where(plain, high + xp.log1p(xp.exp(gap)), high)


@declare(promote=("x1", "x2"), gives="same")
def pow(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Raise `x1` to the power `x2` elementwise.

    Parameters
    ----------
    x1
        Base: numeric array; or a Python scalar, if `x2` is an array.
    x2
        Exponent: numeric array, broadcastable with `x1`; or a Python scalar, if `x1` is an array.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype. Integers stay integers and wrap around; with a
    negative exponent they have no defined result.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.pow(ca.asarray([2, 3]), 3).tolist()
    [8, 27]

    Notes
    -----
    Anything to the power of zero is one, NaN included; a negative base needs an integral exponent, else the
    result is NaN. Array API standard 2025.12, `pow`.
    """
    ...


@declare(floating=True, gives="same")
def sqrt(x: Array, /, out: Array | None = None) -> Array:
    """Compute the square root of each element.

    Parameters
    ----------
    x
        Numeric array of any shape; integers are computed in the default floating dtype.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` and its floating dtype. Real parts of complex roots are not negative.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.sqrt(ca.asarray([9.0, -1.0])).tolist()
    [3.0, nan]

    Notes
    -----
    Real roots are correctly rounded. The complex root is cut along the negative real axis, where the sign of
    the imaginary zero tells the side. Array API standard 2025.12, `sqrt`.
    """
    ...


@declare(gives="same")
def square(x: Array, /, out: Array | None = None) -> Array:
    """Compute the square of each element.

    Parameters
    ----------
    x
        Numeric array of any shape.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape and dtype of `x`; integers wrap around.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.square(ca.asarray([2, -3])).tolist()
    [4, 9]

    Notes
    -----
    The same as `multiply(x, x)`, special values included. Array API standard 2025.12, `square`.
    """
    return xp.multiply(x, x)


def _log_to_base(x: Array, base: float) -> Array:
    """Take the logarithm to a base, which is an integer at powers of the base."""
    if _is_half(x):
        return xp.astype(_log_to_base(xp.astype(x, xp.float32), base), x.dtype)
    scale = 1.0 / math.log(base)
    root = xp.log(x)
    if xp.isdtype(x.dtype, "complex floating"):
        return xp.complex(scale * xp.real(root), scale * xp.imag(root))
    found = scale * root
    whole = xp.floor(found + 0.5)
    rounding = whole - found
    steps = 1.0 if base == 2.0 else 2.0  # units in the last place, by which the scaled logarithm of a power may be off
    near = xp.abs(rounding) < steps * float(xp.finfo(x.dtype).eps) * xp.abs(whole)
    return found + xp.stop_gradient(xp.where(near, rounding, 0.0))
