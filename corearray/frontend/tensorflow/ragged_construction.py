"""`tf.ragged`: rows of nested lists, progressions and partitions."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from corearray.errors import CoreArrayValueError
from corearray.frontend.tensorflow.exceptions import InvalidArgumentError
from corearray.frontend.tensorflow.ragged_functions import joined, masked, same_rows, stacked
from corearray.frontend.tensorflow.ragged_keys import listed, taken
from corearray.frontend.tensorflow.ragged_tensor import RaggedTensor, starts_of

__all__ = ["FUNCTIONS"]


def _flat_values(tf: Any, op: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Call a function with the values of ragged tensors of the same rows: `tf.ragged.map_flat_values`."""
    found: list[RaggedTensor] = [x for x in (*args, *options.values()) if isinstance(x, RaggedTensor)]
    if not found:
        return op(*args, **options)
    for other in found[1:]:
        same_rows(found[0], other)
    given = [x.flat_values if isinstance(x, RaggedTensor) else x for x in args]
    named = {key: x.flat_values if isinstance(x, RaggedTensor) else x for key, x in options.items()}
    return found[0].with_flat_values(op(*given, **named))


def _stack(tf: Any, values: Any, axis: Any = 0, name: Any = None) -> Any:
    """Stack rows of different lengths: `tf.ragged.stack`."""
    given = [x if isinstance(x, RaggedTensor) else tf.convert_to_tensor(x) for x in values]
    if any(isinstance(x, RaggedTensor) for x in given):
        return stacked(tf, given, axis)
    if not given[0].shape.rank:
        return tf.stack(given)
    lengths = [len(x) for x in given]
    if int(axis) in (0, -1 - len(given[0].shape)):
        return tf.RaggedTensor.from_row_lengths(tf.concat(given, 0), tf.constant(lengths, "int32"))
    rows = [tf.RaggedTensor.from_tensor(tf.expand_dims(x, 1)) for x in given]
    return joined(tf, rows, axis)


def _depths(x: Any) -> tuple[int, int | None]:
    """Return how deep lists are nested, and at which depth numbers are, if there are some."""
    if not isinstance(x, (list, tuple)):
        return 0, 0
    inner = [_depths(part) for part in x]
    numbers = {n for _, n in inner if n is not None}
    if len(numbers) > 1:
        raise CoreArrayValueError(f"all scalar values must have the same nesting depth, got {x!r}")
    return 1 + max((deep for deep, _ in inner), default=0), 1 + numbers.pop() if numbers else None


def _constant(
    tf: Any, pylist: Any, dtype: Any = None, ragged_rank: int | None = None, inner_shape: Any = None, name: Any = None,
    row_splits_dtype: Any = "int64",
) -> Any:  # fmt: skip
    """Return rows of nested lists: `tf.ragged.constant`.

    Raises
    ------
    ValueError
        If numbers are nested to different depths, or not as deep as the ragged rank says.
    """
    x = pylist.tolist() if hasattr(pylist, "tolist") else pylist
    deep, numbers = _depths(x)
    if numbers is not None and deep > numbers:
        raise CoreArrayValueError(f"Invalid pylist={pylist!r}: empty list nesting is greater than scalar value nesting")
    inner = None if inner_shape is None else tuple(inner_shape)
    if ragged_rank is None:
        ragged_rank = max(0, deep - 1 - len(inner or ()))
        inner = inner or ()
    if deep < ragged_rank + 1 and numbers is not None and ragged_rank:
        raise CoreArrayValueError(f"Invalid pylist={pylist!r}: must be nested {ragged_rank + 1} deep")
    splits = []
    for _ in range(ragged_rank):
        splits.append(starts_of([len(row) for row in x]))
        x = [part for row in x for part in row]
    if not x and inner is not None:
        flat = tf.zeros((0, *inner), dtype or "float32")
    else:
        flat = tf.constant(x, dtype) if x or dtype else tf.zeros((0,), "float32")
    made = flat
    for own in reversed(splits):
        made = tf.RaggedTensor.from_row_splits(made, tf.constant(own, row_splits_dtype))
    return made


def _range(
    tf: Any, starts: Any, limits: Any = None, deltas: Any = 1, dtype: Any = None, name: Any = None,
    row_splits_dtype: Any = "int64",
) -> Any:  # fmt: skip
    """Return arithmetic progressions as rows: `tf.ragged.range`."""
    if limits is None:
        starts, limits = 0, starts
    given = [tf.convert_to_tensor(x) if dtype is None else tf.cast(x, dtype) for x in (starts, limits, deltas)]
    own = next((x.dtype for x in given if x.dtype.is_floating or x.dtype.name == "int64"), given[0].dtype)
    count = max((len(x) for x in given if len(x.shape)), default=1)
    parts = [tf.broadcast_to(tf.cast(x, own), (count,)) for x in given]
    rows = [tf.range(*(x[i] for x in parts)) for i in range(count)]
    return tf.RaggedTensor.from_row_lengths(
        tf.concat(rows, 0), tf.constant([len(row) for row in rows], row_splits_dtype)
    )


def _partitioned(tf: Any, data: Any, partitions: Any, num_partitions: Any, name: Any = None) -> Any:
    """Return the rows of each number as a row: `tf.ragged.stack_dynamic_partitions`."""
    given, count = tf.convert_to_tensor(partitions), int(num_partitions)
    numbers = listed(given)
    if any(not 0 <= n < count for n in numbers):
        raise InvalidArgumentError(f"partitions must be in [0, {count}), got {numbers}")
    order = sorted(range(len(numbers)), key=lambda i: (numbers[i], i))
    rows = data if isinstance(data, RaggedTensor) else tf.convert_to_tensor(data)
    lengths = [numbers.count(n) for n in range(count)]
    return tf.RaggedTensor.from_row_lengths(taken(tf, rows, order), tf.constant(lengths, given.dtype))


def _ids_to_splits(tf: Any, segment_ids: Any, num_segments: Any = None, out_type: Any = None, name: Any = None) -> Any:
    """Return where rows begin: `tf.ragged.segment_ids_to_row_splits`."""
    ids = tf.convert_to_tensor(segment_ids)
    made = tf.RaggedTensor.from_value_rowids(ids, ids, num_segments)
    return tf.cast(made.row_splits, out_type or "int64")


def _splits_to_ids(tf: Any, splits: Any, name: Any = None, out_type: Any = None) -> Any:
    """Return the number of the row of each value: `tf.ragged.row_splits_to_segment_ids`."""
    places = tf.convert_to_tensor(splits)
    lengths = [b - a for a, b in pairwise(listed(places))]
    return tf.constant([row for row, n in enumerate(lengths) for _ in range(n)], out_type or "int64")


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "ragged.constant": _constant, "ragged.range": _range, "ragged.map_flat_values": _flat_values, "ragged.stack": _stack,
    "ragged.boolean_mask": masked, "ragged.stack_dynamic_partitions": _partitioned,
    "ragged.segment_ids_to_row_splits": _ids_to_splits, "ragged.row_splits_to_segment_ids": _splits_to_ids,
}  # fmt: skip
