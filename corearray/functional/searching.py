"""Searching: indices of extrema, of nonzero elements, and of insertion points.

`argmax`, `nonzero` and `where` are primary. `searchsorted` compares all pairs of few elements. Of more it is a binary search
for all values at once, which needs neither a loop over the values nor a table of all comparisons.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, cast

from corearray.contract.declaration import declare

if TYPE_CHECKING:
    import corearray as xp
    from corearray.arrays.array import Array
    from corearray.contract.declaration import Condition, Scalar

__all__ = [
    "argmax",
    "argmin",
    "argwhere",
    "count_nonzero",
    "digitize",
    "flatnonzero",
    "nonzero",
    "ravel_multi_index",
    "searchsorted",
    "unravel_index",
    "where",
]

#: Up to so many pairs of elements `searchsorted` compares each, in place of several calls for each step of a search.
_FEW_PAIRS = 4096


@declare(real=True, gives="int64")
def argmax(x: Array, /, *, axis: int | None = None, keepdims: bool = False, out: Array | None = None) -> Array:
    """Return the index of the first maximum along an axis.

    Parameters
    ----------
    x
        Real array, not empty along the axis.
    axis
        Axis along which to search; by default the elements count in row-major order.
    keepdims
        Whether reduced axes stay with length one.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` without the reduced axes, of the default index dtype.

    Raises
    ------
    ValueError
        If there is no element to choose from.
    IndexError
        If `x` has no such axis; without axes it has none.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.argmax(ca.asarray([[1, 5], [4, 2]]), axis=0).tolist()
    [1, 0]

    Notes
    -----
    The first NaN wins, if there is one. Array API standard 2025.12, `argmax`.
    """
    ...


@declare(real=True, gives="int64")
def argmin(x: Array, /, *, axis: int | None = None, keepdims: bool = False, out: Array | None = None) -> Array:
    """Return the index of the first minimum along an axis.

    Parameters
    ----------
    x
        Real array, not empty along the axis.
    axis
        Axis along which to search; by default the elements count in row-major order.
    keepdims
        Whether reduced axes stay with length one.
    out
        Array that receives the result.

    Returns
    -------
    Array of the shape of `x` without the reduced axes, of the default index dtype.

    Raises
    ------
    ValueError
        If there is no element to choose from.
    IndexError
        If `x` has no such axis; without axes it has none.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.argmin(ca.asarray([[1, 5], [4, 2]]), axis=0).tolist()
    [0, 1]

    Notes
    -----
    The first NaN wins, if there is one. Array API standard 2025.12, `argmin`.
    """
    turn = xp.negative if xp.isdtype(x.dtype, "real floating") else xp.bitwise_invert
    return xp.argmax(turn(x), axis=axis, keepdims=keepdims)


@declare(gives="int64")
def argwhere(x: Array, /) -> Array:
    """Return the indices of nonzero elements, one row for each.

    Parameters
    ----------
    x
        Array of any shape and dtype.

    Returns
    -------
    Array of shape `(N, x.ndim)` for `N` such elements, in row-major order, of the default index dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.argwhere(ca.asarray([[1, 0], [4, 2]])).tolist()
    [[0, 0], [1, 0], [1, 1]]

    Notes
    -----
    The shape of the result depends on the values: it cannot be traced. NumPy's `argwhere`.
    """
    if x.ndim == 0:
        return xp.stack(xp.nonzero(x[None]), axis=1)[:, :0]
    return xp.stack(xp.nonzero(x), axis=1)


@declare(gives="int64")
def count_nonzero(x: Array, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False) -> Array:
    """Count nonzero elements along axes.

    Parameters
    ----------
    x
        Array of any dtype; a complex number counts if one part is not zero, a boolean if it is true.
    axis
        Axis or axes to reduce; by default all.
    keepdims
        Whether reduced axes stay with length one.

    Returns
    -------
    Array of the shape of `x` without the reduced axes, of the default index dtype.

    Raises
    ------
    IndexError
        If `x` has no such axis; without axes it has none.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.count_nonzero(ca.asarray([[1, 0], [4, 2]]), axis=0).tolist()
    [2, 1]

    Notes
    -----
    NaN counts. Array API standard 2025.12, `count_nonzero`.
    """
    counted = x if xp.isdtype(x.dtype, "bool") else xp.not_equal(x, 0)
    return xp.sum(xp.astype(counted, xp.int64), axis=axis, keepdims=keepdims)


@declare()
def nonzero(x: Array, /) -> tuple[Array, ...]:
    """Return the indices of nonzero elements, one array for each axis.

    Parameters
    ----------
    x
        Array of any dtype with at least one axis.

    Returns
    -------
    For each axis of `x` a one-dimensional array of the default index dtype; together they list the elements
    in row-major order.

    Raises
    ------
    ValueError
        If `x` has no axes.

    Examples
    --------
    >>> import corearray as ca
    >>> [index.tolist() for index in ca.nonzero(ca.asarray([[1, 0], [4, 2]]))]
    [[0, 1, 1], [0, 0, 1]]

    Notes
    -----
    The shape of the result depends on the values: it cannot be traced. Array API standard 2025.12, `nonzero`.
    """
    ...


@declare()
def ravel_multi_index(
    indices: Sequence[Array], shape: Sequence[int], /, *, mode: Literal["clip", "wrap"] = "clip"
) -> Array:
    """Convert indices along several axes to indices into the flattened array.

    Parameters
    ----------
    indices
        For each axis an integer array; all broadcast with each other.
    shape
        Shape of the array that is indexed.
    mode
        What an index outside of an axis means: `"clip"` the nearest one, so that a negative one is 0, `"wrap"` the
        remainder.

    Returns
    -------
    Array of the broadcast shape and the default index dtype.

    Raises
    ------
    ValueError
        If there are not as many arrays as axes, or `mode` is something else.
    TypeError
        If the indices are not integers.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.ravel_multi_index([ca.asarray([1, 0]), ca.asarray([2, 1])], (2, 3)).tolist()
    [5, 1]

    Notes
    -----
    Row-major order. NumPy's `ravel_multi_index`, whose default mode is an error: values that are being traced cannot
    raise one. The opposite is `unravel_index`.
    """
    if mode not in ("clip", "wrap"):
        raise ValueError(f"'ravel_multi_index' got mode={mode!r}; it is 'clip' or 'wrap'")
    if len(indices) != len(shape) or not indices:
        raise ValueError(
            f"'ravel_multi_index' got {len(indices)} arrays of indices for the shape {tuple(shape)}; give one for each axis"
        )
    _require_shape(shape, "ravel_multi_index")
    places: Array | int = 0
    for index, size in zip(indices, shape, strict=True):
        numbers = _integers(index, "ravel_multi_index")
        places = places * size + (numbers % size if mode == "wrap" else xp.clip(numbers, 0, size - 1))
    return cast("Array", places)


@declare(promote=("x1", "x2"), real=True, gives="int64")
def searchsorted(
    x1: Array,
    x2: Array | Scalar,
    /,
    *,
    side: Literal["left", "right"] = "left",
    sorter: Array | None = None,
) -> Array:
    """Return the indices at which values would be inserted into a sorted array to keep it sorted.

    Parameters
    ----------
    x1
        One-dimensional real array, in ascending order unless `sorter` is given.
    x2
        Values to insert: real array of any shape, or a Python scalar.
    side
        On which side of equal elements a value is inserted.
    sorter
        Integer array that sorts `x1`, as `argsort` gives it.

    Returns
    -------
    Array of the shape of `x2` and the default index dtype, with indices from 0 to the length of `x1`.

    Raises
    ------
    TypeError
        If `sorter` are no integers.
    ValueError
        If `side` is something else, `x1` has not one axis, or `sorter` another shape.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.searchsorted(ca.asarray([1, 3, 3, 5]), ca.asarray([0, 3, 6])).tolist()
    [0, 1, 4]
    >>> ca.searchsorted(ca.asarray([1, 3, 3, 5]), 3, side="right").tolist()
    3

    Notes
    -----
    NaN stands behind every number, as in `sort`. Array API standard 2025.12, `searchsorted`.
    """
    if side not in ("left", "right"):
        raise ValueError(f"'searchsorted' got side={side!r}; it is 'left' or 'right'")
    if x1.ndim != 1:
        raise ValueError(f"'searchsorted' searches in a one-dimensional array; 'x1' has the shape {tuple(x1.shape)}")
    length = x1.shape[0]
    if sorter is not None and sorter.shape != x1.shape:
        raise ValueError(f"'searchsorted' got a sorter of the shape {tuple(sorter.shape)} for {length} elements")
    ordered = x1 if sorter is None else xp.take(x1, _integers(sorter, "searchsorted", "sorter"), axis=0)
    sought = cast("Array", x2)  # `promote` has made an array of a scalar
    if sought.size is not None and length * sought.size <= _FEW_PAIRS:
        column = sought[..., None]
        before = _before(ordered, column) if side == "left" else xp.logical_not(_before(column, ordered))
        return xp.sum(before, axis=-1, dtype=xp.int64)
    values = xp.reshape(sought, (-1,))
    place = xp.zeros_like(values, dtype=xp.int64)
    stride = 1 << length.bit_length() >> 1
    while stride:
        beyond = place + stride
        inside = beyond <= length
        element = xp.take(ordered, xp.where(inside, beyond, length) - 1, axis=0)
        before = _before(element, values) if side == "left" else xp.logical_not(_before(values, element))
        place = xp.where(inside & before, beyond, place)
        stride >>= 1
    return xp.reshape(place, sought.shape)


@declare()
def unravel_index(indices: Array, shape: Sequence[int], /) -> tuple[Array, ...]:
    """Convert indices into the flattened array to indices along its axes.

    Parameters
    ----------
    indices
        Integer array of any shape, from 0 to one less than the number of elements.
    shape
        Shape of the array that is indexed.

    Returns
    -------
    For each axis an array of the shape of `indices` and the default index dtype.

    Raises
    ------
    TypeError
        If the indices are not integers.

    Examples
    --------
    >>> import corearray as ca
    >>> [index.tolist() for index in ca.unravel_index(ca.asarray([5, 1]), (2, 3))]
    [[1, 0], [2, 1]]

    Notes
    -----
    Row-major order. An index beyond the array has no defined result. NumPy's `unravel_index`.
    """
    places = _integers(indices, "unravel_index")
    _require_shape(shape, "unravel_index")
    found: list[Array] = []
    for size in reversed(shape):
        found.append(places % max(size, 1))
        places = places // max(size, 1)
    return tuple(reversed(found))


def _require_shape(shape: Sequence[int], name: str) -> None:
    if any(isinstance(size, float) for size in shape):
        raise TypeError(f"'{name}' got the shape {tuple(shape)}; sizes are integers")
    if any(size < 0 for size in shape):
        raise ValueError(f"'{name}' got the shape {tuple(shape)}; sizes are at least 0")


@declare(promote=("x1", "x2"), gives="same")
def where(condition: Condition, x1: Array | Scalar, x2: Array | Scalar, /) -> Array:
    """Choose elements of `x1` where a condition holds, and of `x2` elsewhere.

    Parameters
    ----------
    condition
        Boolean array.
    x1
        Values where `condition` is true: array, broadcastable with `condition`; or a Python scalar, if `x2`
        is an array.
    x2
        Values elsewhere: array, broadcastable with `condition`; or a Python scalar, if `x1` is an array.

    Returns
    -------
    Array of the broadcast shape and the promoted dtype of `x1` and `x2`.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.where(ca.asarray([True, False]), ca.asarray([1, 2]), -1).tolist()
    [1, -1]

    Notes
    -----
    Array API standard 2025.12, `where`.
    """
    ...


def _before(x1: Array, x2: Array) -> Array:
    """Tell whether `x1` stands before `x2` in an order that ends with NaN."""
    smaller = xp.less(x1, x2)
    if not xp.isdtype(x1.dtype, "real floating"):
        return smaller
    return smaller | (xp.isnan(x2) & xp.logical_not(xp.isnan(x1)))


def _integers(x: Array, name: str, what: str = "indices") -> Array:
    """Cast indices to the one dtype in which they are computed."""
    if not xp.isdtype(x.dtype, "integral"):
        raise TypeError(f"'{name}' got {what} of dtype {x.dtype}; they are integers")
    return xp.astype(x, xp.int64, copy=False)


@declare(promote=("x", "bins"), real=True, gives="int64")
def digitize(x: Array, bins: Array, /, *, right: bool = False) -> Array:
    """Return the number of the bin in which each element lies.

    Parameters
    ----------
    x
        Real array of any shape.
    bins
        One-dimensional real array of edges, in ascending or descending order.
    right
        Whether a bin includes its right edge instead of its left one.

    Returns
    -------
    Array of the shape of `x` and the default index dtype: `i` for `bins[i - 1] <= x < bins[i]`, or for
    `bins[i - 1] > x >= bins[i]` if edges descend; 0 before the first edge and the number of edges beyond the last.

    Raises
    ------
    ValueError
        If `bins` has not one axis.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.digitize(ca.asarray([0.5, 2.0, 9.0]), ca.asarray([1.0, 2.0, 3.0])).tolist()
    [0, 2, 3]

    Notes
    -----
    NumPy's `digitize`.
    """
    if bins.ndim != 1:
        raise ValueError(f"'digitize' got bins of shape {tuple(bins.shape)}; give a vector of edges")
    count = bins.shape[0]
    side: Literal["left", "right"] = "left" if right else "right"
    ascending = xp.searchsorted(bins, x, side=side)
    if count < 2:
        return ascending
    descending = count - xp.searchsorted(xp.flip(bins), x, side=side)
    return xp.where(bins[0] <= bins[-1], ascending, descending)


@declare(gives="int64")
def flatnonzero(x: Array, /) -> Array:
    """Return the indices of nonzero elements in row-major order, counted through all axes.

    Parameters
    ----------
    x
        Array of any shape and dtype.

    Returns
    -------
    One-dimensional array of the default index dtype.

    Examples
    --------
    >>> import corearray as ca
    >>> ca.flatnonzero(ca.asarray([[0, 3], [7, 0]])).tolist()
    [1, 2]

    Notes
    -----
    NumPy's `flatnonzero`. The shape of the result depends on elements.
    """
    return xp.nonzero(xp.reshape(x, (-1,)))[0]
