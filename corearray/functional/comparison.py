"""Comparisons, tests for special values, and logical operations.

`equal` and `less` are primary. The others are composed of these two and of boolean operations. Every comparison with
NaN is false except `not_equal`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from corearray.contract.declaration import declare

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.contract.declaration import Scalar

__all__ = [
    "equal",
    "greater",
    "greater_equal",
    "isfinite",
    "isinf",
    "isnan",
    "less",
    "less_equal",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "not_equal",
]


@declare(promote=("x1", "x2"), gives="bool")
def equal(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Test elementwise whether `x1 == x2`.

    Parameters
    ----------
    x1, x2
        Arrays of any dtypes and of broadcastable shapes; one of them may be a Python scalar.
    out
        Array that receives the result.

    Returns
    -------
    Boolean array of the broadcast shape.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.equal(ca.asarray([1, 2, 3]), ca.asarray([1, 0, 3])).tolist()
    [True, False, True]

    Notes
    -----
    NaN equals nothing, the two zeros are equal. Array API standard 2025.12, `equal`.
    """
    ...


@declare(promote=("x1", "x2"), real=True, gives="bool")
def greater(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Test elementwise whether `x1 > x2`.

    Parameters
    ----------
    x1, x2
        Real arrays of broadcastable shapes; one of them may be a Python scalar.
    out
        Array that receives the result.

    Returns
    -------
    Boolean array of the broadcast shape, false beside a NaN.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.greater(ca.asarray([1, 2, 3]), 2).tolist()
    [False, False, True]

    Notes
    -----
    Array API standard 2025.12, `greater`.
    """
    return xp.less(x2, x1)


@declare(promote=("x1", "x2"), real=True, gives="bool")
def greater_equal(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Test elementwise whether `x1 >= x2`.

    Parameters
    ----------
    x1, x2
        Real arrays of broadcastable shapes; one of them may be a Python scalar.
    out
        Array that receives the result.

    Returns
    -------
    Boolean array of the broadcast shape, false beside a NaN.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.greater_equal(ca.asarray([1, 2, 3]), 2).tolist()
    [False, True, True]

    Notes
    -----
    Array API standard 2025.12, `greater_equal`.
    """
    return xp.bitwise_or(xp.less(x2, x1), xp.equal(x1, x2))


@declare(gives="bool")
def isfinite(x: Array, /, out: Array | None = None) -> Array:
    """Test elementwise for numbers that are neither infinite nor NaN.

    Parameters
    ----------
    x
        Numeric array of any shape; a complex number is finite if both parts are.
    out
        Array that receives the result.

    Returns
    -------
    Boolean array of the shape of `x`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.isfinite(ca.asarray([1.0, ca.inf, ca.nan])).tolist()
    [True, False, False]

    Notes
    -----
    Array API standard 2025.12, `isfinite`.
    """
    if xp.isdtype(x.dtype, "complex floating"):
        return xp.bitwise_and(xp.isfinite(xp.real(x)), xp.isfinite(xp.imag(x)))
    if xp.isdtype(x.dtype, "real floating"):
        return xp.less(xp.abs(x), math.inf)
    return xp.ones_like(x, dtype=xp.bool)


@declare(gives="bool")
def isinf(x: Array, /, out: Array | None = None) -> Array:
    """Test elementwise for positive or negative infinity.

    Parameters
    ----------
    x
        Numeric array of any shape; a complex number is infinite if one part is.
    out
        Array that receives the result.

    Returns
    -------
    Boolean array of the shape of `x`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.isinf(ca.asarray([1.0, -ca.inf, ca.nan])).tolist()
    [False, True, False]

    Notes
    -----
    Array API standard 2025.12, `isinf`.
    """
    if xp.isdtype(x.dtype, "complex floating"):
        return xp.bitwise_or(xp.isinf(xp.real(x)), xp.isinf(xp.imag(x)))
    if xp.isdtype(x.dtype, "real floating"):
        return xp.equal(xp.abs(x), math.inf)
    return xp.zeros_like(x, dtype=xp.bool)


@declare(gives="bool")
def isnan(x: Array, /, out: Array | None = None) -> Array:
    """Test elementwise for NaN.

    Parameters
    ----------
    x
        Numeric array of any shape; a complex number is NaN if one part is.
    out
        Array that receives the result.

    Returns
    -------
    Boolean array of the shape of `x`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.isnan(ca.asarray([1.0, ca.inf, ca.nan])).tolist()
    [False, False, True]

    Notes
    -----
    Array API standard 2025.12, `isnan`.
    """
    return xp.not_equal(x, x)


@declare(promote=("x1", "x2"), real=True, gives="bool")
def less(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Test elementwise whether `x1 < x2`.

    Parameters
    ----------
    x1, x2
        Real arrays of broadcastable shapes; one of them may be a Python scalar.
    out
        Array that receives the result.

    Returns
    -------
    Boolean array of the broadcast shape, false beside a NaN.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.less(ca.asarray([1, 2, 3]), 2).tolist()
    [True, False, False]

    Notes
    -----
    Array API standard 2025.12, `less`.
    """
    ...


@declare(promote=("x1", "x2"), real=True, gives="bool")
def less_equal(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Test elementwise whether `x1 <= x2`.

    Parameters
    ----------
    x1, x2
        Real arrays of broadcastable shapes; one of them may be a Python scalar.
    out
        Array that receives the result.

    Returns
    -------
    Boolean array of the broadcast shape, false beside a NaN.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.less_equal(ca.asarray([1, 2, 3]), 2).tolist()
    [True, True, False]

    Notes
    -----
    Array API standard 2025.12, `less_equal`.
    """
    return xp.bitwise_or(xp.less(x1, x2), xp.equal(x1, x2))


@declare(promote=("x1", "x2"), gives="bool")
def logical_and(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Compute the logical AND of two arrays.

    Parameters
    ----------
    x1, x2
        Arrays of broadcastable shapes; one of them may be a Python scalar. A number is true if it is not
        zero.
    out
        Array that receives the result.

    Returns
    -------
    Boolean array of the broadcast shape.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.logical_and(ca.asarray([True, False]), True).tolist()
    [True, False]

    Notes
    -----
    NaN is true. Array API standard 2025.12, `logical_and`.
    """
    return xp.bitwise_and(_truth(x1), _truth(x2))


@declare(gives="bool")
def logical_not(x: Array, /, out: Array | None = None) -> Array:
    """Compute the logical NOT of each element.

    Parameters
    ----------
    x
        Array of any shape. A number is true if it is not zero.
    out
        Array that receives the result.

    Returns
    -------
    Boolean array of the shape of `x`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.logical_not(ca.asarray([True, False])).tolist()
    [False, True]

    Notes
    -----
    NaN is true. Array API standard 2025.12, `logical_not`.
    """
    return xp.equal(x, False if xp.isdtype(x.dtype, "bool") else 0)


@declare(promote=("x1", "x2"), gives="bool")
def logical_or(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Compute the logical OR of two arrays.

    Parameters
    ----------
    x1, x2
        Arrays of broadcastable shapes; one of them may be a Python scalar. A number is true if it is not
        zero.
    out
        Array that receives the result.

    Returns
    -------
    Boolean array of the broadcast shape.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.logical_or(ca.asarray([True, False]), False).tolist()
    [True, False]

    Notes
    -----
    NaN is true. Array API standard 2025.12, `logical_or`.
    """
    return xp.bitwise_or(_truth(x1), _truth(x2))


@declare(promote=("x1", "x2"), gives="bool")
def logical_xor(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Compute the logical exclusive OR of two arrays.

    Parameters
    ----------
    x1, x2
        Arrays of broadcastable shapes; one of them may be a Python scalar. A number is true if it is not
        zero.
    out
        Array that receives the result.

    Returns
    -------
    Boolean array of the broadcast shape.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.logical_xor(ca.asarray([True, False]), True).tolist()
    [False, True]

    Notes
    -----
    NaN is true. Array API standard 2025.12, `logical_xor`.
    """
    return xp.not_equal(_truth(x1), _truth(x2))


@declare(promote=("x1", "x2"), gives="bool")
def not_equal(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Test elementwise whether `x1 != x2`.

    Parameters
    ----------
    x1, x2
        Arrays of any dtypes and of broadcastable shapes; one of them may be a Python scalar.
    out
        Array that receives the result.

    Returns
    -------
    Boolean array of the broadcast shape.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.not_equal(ca.asarray([1, 2, 3]), ca.asarray([1, 0, 3])).tolist()
    [False, True, False]

    Notes
    -----
    NaN differs from everything, itself included. Array API standard 2025.12, `not_equal`.
    """
    return xp.logical_not(xp.equal(x1, x2))


def _truth(x: Array | Scalar) -> Array:
    """Give the truth values of an array; booleans are their own. `promote` has made an array of a scalar."""
    array = cast("Array", x)
    return array if xp.isdtype(array.dtype, "bool") else xp.not_equal(array, 0)
