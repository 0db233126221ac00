"""Conversion of nested rows to one array and the row lengths of each level."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corearray.calls.dispatch import backend_of
from corearray.errors import CoreArrayTypeError, CoreArrayValueError

if TYPE_CHECKING:
    from corearray.arrays.array import Array
    from corearray.backends.backend import Backend

__all__ = ["flattened", "rows_of"]


def rows_of(rows: Any) -> list[Any]:
    """Return the rows of a ragged array to build."""
    try:
        return list(rows)
    except TypeError as error:
        raise CoreArrayTypeError(
            f"a ragged array is made of rows that can be gone through, such as a list of arrays, got {rows!r}"
        ) from error


def flattened(
    backend: Backend, rows: list[Any], dtype: Any, device: Any, ragged_rank: int | None
) -> tuple[Array, list[list[int]]]:
    """Return all elements in one array, and the row lengths, outermost level first.

    Parameters
    ----------
    backend
        Device of the array.
    rows
        Arrays, ragged arrays or nested lists.
    dtype, device
        As for `asarray`.
    ragged_rank
        How many levels there are, by default all levels of lists but the innermost one.
    """
    rank = max(_depth(rows) - 1, 1) if ragged_rank is None else ragged_rank
    if rank < 1 or rank > max(_depth(rows) - 1, 1):
        raise CoreArrayValueError(
            f"ragged_rank={rank} is not possible for these rows; it lies between 1 and {max(_depth(rows) - 1, 1)}"
        )
    lengths = []
    for _ in range(rank - 1):
        rows = [_listed(row, place) for place, row in enumerate(rows)]
        lengths.append([len(row) for row in rows])
        rows = [part for row in rows for part in row]
    if any(not isinstance(row, (list, tuple)) for row in rows):
        return _joined(backend, rows, dtype, device, lengths)
    lengths.append([len(row) for row in rows])
    values = backend.asarray([item for row in rows for item in row], dtype=dtype, device=device)
    return values, lengths


def _joined(
    backend: Backend, rows: list[Any], dtype: Any, device: Any, lengths: list[list[int]]
) -> tuple[Array, list[list[int]]]:
    """Put rows together of which some are arrays; an empty list says nothing of dtype and shape."""
    arrays = [
        None if isinstance(row, (list, tuple)) and not row else _array(backend, row, i) for i, row in enumerate(rows)
    ]
    lengths.append([0 if x is None else x.shape[0] for x in arrays])
    values = backend.concat([x for x in arrays if x is not None], axis=0)
    return backend.asarray(values, dtype=dtype, device=device), lengths


def _array(backend: Backend, row: Any, place: int) -> Array:
    if not isinstance(row, (list, tuple)) and backend_of(row) is None and not hasattr(row, "__array__"):
        raise _no_row(row, place)
    made: Array = backend.asarray(row)
    if made.ndim == 0:
        raise _no_row(row, place)
    return made


def _listed(row: Any, place: int) -> list[Any]:
    try:
        return list(row)
    except TypeError:
        raise _no_row(row, place) from None


def _no_row(row: Any, place: int) -> CoreArrayTypeError:
    return CoreArrayTypeError(
        f"a row is a list or an array with at least one axis, and row {place} is {row!r} ({type(row).__name__})"
    )


def _depth(value: Any) -> int:
    """Count the levels of nested lists; an array is one, a ragged array as many as it has."""
    if isinstance(value, (list, tuple)):
        arrays = any(backend_of(item) is not None and not isinstance(item, (list, tuple)) for item in value)
        if arrays and not any(hasattr(item, "ragged_rank") for item in value):
            return 2  # an array is a row; lists beside it may be nested as deep as it has axes
        return 1 + max(map(_depth, value), default=0)
    if hasattr(value, "ragged_rank"):
        return 1 + int(value.ragged_rank)
    return 0 if isinstance(value, (bool, int, float, complex)) else 1
