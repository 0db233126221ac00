"""Row splits: offsets, row numbers, padding and gathering.

Everything is computed with functions of the array API standard on whole arrays. `splits` has one element more than
there are rows: row `i` is `values[splits[i]:splits[i + 1]]`.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from corearray.arrays.array import Array
from corearray.errors import CoreArrayTypeError, CoreArrayValueError

__all__ = [
    "aranged",
    "checked_splits",
    "known",
    "lengths_of",
    "longest",
    "padded",
    "prefix_mask",
    "row_ids",
    "splits_of",
]


def aranged(stop: int, like: Array) -> Array:
    """Return `arange(n)` in the dtype and on the device of an array of offsets."""
    made: Array = like.backend.arange(stop, dtype=like.dtype, device=like.device)
    return made


def splits_of(lengths: Array) -> Array:
    """Return the row splits for given row lengths."""
    summed: Array = lengths.backend.cumulative_sum(lengths, axis=0, include_initial=True)
    return summed


def lengths_of(splits: Array) -> Array:
    """Return the lengths of the rows."""
    return splits[1:] - splits[:-1]


def known(x: Array) -> list[int] | None:
    """Return the elements of an array of offsets, or `None` if a framework traces."""
    try:
        found: list[int] = x.tolist()
    except Exception:  # each framework has an error of its own for it
        return None
    return found


def checked_splits(splits: Array, size: int | None, what: str) -> Array:
    """Raise an error unless the array is valid row splits.

    Parameters
    ----------
    splits
        An array of any kind.
    size
        How many values there are.
    what
        What the user gave, for the text.
    """
    if splits.ndim != 1 or "integer" not in splits.dtype.category:
        raise CoreArrayTypeError(
            f"{what} is a vector of integers, got an array of dtype '{splits.dtype}' and shape {tuple(splits.shape)}"
        )
    places = known(splits)
    if places is None:
        return splits
    if not places or places[0] != 0:
        raise CoreArrayValueError(f"{what} begins with {places[0] if places else 'nothing'}; it must begin with 0")
    falls = next((i for i, (one, two) in enumerate(pairwise(places)) if two < one), None)
    if falls is not None:
        raise CoreArrayValueError(
            f"{what} gives row {falls} the length {places[falls + 1] - places[falls]}; lengths are not negative"
        )
    if places[-1] != size:
        raise CoreArrayValueError(f"{what} ends at {places[-1]} and there are {size} values; both must be the same")
    return splits


def row_ids(splits: Array, size: int) -> Array:
    """Return the row number of each value."""
    ids: Array = splits.backend.searchsorted(splits[1:], aranged(size, splits), side="right")
    return ids


def longest(splits: Array, size: int) -> int:
    """Return the length of the longest row; in a traced program an upper bound."""
    if splits.shape[0] < 2:
        return 0
    try:
        return int(splits.backend.max(lengths_of(splits)))
    except Exception:  # a framework traces
        return size


def prefix_mask(lengths: Array, width: int) -> Array:
    """Return a matrix that is true for the first elements of each row, up to its length."""
    mask: Array = aranged(width, lengths) < lengths.backend.expand_dims(lengths, axis=1)
    return mask


def padded(values: Array, splits: Array, width: int, fill_value: Any) -> tuple[Array, Array]:
    """Pad the rows to an axis of length `width`, and return them with the mask of `prefix_mask`."""
    be = values.backend
    mask = prefix_mask(lengths_of(splits), width)
    rows, inner = mask.shape[0], tuple(values.shape[1:])
    shape = (rows, width, *inner)
    if values.shape[0] == 0:
        return be.full(shape, fill_value, dtype=values.dtype, device=values.device), mask
    places = be.where(mask, be.expand_dims(splits[:-1], axis=1) + aranged(width, splits), 0)
    taken = be.reshape(be.take(values, be.reshape(places, (rows * width,)), axis=0), shape)
    return be.where(be.reshape(mask, (rows, width) + (1,) * len(inner)), taken, fill_value), mask
