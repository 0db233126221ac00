"""Functions that arrange elements: shapes, joining, slices, gathering and scattering."""

from __future__ import annotations

from math import prod
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.operands import is_complex
from corearray.frontend.tensorflow.conversion import alike, axes_list, axis_of, holds, integers, tensor, untyped
from corearray.frontend.tensorflow.data_types import dtype_of
from corearray.frontend.tensorflow.described import rule, say
from corearray.frontend.tensorflow.exceptions import InvalidArgumentError, UnimplementedError
from corearray.frontend.tensorflow.operations import raw
from corearray.frontend.tensorflow.rules.indexing import _taken_at

__all__: list[str] = []

say("""
tensorflow.expand_dims(input, axis, name=None) = _expanded(tensor(input), integers(axis)[0])
tensorflow.squeeze(input, axis=None, name=None) = _squeezed(tensor(input), [] if axis is None else list(integers(axis)))
tensorflow.concat(values, axis, name="concat") = _joined(values, integers(axis)[0])
tensorflow.stack(values, axis=0, name="stack") = raw.Pack(_parts_of(values), axis)
tensorflow.parallel_stack(values, name="parallel_stack") = raw.Pack(_parts_of(values), 0)
tensorflow.unstack(value, num=None, axis=0, name="unstack") = _taken_apart(tensor(value), num, axis)
tensorflow.broadcast_to(input, shape, name=None) = raw.BroadcastTo(input, integers(shape))
tensorflow.reverse(tensor, axis, name=None) = raw.ReverseV2(tensor, _axes(tensor, axis))
tensorflow.roll(input, shift, axis, name=None) = raw.Roll(input, integers(shift), _axes(input, axis))
tensorflow.slice(input_, begin, size, name=None) = raw.Slice(input_, _ints(begin), integers(size))
tensorflow.strided_slice(input_, begin, end, strides=None, begin_mask=0, end_mask=0, ellipsis_mask=0, new_axis_mask=0,
    shrink_axis_mask=0, var=None, name=None) = raw.StridedSlice(input_, integers(begin), integers(end),
    [1] * len(integers(begin)) if strides is None else integers(strides), begin_mask, end_mask, ellipsis_mask, new_axis_mask,
    shrink_axis_mask)
tensorflow.shape(input, out_type=None, name=None) = ca.asarray(list(tensor(input).shape), dtype=dtype_of(out_type) or ca.int32)
tensorflow.shape_n(input, out_type=ca.int32, name=None) = (
    [ca.asarray(list(tensor(x).shape), dtype=dtype_of(out_type)) for x in input])
tensorflow.size(input, out_type=None, name=None) = ca.asarray(tensor(input).size, dtype=dtype_of(out_type) or ca.int32)
tensorflow.rank(input, name=None) = ca.asarray(tensor(input).ndim, dtype=ca.int32)
tensorflow.gather_nd(params, indices, batch_dims=0, name=None, bad_indices_policy="") = (
    _gathered(tensor(params), _places(params, indices, bad_indices_policy, batch_dims), batch_dims))
tensorflow.scatter_nd(indices, updates, shape, bad_indices_policy="", name=None) = (
    raw.ScatterNd(_within(integers(shape), tensor(indices), bad_indices_policy), updates, integers(shape)))
tensorflow.tensor_scatter_nd_update(tensor, indices, updates, name=None) = (
    raw.TensorScatterUpdate(tensor, _places(tensor, indices, ""), updates))
tensorflow.tensor_scatter_nd_add(tensor, indices, updates, bad_indices_policy="", name=None) = (
    raw.TensorScatterAdd(tensor, _places(tensor, indices, bad_indices_policy), updates))
tensorflow.tensor_scatter_nd_sub(tensor, indices, updates, bad_indices_policy="", name=None) = (
    raw.TensorScatterSub(tensor, _places(tensor, indices, bad_indices_policy), updates))
tensorflow.tensor_scatter_nd_max(tensor, indices, updates, bad_indices_policy="", name=None) = (
    raw.TensorScatterMax(tensor, _places(tensor, indices, bad_indices_policy), updates))
tensorflow.tensor_scatter_nd_min(tensor, indices, updates, bad_indices_policy="", name=None) = (
    raw.TensorScatterMin(tensor, _places(tensor, indices, bad_indices_policy), updates))
tensorflow.dynamic_stitch(indices, data, name=None) = raw.DynamicStitch([tensor(x) for x in indices], data)
tensorflow.reverse_sequence(input, seq_lengths, seq_axis=None, batch_axis=None, name=None) = (
    raw.ReverseSequence(input, tensor(seq_lengths), seq_axis or 0, batch_axis or 0))
tensorflow.space_to_batch|tensorflow.space_to_batch_nd|tensorflow.nn.space_to_batch(input, block_shape, paddings, name=None) = (
    raw.SpaceToBatchND(input, integers(block_shape), _pairs(paddings)))
tensorflow.batch_to_space(input, block_shape, crops, name=None) = (
    raw.BatchToSpaceND(input, integers(block_shape), _pairs(crops)))
tensorflow.nn.space_to_depth(input, block_size, data_format="NHWC", name=None) = (
    raw.SpaceToDepth(input, block_size, data_format))
tensorflow.nn.depth_to_space(input, block_size, data_format="NHWC", name=None) = (
    raw.DepthToSpace(input, block_size, data_format))
tensorflow.ensure_shape(x, shape, name=None) = _of_shape(tensor(x), shape)
tensorflow._item(x, key) = _element(x, key)
""")


def _ints(x: Any) -> Any:
    """Return places as integers if they are known, else as an array."""
    return x if isinstance(x, ca.Array) and holds(ca.all(x == x)) is None else integers(x)


def _array(x: Any) -> ca.Array:
    return tensor(x)


def _axes(x: Any, axis: Any) -> list[int]:
    return axes_list(axis, tensor(x).ndim)


def _places(x: Any, indices: Any, policy: str, batch_dims: int = 0) -> ca.Array:
    """Return the indices into a tensor, which must lie within it."""
    return _within(tuple(tensor(x).shape)[batch_dims:], tensor(indices), policy)


def _within(shape: tuple[int, ...], indices: ca.Array, policy: str) -> ca.Array:
    """Return indices along the first axes of a shape.

    Raises
    ------
    UnimplementedError
        If TensorFlow should leave out indices outside of the shape.
    InvalidArgumentError
        If an index is known to lie outside.
    """
    if policy not in ("", "DEFAULT", "ERROR"):
        raise UnimplementedError(f"bad_indices_policy is '', 'DEFAULT' or 'ERROR' here, got {policy!r}")
    depth = indices.shape[-1] if indices.ndim else 0
    if depth > len(shape):
        raise InvalidArgumentError(f"indices with {depth} numbers do not fit a shape with {len(shape)} axes")
    ends = ca.asarray(list(shape[:depth]), dtype=indices.dtype)
    if indices.size and holds(ca.any((indices < 0) | (indices >= ends))):
        raise InvalidArgumentError(f"indices do not lie within the shape {shape}")
    return indices


def _pairs(x: Any) -> list[list[int]]:
    return tensor(x).tolist()  # type: ignore[no-any-return]


def _parts_of(values: Any) -> list[Any]:
    """Return the parts of a stack; numbers and lists become arrays of one dtype."""
    if isinstance(values, (list, tuple)) and not untyped(values):
        return list(values)
    return list(ca.unstack(tensor(values)))


def _expanded(x: ca.Array, axis: int) -> Any:
    if not -x.ndim - 1 <= axis <= x.ndim:
        raise InvalidArgumentError(f"Tried to expand dim index {axis} for tensor with {x.ndim} dimensions.")
    return ca.expand_dims(x, axis=axis)


def _squeezed(x: ca.Array, axes: list[int]) -> Any:
    for axis in axes:
        if not -x.ndim <= axis < x.ndim or x.shape[axis] != 1:
            raise InvalidArgumentError(f"Can not squeeze dim[{axis}] of a tensor of shape {tuple(x.shape)}")
    return raw.Squeeze(x, axes)


def _joined(values: Any, axis: int) -> Any:
    if not isinstance(values, (list, tuple)):
        values = [values]
    return raw.ConcatV2(list(values), axis)


def _taken_apart(x: ca.Array, num: Any, axis: int) -> list[Any]:
    if num is not None and num != x.shape[axis]:
        raise CoreArrayValueError(f"axis {axis} has {x.shape[axis]} parts, not {num}")
    return list(ca.unstack(x, axis=axis))


def _of_shape(x: ca.Array, shape: Any) -> ca.Array:
    from corearray.frontend.tensorflow.tensor_shape import TensorShape

    if not TensorShape(x.shape).is_compatible_with(shape):
        raise InvalidArgumentError(f"Shape of tensor {tuple(x.shape)} is not compatible with expected shape {shape}")
    return x


def _element(x: ca.Array, key: tuple[Any, ...]) -> Any:
    """Return a part of a tensor by integers, slices, `...` and `None`; a step of a slice is not zero."""
    axis = 0
    rest = x.ndim - sum(part is not None and part is not Ellipsis for part in key)
    if rest < 0:
        raise InvalidArgumentError(f"Index out of range using input dim {x.ndim}; input has only {x.ndim} dims")
    plain: list[Any] = []
    for part in key:
        if isinstance(part, slice):
            part = slice(*(None if n is None else integers(n)[0] for n in (part.start, part.stop, part.step)))
        elif isinstance(part, ca.Array):
            if part.ndim or not part.dtype.category.endswith("integer"):
                raise CoreArrayTypeError("indices of a tensor are scalar integers; use tf.gather for several")
            part = part if holds(part == part) is None else int(part)
        if isinstance(part, int) and not -x.shape[axis] <= part < x.shape[axis]:
            raise InvalidArgumentError(f"slice index {part} of dimension {axis} out of bounds.")
        axis += rest if part is Ellipsis else part is not None
        plain.append(part)
    if any(isinstance(part, ca.Array) for part in plain):
        return _taken_at(x, tuple(plain))
    return x[tuple(plain)]


def _gathered(params: ca.Array, indices: ca.Array, batch_dims: int) -> Any:
    if not batch_dims:
        return raw.GatherNd(params, indices)
    batch = tuple(params.shape[:batch_dims])
    flat = ca.reshape(params, (prod(batch), *params.shape[batch_dims:]))
    places = ca.reshape(indices, (prod(batch), *indices.shape[batch_dims:]))
    rows = ca.reshape(ca.arange(prod(batch), dtype=indices.dtype), (-1, *(1,) * (places.ndim - 1)))
    rows = ca.broadcast_to(rows, (*places.shape[:-1], 1))
    made = raw.GatherNd(flat, ca.concat([rows, places], axis=-1))
    return ca.reshape(made, (*batch, *made.shape[1:]))


@rule("tensorflow.reshape")
def reshape(tensor: Any, shape: Any, name: Any = None) -> Any:
    """Give a tensor another shape; one size may be `-1`."""
    return raw.Reshape(tensor, integers(shape) if not isinstance(shape, (list, tuple)) or shape else ())


@rule("tensorflow.transpose")
def transpose(a: Any, perm: Any = None, conjugate: bool = False, name: str = "transpose") -> Any:
    """Permute axes, by default in reverse."""
    x = tensor(a)
    order = tuple(reversed(range(x.ndim))) if perm is None else integers(perm)
    if sorted(place % max(x.ndim, 1) for place in order) != list(range(x.ndim)):
        raise InvalidArgumentError(f"transpose expects a permutation of {x.ndim} axes, got {order}")
    made = raw.Transpose(x, order)
    return ca.conj(made) if conjugate and is_complex(x.dtype) else made


@rule("tensorflow.split")
def split(value: Any, num_or_size_splits: Any, axis: Any = 0, num: Any = None, name: str = "split") -> Any:
    """Divide an axis into a number of equal parts, or into parts of given lengths."""
    x = tensor(value)
    place = axis_of(axis, x.ndim)
    several = isinstance(num_or_size_splits, (list, tuple)) or bool(getattr(num_or_size_splits, "ndim", 0))
    if not several:
        count = integers(num_or_size_splits)[0]
        if x.shape[place] % count:
            raise InvalidArgumentError(f"{count} parts do not evenly divide an axis of {x.shape[place]}")
        return raw.Split(place, x, count)
    return raw.SplitV(x, integers(num_or_size_splits), place)


@rule("tensorflow.tile")
def tile(input: Any, multiples: Any, name: Any = None) -> Any:
    """Repeat a tensor along its axes."""
    x, counts = tensor(input), integers(multiples)
    if len(counts) != x.ndim:
        raise InvalidArgumentError(
            f"Expected multiples argument to be a vector of length {x.ndim} but got length {len(counts)}"
        )
    return raw.Tile(x, counts)


@rule("tensorflow.pad")
def pad(tensor: Any, paddings: Any, mode: str = "CONSTANT", constant_values: Any = 0, name: Any = None) -> Any:
    """Put a value, or mirrored elements, around."""
    x = _array(tensor)
    mode = mode.upper()
    if mode == "CONSTANT":
        return raw.PadV2(x, _pairs(paddings), _number(constant_values, x.dtype))
    if mode not in ("REFLECT", "SYMMETRIC"):
        raise CoreArrayValueError(
            f"Value of argument `mode` expected to be one of CONSTANT, REFLECT, SYMMETRIC. Received {mode}."
        )
    return raw.MirrorPad(x, _pairs(paddings), mode)


def _number(x: Any, dtype: ca.DType) -> ca.Array:
    return tensor(x, dtype=dtype)


@rule("tensorflow.gather")
def gather(
    params: Any, indices: Any, validate_indices: Any = None, axis: Any = None, batch_dims: int = 0, name: Any = None
) -> Any:
    """Take elements along an axis; with batch axes each batch has its own indices."""
    x, places = tensor(params), tensor(indices)
    batch = batch_dims % (places.ndim + 1) if batch_dims < 0 else batch_dims
    place = batch if axis is None else axis_of(axis, x.ndim)
    size = x.shape[place]
    if places.size and holds(ca.any((places < 0) | (places >= size))):
        raise InvalidArgumentError(f"indices are not in [0, {size})")
    return raw.GatherV2(x, places, place, batch)


@rule("tensorflow.where")
def where(condition: Any, x: Any = None, y: Any = None, name: Any = None) -> Any:
    """Choose elements; of a condition alone return the places where it holds."""
    if (x is None) != (y is None):
        raise CoreArrayValueError("x and y must both be non-None or both be None.")
    if x is None:
        return raw.Where(tensor(condition))
    return raw.SelectV2(tensor(condition, hint=ca.bool), x, y)


@rule("tensorflow.boolean_mask")
def boolean_mask(tensor: Any, mask: Any, axis: Any = None, name: str = "boolean_mask") -> Any:
    """Return the elements, or rows, at which a mask holds."""
    x, chosen = _array(tensor), _array(mask)
    place = 0 if axis is None else integers(axis)[0]
    if not chosen.ndim:
        raise CoreArrayValueError("mask cannot be scalar.")
    if tuple(x.shape[place : place + chosen.ndim]) != tuple(chosen.shape):
        raise CoreArrayValueError(
            f"Shapes {tuple(x.shape[place : place + chosen.ndim])} and {tuple(chosen.shape)} are incompatible"
        )
    flat = ca.reshape(x, (*x.shape[:place], int(chosen.size or 0), *x.shape[place + chosen.ndim :]))
    places = ca.nonzero(ca.reshape(chosen, (-1,)))[0]
    return ca.take(flat, places, axis=place)


@rule("tensorflow.repeat")
def repeat(input: Any, repeats: Any, axis: Any = None, name: Any = None) -> Any:
    """Repeat elements; without an axis the tensor is flattened before."""
    x = tensor(input)
    counts = integers(repeats)
    if axis is None:
        x, axis = ca.reshape(x, (-1,)), 0
    axis = axis_of(axis, x.ndim)
    size = x.shape[axis]
    if len(counts) not in (1, size):
        raise InvalidArgumentError(f"{len(counts)} numbers of repeats do not fit an axis of {size}")
    several = counts * size if len(counts) == 1 else counts
    places = [place for place, count in enumerate(several) for _ in range(count)]
    return ca.take(x, ca.asarray(places, dtype=ca.int32), axis=axis)


@rule("tensorflow.meshgrid")
def meshgrid(*args: Any, indexing: str = "xy", name: Any = None) -> Any:
    """Return grids of coordinates."""
    if indexing not in ("xy", "ij"):
        raise CoreArrayValueError(f"Argument `indexing` parameter must be either 'xy' or 'ij', got '{indexing}'")
    return list(ca.meshgrid(*(ca.reshape(x, (-1,)) for x in alike("Meshgrid", args)), indexing=indexing))  # type: ignore[arg-type]


@rule("tensorflow.one_hot")
def one_hot(
    indices: Any,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    axis: Any = None,
    dtype: Any = None,
    name: Any = None,
) -> Any:
    """Put one value where the index is, by default 1, and another one elsewhere, by default 0."""
    own = dtype_of(dtype)
    given = [x for x in (on_value, off_value) if x is not None]
    if own is None:
        own = tensor(given[0]).dtype if given else ca.float32
    high, low = (
        tensor(x, dtype=own) for x in (1 if on_value is None else on_value, 0 if off_value is None else off_value)
    )
    places = tensor(indices)
    return raw.OneHot(places, integers(depth)[0], high, low, -1 if axis is None else axis_of(axis, places.ndim + 1))


@rule("tensorflow.sequence_mask")
def sequence_mask(lengths: Any, maxlen: Any = None, dtype: Any = ca.bool, name: Any = None) -> Any:
    """Return a row for each length: true up to the length, false behind it."""
    counts = tensor(lengths)
    longest = int(ca.max(counts)) if maxlen is None else integers(maxlen)[0]
    if longest < 0:
        raise InvalidArgumentError(f"maxlen must not be negative, got {longest}")
    made = ca.arange(longest, dtype=counts.dtype) < ca.expand_dims(counts, axis=-1)
    return ca.astype(made, dtype_of(dtype))


@rule("tensorflow.unravel_index")
def unravel_index(indices: Any, dims: Any, name: Any = None) -> Any:
    """Return the places along the axes of numbers of elements, stacked."""
    places = tensor(indices)
    found = ca.unravel_index(places, integers(dims))
    return ca.stack([ca.astype(x, places.dtype) for x in found])


@rule("tensorflow.dynamic_partition")
def dynamic_partition(data: Any, partitions: Any, num_partitions: int, name: Any = None) -> Any:
    """Divide rows into lists by their numbers."""
    found: list[Any] = raw.DynamicPartition(tensor(data), tensor(partitions), num_partitions)
    return found


@rule("tensorflow.clip_by_norm")
def clip_by_norm(t: Any, clip_norm: Any, axes: Any = None, name: Any = None) -> Any:
    """Scale a tensor so that its norm is at most a number."""
    x = tensor(t)
    limit = tensor(clip_norm, hint=x.dtype)
    total = raw.Sum(ca.square(x), list(range(x.ndim)) if axes is None else integers(axes), keep_dims=True)
    there = total > 0
    norm = ca.where(there, ca.sqrt(ca.where(there, total, ca.ones_like(total))), total)
    return x * limit / ca.maximum(norm, limit)


@rule("tensorflow.linalg.global_norm")
def global_norm(t_list: Any, name: Any = None) -> Any:
    """Return the root of the sum of squares of several tensors."""
    parts = [ca.sum(ca.square(tensor(x))) for x in t_list if x is not None]
    return ca.sqrt(raw.AddN(parts))


@rule("tensorflow.clip_by_global_norm")
def clip_by_global_norm(t_list: Any, clip_norm: Any, use_norm: Any = None, name: Any = None) -> Any:
    """Scale several tensors so that their common norm is at most a number; return them and the norm."""
    norm = global_norm(t_list) if use_norm is None else tensor(use_norm)
    limit = tensor(clip_norm, hint=norm.dtype)
    scale = limit * ca.minimum(1.0 / norm, 1.0 / limit)
    scale = ca.where(ca.isfinite(norm), scale, ca.asarray(ca.nan, dtype=norm.dtype))
    return [None if x is None else tensor(x) * ca.astype(scale, tensor(x).dtype) for x in t_list], norm
