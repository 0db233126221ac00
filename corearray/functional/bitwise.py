"""Bitwise operations on integers and booleans.

`bitwise_and` and the two shifts are primary. Inversion is exact arithmetic; the other two follow from De Morgan's laws.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from corearray.contract.declaration import declare

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.contract.declaration import Scalar

__all__ = [
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
]


@declare(promote=("x1", "x2"), gives="same")
def bitwise_and(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Compute the bitwise AND of two arrays.

    Parameters
    ----------
    x1, x2
        Integer or boolean arrays of broadcastable shapes; one of them may be a Python scalar.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.bitwise_and(ca.asarray([12, 5]), 10).tolist()
    [8, 0]

    Notes
    -----
    For booleans the logical AND. Array API standard 2025.12, `bitwise_and`.
    """
    ...


@declare(gives="same")
def bitwise_invert(x: Array, /, out: Array | None = None) -> Array:
    """Invert each bit.

    Parameters
    ----------
    x
        Integer or boolean array of any shape.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape and dtype of `x`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.bitwise_invert(ca.asarray([0, 5, -1])).tolist()
    [-1, -6, 0]

    Notes
    -----
    For booleans the logical NOT. Array API standard 2025.12, `bitwise_invert`.
    """
    if xp.isdtype(x.dtype, "bool"):
        return xp.logical_not(x)
    if not xp.isdtype(x.dtype, "integral"):
        raise TypeError(f"'bitwise_invert' got an array of dtype {x.dtype}; only integers and booleans have bits")
    return xp.subtract(xp.iinfo(x.dtype).max if xp.isdtype(x.dtype, "unsigned integer") else -1, x)


@declare(promote=("x1", "x2"), gives="same")
def bitwise_left_shift(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Shift bits to the left and fill with zeros.

    Parameters
    ----------
    x1
        Integer array; or a Python integer, if `x2` is an array.
    x2
        By how many places, at least 0: integer array, broadcastable with `x1`; or a Python integer, if `x1`
        is an array.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype. Shifts by the width of the dtype or more have no
    defined result.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.bitwise_left_shift(ca.asarray([1, 3]), ca.asarray([4, 1])).tolist()
    [16, 6]

    Notes
    -----
    Array API standard 2025.12, `bitwise_left_shift`.
    """
    ...


@declare(promote=("x1", "x2"), gives="same")
def bitwise_or(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Compute the bitwise OR of two arrays.

    Parameters
    ----------
    x1, x2
        Integer or boolean arrays of broadcastable shapes; one of them may be a Python scalar.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.bitwise_or(ca.asarray([12, 5]), 10).tolist()
    [14, 15]

    Notes
    -----
    For booleans the logical OR. Array API standard 2025.12, `bitwise_or`.
    """
    one, other = cast("Array", x1), cast("Array", x2)  # `promote` has made an array of a scalar
    if xp.isdtype(one.dtype, "bool"):
        return xp.where(one, one, other)
    return xp.bitwise_invert(xp.bitwise_and(xp.bitwise_invert(one), xp.bitwise_invert(other)))


@declare(promote=("x1", "x2"), gives="same")
def bitwise_right_shift(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Shift bits to the right and fill with copies of the sign bit.

    Parameters
    ----------
    x1
        Integer array; or a Python integer, if `x2` is an array.
    x2
        By how many places, at least 0: integer array, broadcastable with `x1`; or a Python integer, if `x1`
        is an array.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype: `x1 / 2**x2` rounded down. Shifts by the width of the
    dtype or more have no defined result.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.bitwise_right_shift(ca.asarray([16, -7]), 1).tolist()
    [8, -4]

    Notes
    -----
    Array API standard 2025.12, `bitwise_right_shift`.
    """
    ...


@declare(promote=("x1", "x2"), gives="same")
def bitwise_xor(x1: Array | Scalar, x2: Array | Scalar, /, out: Array | None = None) -> Array:
    """Compute the bitwise exclusive OR of two arrays.

    Parameters
    ----------
    x1, x2
        Integer or boolean arrays of broadcastable shapes; one of them may be a Python scalar.
    out
        Array that receives the result.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.bitwise_xor(ca.asarray([12, 5]), 10).tolist()
    [6, 15]

    Notes
    -----
    For booleans the exclusive OR. Array API standard 2025.12, `bitwise_xor`.
    """
    return xp.bitwise_and(xp.bitwise_or(x1, x2), xp.bitwise_invert(xp.bitwise_and(x1, x2)))
