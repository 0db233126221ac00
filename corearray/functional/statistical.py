"""Sums, products, extrema and moments along axes.

Reductions and scans that pass over the data once are primary. Minima are maxima of the reversed order, and moments are
composed of sums. Variances take two passes, because the difference of two large sums cancels.

The names `max`, `min` and `sum` are the public functions in this file.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from corearray.contract.declaration import declare
from corearray.functional.precision import _widened

if TYPE_CHECKING:
    from collections.abc import Callable

    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.types.dtypes import DType

__all__ = [
    "cummax",
    "cummin",
    "cumulative_prod",
    "cumulative_sum",
    "logsumexp",
    "max",
    "mean",
    "min",
    "prod",
    "std",
    "sum",
    "var",
]


@declare(real=True, gives="same")
def cummax(x: Array, /, *, axis: int | None = None, out: Array | None = None) -> Array:
    """Compute the running maximum along an axis.

    Parameters
    ----------
    x
        Real array with at least one axis.
    axis
        Axis along which to go; may be left out for one-dimensional arrays only.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape and dtype of `x`.

    Raises
    ------
    ValueError
        If `axis` is left out for an array with several axes, or none.
    IndexError
        If `x` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.cummax(ca.asarray([2, 5, 1, 7, 3])).tolist()
    [2, 5, 5, 7, 7]

    Notes
    -----
    NaN from the first NaN on. As `numpy.maximum.accumulate`.
    """
    return _running("cummax", xp.maximum, x, axis)


@declare(real=True, gives="same")
def cummin(x: Array, /, *, axis: int | None = None, out: Array | None = None) -> Array:
    """Compute the running minimum along an axis.

    Parameters
    ----------
    x
        Real array with at least one axis.
    axis
        Axis along which to go; may be left out for one-dimensional arrays only.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape and dtype of `x`.

    Raises
    ------
    ValueError
        If `axis` is left out for an array with several axes, or none.
    IndexError
        If `x` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.cummin(ca.asarray([2, 5, 1, 7, 3])).tolist()
    [2, 2, 1, 1, 1]

    Notes
    -----
    NaN from the first NaN on. As `numpy.minimum.accumulate`.
    """
    return _running("cummin", xp.minimum, x, axis)


@declare(infer="sum", gives="same")
def cumulative_prod(
    x: Array,
    /,
    *,
    axis: int | None = None,
    dtype: DType | None = None,
    include_initial: bool = False,
    out: Array | None = None,
) -> Array:
    """Compute the cumulative product along an axis.

    Parameters
    ----------
    x
        Numeric array with at least one axis.
    axis
        Axis along which to multiply; may be left out for one-dimensional arrays only.
    dtype
        Dtype to which `x` is cast first; by default that of `x`, and for integers at least the default
        integer dtype of their kind.
    include_initial
        Whether the result starts with the empty product, one.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x`, one longer along `axis` with `include_initial`, of the given or inferred dtype.

    Raises
    ------
    IndexError
        If `x` has no such axis; without axes it has none.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.cumulative_prod(ca.asarray([2, 3, 4])).tolist()
    [2, 6, 24]

    Notes
    -----
    Array API standard 2025.12, `cumulative_prod`.
    """
    ...


@declare(infer="sum", gives="same")
def cumulative_sum(
    x: Array,
    /,
    *,
    axis: int | None = None,
    dtype: DType | None = None,
    include_initial: bool = False,
    out: Array | None = None,
) -> Array:
    """Compute the cumulative sum along an axis.

    Parameters
    ----------
    x
        Numeric array with at least one axis.
    axis
        Axis along which to add; may be left out for one-dimensional arrays only.
    dtype
        Dtype to which `x` is cast first; by default that of `x`, and for integers at least the default
        integer dtype of their kind.
    include_initial
        Whether the result starts with the empty sum, zero.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x`, one longer along `axis` with `include_initial`, of the given or inferred dtype.

    Raises
    ------
    IndexError
        If `x` has no such axis; without axes it has none.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.cumulative_sum(ca.asarray([2, 3, 4]), include_initial=True).tolist()
    [0, 2, 5, 9]

    Notes
    -----
    Array API standard 2025.12, `cumulative_sum`.
    """
    ...


@declare(floating=True, real=True, gives="same")
def logsumexp(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    out: Array | None = None,
) -> Array:
    """Compute the logarithm of the sum of exponentials along axes, without overflow.

    Parameters
    ----------
    x
        Real array; integers are computed in the default floating dtype.
    axis
        Axis or axes to reduce; by default all.
    keepdims
        Whether reduced axes stay with length one.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` without the reduced axes, of its floating dtype; -infinity over no elements.

    Raises
    ------
    IndexError
        If `x` has no such axis; without axes it has none.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.logsumexp(ca.asarray([-ca.inf, 1000.0])).tolist()
    1000.0

    Notes
    -----
    `scipy.special.logsumexp`, `torch.logsumexp`.
    """
    axes = tuple(range(x.ndim)) if axis is None else (axis,) if isinstance(axis, int) else axis
    if not all(-x.ndim <= i < x.ndim for i in axes):
        raise IndexError(f"'logsumexp' was asked for axis={axis} of an array with {x.ndim} axes")
    most, wide = None, _widened(x)
    if 0 not in [x.shape[i] for i in axes]:
        most = xp.stop_gradient(xp.max(wide, axis=axes, keepdims=True))
        most = xp.where(xp.isfinite(most), most, 0.0)
        wide = wide - most
    total = xp.sum(xp.exp(wide), axis=axes, keepdims=keepdims)
    found = xp.where(total == 0.0, -math.inf, xp.log(xp.where(total == 0.0, 1.0, total)))
    if most is not None:
        found = found + (most if keepdims or not axes else xp.squeeze(most, axis=axes))
    return xp.astype(found, x.dtype, copy=False)


@declare(real=True, gives="same")
def max(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    out: Array | None = None,
) -> Array:
    """Compute the maximum along axes.

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
    IndexError
        If `x` has no such axis; without axes it has none.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.max(ca.asarray([[1, 5], [4, 2]]), axis=0).tolist()
    [4, 5]

    Notes
    -----
    NaN if an element is. Array API standard 2025.12, `max`.
    """
    ...


@declare(floating=True, gives="same")
def mean(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    out: Array | None = None,
) -> Array:
    """Compute the arithmetic mean along axes.

    Parameters
    ----------
    x
        Numeric array; integers are computed in the default floating dtype.
    axis
        Axis or axes to reduce; by default all.
    keepdims
        Whether reduced axes stay with length one.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` without the reduced axes, of the floating dtype of `x`.

    Raises
    ------
    IndexError
        If `x` has no such axis; without axes it has none.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.mean(ca.asarray([[1.0, 2.0], [3.0, 6.0]]), axis=1).tolist()
    [1.5, 4.5]

    Notes
    -----
    NaN over no elements and if an element is NaN. Array API standard 2025.12, `mean`.
    """
    if xp.isdtype(x.dtype, "complex floating"):
        real, imag = (xp.mean(part, axis=axis, keepdims=keepdims) for part in (xp.real(x), xp.imag(x)))
        return xp.complex(real, imag)
    return xp.sum(x, axis=axis, keepdims=keepdims) / (_count(x, axis) or math.nan)


@declare(real=True, gives="same")
def min(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    out: Array | None = None,
) -> Array:
    """Compute the minimum along axes.

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
    IndexError
        If `x` has no such axis; without axes it has none.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.min(ca.asarray([[1, 5], [4, 2]]), axis=0).tolist()
    [1, 2]

    Notes
    -----
    NaN if an element is. Array API standard 2025.12, `min`.
    """
    turn = xp.negative if xp.isdtype(x.dtype, "real floating") else xp.bitwise_invert
    return turn(xp.max(turn(x), axis=axis, keepdims=keepdims))


@declare(infer="sum", gives="same")
def prod(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    dtype: DType | None = None,
    keepdims: bool = False,
    out: Array | None = None,
) -> Array:
    """Compute the product along axes.

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

    Raises
    ------
    IndexError
        If `x` has no such axis; without axes it has none.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.prod(ca.asarray([[1, 5], [4, 2]]), axis=0).tolist()
    [4, 10]

    Notes
    -----
    With `dtype=bool` whether all are true. Array API standard 2025.12, `prod`.
    """
    ...


@declare(floating=True)
def std(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    correction: int | float = 0.0,
    ddof: int | float | None = None,
    keepdims: bool = False,
    out: Array | None = None,
) -> Array:
    """Compute the standard deviation along axes.

    Parameters
    ----------
    x
        Real array; integers are computed in the default floating dtype.
    axis
        Axis or axes to reduce; by default all.
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
    Array of the shape of `x` without the reduced axes, of the floating dtype of `x`.

    Raises
    ------
    IndexError
        If `x` has no such axis; without axes it has none.
    TypeError
        If both `correction` and `ddof` are given.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.std(ca.asarray([1.0, 5.0])).tolist()
    2.0

    Notes
    -----
    NaN if the divisor is not positive and if an element is NaN. Array API standard 2025.12, `std`.
    """
    return xp.sqrt(xp.var(x, axis=axis, correction=correction, keepdims=keepdims))


@declare(infer="sum", gives="same")
def sum(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    dtype: DType | None = None,
    keepdims: bool = False,
    out: Array | None = None,
) -> Array:
    """Compute the sum along axes.

    Parameters
    ----------
    x
        Numeric array; of a boolean one the true elements are counted.
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

    Raises
    ------
    IndexError
        If `x` has no such axis; without axes it has none.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.sum(ca.asarray([[1, 5], [4, 2]]), axis=0).tolist()
    [5, 7]

    Notes
    -----
    With `dtype=bool` whether one is true. Array API standard 2025.12, `sum`.
    """
    ...


@declare(floating=True)
def var(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    correction: int | float = 0.0,
    ddof: int | float | None = None,
    keepdims: bool = False,
    out: Array | None = None,
) -> Array:
    """Compute the variance along axes: the mean of squared deviations from the mean.

    Parameters
    ----------
    x
        Numeric array; integers are computed in the default floating dtype.
    axis
        Axis or axes to reduce; by default all.
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
    Array of the shape of `x` without the reduced axes, of the floating dtype of `x`; of complex numbers real.

    Raises
    ------
    IndexError
        If `x` has no such axis; without axes it has none.
    TypeError
        If both `correction` and `ddof` are given.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.var(ca.asarray([1.0, 5.0]), correction=1).tolist()
    8.0

    Notes
    -----
    NaN if the divisor is not positive and if an element is NaN. Array API standard 2025.12, `var`.
    """
    offset = x - xp.mean(x, axis=axis, keepdims=True)
    if xp.isdtype(x.dtype, "complex floating"):
        squares = xp.square(xp.real(offset)) + xp.square(xp.imag(offset))
    else:
        squares = xp.square(offset)
    divisor = _count(x, axis) - correction
    return xp.sum(squares, axis=axis, keepdims=keepdims) / (divisor if divisor > 0 else math.nan)


def _count(x: Array, axis: int | tuple[int, ...] | None) -> int:
    """Count the elements that fall together in a reduction."""
    if axis is None:
        return math.prod(x.shape)
    return math.prod([x.shape[i] for i in (axis if isinstance(axis, tuple) else (axis,))])


def _running(name: str, choose: Callable[[Array, Array], Array], x: Array, axis: int | None) -> Array:
    """Scan by doubling: after each step an element stands for twice as many before it (Hillis and Steele, 1986)."""
    if axis is None and x.ndim != 1:
        raise ValueError(f"'{name}' needs an axis for an array with {x.ndim} axes; say along which one with axis=")
    axis = axis or 0
    if not -x.ndim <= axis < x.ndim:
        raise IndexError(f"'{name}' was asked for axis {axis} of an array with {x.ndim} axes")
    before, size = (slice(None),) * (axis % x.ndim), x.shape[axis]
    found = xp.positive(x)
    reach = 1
    while reach < size:
        later, earlier = found[(*before, slice(reach, size), ...)], found[(*before, slice(0, size - reach), ...)]
        found = xp.concat([found[(*before, slice(0, reach), ...)], choose(later, earlier)], axis=axis)
        reach *= 2
    return found
