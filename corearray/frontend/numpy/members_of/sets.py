"""Sets of elements, whose results have sizes that depend on the elements."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

from corearray.errors import CoreArrayTypeError, CoreArrayValueError

__all__ = ["FUNCTIONS", "UniqueAllResult", "UniqueCountsResult", "UniqueInverseResult"]

UniqueAllResult = namedtuple("UniqueAllResult", "values indices inverse_indices counts")
UniqueCountsResult = namedtuple("UniqueCountsResult", "values counts")
UniqueInverseResult = namedtuple("UniqueInverseResult", "values inverse_indices")


def _unique(
    np: Any, ar: Any, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False,
    axis: Any = None, *,
    equal_nan: bool = True, sorted: bool = True,
) -> Any:  # fmt: skip
    """Return the different elements, or slices along an axis, sorted."""
    x = np.asanyarray(ar)
    shape: Any = x.shape
    order: Any
    if axis is not None and x.ndim == 1:
        np.lib.array_utils.normalize_axis_index(axis, 1)
        axis = None
    if axis is None:
        rows = x.reshape(-1)
        order = np.argsort(rows, kind="stable") if return_index or return_inverse else None
        ordered = rows[order] if order is not None else np.sort(rows)
        first = np.ones(ordered.shape, dtype=bool)
        if ordered.size:
            differ = ordered[1:] != ordered[:-1]
            if equal_nan and ordered.dtype.kind in "fc":
                differ = differ & ~(np.isnan(ordered[1:]) & np.isnan(ordered[:-1]))
            first[1:] = differ
        values = ordered[first]
    else:
        axis = np.lib.array_utils.normalize_axis_index(axis, x.ndim)
        moved = np.moveaxis(x, axis, 0)
        count = moved.shape[0]
        width = 1
        for n in moved.shape[1:]:
            width *= n
        flat = moved.reshape(count, width)
        order = np.lexsort(flat.T[::-1]) if width and count else np.arange(count)
        ordered = flat[order]
        first = np.ones((count,), dtype=bool)
        if count:
            first[1:] = (ordered[1:] != ordered[:-1]).any(axis=1) if width else False
        kept = ordered[first]
        values = np.moveaxis(kept.reshape((kept.shape[0], *moved.shape[1:])), 0, axis)
        shape = (count,)
    if isinstance(ar, np.ndarray) and type(ar) is not np.ndarray:
        values = values.view(type(ar))
    results = [values]
    if return_index:
        results.append(order[first])
    if return_inverse:
        places = np.cumsum(first) - 1
        inverse = np.empty(first.shape, dtype=np.intp)
        inverse[order] = places
        old = np.version.startswith(("0.", "1."))
        if axis is None:
            results.append(inverse if old else inverse.reshape(shape))
        else:
            results.append(
                inverse.reshape(tuple(n if i == axis else 1 for i, n in enumerate(x.shape)))
                if np.version.startswith("2.0")
                else inverse
            )
    if return_counts:
        starts = np.concatenate([first.nonzero()[0], np.asarray([first.size], dtype=np.intp)])
        results.append(np.diff(starts))
    return results[0] if len(results) == 1 else tuple(results)


def _unique_values(np: Any, x: Any) -> Any:
    """Return the different elements."""
    return _unique(np, x, equal_nan=False)


def _unique_counts(np: Any, x: Any) -> Any:
    """Return the different elements, and how often each comes."""
    return UniqueCountsResult(*_unique(np, x, return_counts=True, equal_nan=False))


def _unique_inverse(np: Any, x: Any) -> Any:
    """Return the different elements, and the number of each element among them."""
    return UniqueInverseResult(*_unique(np, x, return_inverse=True, equal_nan=False))


def _unique_all(np: Any, x: Any) -> Any:
    """Return the different elements, their first places, numbers and counts."""
    return UniqueAllResult(*_unique(np, x, True, True, True, equal_nan=False))


def _intersect1d(np: Any, ar1: Any, ar2: Any, assume_unique: bool = False, return_indices: bool = False) -> Any:
    """Return the elements that are in both arrays."""
    one, other = np.asanyarray(ar1), np.asanyarray(ar2)
    if not assume_unique:
        if return_indices:
            one, first = _unique(np, one, return_index=True)
            other, second = _unique(np, other, return_index=True)
        else:
            one, other = _unique(np, one), _unique(np, other)
    else:
        one, other = one.ravel(), other.ravel()
    both = np.concatenate((one, other))
    order = np.argsort(both, kind="stable")
    both = both[order]
    mask = both[1:] == both[:-1]
    values = both[:-1][mask]
    if not return_indices:
        return values
    places, others = order[:-1][mask], order[1:][mask] - one.size
    return (values, places, others) if assume_unique else (values, first[places], second[others])


def _isin(
    np: Any, element: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False, *, kind: Any = None
) -> Any:
    """Return which elements are among others."""
    x = np.asarray(element)
    if kind not in (None, "sort", "table"):
        raise CoreArrayValueError(f"Invalid kind: '{kind}'. Please use None, 'sort' or 'table'.")
    given = np.asarray(list(test_elements) if isinstance(test_elements, (set, frozenset)) else test_elements).ravel()
    if kind == "table" and not (x.dtype.kind in "iub" and given.dtype.kind in "iub"):
        raise CoreArrayValueError(
            "The 'table' method is only supported for boolean or integer arrays. Please select 'sort' or None for kind."
        )
    if not given.size:
        return np.full(x.shape, bool(invert))
    flat = x.ravel()
    dtype = np.result_type(flat.dtype, given.dtype)
    ordered = np.sort(given.astype(dtype))
    places = np.minimum(np.searchsorted(ordered, flat.astype(dtype)), ordered.size - 1)
    found = ordered[places] == flat.astype(dtype)
    return (~found if invert else found).reshape(x.shape)


def _setxor1d(np: Any, ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    """Return the elements that are in one array alone."""
    one, other = (np.asarray(ar1), np.asarray(ar2)) if assume_unique else (_unique(np, ar1), _unique(np, ar2))
    both = np.sort(np.concatenate((one.ravel(), other.ravel())))
    if not both.size:
        return both
    edge = np.ones((1,), dtype=bool)
    flag = np.concatenate((edge, both[1:] != both[:-1], edge))
    return both[flag[1:] & flag[:-1]]


def _setdiff1d(np: Any, ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    """Return the elements of one array that are not in another one."""
    one = np.asarray(ar1).ravel() if assume_unique else _unique(np, ar1)
    return one[_isin(np, one, np.asarray(ar2), invert=True)]


def _union1d(np: Any, ar1: Any, ar2: Any) -> Any:
    """Return the elements of both arrays."""
    return _unique(np, np.concatenate((np.asarray(ar1).ravel(), np.asarray(ar2).ravel())))


def _ediff1d(np: Any, ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    """Return the differences of neighbours, with others before and behind them."""
    x = np.asanyarray(ary).ravel()
    parts = [x[1:] - x[:-1]]
    for place, extra in (("to_begin", to_begin), ("to_end", to_end)):
        if extra is None:
            continue
        given = np.asanyarray(extra)
        if not np.can_cast(given.dtype, x.dtype, "same_kind"):
            raise CoreArrayTypeError(
                f"dtype of `{place}` must be compatible with input `ary` under the `same_kind` rule."
            )
        given = given.ravel().astype(x.dtype)
        parts.insert(0 if place == "to_begin" else len(parts), given)
    return np.concatenate(parts)


FUNCTIONS = {
    "unique": _unique, "unique_values": _unique_values, "unique_counts": _unique_counts, "unique_inverse": _unique_inverse,
    "unique_all": _unique_all, "intersect1d": _intersect1d, "isin": _isin, "setxor1d": _setxor1d, "setdiff1d": _setdiff1d,
    "union1d": _union1d, "ediff1d": _ediff1d,
}  # fmt: skip
