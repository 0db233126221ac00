"""Functions of tensors on ragged ones: elementwise ones on their values, reductions, joining and gathering."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.tensorflow.exceptions import InvalidArgumentError
from corearray.frontend.tensorflow.ragged_keys import expanded, item, listed, places_of, taken
from corearray.frontend.tensorflow.ragged_tensor import RaggedTensor, starts_of
from corearray.frontend.tensorflow.wrapper import Operand

__all__ = ["has_ragged", "joined", "mapped", "masked", "on_ragged", "same_rows", "stacked"]

#: Functions that compute on the elements.
_ELEMENTWISE = frozenset(
    "abs acos acosh angle asin asinh atan atan2 atanh bitcast bitwise_and bitwise_or bitwise_xor invert left_shift "
    "right_shift cast ceil check_numerics clip_by_value complex conj cos cosh digamma divide divide_no_nan elu equal "
    "erf erfc erfcinv erfinv exp expm1 floor floordiv floormod mod gelu greater greater_equal identity igamma igammac "
    "imag is_finite is_inf is_nan leaky_relu less less_equal lgamma log log1p log_sigmoid logical_and logical_not "
    "logical_or logical_xor maximum minimum multiply multiply_no_nan ndtri negative nextafter not_equal ones_like "
    "polygamma pow real reciprocal reciprocal_no_nan relu relu6 rint round rsqrt saturate_cast selu sigmoid sign silu "
    "swish sin sinh softplus softsign sqrt square squared_difference stop_gradient subtract add tan tanh truediv "
    "truncatediv truncatemod xdivy xlog1py xlogy zeros_like zeta dropout".split()
)

_REDUCTIONS = {
    "reduce_sum": "unsorted_segment_sum", "reduce_prod": "unsorted_segment_prod", "reduce_max": "unsorted_segment_max",
    "reduce_min": "unsorted_segment_min",
}  # fmt: skip


def has_ragged(args: Any) -> bool:
    """Return whether there is a ragged tensor among arguments, also in lists."""
    for x in args:
        if isinstance(x, RaggedTensor):
            return True
        if type(x) in (list, tuple) and has_ragged(x):
            return True
    return False


def on_ragged(tf: Any, name: str, function: Callable[..., Any], args: Any, options: dict[str, Any]) -> Any:
    """Call a function of tensors with ragged ones.

    Raises
    ------
    TypeError
        If the function takes no ragged tensors.
    """
    if name in _ELEMENTWISE:
        return mapped(tf, function, args, options)
    handler = _HANDLERS.get(name)
    if handler is None:
        raise CoreArrayTypeError(
            f"tf.{name} takes no ragged tensors; x.to_tensor() makes a tensor, x.flat_values has the values"
        )
    return handler(tf, *args, **options)


# --- elementwise


def _beside(tf: Any, x: RaggedTensor, other: Any) -> Any:
    """Return a tensor as it stands beside the values of rows.

    Raises
    ------
    InvalidArgumentError
        If the shapes do not fit.
    """
    shape = tuple(other.shape)
    inner = len(x.flat_values.shape) - 1
    if len(shape) <= inner or all(n == 1 for n in shape):
        return tf.reshape(other, shape[len(shape) - inner :]) if len(shape) > inner else other
    rank = len(x.shape)
    if len(shape) > rank:
        raise InvalidArgumentError(f"rows of shape {x.shape} and a tensor of shape {shape} do not broadcast")
    other = tf.reshape(other, (1,) * (rank - len(shape)) + shape)
    rows: Any = x
    while isinstance(rows, RaggedTensor):
        first, second, *rest = tuple(other.shape)
        lengths = rows.lengths
        if first not in (1, len(rows)):
            raise InvalidArgumentError(f"rows of shape {x.shape} and a tensor of shape {shape} do not broadcast")
        if second != 1 and any(n not in (second, 1) for n in lengths):
            raise InvalidArgumentError(f"rows of the lengths {lengths} and a tensor of shape {shape} do not broadcast")
        flat = tf.reshape(other, (first * second, *rest))
        places = [
            (0 if first == 1 else row) * second + (0 if second == 1 else i) for row, n in enumerate(lengths) for i in range(n)
        ]  # fmt: skip
        other, rows = tf.gather(flat, places_of(tf, places)), rows.values
    return other


def same_rows(one: RaggedTensor, two: RaggedTensor) -> None:
    """Refuse ragged tensors of different rows.

    Raises
    ------
    InvalidArgumentError
        If they are.
    """
    first, second = ([listed(x) for x in rows.nested_row_splits] for rows in (one, two))
    if first != second:
        raise InvalidArgumentError(f"the rows differ: their places are {first} and {second}")


def mapped(tf: Any, function: Callable[..., Any], args: Any, options: dict[str, Any]) -> Any:
    """Call a function with the values of ragged tensors of the same rows."""
    found: list[RaggedTensor] = [x for x in (*args, *options.values()) if isinstance(x, RaggedTensor)]
    model = found[0]
    for other in found[1:]:
        same_rows(model, other)

    def own(x: Any) -> Any:
        if isinstance(x, RaggedTensor):
            return x.flat_values
        if type(x) in (list, tuple) and has_ragged(x):
            return type(x)(map(own, x))
        if isinstance(x, (list, Operand, ca.Array)) or (hasattr(x, "shape") and hasattr(x, "dtype")):
            made = tf.convert_to_tensor(x, model.dtype if isinstance(x, list) else None)
            return _beside(tf, model, made)
        return x

    made = function(*map(own, args), **{key: own(x) for key, x in options.items()})
    return model.with_flat_values(made) if isinstance(made, Operand) else made


# --- reductions


def _by_segment(tf: Any, name: str, x: Any, ids: list[int], count: int) -> Any:
    """Reduce rows of the same number to one; rows of rows by their places."""
    if not isinstance(x, RaggedTensor):
        return getattr(tf.math, _REDUCTIONS[name])(x, places_of(tf, ids), count)
    longest = [0] * count
    for segment, length in zip(ids, x.lengths, strict=True):
        longest[segment] = max(longest[segment], length)
    starts = starts_of(longest)
    inner = [starts[segment] + i for segment, n in zip(ids, x.lengths, strict=True) for i in range(n)]
    return x._made(_by_segment(tf, name, x.values, inner, starts[-1]), starts, x.row_splits)


def _along(tf: Any, name: str, x: Any, axis: int) -> Any:
    if not isinstance(x, RaggedTensor):
        return getattr(tf, name)(x, axis)
    if axis == 0:
        ids = [i for n in x.lengths for i in range(n)]
        return _by_segment(tf, name, x.values, ids, max(x.lengths, default=0))
    if axis == 1:
        return _by_segment(tf, name, x.values, x.rows, len(x))
    return x.with_values(_along(tf, name, x.values, axis - 1))


def _reduction(name: str) -> Callable[..., Any]:
    def reduced(
        tf: Any, input_tensor: Any, axis: Any = None, keepdims: bool = False, name_: Any = None, **_: Any
    ) -> Any:
        x, rank = input_tensor, len(input_tensor.shape)
        if axis is None:
            return getattr(tf, name)(x.flat_values)
        given = listed(axis)
        axes = sorted({n + rank if n < 0 else n for n in (given if isinstance(given, (list, tuple)) else [given])})
        if any(not 0 <= n < rank for n in axes):
            raise InvalidArgumentError(f"there is no axis {axis} of rows with {rank} dimension(s)")
        made = _moment(tf, name, x, axes)
        if keepdims:
            for place in axes:
                made = tf.expand_dims(made, place)
        return made

    return reduced


def _moment(tf: Any, name: str, x: Any, axes: list[int]) -> Any:
    if name in ("reduce_any", "reduce_all"):
        counted = x if name == "reduce_any" else tf.logical_not(x)
        found = _moment(tf, "reduce_sum", tf.cast(counted, "int32"), axes) > 0
        return found if name == "reduce_any" else tf.logical_not(found)
    if name in _REDUCTIONS:
        for axis in reversed(axes):
            x = _along(tf, name, x, axis)
        return x
    if name == "reduce_mean":
        total, count = (_moment(tf, "reduce_sum", one, axes) for one in (x, tf.ones_like(x)))
        mean = total / tf.maximum(count, tf.ones_like(count))
        return tf.where(tf.equal(count, tf.zeros_like(count)), tf.constant(math.nan, mean.dtype), mean)
    mean = _moment(tf, "reduce_mean", x, axes)
    spread = _moment(tf, "reduce_mean", tf.square(x), axes) - tf.square(mean)
    spread = tf.math.maximum(spread, tf.zeros_like(spread))
    return spread if name == "reduce_variance" else tf.sqrt(spread)


# --- joining and gathering


def _as_rows(tf: Any, x: Any, rank: int) -> Any:
    if isinstance(x, RaggedTensor):
        return x
    return tf.RaggedTensor.from_tensor(x, ragged_rank=rank)


def joined(tf: Any, values: Any, axis: Any = 0, name: Any = None) -> Any:
    """Join rows along an axis."""
    given = list(values)
    rank = max(x.ragged_rank for x in given if isinstance(x, RaggedTensor))
    rows = [_as_rows(tf, x, rank) for x in given]
    axis = int(axis) % len(rows[0].shape)
    return _concatenated(tf, rows, axis)


def _concatenated(tf: Any, rows: list[Any], axis: int) -> Any:
    if not any(isinstance(x, RaggedTensor) for x in rows):
        return tf.concat(rows, axis)
    rank = max(x.ragged_rank for x in rows if isinstance(x, RaggedTensor))
    rows = [_as_rows(tf, x, rank) for x in rows]
    first = rows[0]
    if axis == 0:
        lengths = [n for x in rows for n in x.lengths]
        return first._made(_concatenated(tf, [x.values for x in rows], 0), starts_of(lengths), first.row_splits)
    if len({len(x) for x in rows}) > 1:
        raise InvalidArgumentError(f"rows are joined of as many rows each, got {[len(x) for x in rows]}")
    if axis == 1:
        values = _concatenated(tf, [x.values for x in rows], 0)
        begin = starts_of([len(x.values) for x in rows])
        splits = [x.splits for x in rows]
        places = [
            begin[k] + i
            for row in range(len(first))
            for k in range(len(rows))
            for i in range(splits[k][row], splits[k][row + 1])
        ]
        lengths = [sum(s[row + 1] - s[row] for s in splits) for row in range(len(first))]
        return first._made(taken(tf, values, places), starts_of(lengths), first.row_splits)
    for other in rows[1:]:
        if other.splits != first.splits:
            raise InvalidArgumentError("Inputs must have identical ragged splits")
    return first.with_values(_concatenated(tf, [x.values for x in rows], axis - 1))


def stacked(tf: Any, values: Any, axis: Any = 0, name: Any = None) -> Any:
    """Return rows along a new axis."""
    given = list(values)
    made = [expanded(tf, x, axis) for x in given]
    return joined(tf, made, axis) if any(isinstance(x, RaggedTensor) for x in made) else tf.concat(made, axis)


def _gathered(
    tf: Any, params: Any, indices: Any, validate_indices: Any = None, axis: Any = None, batch_dims: int = 0, name: Any = None
) -> Any:  # fmt: skip
    if batch_dims:
        x, places = _as_rows(tf, params, 1), _as_rows(tf, indices, 1)
        starts, lengths = x.splits, x.lengths
        chosen = []
        for row, own in enumerate(places.to_list()):
            for i in own:
                if not 0 <= i < lengths[row]:
                    raise InvalidArgumentError(f"indices = {i} is not in [0, {lengths[row]})")
                chosen.append(starts[row] + i)
        return places.with_values(taken(tf, x.values, chosen))
    if isinstance(indices, RaggedTensor):
        return indices.with_values(tf.gather(params, indices.values, axis=axis))
    if axis not in (None, 0):
        return params.with_values(tf.gather(params.values, indices, axis=int(axis) - 1))
    found = tf.convert_to_tensor(indices)
    if not len(found.shape):
        return params[int(found)]
    flat = listed(tf.reshape(found, (-1,)))
    if any(not 0 <= i < len(params) for i in flat):
        raise InvalidArgumentError(f"indices {flat} are not in [0, {len(params)})")
    made = taken(tf, params, flat)
    for size in reversed(tuple(found.shape)[1:]):
        made = made._made(made, range(0, len(made) + 1, size), made.row_splits)
    return made


def masked(tf: Any, data: Any, mask: Any, name: Any = None) -> Any:
    """Keep the elements where a mask is true: `tf.ragged.boolean_mask`."""
    x = data if isinstance(data, RaggedTensor) else tf.convert_to_tensor(data)
    if isinstance(mask, RaggedTensor):
        x = _as_rows(tf, x, mask.ragged_rank)
        if x.splits != mask.splits:
            raise InvalidArgumentError("mask has other rows than data")
        kept = mask.values
        inner = masked(tf, x.values, kept)
        if isinstance(kept, RaggedTensor):
            return x.with_values(inner)
        flags, splits = listed(kept), x.splits
        return x._made(inner, starts_of([sum(flags[a:b]) for a, b in pairwise(splits)]), x.row_splits)
    flags = tf.convert_to_tensor(mask)
    if len(flags.shape) > 1:
        return masked(tf, x, tf.RaggedTensor.from_tensor(flags, ragged_rank=len(flags.shape) - 1))
    return taken(tf, x, [i for i, one in enumerate(listed(flags)) if one])


def _tiled(tf: Any, input: Any, multiples: Any, name: Any = None) -> Any:
    made, counts = input, listed(multiples)
    if len(counts) != len(input.shape):
        raise CoreArrayValueError(f"multiples has a number for each of {len(input.shape)} axes, got {counts}")
    for axis, count in enumerate(counts):
        made = _concatenated(tf, [made] * count, axis) if count != 1 else made
    return made


def _reversed(tf: Any, tensor: Any, axis: Any, name: Any = None) -> Any:
    made = tensor
    for n in listed(axis):
        key = [slice(None)] * len(made.shape)
        key[int(n)] = slice(None, None, -1)
        made = item(tf, made, list(key))
    return made


def _chosen(tf: Any, condition: Any, x: Any = None, y: Any = None, name: Any = None) -> Any:
    if x is None:
        rows = [[row, i] for row, own in enumerate(condition.to_list()) for i, one in enumerate(own) if one]
        return tf.constant(rows, "int64") if rows else tf.zeros((0, 2), "int64")
    return mapped(tf, tf.where, (condition, x, y), {})


def _soft(tf: Any, logits: Any, axis: Any = -1, name: Any = None) -> Any:
    x = logits
    if not isinstance(x, RaggedTensor):
        return tf.nn.softmax(x, axis)
    place = int(-1 if axis is None else axis)
    place = place + len(x.shape) if place < 0 else place
    if place != 1 or isinstance(x.values, RaggedTensor):
        return x.with_values(_soft(tf, x.values, place - 1))
    rows = places_of(tf, x.rows)
    largest = tf.stop_gradient(tf.math.unsorted_segment_max(x.values, rows, len(x)))
    shifted = tf.exp(x.values - tf.gather(largest, rows))
    return x.with_values(shifted / tf.gather(tf.math.unsorted_segment_sum(shifted, rows, len(x)), rows))


def _hot(tf: Any, indices: Any, depth: Any, *args: Any, **options: Any) -> Any:
    return indices.with_flat_values(tf.one_hot(indices.flat_values, depth, *args, **options))


def _looked_up(tf: Any, params: Any, ids: Any, *args: Any, **options: Any) -> Any:
    return ids.with_flat_values(tf.nn.embedding_lookup(params, ids.flat_values, *args, **options))


def _size(tf: Any, input: Any, out_type: Any = "int32", name: Any = None) -> Any:
    return tf.size(input.flat_values, out_type)


def _rank(tf: Any, input: Any, name: Any = None) -> Any:
    return tf.constant(len(input.shape))


_ALL = "sum prod max min mean any all variance std"

_HANDLERS: dict[str, Callable[..., Any]] = {f"reduce_{name}": _reduction(f"reduce_{name}") for name in _ALL.split()} | {
    "concat": joined, "stack": stacked, "expand_dims": expanded, "gather": _gathered, "boolean_mask": masked,
    "tile": _tiled, "reverse": _reversed, "where": _chosen, "softmax": _soft, "one_hot": _hot, "size": _size, "rank": _rank,
    "embedding_lookup": _looked_up,
}  # fmt: skip
