"""Medians, quantiles, covariances, histograms and counts.

All are composed of sorting, binary search and matrix products.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from corearray.contract.declaration import declare
from corearray.errors import CoreArrayTypeError, options
from corearray.functional.lengths import _divisor, _joined, _length
from corearray.functional.precision import _whole, _widened, _widest
from corearray.types.namedtuples import NamedTuple

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array

__all__ = [
    "HistogramResult",
    "average",
    "bincount",
    "corrcoef",
    "cov",
    "histogram",
    "median",
    "nanmedian",
    "nanpercentile",
    "nanquantile",
    "percentile",
    "quantile",
]

#: The two constants of the continuous methods of `quantile` (Hyndman and Fan, 1996): the place of the quantile q among n
#: numbers, counted from 0, is `q * (n - alpha - beta + 1) + alpha - 1`.
_CONTINUOUS = {
    "linear": (1.0, 1.0),
    "interpolated_inverted_cdf": (0.0, 1.0),
    "hazen": (0.5, 0.5),
    "weibull": (0.0, 0.0),
    "median_unbiased": (1.0 / 3.0, 1.0 / 3.0),
    "normal_unbiased": (3.0 / 8.0, 3.0 / 8.0),
}
#: Methods that choose among the neighbours of the place of `"linear"`, and those that step from number to number.
_CHOOSING = ("lower", "higher", "midpoint", "nearest")
_STEPPING = ("inverted_cdf", "averaged_inverted_cdf", "closest_observation")


class HistogramResult(NamedTuple):
    """Result of `histogram`.

    Attributes
    ----------
    hist
        For each bin the number of elements, the sum of their weights, or the density.
    bin_edges
        The edges of the bins, one more than there are bins.
    """

    hist: Array
    bin_edges: Array


@declare(promote=("x", "weights"), floating=True, gives="same")
def average(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    weights: Array | None = None,
    keepdims: bool = False,
    out: Array | None = None,
) -> Array:
    """Compute the weighted average along axes.

    Parameters
    ----------
    x
        Numeric array; integers are computed in the default floating dtype.
    axis
        Axis or axes to reduce; by default all.
    weights
        Weights of the shape of `x`, or of its shape along the axes, in their order in `x`; by default the average is the
        mean.
    keepdims
        Whether reduced axes stay with length one.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` without the reduced axes, of the promoted floating dtype. NaN where weights sum to zero.

    Raises
    ------
    ValueError
        If the weights have another shape.
    IndexError
        If `x` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.average(ca.asarray([1.0, 5.0]), weights=ca.asarray([3.0, 1.0])).tolist()
    2.0

    Notes
    -----
    NumPy's `average`, which raises where weights sum to zero.
    """
    if weights is None:
        return xp.mean(x, axis=axis, keepdims=keepdims)
    axes = tuple(range(x.ndim)) if axis is None else (axis,) if isinstance(axis, int) else tuple(axis)
    if not all(-x.ndim <= i < x.ndim for i in axes):
        raise IndexError(f"'average' was asked for axis={axis} of an array with {x.ndim} axes")
    axes = tuple(sorted(i % x.ndim for i in axes))
    if tuple(weights.shape) != tuple(x.shape):
        if tuple(weights.shape) != tuple(x.shape[i] for i in axes):
            raise ValueError(
                f"'average' got weights of shape {tuple(weights.shape)} for an array of shape {tuple(x.shape)}; give one for "
                "each element, or for each place along the axes"
            )
        others = tuple(i for i in range(x.ndim) if i not in axes)
        weights = xp.broadcast_to(xp.expand_dims(weights, others) if others else weights, tuple(x.shape))
    total, whole = (xp.sum(terms, axis=axes, keepdims=keepdims) for terms in (x * _widened(weights), _widened(weights)))
    return xp.astype(total / xp.where(whole == 0.0, xp.nan, whole), x.dtype, copy=False)


@declare()
def bincount(x: Array, /, weights: Array | None = None, *, minlength: int = 0, length: int | None = None) -> Array:
    """Count the occurrences of each non-negative integer.

    Parameters
    ----------
    x
        One-dimensional array of integers that are not negative.
    weights
        Weight of each element: numeric array of the shape of `x`.
    minlength
        Least length of the result.
    length
        Length of the result, for programs that are compiled; other numbers are not counted.

    Returns
    -------
    One-dimensional array with an element for each number up to the largest one in `x`, or of the given length: integers
    of the default index dtype, or sums of the dtype in which `weights` are summed.

    Raises
    ------
    ValueError
        If `x` has not one axis, has a negative element, or `weights` has another shape; if `minlength` is negative.
    TypeError
        If `x` has no integers.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.bincount(ca.asarray([1, 3, 1]), minlength=5).tolist()
    [0, 2, 0, 1, 0]
    >>> ca.bincount(ca.asarray([1, 3, 1]), ca.asarray([0.5, 1.0, 2.0])).tolist()
    [0.0, 2.5, 0.0, 1.0]

    Notes
    -----
    As `numpy.bincount`, which always adds weights in double precision. The length of the result depends on the
    elements, so that a program compiled for fixed shapes needs `length`, as `jax.numpy.bincount` does. With `minlength` alone
    such a program returns that many counts and leaves larger integers out.
    """
    if length is not None:
        if not xp.isdtype(x.dtype, "integral"):
            raise TypeError(f"'bincount' got an array of dtype {x.dtype}; it counts integers")
        if x.ndim != 1 or length < 0 or (weights is not None and tuple(weights.shape) != tuple(x.shape)):
            raise ValueError(
                f"'bincount' got an array of shape {tuple(x.shape)} and length={length}; it counts the elements of an array "
                "with one axis, and weights have its shape"
            )
        places = xp.astype(x, xp.int64)
        places = xp.where((places >= 0) & (places < length), places, length)
        ones = xp.ones_like(places) if weights is None else weights
        ones = xp.astype(ones, xp.sum(ones[:0]).dtype, copy=False)
        return xp.unsorted_segment_sum(ones, places, length + 1)[:length]
    length = _counted_length(x, weights, minlength)
    here = xp.expand_dims(xp.arange(length, dtype=xp.int64, device=x.device), axis=1) == xp.astype(x, xp.int64)
    if weights is None:
        return xp.count_nonzero(here, axis=1)
    return xp.sum(xp.where(here, weights, xp.zeros_like(weights)), axis=1)


@declare(promote=("m", "y"), floating=True, gives="same")
def corrcoef(m: Array, /, y: Array | None = None, *, rowvar: bool = True) -> Array:
    """Compute correlation coefficients of variables.

    Parameters
    ----------
    m
        Numeric array with at most two axes: one variable, or a row for each; integers are computed in the default
        floating dtype.
    y
        More variables, as in `m`.
    rowvar
        Whether the rows are the variables, else the columns.

    Returns
    -------
    Matrix with a row and a column for each variable, or an array without axes for a single one; each part of an
    element lies from -1 to 1.

    Raises
    ------
    ValueError
        If there are more than two axes.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.corrcoef(ca.asarray([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]]), rowvar=True)[0, 1].tolist()
    -1.0

    Notes
    -----
    NaN for a variable that never changes. Pearson's coefficient, as `numpy.corrcoef`.
    """
    found = xp.cov(_widened(m), y, rowvar=rowvar)
    if found.ndim == 0:
        return xp.astype(found / found, m.dtype, copy=False)
    turning = xp.isdtype(found.dtype, "complex floating")
    spread = xp.sqrt(xp.linalg.diagonal(xp.real(found) if turning else found))
    found = found / xp.expand_dims(spread, axis=1) / spread
    if turning:
        return xp.complex(xp.clip(xp.real(found), -1.0, 1.0), xp.clip(xp.imag(found), -1.0, 1.0))
    return xp.astype(xp.clip(found, -1.0, 1.0), m.dtype, copy=False)


@declare(promote=("m", "y"), floating=True, gives="same")
def cov(
    m: Array,
    /,
    y: Array | None = None,
    *,
    rowvar: bool = True,
    correction: int | float = 1,
    ddof: int | float | None = None,
    fweights: Array | None = None,
    aweights: Array | None = None,
) -> Array:
    """Compute the covariance matrix of variables.

    Parameters
    ----------
    m
        Numeric array with at most two axes: one variable, or a row for each; integers are computed in the default
        floating dtype.
    y
        More variables, as in `m`.
    rowvar
        Whether the rows are the variables, else the columns.
    correction
        Correction of the divisor, which is the number of observations minus this: 1 for a sample, 0 for a whole population.
    ddof
        NumPy's name of `correction`.
    fweights
        How often each observation counts: one-dimensional array of integers.
    aweights
        Weight of each observation: one-dimensional array of real numbers that are not negative.

    Returns
    -------
    Matrix with a row and a column for each variable, or an array without axes for a single one.

    Raises
    ------
    ValueError
        If there are more than two axes, or the weights do not have one element for each observation.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.cov(ca.asarray([[0.0, 1.0, 2.0], [2.0, 1.0, 0.0]])).tolist()
    [[1.0, -1.0], [-1.0, 1.0]]

    Notes
    -----
    NaN if the divisor is not positive. As `numpy.cov`, with `correction` for `bias`.
    """
    rows = _widened(_variables(m, y, rowvar, "cov"))
    dtype = xp.real(rows).dtype if xp.isdtype(rows.dtype, "complex floating") else rows.dtype
    weights = None
    for name, given in (("fweights", fweights), ("aweights", aweights)):
        if given is None:
            continue
        if tuple(given.shape) != (rows.shape[1],):
            raise ValueError(f"'cov' got {name} of shape {tuple(given.shape)} for {rows.shape[1]} observations")
        part = xp.astype(given, dtype)
        weights = part if weights is None else weights * part
    if weights is None:
        divisor: Array | float = _divisor(_length(rows, 1), correction, dtype)
        offset = rows - xp.mean(rows, axis=1, keepdims=True)
        weighted = offset
    else:
        total = xp.sum(weights)
        lost = correction if aweights is None else correction * xp.sum(weights * xp.astype(aweights, dtype)) / total
        rest = total - lost
        divisor = xp.where(rest > 0, rest, math.nan)
        offset = rows - xp.sum(rows * weights, axis=1, keepdims=True) / total
        weighted = offset * weights
    found = xp.matmul(weighted, xp.conj(xp.matrix_transpose(offset))) / divisor
    return xp.astype(xp.reshape(found, ()) if found.shape == (1, 1) else found, m.dtype, copy=False)


@declare(real=True)
def histogram(
    x: Array,
    /,
    bins: Array | int = 10,
    *,
    range: tuple[float, float] | None = None,
    weights: Array | None = None,
    density: bool = False,
) -> HistogramResult:
    """Count the elements in each bin.

    Parameters
    ----------
    x
        Real array of any shape; all elements are counted.
    bins
        Number of bins of equal width, or the edges of the bins: one-dimensional, in ascending order.
    range
        Least and greatest edge of bins of equal width; by default the extremes of `x`.
    weights
        Weight of each element: numeric array of the shape of `x`.
    density
        Whether to divide by the total and the widths of the bins, so that the integral is one.

    Returns
    -------
    Named tuple `(hist, bin_edges)`: integers of the default index dtype, or sums of the dtype in which `weights` are
    summed, or floating numbers for `density`; and the edges, for a number of bins of the floating dtype of `x`.

    Raises
    ------
    ValueError
        If the number of bins is not positive, the edges have several axes, the range is not finite or not in order, or
        `weights` has another shape than `x`.

    Examples
    --------
    >>> import corearray as ca
    >>> hist, edges = ca.histogram(ca.asarray([1.0, 2.0, 2.5, 4.0]), 3)
    >>> hist.tolist(), edges.tolist()
    ([1, 2, 1], [1.0, 2.0, 3.0, 4.0])

    Notes
    -----
    A bin takes its lower edge and not its upper one, but for the last, which takes both. What lies outside and NaN is
    not counted. As `numpy.histogram`.
    """
    if weights is not None and weights.shape != x.shape:
        raise ValueError(f"'histogram' got weights of shape {tuple(weights.shape)} for {tuple(x.shape)} elements")
    flat = xp.reshape(x, (-1,))
    number = bins if isinstance(bins, int) else None
    if isinstance(bins, int):
        flat = xp.astype(flat, xp.result_type(flat, 1.0), copy=False)
        bins = _even_edges(flat, bins, range)
    elif bins.ndim != 1:
        raise ValueError(f"'histogram' got edges of shape {tuple(bins.shape)}; give a one-dimensional array of them")
    else:
        bins = xp.astype(bins, bins.dtype)
    dtype = xp.result_type(flat, bins)
    flat, edges, last = xp.astype(flat, dtype), xp.astype(bins, dtype), bins.shape[0] - 1
    if xp.isdtype(dtype, "real floating"):
        missing = xp.isnan(flat)
        count = xp.count_nonzero(xp.logical_not(missing))
        flat = xp.where(missing, math.inf, flat)
    else:
        missing, count = xp.zeros_like(flat, dtype=xp.bool), xp.asarray(flat.shape[0], device=x.device)
    order = xp.argsort(flat)
    ordered = xp.take(flat, order, axis=0)
    ends = [
        xp.searchsorted(ordered, edges[0 : max(last, 0)]),
        xp.searchsorted(ordered, edges[max(last, 0) : last + 1], side="right"),
    ]
    places = xp.concat(ends)
    if weights is None:
        hist = xp.diff(xp.minimum(places, count))  # behind the numbers stand infinities in the places of NaN
    else:
        counted = xp.where(missing, xp.zeros_like(flat, dtype=weights.dtype), xp.reshape(weights, (-1,)))
        counted = xp.astype(counted, xp.sum(counted[:0]).dtype, copy=False)
        numbers = xp.arange(flat.shape[0], dtype=places.dtype, device=x.device)
        inside = xp.searchsorted(places, numbers, side="right") - 1  # differences of running sums lose digits
        hist = xp.unsorted_segment_sum(xp.take(counted, order, axis=0), inside, max(last, 0))
    if density:
        widths = xp.diff(edges)
        if number is not None:  # the edges between are rounded to the dtype of x, less precise than the sums may be
            precise = hist.dtype if xp.isdtype(hist.dtype, "real floating") else edges.dtype
            widths = (xp.astype(edges[-1:], precise) - xp.astype(edges[:1], precise)) / number
        hist = hist / (xp.sum(hist) * widths)
    return HistogramResult(hist, bins)


@declare(floating=True, real=True, gives="same")
def median(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    out: Array | None = None,
) -> Array:
    """Compute the median along axes; for an even count the mean of the two middle elements.

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
    Array of the shape of `x` without the reduced axes, of the floating dtype of `x`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.median(ca.asarray([5.0, 1.0, 2.0, 10.0])).tolist()
    3.5

    Notes
    -----
    NaN over no elements and if an element is NaN. As `numpy.median`.
    """
    return xp.quantile(x, 0.5, axis=axis, keepdims=keepdims)


@declare(floating=True, real=True, gives="same")
def nanmedian(
    x: Array,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    out: Array | None = None,
) -> Array:
    """Compute the median along axes and ignore NaN.

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
    Array of the shape of `x` without the reduced axes, of the floating dtype of `x`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.nanmedian(ca.asarray([ca.nan, 5.0, 1.0, 2.0, 10.0])).tolist()
    3.5

    Notes
    -----
    NaN over no elements. As `numpy.nanmedian`.
    """
    return xp.nanquantile(x, 0.5, axis=axis, keepdims=keepdims)


@declare(floating=True, real=True)
def nanpercentile(
    x: Array,
    q: Array | float,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    method: str = "linear",
    weights: Array | None = None,
    out: Array | None = None,
) -> Array:
    """Compute percentiles along axes and ignore NaN.

    Parameters
    ----------
    x, axis, keepdims, method, weights, out
        As in `nanquantile`.
    q
        Number or real array of percentages, from 0 to 100.

    Returns
    -------
    Array as of `nanquantile`, with `q / 100`.

    Raises
    ------
    ValueError, IndexError
        As in `nanquantile`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.nanpercentile(ca.asarray([1.0, ca.nan, 2.0, 4.0]), 50).tolist()
    2.0

    Notes
    -----
    NumPy's `nanpercentile`.
    """
    share = _share(q, "nanpercentile")
    return xp.nanquantile(x, share, axis=axis, keepdims=keepdims, method=method, weights=weights)


@declare(floating=True, real=True)
def nanquantile(
    x: Array,
    q: Array | float,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    method: str = "linear",
    weights: Array | None = None,
    out: Array | None = None,
) -> Array:
    """Compute quantiles along axes and ignore NaN.

    Parameters
    ----------
    x
        Real array; integers are computed in the default floating dtype.
    q
        Quantiles to compute: real array of any shape with numbers from 0 to 1, or one Python number.
    axis
        Axis or axes to reduce; by default all.
    keepdims
        Whether reduced axes stay with length one.
    method
        How a quantile between two elements is found: `"linear"`, `"lower"`, `"higher"`, `"midpoint"`, `"nearest"`,
        `"hazen"`, `"weibull"`, `"median_unbiased"`, `"normal_unbiased"`, `"interpolated_inverted_cdf"`,
        `"inverted_cdf"`, `"averaged_inverted_cdf"` or `"closest_observation"`.
    weights
        Weight of each element, not negative: array of the shape of `x`, or of its shape along `axis`. They need the method
        `"inverted_cdf"`.
    out
        Array that receives the result.

    Returns
    -------
    Array of the floating dtype of `x`: the axes of `q` first, then those of `x` without the reduced ones.

    Raises
    ------
    ValueError
        If there is no such method, the weights have another shape or method, or `q` is a number outside of its range; an
        element of an array outside gives NaN.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.nanquantile(ca.asarray([ca.nan, 1.0, 2.0, 4.0, 8.0]), ca.asarray([0.0, 0.5, 0.75])).tolist()
    [1.0, 3.0, 5.0]

    Notes
    -----
    NaN over no elements. The methods are those of `numpy.nanquantile`, after Hyndman and Fan (1996). Between a number
    and an infinity lies the infinity, where NumPy may give NaN.
    """
    return _quantiles(x, q, axis, keepdims, method, weights, skip=True)


@declare(floating=True, real=True)
def percentile(
    x: Array,
    q: Array | float,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    method: str = "linear",
    weights: Array | None = None,
    out: Array | None = None,
) -> Array:
    """Compute percentiles along axes.

    Parameters
    ----------
    x, axis, keepdims, method, weights, out
        As in `quantile`.
    q
        Number or real array of percentages, from 0 to 100.

    Returns
    -------
    Array as of `quantile`, with `q / 100`.

    Raises
    ------
    ValueError, IndexError
        As in `quantile`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.percentile(ca.asarray([1.0, 2.0, 4.0]), 50).tolist()
    2.0

    Notes
    -----
    NumPy's `percentile`.
    """
    share = _share(q, "percentile")
    return xp.quantile(x, share, axis=axis, keepdims=keepdims, method=method, weights=weights)


@declare(floating=True, real=True)
def quantile(
    x: Array,
    q: Array | float,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    method: str = "linear",
    weights: Array | None = None,
    out: Array | None = None,
) -> Array:
    """Compute quantiles along axes.

    Parameters
    ----------
    x
        Real array; integers are computed in the default floating dtype.
    q
        Quantiles to compute: real array of any shape with numbers from 0 to 1, or one Python number.
    axis
        Axis or axes to reduce; by default all.
    keepdims
        Whether reduced axes stay with length one.
    method
        How a quantile between two elements is found: `"linear"`, `"lower"`, `"higher"`, `"midpoint"`, `"nearest"`,
        `"hazen"`, `"weibull"`, `"median_unbiased"`, `"normal_unbiased"`, `"interpolated_inverted_cdf"`,
        `"inverted_cdf"`, `"averaged_inverted_cdf"` or `"closest_observation"`.
    weights
        Weight of each element, not negative: array of the shape of `x`, or of its shape along `axis`. They need the method
        `"inverted_cdf"`.
    out
        Array that receives the result.

    Returns
    -------
    Array of the floating dtype of `x`: the axes of `q` first, then those of `x` without the reduced ones.

    Raises
    ------
    ValueError
        If there is no such method, the weights have another shape or method, or `q` is a number outside of its range; an
        element of an array outside gives NaN.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.quantile(ca.asarray([1.0, 2.0, 4.0, 8.0]), ca.asarray([0.0, 0.5, 0.75])).tolist()
    [1.0, 3.0, 5.0]

    Notes
    -----
    NaN over no elements and if an element is NaN. The methods are those of `numpy.quantile`,
    after Hyndman and Fan (1996). Between a number and an infinity lies the infinity, where NumPy may give NaN.
    """
    return _quantiles(x, q, axis, keepdims, method, weights, skip=False)


def _share(q: Array | float, name: str) -> Array | float:
    """Return percentages as numbers from 0 to 1."""
    if not isinstance(q, (int, float)):
        return xp.astype(q, _widest()) / 100.0
    if not 0 <= q <= 100:
        raise ValueError(f"'{name}' was asked for {q}; give numbers from 0 to 100")
    return q / 100


def _weights_of_rows(
    x: Array, weights: Array, axis: int | tuple[int, ...] | None, axes: tuple[int, ...], name: str
) -> Array:
    """Return a weight for each element of the rows of `_joined`."""
    if tuple(weights.shape) != tuple(x.shape):
        if axis is None or tuple(weights.shape) != tuple(x.shape[i] for i in axes):
            raise ValueError(
                f"'{name}' got weights of shape {tuple(weights.shape)} for an array of shape {tuple(x.shape)}; give one for "
                "each element, or for each place along the axes"
            )
        order = tuple(sorted(range(len(axes)), key=axes.__getitem__))
        sides = tuple(x.shape[i] if i in axes else 1 for i in range(x.ndim))
        weights = xp.broadcast_to(xp.reshape(xp.permute_dims(weights, order), sides), tuple(x.shape))
    return _joined(weights, axis, name)[0]


def _weighted(rows: Array, weights: Array, q: Array, missing: Array, skip: bool) -> tuple[Array, Array]:
    """Find the first element up to which a share `q` of the weights lies; tell too where there is one."""
    wide = _widest()
    absent = missing if skip else xp.zeros_like(missing)
    order = xp.argsort(xp.where(missing, math.inf, rows), axis=-1)
    heavy = xp.where(absent, 0.0, xp.astype(weights, wide))
    total = xp.cumulative_sum(xp.take_along_axis(heavy, order, axis=-1), axis=-1)
    share = total / total[..., -1:]
    behind = (share[..., None, :] < xp.reshape(q, (-1, 1))) | (share[..., None, :] == 0.0)
    place = xp.clip(xp.count_nonzero(behind, axis=-1), 0, rows.shape[-1] - 1)
    found = xp.take_along_axis(xp.take_along_axis(rows, order, axis=-1), place, axis=-1)
    known = (total[..., -1:] > 0.0) & xp.all(heavy >= 0.0, axis=-1, keepdims=True)
    return found, known if skip else known & xp.logical_not(xp.any(missing, axis=-1, keepdims=True))


def _quantiles(
    x: Array,
    q: Array | float,
    axis: int | tuple[int, ...] | None,
    keepdims: bool,
    method: str,
    weights: Array | None,
    skip: bool,
) -> Array:
    """Sort, and read the quantiles at their places; with `skip`, NaN counts as missing."""
    name = "nanquantile" if skip else "quantile"
    if method not in (*_CONTINUOUS, *_CHOOSING, *_STEPPING):
        raise ValueError(f"'{name}' got method={method!r}; give {options([*_CONTINUOUS, *_CHOOSING, *_STEPPING])}")
    if isinstance(q, (int, float)) and not 0 <= q <= 1:
        raise ValueError(f"'{name}' was asked for the quantile {q}; give numbers from 0 to 1")
    if weights is not None and method != "inverted_cdf":
        raise ValueError(f"'{name}' got weights with method={method!r}; give method='inverted_cdf'")
    rows, axes = _joined(x, axis, name)
    heavy = None if weights is None else _weights_of_rows(x, weights, axis, axes, name)
    # The places of many numbers need more digits than the numbers themselves may have.
    wide = _widest()
    wanted = xp.asarray(q, dtype=wide, device=x.device) if isinstance(q, (int, float)) else xp.astype(q, wide)
    size, flat = _length(rows, -1), xp.reshape(wanted, (-1,))
    open_shape = None in x.shape
    reduced = tuple(1 if i in axes else side for i, side in enumerate(x.shape)) if keepdims else rows.shape[:-1]
    if isinstance(size, int) and size == 0:
        return xp.full((*wanted.shape, *reduced), math.nan, dtype=x.dtype, device=x.device)
    missing = xp.isnan(rows)
    inside = (flat >= 0) & (flat <= 1)  # NaN is not
    if heavy is not None:
        found, known = _weighted(rows, heavy, xp.where(inside, flat, 0.0), missing, skip)
        found = xp.where(known & inside, found, math.nan)
        return xp.reshape(xp.moveaxis(found, -1, 0), (*wanted.shape, *reduced))
    # NaN has no place in a sort: it goes behind all numbers, and what stands beyond their count is not read.
    ordered = xp.sort(xp.where(missing, math.inf, rows), axis=-1)
    gaps = xp.count_nonzero(missing, axis=-1, keepdims=True)
    count = size - xp.astype(gaps, wide) if skip else size
    below, above, part = _neighbours(xp.where(inside, flat, 0.0), count, method)
    last = xp.astype(xp.maximum(size - gaps, 1), wide) - 1.0 if skip else size - 1.0
    places = [xp.minimum(xp.maximum(place, 0.0), last) for place in (below, above)]
    if open_shape:
        places = [at + xp.zeros_like(gaps, dtype=wide) for at in places]
    else:
        places = [xp.broadcast_to(at, (*rows.shape[:-1], *flat.shape)) for at in places]
    low, high = (xp.take_along_axis(ordered, xp.astype(at, xp.int64), axis=-1) for at in places)
    share = xp.astype(part, x.dtype) if not isinstance(part, float) else part
    # Equal neighbours need no interpolation, which is NaN for infinities.
    same = low == high
    found = xp.where(same, low, xp.where(same, 0.0, low) * (1.0 - share) + xp.where(same, 0.0, high) * share)
    known = inside & ((gaps < size) if skip else (gaps == 0))
    found = xp.moveaxis(xp.where(known, found, math.nan), -1, 0)
    if not open_shape:
        return xp.reshape(found, (*wanted.shape, *reduced))
    if keepdims:
        found = xp.expand_dims(found, axis=tuple(1 + i for i in sorted(axes)))
    return found[0] if wanted.ndim == 0 else found if wanted.ndim == 1 else xp.reshape(found, (*wanted.shape, *reduced))


def _neighbours(q: Array, count: Array | int, method: str) -> tuple[Array, Array, Array | float]:
    """Return the places, counted from 0, of the two numbers between which a quantile lies, and what the second counts."""
    if method in _STEPPING:
        place = _whole(q * count - (1.5 if method == "closest_observation" else 1.0), 0.5)
        before = xp.floor(place)
        if method == "averaged_inverted_cdf":
            return xp.ceil(place), before + 1.0, 0.5
        if method == "inverted_cdf":
            return xp.ceil(place), xp.ceil(place), 0.5
        odd = (before == place) & (xp.remainder(before, 2.0) == 1)
        nearest = before + xp.where(odd, 0.0, xp.ones_like(before))
        return nearest, nearest, 0.5
    alpha, beta = _CONTINUOUS.get(method, (1.0, 1.0))
    place = _whole(q * (count + (1.0 - alpha - beta)) + (alpha - 1.0), 4.0 if method in _CONTINUOUS else 0.5)
    place = xp.minimum(xp.maximum(place, 0.0), count - 1.0)
    before, behind = xp.floor(place), xp.ceil(place)
    if method in ("lower", "higher", "nearest"):
        chosen = before if method == "lower" else behind if method == "higher" else xp.round(place)
        return chosen, chosen, 0.5
    return before, behind, 0.5 if method == "midpoint" else place - before


def _variables(m: Array, y: Array | None, rowvar: bool, name: str) -> Array:
    """Return the variables as the rows of one matrix."""
    rows = []
    for x in (m, y):
        if x is None:
            continue
        if x.ndim > 2:
            raise ValueError(f"'{name}' takes at most two axes, found an array of shape {tuple(x.shape)}")
        rows.append(xp.reshape(x, (1, -1)) if x.ndim < 2 else x if rowvar else xp.matrix_transpose(x))
    return xp.concat(rows, axis=0) if len(rows) > 1 else rows[0]


def _counted_length(x: Array, weights: Array | None, minlength: int) -> int:
    """Check the arguments of `bincount`, and return the length of its result."""
    if not xp.isdtype(x.dtype, "integral"):
        raise CoreArrayTypeError(f"'bincount' counts integers, found an array of {x.dtype}; cast it first")
    if x.ndim != 1:
        raise ValueError(f"'bincount' takes an array with one axis, found one of shape {tuple(x.shape)}")
    if weights is not None and weights.shape != x.shape:
        raise ValueError(f"'bincount' got weights of shape {tuple(weights.shape)} for {x.shape[0]} elements")
    if minlength < 0:
        raise ValueError(f"'bincount' got minlength={minlength}; give a number that is not negative")
    if x.shape[0] == 0:
        return minlength
    if int(xp.min(x)) < 0:
        raise ValueError("'bincount' counts integers that are not negative, and found a negative one")
    return max(int(xp.max(x)) + 1, minlength)


def _even_edges(x: Array, bins: int, limits: tuple[float, float] | None) -> Array:
    """Return the edges of bins of equal width."""
    if bins < 1:
        raise ValueError(f"'histogram' got bins={bins}; give at least one")
    if limits is None and x.shape[0] != 0:
        low, high = xp.min(x), xp.max(x)
    else:
        first, last = limits or (0.0, 1.0)
        if not (math.isfinite(first) and math.isfinite(last) and first <= last):
            raise ValueError(f"'histogram' got range={limits!r}; give two finite numbers in ascending order")
        low, high = (xp.asarray(edge, dtype=x.dtype, device=x.device) for edge in (first, last))
    same = low == high
    low, high = xp.where(same, low - 0.5, low), xp.where(same, high + 0.5, high)
    steps = xp.arange(bins, dtype=x.dtype, device=x.device)
    return xp.concat([low + steps * ((high - low) / bins), xp.reshape(high, (1,))])
