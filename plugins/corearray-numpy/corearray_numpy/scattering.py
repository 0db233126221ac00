"""Reductions of segments: ufuncs at indices."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl
from corearray_numpy.native import HALF, as_indices
from corearray_numpy.tracer import seen


@hookimpl
def unsorted_segment_max(x: Any, segment_ids: Any, num_segments: int, /) -> Any:
    return _joined(np.maximum, x, segment_ids, num_segments, -np.inf if x.dtype.kind == "f" else _limits(x).min)


@hookimpl
def unsorted_segment_min(x: Any, segment_ids: Any, num_segments: int, /) -> Any:
    return _joined(np.minimum, x, segment_ids, num_segments, np.inf if x.dtype.kind == "f" else _limits(x).max)


@hookimpl(via=HALF)
def unsorted_segment_prod(x: Any, segment_ids: Any, num_segments: int, /) -> Any:
    return _joined(np.multiply, x, segment_ids, num_segments, 1)


@hookimpl(via=HALF)
def unsorted_segment_sum(x: Any, segment_ids: Any, num_segments: int, /) -> Any:
    return _joined(np.add, x, segment_ids, num_segments, 0)


def _joined(ufunc: np.ufunc, x: Any, ids: Any, count: int, empty: Any) -> Any:
    """Join the elements of each segment to a row that is neutral; ids that are no segments are left out."""
    if x.shape[: ids.ndim] != ids.shape or x.dtype.kind == "b":
        raise (TypeError if x.dtype.kind == "b" else ValueError)(f"{x.dtype}{x.shape} has no segments of {ids.shape}")
    result = np.full((count, *x.shape[ids.ndim :]), empty, x.dtype)
    ids = as_indices(ids)
    inside = (ids >= 0) & (ids < count)
    if type(inside) is not np.ndarray or not inside.all():  # the one a graph sees
        x, ids = seen(x, inside)[inside], seen(ids, inside)[inside]
    many = type(x) is type(ids) is type(result) is np.ndarray and x.size >= _MANY  # and no graph is written down
    if many and ufunc is np.add and x.dtype in _SPARSE:
        return _multiplied(x, ids, count).reshape(result.shape)
    with np.errstate(invalid="ignore" if ufunc in (np.maximum, np.minimum) else None):  # NaN is no fault there
        if many and x.size >= _WIDE * ids.size and x.dtype.kind != "c" and ufunc is not np.add:
            _put_sorted(result, ufunc, x, ids)
        else:
            ufunc.at(result, ids, x)
    return result


#: From how many elements on what follows takes less time than `ufunc.at`: a fortieth for the sums of rows of 64 elements, a
#: fifth for others, which rows of few elements do not repay.
_MANY = 2000
_WIDE = 4


def _put_sorted(result: Any, ufunc: np.ufunc, x: Any, ids: Any) -> None:
    """Join rows in the order of their ids, within which they stay in theirs."""
    flat = ids.reshape(-1)
    order = np.argsort(flat, kind="stable")
    flat = flat[order]
    starts = np.flatnonzero(np.concatenate(([True], flat[1:] != flat[:-1])))
    rows = x.reshape(flat.size, *result.shape[1:])[order]
    result[flat[starts]] = ufunc.reduceat(rows, starts, axis=0, dtype=x.dtype)


#: The dtypes in which SciPy multiplies.
_SPARSE = frozenset(map(np.dtype, "bhilqBHILQfdFD"))


def _multiplied(x: Any, ids: Any, count: int) -> Any:
    """Sum rows by the product with a sparse matrix of ones, in the order in which they stand."""
    from scipy.sparse import csc_array

    rows = np.ascontiguousarray(x).reshape(ids.size, -1)
    parts = rows.view(rows.real.dtype)  # a complex one would make NaN of infinities
    ones = np.ones(ids.size, parts.dtype)
    ones_of_ids = csc_array((ones, ids.reshape(-1), np.arange(ids.size + 1)), shape=(count, ids.size))
    return (ones_of_ids @ parts).view(x.dtype)


def _limits(x: Any) -> Any:
    if x.dtype.kind not in "iu":
        raise TypeError(f"segments of {x.dtype} have no order")
    return np.iinfo(x.dtype)
