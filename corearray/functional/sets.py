"""Set operations: unique elements and membership.

Unique elements are found by a stable sort; the index of each is that of its first occurrence. Every NaN is an element
of its own, since NaN differs from itself; the two zeros are one element. Complex numbers are sorted by real part, then
by imaginary part. The size of a result depends on values, so these functions cannot be traced.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from corearray.contract.declaration import declare
from corearray.functional.manipulation import _places
from corearray.functional.precision import _smallest
from corearray.types.namedtuples import NamedTuple

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.contract.declaration import Scalar

__all__ = [
    "UniqueAllResult",
    "UniqueConsecutiveResult",
    "UniqueCountsResult",
    "UniqueInverseResult",
    "intersect1d",
    "isin",
    "setdiff1d",
    "union1d",
    "unique_all",
    "unique_consecutive",
    "unique_counts",
    "unique_inverse",
    "unique_values",
]


class UniqueAllResult(NamedTuple):
    """Result of `unique_all`.

    Attributes
    ----------
    values
        The unique elements, one-dimensional.
    indices
        For each of them the row-major index of its first occurrence.
    inverse_indices
        For each element of the input its index in `values`, of the shape of the input.
    counts
        For each of `values` how often it occurs.
    """

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueConsecutiveResult(NamedTuple):
    """Result of `unique_consecutive`.

    Attributes
    ----------
    values
        The first element of each run of equal ones.
    inverse_indices
        For each element of the input the number of its run.
    counts
        For each run how long it is.
    """

    values: Array
    inverse_indices: Array
    counts: Array


class UniqueCountsResult(NamedTuple):
    """Result of `unique_counts`.

    Attributes
    ----------
    values
        The unique elements, one-dimensional.
    counts
        For each of them how often it occurs.
    """

    values: Array
    counts: Array


class UniqueInverseResult(NamedTuple):
    """Result of `unique_inverse`.

    Attributes
    ----------
    values
        The unique elements, one-dimensional.
    inverse_indices
        For each element of the input its index in `values`, of the shape of the input.
    """

    values: Array
    inverse_indices: Array


@declare(promote=("x1", "x2"), gives="bool")
def isin(x1: Array | Scalar, x2: Array | Scalar, /, *, invert: bool = False) -> Array:
    """Test elementwise for membership in another array.

    Parameters
    ----------
    x1
        Elements to look for: array of any dtype; or a Python scalar, if `x2` is an array.
    x2
        Elements to look in: array of any shape; or a Python scalar, if `x1` is an array.
    invert
        Whether to tell the opposite.

    Returns
    -------
    Boolean array of the shape of `x1`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.isin(ca.asarray([1, 2, 3]), ca.asarray([[3, 1], [5, 7]])).tolist()
    [True, False, True]

    Notes
    -----
    Equality is that of `equal`: NaN occurs nowhere. Array API standard 2025.12, `isin`.
    """
    # `promote` has made an array of a scalar before a composition runs.
    wanted, values = cast("Array", x1), xp.reshape(cast("Array", x2), (-1,))
    if values.shape[0] == 0:
        found = xp.zeros_like(wanted, dtype=xp.bool)
    elif xp.isdtype(wanted.dtype, ("bool", "complex floating")):
        found = xp.any(xp.equal(xp.expand_dims(wanted, axis=-1), values), axis=-1)
    else:
        ordered, sought = xp.sort(values), xp.reshape(wanted, (-1,))
        place = xp.minimum(xp.searchsorted(ordered, sought), values.shape[0] - 1)
        found = xp.reshape(xp.equal(xp.take(ordered, place, axis=0), sought), wanted.shape)
    return xp.logical_not(found) if invert else found


@declare()
def unique_all(x: Array, /) -> UniqueAllResult:
    """Return unique elements with their first indices, inverse indices and counts.

    Parameters
    ----------
    x
        Array of any shape and dtype.

    Returns
    -------
    Named tuple `(values, indices, inverse_indices, counts)`: `values` one-dimensional and of the dtype of
    `x`, `indices` and `counts` of its shape, `inverse_indices` of the shape of `x`, these three of the
    default index dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> result = ca.unique_all(ca.asarray([3, 1, 3, 2]))
    >>> [part.tolist() for part in result]
    [[1, 2, 3], [1, 3, 0], [2, 0, 2, 1], [1, 1, 2]]

    Notes
    -----
    In ascending order; each NaN is an element of its own, the two zeros are one. Array API standard 2025.12,
    `unique_all`.
    """
    flat = xp.reshape(x, (-1,))
    order, starts = _runs(flat)
    first = xp.take(order, starts, axis=0)
    return UniqueAllResult(
        xp.take(flat, first, axis=0),
        first,
        xp.reshape(_run_of_each(order, starts), x.shape),
        _lengths(flat, starts),
    )


@declare()
def unique_consecutive(x: Array, /, *, axis: int | None = None) -> UniqueConsecutiveResult:
    """Collapse runs of equal elements or slices.

    Parameters
    ----------
    x
        Array of any shape and dtype.
    axis
        Axis along which slices are compared; by default the elements are, in row-major order.

    Returns
    -------
    Named tuple `(values, inverse_indices, counts)`: `values` of the dtype of `x` and, without `axis`, one-dimensional;
    the others are of the default index dtype, `inverse_indices` of the shape of `x`, or of the length of `axis`.

    Raises
    ------
    IndexError
        If `x` has no such axis.

    Examples
    --------
    >>> import corearray as ca
    >>> values, inverse_indices, counts = ca.unique_consecutive(ca.asarray([1, 1, 2, 1]))
    >>> values.tolist(), inverse_indices.tolist(), counts.tolist()
    ([1, 2, 1], [0, 0, 1, 2], [2, 1, 1])

    Notes
    -----
    Each NaN is a run of its own. The shape of the result depends on the values: it cannot be traced.
    `torch.unique_consecutive`.
    """
    place = 0
    shape: tuple[int, ...] = tuple(x.shape)
    if axis is None:
        x = xp.reshape(x, (-1,))
    else:
        (place,) = _places(axis, x.ndim, "unique_consecutive")
        shape = (x.shape[place],)
    rows = xp.moveaxis(x, place, 0)
    length = rows.shape[0]
    one = min(length, 1)  # of nothing there is no first element
    differs = xp.any(rows[one:, ...] != rows[: length - one, ...], axis=tuple(range(1, x.ndim)))
    begins = xp.concat([xp.ones((one,), dtype=xp.bool, device=x.device), differs], axis=0)
    (starts,) = xp.nonzero(begins)
    ends = xp.concat([starts[one:], xp.full((one,), length, dtype=starts.dtype, device=x.device)], axis=0)
    counts = ends - starts
    inverse = xp.cumulative_sum(xp.astype(begins, xp.int64)) - 1
    return UniqueConsecutiveResult(xp.take(x, starts, axis=place), xp.reshape(inverse, shape), counts)


@declare()
def unique_counts(x: Array, /) -> UniqueCountsResult:
    """Return unique elements with their counts.

    Parameters
    ----------
    x
        Array of any shape and dtype.

    Returns
    -------
    Named tuple `(values, counts)` of one-dimensional arrays: `values` of the dtype of `x`, `counts` of the
    default index dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> [part.tolist() for part in ca.unique_counts(ca.asarray([3, 1, 3, 2]))]
    [[1, 2, 3], [1, 1, 2]]

    Notes
    -----
    In ascending order; each NaN is an element of its own, the two zeros are one. Array API standard 2025.12,
    `unique_counts`.
    """
    flat = xp.reshape(x, (-1,))
    order, starts = _runs(flat)
    return UniqueCountsResult(xp.take(flat, xp.take(order, starts, axis=0), axis=0), _lengths(flat, starts))


@declare()
def unique_inverse(x: Array, /) -> UniqueInverseResult:
    """Return unique elements with the indices that reconstruct the array.

    Parameters
    ----------
    x
        Array of any shape and dtype.

    Returns
    -------
    Named tuple `(values, inverse_indices)`: `values` one-dimensional and of the dtype of `x`,
    `inverse_indices` of the shape of `x` and the default index dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> [part.tolist() for part in ca.unique_inverse(ca.asarray([3, 1, 3, 2]))]
    [[1, 2, 3], [2, 0, 2, 1]]

    Notes
    -----
    In ascending order; each NaN is an element of its own, the two zeros are one. Array API standard 2025.12,
    `unique_inverse`.
    """
    flat = xp.reshape(x, (-1,))
    order, starts = _runs(flat)
    return UniqueInverseResult(
        xp.take(flat, xp.take(order, starts, axis=0), axis=0),
        xp.reshape(_run_of_each(order, starts), x.shape),
    )


@declare(gives="same")
def unique_values(x: Array, /) -> Array:
    """Return the unique elements of an array.

    Parameters
    ----------
    x
        Array of any shape and dtype.

    Returns
    -------
    One-dimensional array of the dtype of `x`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.unique_values(ca.asarray([3, 1, 3, 2])).tolist()
    [1, 2, 3]

    Notes
    -----
    In ascending order; each NaN is an element of its own, the two zeros are one. Array API standard 2025.12,
    `unique_values`.
    """
    flat = xp.reshape(x, (-1,))
    order, starts = _runs(flat)
    return xp.take(flat, xp.take(order, starts, axis=0), axis=0)


def _runs(flat: Array) -> tuple[Array, Array]:
    """Sort stably; return the order, and where in it the runs of equal elements start."""
    if xp.isdtype(flat.dtype, "complex floating"):
        order = xp.argsort(xp.imag(flat))
        order = xp.take(order, xp.argsort(xp.take(xp.real(flat), order, axis=0)), axis=0)
    elif xp.isdtype(flat.dtype, "bool"):
        order = xp.argsort(xp.astype(flat, _smallest()))
    else:
        order = xp.argsort(flat)
    size = flat.shape[0]
    if size == 0:
        return order, order
    ordered = xp.take(flat, order, axis=0)
    differs = xp.not_equal(ordered[1:size], ordered[0 : size - 1])
    return order, xp.nonzero(xp.concat([xp.ones_like(ordered[0:1], dtype=xp.bool), differs]))[0]


def _lengths(flat: Array, starts: Array) -> Array:
    """Lengths of the runs, the last of which goes to the end."""
    end = xp.full((1,), flat.shape[0], dtype=starts.dtype, device=starts.device)
    return xp.diff(starts, append=end)


def _run_of_each(order: Array, starts: Array) -> Array:
    """For each element before sorting the number of its run."""
    return xp.searchsorted(starts, xp.argsort(order), side="right") - 1


@declare(promote=("x1", "x2"), real=True, gives="same")
def intersect1d(x1: Array, x2: Array, /) -> Array:
    """Return the unique elements that are in both of two arrays.

    Parameters
    ----------
    x1, x2
        Real arrays of any shapes.

    Returns
    -------
    One-dimensional array of the promoted dtype, in ascending order; NaN is last, once.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.intersect1d(ca.asarray([3, 1, 3]), ca.asarray([2, 3])).tolist()
    [3]

    Notes
    -----
    NumPy's `intersect1d`.
    """
    values = xp.sort(xp.unique_values(x1))
    return values[xp.isin(values, x2)]


@declare(promote=("x1", "x2"), real=True, gives="same")
def setdiff1d(x1: Array, x2: Array, /) -> Array:
    """Return the unique elements of an array that are not in another one.

    Parameters
    ----------
    x1, x2
        Real arrays of any shapes.

    Returns
    -------
    One-dimensional array of the promoted dtype, in ascending order; NaN is last, once.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.setdiff1d(ca.asarray([3, 1, 3]), ca.asarray([2, 3])).tolist()
    [1]

    Notes
    -----
    NumPy's `setdiff1d`.
    """
    values = _sorted_unique(xp.reshape(x1, (-1,)))
    return values[xp.isin(values, x2, invert=True)]


@declare(promote=("x1", "x2"), real=True, gives="same")
def union1d(x1: Array, x2: Array, /) -> Array:
    """Return the unique elements of two arrays together.

    Parameters
    ----------
    x1, x2
        Real arrays of any shapes.

    Returns
    -------
    One-dimensional array of the promoted dtype, in ascending order; NaN is last, once.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.union1d(ca.asarray([3, 1, 3]), ca.asarray([2, 3])).tolist()
    [1, 2, 3]

    Notes
    -----
    NumPy's `union1d`.
    """
    return _sorted_unique(xp.concat([xp.reshape(x1, (-1,)), xp.reshape(x2, (-1,))]))


def _sorted_unique(flat: Array) -> Array:
    """Return the unique elements in ascending order. NaN is last, once, where `unique_values` keeps each."""
    size = flat.shape[0]
    if not xp.isdtype(flat.dtype, "real floating") or size == 0:
        return xp.sort(xp.unique_values(flat))
    ordered = xp.sort(flat)
    former = ordered[0 : size - 1]
    differs = xp.not_equal(ordered[1:size], former) & xp.logical_not(xp.isnan(former))
    return ordered[xp.concat([xp.ones_like(ordered[0:1], dtype=xp.bool), differs])]
