"""Indexing of ragged arrays by rows, slices of rows, and masks."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from corearray.calls.dispatch import backend_of
from corearray.errors import CoreArrayIndexError
from corearray.ragged.operands import lowered
from corearray.ragged.rows import aranged, known, row_ids, splits_of

if TYPE_CHECKING:
    from corearray.arrays.array import Array
    from corearray.ragged.ragged import Ragged

__all__ = ["selected"]


def selected(x: Ragged, key: Any) -> Any:
    """Return the part of a ragged array that a key selects."""
    if key is ...:
        return x
    if key is None or isinstance(key, str):
        raise CoreArrayIndexError(
            f"the key of a ragged array is the number of a row, a slice, an array of numbers or a mask, got {key!r}"
        )
    if isinstance(key, tuple):
        return _inside(x, key)
    if type(key) is type(x):
        return _masked(x, key)
    if isinstance(key, slice):
        return _sliced(x, key)
    if _is_integer(key):
        return _row(x, operator.index(key))
    return _taken(x, _places(x, key))


def _inside(x: Ragged, key: tuple[Any, ...]) -> Any:
    if not key:
        return x
    row = x[key[0]]
    if len(key) == 1:
        return row
    if not _is_integer(key[0]):
        raise CoreArrayIndexError(
            f"a tuple as the key of a ragged array begins with the number of a row, got {key!r}; take r[rows] first, or "
            "give r.to_padded(fill_value)"
        )
    return row[key[1:]]


def _row(x: Ragged, number: int) -> Any:
    count = len(x)
    if not -count <= number < count:
        raise CoreArrayIndexError(f"row {number} is out of bounds for a ragged array with {count} rows")
    number %= count
    start, stop = x.row_splits[number : number + 2].tolist()
    return _part(x.values, start, stop)


def _part(values: Any, start: int, stop: int) -> Any:
    """Return neighbouring values; the standard wants a key for each axis of an array, or dots."""
    return values[start:stop] if hasattr(values, "ragged_rank") or values.ndim == 1 else values[start:stop, ...]


def _sliced(x: Ragged, key: slice) -> Ragged:
    start, stop, step = key.indices(len(x))
    if step != 1:
        places = list(range(start, stop, step))
        return _taken(x, x.backend.asarray(places, dtype=x.row_splits.dtype, device=x.device))
    splits = x.row_splits[start : max(start, stop) + 1]
    first, last = int(splits[0]), int(splits[-1])
    return x._made(_part(x.values, first, last), splits - first)


def _places(x: Ragged, key: Any) -> Array:
    """Return the numbers of the rows that a mask or a vector of integers chooses."""
    backend = x.backend
    if isinstance(key, (list, tuple)) and not key:
        key = backend.asarray([], dtype=x.row_splits.dtype)
    key = backend.asarray(key, device=x.device)
    count = len(x)
    if key.dtype.category == "bool" and tuple(key.shape) == (count,):
        return backend.nonzero(key)[0]  # type: ignore[no-any-return]
    if "integer" not in key.dtype.category or key.ndim != 1:
        raise CoreArrayIndexError(
            f"rows are chosen by an integer, a slice, a vector of integers or a mask of shape ({count},), got an array of "
            f"dtype '{key.dtype}' and shape {tuple(key.shape)}"
        )
    outside = [place for place in known(key) or () if not -count <= place < count]
    if outside:
        raise CoreArrayIndexError(f"row {outside[0]} is out of bounds for a ragged array with {count} rows")
    return backend.where(key < 0, key + count, key)  # type: ignore[no-any-return]


def _taken(x: Ragged, places: Array) -> Ragged:
    """Return the rows with some numbers."""
    backend = x.backend
    starts = backend.take(x.row_splits, places, axis=0)
    splits = splits_of(backend.take(x.row_lengths, places, axis=0))
    size = int(splits[-1])
    ids = row_ids(splits, size)
    inside = aranged(size, splits) - backend.take(splits, ids, axis=0) + backend.take(starts, ids, axis=0)
    values = x.values
    taken = _taken(values, inside) if type(values) is type(x) else backend.take(values, inside, axis=0)
    return x._made(taken, splits)


def _masked(x: Ragged, mask: Ragged) -> Ragged:
    """Return the elements at which a mask of the same rows is true."""
    if mask.dtype.category != "bool" or x.ragged_rank != 1 or mask.ndim != 2:
        raise CoreArrayIndexError(
            f"a ragged key is a mask of rows that are no ragged arrays themselves, got dtype '{mask.dtype}' and shape "
            f"{tuple(mask.shape)} for an array of shape {tuple(x.shape)}"
        )
    chosen = lowered(x.with_values(aranged(x.values.shape[0], x.row_splits)), mask, "the mask", "indexing")
    ends = splits_of(x.backend.astype(chosen, x.row_splits.dtype))
    return x._made(x.values[chosen], x.backend.take(ends, x.row_splits, axis=0))


def _is_integer(key: Any) -> bool:
    """Whether a key is one integer, an array without axes included."""
    if isinstance(key, bool):
        return False
    if backend_of(key) is not None and len(key.shape) != 0:
        return False
    try:
        operator.index(key)
    except TypeError:
        return False
    return True
