"""Sums, products, extrema and moments that ignore NaN.

NaN is replaced by the neutral element. Arrays of integers use the plain reduction.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from corearray.contract.declaration import declare
from corearray.functional.precision import _smallest, _widened

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.types.dtypes import DType

__all__ = [
    "nanargmax",
    "nanargmin",
    "nancumprod",
    "nancumsum",
    "nanmax",
    "nanmean",
    "nanmin",
    "nanprod",
    "nanstd",
    "nansum",
    "nanvar",
]


@declare(real=True, gives="int64")
def nanargmax(x: Array, /, *, axis: int | None = None, keepdims: bool = False, out: Array | None = None) -> Array:
    """Return the index of the first maximum along an axis and ignore NaN.

    Parameters
    ----------
    x, axis, keepdims, out
        As in `argmax`.

    Returns
    -------
    Array of indices, of the default index dtype; -1 where all elements are NaN.

    Raises
    ------
    ValueError
        If there is no element to choose from.
    IndexError
        If `x` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.nanargmax(ca.asarray([1.0, ca.nan, 2.5])).tolist()
    2

    Notes
    -----
    As `jax.numpy.nanargmax`; NumPy's raises where all elements are NaN.
    """
    return _place_of_extreme(x, True, axis, keepdims)


@declare(real=True, gives="int64")
def nanargmin(x: Array, /, *, axis: int | None = None, keepdims: bool = False, out: Array | None = None) -> Array:
    """Return the index of the first minimum along an axis and ignore NaN.

    Parameters
    ----------
    x, axis, keepdims, out
        As in `argmax`.

    Returns
    -------
    Array of indices, of the default index dtype; -1 where all elements are NaN.

    Raises
    ------
    ValueError
        If there is no element to choose from.
    IndexError
        If `x` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.nanargmin(ca.asarray([1.0, ca.nan, 2.5])).tolist()
    0

    Notes
    -----
    As `jax.numpy.nanargmin`; NumPy's raises where all elements are NaN.
    """
    return _place_of_extreme(x, False, axis, keepdims)


@declare(infer="sum", gives="same")
def nancumprod(x: Array, /, *, axis: int | None = None, dtype: DType | None = None, out: Array | None = None) -> Array:
    """Compute the products of the first elements along an axis, where NaN counts as one.

    Parameters
    ----------
    x, axis, dtype, out
        As in `cumulative_prod`; without `axis` of all elements in a row.

    Returns
    -------
    Array of the shape of `x`, with one axis if there is no `axis`, of the given or inferred dtype.

    Raises
    ------
    IndexError
        If `x` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.nancumprod(ca.asarray([2.0, ca.nan, 3.0])).tolist()
    [2.0, 2.0, 6.0]

    Notes
    -----
    NumPy's `nancumprod`.
    """
    if axis is None and x.ndim != 1:
        x, axis = xp.reshape(x, (-1,)), 0
    return xp.cumulative_prod(_filled(x, 1.0), axis=axis, dtype=dtype)


@declare(infer="sum", gives="same")
def nancumsum(x: Array, /, *, axis: int | None = None, dtype: DType | None = None, out: Array | None = None) -> Array:
    """Compute the sums of the first elements along an axis, where NaN counts as zero.

    Parameters
    ----------
    x, axis, dtype, out
        As in `cumulative_sum`; without `axis` of all elements in a row.

    Returns
    -------
    Array of the shape of `x`, with one axis if there is no `axis`, of the given or inferred dtype.

    Raises
    ------
    IndexError
        If `x` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.nancumsum(ca.asarray([1.0, ca.nan, 2.5])).tolist()
    [1.0, 1.0, 3.5]

    Notes
    -----
    NumPy's `nancumsum`.
    """
    if axis is None and x.ndim != 1:
        x, axis = xp.reshape(x, (-1,)), 0
    return xp.cumulative_sum(_filled(x, 0.0), axis=axis, dtype=dtype)


@declare(real=True, gives="same")
def nanmax(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    out: Array | None = None,
) -> Array:
    """Compute the maximum along axes and ignore NaN.

    Parameters
    ----------
    x
        Real array, not empty along the axes.
    axis
        Axis or axes to reduce; by default all.
    keepdims
        Whether reduced axes stay with length one.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` without the reduced axes, of the dtype of `x`.

    Raises
    ------
    ValueError
        If there is no element to choose from.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.nanmax(ca.asarray([1.0, ca.nan, 4.0])).tolist()
    4.0

    Notes
    -----
    NaN where all elements are. As `numpy.nanmax`.
    """
    return _extreme(x, True, axis, keepdims)


@declare(floating=True, infer="mean", gives="same")
def nanmean(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    dtype: DType | None = None,
    keepdims: bool = False,
    out: Array | None = None,
) -> Array:
    """Compute the arithmetic mean along axes and ignore NaN.

    Parameters
    ----------
    x
        Numeric array; integers are computed in the default floating dtype.
    axis
        Axis or axes to reduce; by default all.
    dtype
        Floating dtype to which `x` is cast first; by default that of `x`.
    keepdims
        Whether reduced axes stay with length one.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` without the reduced axes, of `dtype`.

    Raises
    ------
    TypeError
        If `dtype` is not a floating one, or a real one for complex numbers.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.nanmean(ca.asarray([1.0, ca.nan, 4.0])).tolist()
    2.5

    Notes
    -----
    NaN over no elements. As `numpy.nanmean`.
    """
    x = x if dtype is None or dtype is x.dtype else xp.astype(x, dtype)
    wide = _widened(x)
    found = _over_count(xp.nansum(wide, axis=axis, keepdims=keepdims), wide, 0.0, axis, keepdims)
    return xp.astype(found, x.dtype, copy=False)


@declare(real=True, gives="same")
def nanmin(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    out: Array | None = None,
) -> Array:
    """Compute the minimum along axes and ignore NaN.

    Parameters
    ----------
    x
        Real array, not empty along the axes.
    axis
        Axis or axes to reduce; by default all.
    keepdims
        Whether reduced axes stay with length one.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` without the reduced axes, of the dtype of `x`.

    Raises
    ------
    ValueError
        If there is no element to choose from.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.nanmin(ca.asarray([1.0, ca.nan, 4.0])).tolist()
    1.0

    Notes
    -----
    NaN where all elements are. As `numpy.nanmin`.
    """
    return _extreme(x, False, axis, keepdims)


@declare(infer="sum", gives="same")
def nanprod(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    dtype: DType | None = None,
    keepdims: bool = False,
    out: Array | None = None,
) -> Array:
    """Compute the product along axes and ignore NaN.

    Parameters
    ----------
    x
        Numeric array.
    axis
        Axis or axes to reduce; by default all.
    dtype
        Dtype to which `x` is cast first; by default that of `x`, and for integers at least the default
        integer dtype of their kind.
    keepdims
        Whether reduced axes stay with length one.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` without the reduced axes, of the given or inferred dtype; one over no elements.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.nanprod(ca.asarray([2.0, ca.nan, 2.5])).tolist()
    5.0

    Notes
    -----
    As `numpy.nanprod`.
    """
    return xp.prod(_filled(x, 1.0), axis=axis, dtype=dtype, keepdims=keepdims)


@declare(floating=True, infer="mean")
def nanstd(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    dtype: DType | None = None,
    correction: int | float = 0.0,
    ddof: int | float | None = None,
    keepdims: bool = False,
    out: Array | None = None,
) -> Array:
    """Compute the standard deviation along axes and ignore NaN.

    Parameters
    ----------
    x
        Numeric array; integers are computed in the default floating dtype.
    axis
        Axis or axes to reduce; by default all.
    dtype
        Floating dtype to which `x` is cast first; by default that of `x`.
    correction
        Correction of the divisor, which is the number of elements minus this: 0 for a whole population, 1 for a sample.
    ddof
        NumPy's name of `correction`.
    keepdims
        Whether reduced axes stay with length one.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` without the reduced axes, of `dtype`; of complex numbers real.

    Raises
    ------
    TypeError
        If `dtype` is not a floating one, or a real one for complex numbers, or both `correction` and `ddof` are given.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.nanstd(ca.asarray([1.0, ca.nan, 5.0])).tolist()
    2.0

    Notes
    -----
    NaN if the divisor is not positive. As `numpy.nanstd`.
    """
    return xp.sqrt(xp.nanvar(x, axis=axis, dtype=dtype, correction=correction, keepdims=keepdims))


@declare(infer="sum", gives="same")
def nansum(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    dtype: DType | None = None,
    keepdims: bool = False,
    out: Array | None = None,
) -> Array:
    """Compute the sum along axes and ignore NaN.

    Parameters
    ----------
    x
        Numeric array.
    axis
        Axis or axes to reduce; by default all.
    dtype
        Dtype to which `x` is cast first; by default that of `x`, and for integers at least the default
        integer dtype of their kind.
    keepdims
        Whether reduced axes stay with length one.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` without the reduced axes, of the given or inferred dtype; zero over no elements.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.nansum(ca.asarray([1.0, ca.nan, 2.5])).tolist()
    3.5

    Notes
    -----
    As `numpy.nansum`.
    """
    return xp.sum(_filled(x, 0.0), axis=axis, dtype=dtype, keepdims=keepdims)


@declare(floating=True, infer="mean")
def nanvar(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    dtype: DType | None = None,
    correction: int | float = 0.0,
    ddof: int | float | None = None,
    keepdims: bool = False,
    out: Array | None = None,
) -> Array:
    """Compute the variance along axes and ignore NaN.

    Parameters
    ----------
    x
        Numeric array; integers are computed in the default floating dtype.
    axis
        Axis or axes to reduce; by default all.
    dtype
        Floating dtype to which `x` is cast first; by default that of `x`.
    correction
        Correction of the divisor, which is the number of elements minus this: 0 for a whole population, 1 for a sample.
    ddof
        NumPy's name of `correction`.
    keepdims
        Whether reduced axes stay with length one.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` without the reduced axes, of `dtype`; of complex numbers real.

    Raises
    ------
    TypeError
        If `dtype` is not a floating one, or a real one for complex numbers, or both `correction` and `ddof` are given.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.nanvar(ca.asarray([1.0, ca.nan, 5.0]), correction=1).tolist()
    8.0

    Notes
    -----
    NaN if the divisor is not positive. As `numpy.nanvar`.
    """
    x = x if dtype is None or dtype is x.dtype else xp.astype(x, dtype)
    wide = _widened(x)
    offset = xp.where(xp.isnan(wide), 0.0, wide - xp.nanmean(wide, axis=axis, keepdims=True))
    if xp.isdtype(x.dtype, "complex floating"):
        squares = xp.square(xp.real(offset)) + xp.square(xp.imag(offset))
        return _over_count(xp.sum(squares, axis=axis, keepdims=keepdims), x, correction, axis, keepdims)
    total = xp.sum(xp.square(offset), axis=axis, keepdims=keepdims)
    return xp.astype(_over_count(total, wide, correction, axis, keepdims), x.dtype, copy=False)


def _filled(x: Array, value: float) -> Array:
    """Put a value in the places of NaN."""
    return xp.where(xp.isnan(x), value, x) if _may_be_nan(x) else x


def _may_be_nan(x: Array) -> bool:
    return xp.isdtype(x.dtype, ("real floating", "complex floating"))


def _extreme(x: Array, largest: bool, axis: int | tuple[int, ...] | None, keepdims: bool) -> Array:
    choose, filler = (xp.max, -math.inf) if largest else (xp.min, math.inf)
    found = choose(_filled(x, filler), axis=axis, keepdims=keepdims)
    return xp.where(xp.all(xp.isnan(x), axis=axis, keepdims=keepdims), math.nan, found) if _may_be_nan(x) else found


def _over_count(total: Array, x: Array, correction: float, axis: int | tuple[int, ...] | None, keepdims: bool) -> Array:
    """Divide by how many elements are not NaN, less a correction; NaN where nothing is left."""
    count = xp.count_nonzero(xp.logical_not(xp.isnan(x)), axis=axis, keepdims=keepdims)
    dtype = xp.real(x).dtype if xp.isdtype(x.dtype, "complex floating") else x.dtype
    divisor = xp.astype(count, dtype) - correction
    return total / xp.where(divisor > 0, divisor, math.nan)


def _place_of_extreme(x: Array, largest: bool, axis: int | None, keepdims: bool) -> Array:
    found = xp.argmax if largest else xp.argmin
    if not xp.isdtype(x.dtype, "real floating"):
        return found(x, axis=axis, keepdims=keepdims)
    missing = xp.isnan(x)
    # A missing element is no smaller than an infinity of the wrong sign: that one is found among what is there.
    places = found(_filled(x, -xp.inf if largest else xp.inf), axis=axis, keepdims=keepdims)
    there = xp.argmin(xp.astype(missing, _smallest()), axis=axis, keepdims=keepdims)
    end = -xp.inf if largest else xp.inf
    only_ends = xp.all(missing | (x == end), axis=axis, keepdims=keepdims)
    return xp.where(xp.all(missing, axis=axis, keepdims=keepdims), -1, xp.where(only_ends, there, places))
