"""Ragged tensors: rows by keys, tensors of them, and other axes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayIndexError, CoreArrayValueError
from corearray.frontend.tensorflow.ragged_tensor import RaggedTensor, starts_of

__all__ = ["dense", "expanded", "item", "listed", "merged", "places_of", "taken"]


def listed(x: Any) -> Any:
    """Return Python's numbers for an argument that is a tensor."""
    x = getattr(x, "array", x)
    return x.tolist() if isinstance(x, ca.Array) else x


def places_of(tf: Any, places: Iterable[int]) -> Any:
    """Return places as a tensor."""
    return tf.constant(list(places), "int64")


def taken(tf: Any, x: Any, rows: Sequence[int]) -> Any:
    """Return some rows of a tensor or of a ragged one."""
    if not isinstance(x, RaggedTensor):
        return tf.gather(x, places_of(tf, rows))
    splits = x.splits
    lengths = [splits[row + 1] - splits[row] for row in rows]
    values = taken(tf, x.values, [i for row in rows for i in range(splits[row], splits[row + 1])])
    return x._made(values, starts_of(lengths), x.row_splits, x._uniform)


def _whole(x: Any, key: list[Any]) -> list[Any]:
    """Return a key without an ellipsis."""
    at = next((i for i, part in enumerate(key) if part is Ellipsis), None)
    if at is None:
        return key
    given = sum(part is not None and part is not Ellipsis for part in key)
    return [*key[:at], *[slice(None)] * (len(x.shape) - given), *key[at + 1 :]]


def _integer_part(part: Any) -> Any:
    return int(part) if not isinstance(part, slice) and part is not None else part


def item(tf: Any, x: Any, key: list[Any]) -> Any:
    """Return the part of rows that a key names.

    Raises
    ------
    ValueError
        If an integer names one place in rows of different lengths.
    IndexError
        If there is no such row.
    """
    if not key:
        return x
    if not isinstance(x, RaggedTensor):
        return x[tuple(key)]
    first, *rest = _whole(x, key)
    if first is None:
        return expanded(tf, item(tf, x, rest), 0)
    if isinstance(first, slice):
        bounds = slice(*(None if n is None else int(n) for n in (first.start, first.stop, first.step)))
        rows = x if bounds == slice(None) else taken(tf, x, range(len(x))[bounds])
        return _within(tf, rows, rest)
    place = int(first)
    if not -len(x) <= place < len(x):
        raise CoreArrayIndexError(f"Row key {place} out of bounds: there are {len(x)} rows")
    start, stop = list(pairwise(x.splits))[place]
    return item(tf, x.values[start:stop], rest)


def _within(tf: Any, x: Any, key: list[Any]) -> Any:
    """Return parts of the rows, by a key of their own axes."""
    if not key:
        return x
    if not isinstance(x, RaggedTensor):
        return x[(slice(None), *key)]
    first, *rest = key
    if first is None:
        inner = _within(tf, x, rest)
        return x._made(inner, range(len(x) + 1), x.row_splits, 1)
    if not isinstance(first, slice):
        if x._uniform is None:
            raise CoreArrayValueError("Cannot index into an inner ragged dimension.")
        rows = range(int(first) % x._uniform, len(x) * x._uniform, x._uniform)
        return _within(tf, taken(tf, x.values, rows), rest)
    bounds = slice(*(None if n is None else int(n) for n in (first.start, first.stop, first.step)))
    if bounds == slice(None):
        return x.with_values(_within(tf, x.values, rest))
    chosen = [range(start, stop)[bounds] for start, stop in pairwise(x.splits)]
    values = taken(tf, x.values, [i for places in chosen for i in places])
    return x._made(_within(tf, values, rest), starts_of([len(one) for one in chosen]), x.row_splits)


def dense(tf: Any, x: Any, default_value: Any, shape: Any) -> Any:
    """Return a tensor in which shorter rows end in a default value."""
    default = tf.cast(0 if default_value is None else default_value, x.dtype)
    made = _filled(tf, x, default)
    sizes = (
        []
        if shape is None
        else [-1 if n is None else int(n) for n in (shape.as_list() if hasattr(shape, "as_list") else listed(shape))]
    )
    for axis, (wanted, own) in enumerate(zip(sizes, tuple(made.shape), strict=False)):
        if wanted not in (-1, own):
            if wanted > own:
                space = list(made.shape)
                space[axis] = wanted - own
                made = tf.concat([made, tf.broadcast_to(default, space)], axis)
            else:
                made = made[(*[slice(None)] * axis, slice(0, wanted))]
    return made


def _filled(tf: Any, x: Any, default: Any) -> Any:
    if not isinstance(x, RaggedTensor):
        return x
    values = _filled(tf, x.values, default)
    count, width = len(values), max(x.lengths, default=0)
    values = tf.concat([values, tf.broadcast_to(default, (1, *tuple(values.shape)[1:]))], 0)
    places = [[start + i if start + i < stop else count for i in range(width)] for start, stop in pairwise(x.splits)]
    found = tf.gather(values, places_of(tf, [i for row in places for i in row]))
    return tf.reshape(found, (len(x), width, *tuple(values.shape)[1:]))


def merged(tf: Any, x: Any, outer: int, inner: int) -> Any:
    """Return rows with some axes joined to one."""
    if outer == inner:
        return x
    if not isinstance(x, RaggedTensor):
        shape = tuple(x.shape)
        return tf.reshape(x, (*shape[:outer], -1, *shape[inner + 1 :]))
    if outer > 0:
        if outer == 1 and isinstance(x.values, RaggedTensor):
            inside = x.values
            ends = inside.splits
            joined = x._made(inside.values, [ends[i] for i in x.splits], x.row_splits)
            return merged(tf, joined, 1, inner - 1)
        if outer == 1:
            shape = tuple(x.values.shape)
            length = shape[1]
            flat = tf.reshape(x.values, (-1, *shape[2:]))
            return merged(tf, x._made(flat, [i * length for i in x.splits], x.row_splits), 1, inner - 1)
        return x.with_values(merged(tf, x.values, outer - 1, inner - 1))
    return merged(tf, x.values, 0, inner - 1)


def expanded(tf: Any, input: Any, axis: Any, name: Any = None) -> Any:
    """Return rows with an axis of length 1 more."""
    x = input
    if not isinstance(x, RaggedTensor):
        return tf.expand_dims(x, axis)
    axis = int(axis) + (len(x.shape) + 1 if int(axis) < 0 else 0)
    if axis == 0:
        return x._made(x, [0, len(x)], x.row_splits, len(x))
    if axis == 1:
        return x._made(x, range(len(x) + 1), x.row_splits, 1)
    return x.with_values(expanded(tf, x.values, axis - 1))
