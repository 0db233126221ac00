"""What stands between the brackets of `x[key]`, with NumPy's meaning, in TensorFlow's operations.

A key without index arrays is one `StridedSlice`. Else plain entries are sliced, and the elements at the index arrays
are gathered from what is left. Writing is one `TensorStridedSliceUpdate`, or a scatter to the flat places at which
the same key finds the numbers of an array that counts its own elements.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import tensorflow as tf

from corearray_tensorflow.native import (
    ARRAYS,
    INTEGERS,
    at_hand,
    choose,
    constant,
    elements,
    raw_ops,
    shape_of,
    zero_or_one,
)

#: TensorFlow slices arrays with no more axes than these.
_MOST_AXES = 8


class _Slices(NamedTuple):
    """The arguments of a strided slice, and the shape of its result."""

    begin: Any
    end: Any
    strides: Any
    masks: dict[str, int]
    shape: list[int | None]


def get(x: Any, key: Any) -> Any:
    """Return the elements of an array at a key."""
    entries, arrays, dots = _entries(x.shape.as_list(), key)
    if not arrays:
        return _sliced(x, entries)
    mask = _lone_mask(x, entries)
    if mask is not None and 0 not in x.shape:
        return raw_ops.GatherNd(params=x, indices=raw_ops.Where(condition=mask))
    index = entries[0]
    if len(entries) == 1 and index.dtype is not tf.bool and index.shape.num_elements() and 0 not in x.shape:
        return by_places(lambda chosen: raw_ops.GatherV2(params=x, indices=chosen, axis=0), index, x, 0)
    return _gathered(x, entries, dots)


def put(x: Any, key: Any, value: Any) -> Any:
    """Return an array with the elements at a key replaced by a value that broadcasts to them."""
    entries, arrays, dots = _entries(x.shape.as_list(), key)
    if not arrays and x.shape.rank <= _MOST_AXES:
        begin, end, strides, masks, shape = _slices(x, entries)
        value = _fitting(value, shape, lambda: tf.shape(_sliced(x, entries)))
        return raw_ops.TensorStridedSliceUpdate(input=x, begin=begin, end=end, strides=strides, value=value, **masks)
    mask = _lone_mask(x, entries) if arrays and value.shape.rank == 0 else None
    if mask is not None:
        for _ in range(x.shape.rank - mask.shape.rank):
            mask = raw_ops.ExpandDims(input=mask, axis=-1)
        return choose(mask, value, x)
    shape = shape_of(x)
    # `tf.vectorized_map` maps the update with numbers of 32 bits alone.
    kind = tf.int32 if (x.shape.num_elements() or 2**31) < 2**31 else tf.int64
    size = raw_ops.Size(input=x, out_type=kind)
    numbers = raw_ops.Range(start=zero_or_one(0, kind), limit=size, delta=zero_or_one(1, kind))
    numbers = raw_ops.Reshape(tensor=numbers, shape=shape)
    numbers = _gathered(numbers, entries, dots) if arrays else _sliced(numbers, entries)
    value = _fitting(value, numbers.shape.as_list(), lambda: tf.shape(numbers))
    if 0 in numbers.shape:
        return raw_ops.Identity(input=x)
    flat = raw_ops.TensorScatterUpdate(
        tensor=raw_ops.Reshape(tensor=x, shape=constant((-1,))),
        indices=raw_ops.Reshape(tensor=numbers, shape=constant((-1, 1))),
        updates=raw_ops.Reshape(tensor=value, shape=constant((-1,))),
    )
    return raw_ops.Reshape(tensor=flat, shape=shape)


def as_indices(x: Any) -> Any:
    """Return integers in a dtype for gathering."""
    if x.dtype not in INTEGERS:
        raise TypeError(f"indices are integers, not {x.dtype.name}")
    return x if x.dtype in (tf.int32, tf.int64) else raw_ops.Cast(x=x, DstT=tf.int64)


def by_places(call: Callable[[Any], Any], indices: Any, x: Any, axis: int | None) -> Any:
    """Call a function of `places`, or without an axis of `all_places`.

    On CPUs TensorFlow refuses those below zero: they are looked for only if it did.
    """
    if at_hand(indices) and at_hand(x):
        indices = as_indices(indices)
        if axis is not None and 0 in x.shape and 0 not in indices.shape:
            _check_range(x, [(axis, places(indices, x, axis))])
        try:
            return call(indices)
        except tf.errors.InvalidArgumentError:  # of one that is too great too, and then again
            pass
    return call(all_places(indices, x.shape) if axis is None else places(indices, x, axis))


def places(indices: Any, x: Any, axis: int) -> Any:
    """Return integer indices along an axis, negative ones counted from the front, in a dtype for gathering."""
    indices = as_indices(indices)
    if at_hand(indices) and elements(indices).min(initial=0) >= 0:
        return indices
    length = x.shape[axis]
    if length is None:
        length = raw_ops.Shape(input=x, out_type=indices.dtype)[axis]
    behind = raw_ops.AddV2(x=indices, y=length)
    return choose(raw_ops.Less(x=indices, y=0), behind, indices)


def all_places(indices: Any, shape: Any) -> Any:
    """Return indices of the first axes, which stand along the last axis of an array, as `places` does those of one axis."""
    indices = as_indices(indices)
    if at_hand(indices) and elements(indices).min(initial=0) >= 0:
        return indices
    lengths = tf.constant(tuple(shape)[: indices.shape[-1]], indices.dtype)
    return choose(
        raw_ops.Less(x=indices, y=zero_or_one(0, indices.dtype)), raw_ops.AddV2(x=indices, y=lengths), indices
    )


def _entries(sizes: list[int | None], key: Any) -> tuple[list[Any], bool, int]:
    """Return the entries of a key with `...` written out, whether there are index arrays, and where `...` was."""
    parts = key if type(key) is tuple else (key,)
    entries: list[Any] = []
    arrays = False
    consumed = 0
    dots = -1
    for part in parts:
        kind = type(part)
        if kind is int or kind is slice:
            consumed += 1
        elif part is Ellipsis:
            if dots >= 0:
                raise IndexError("a key can only have a single ellipsis ('...')")
            dots = len(entries)
            continue
        elif part is not None:
            part = _entry(part)
            if type(part) is not int:
                arrays = True
                consumed += part.shape.rank if part.dtype is tf.bool else 1
            else:
                consumed += 1
        entries.append(part)
    ndim = len(sizes)
    if consumed > ndim:
        raise IndexError(f"too many indices: the array has {ndim} axes, the key is for {consumed}")
    if dots >= 0:
        entries[dots:dots] = [slice(None)] * (ndim - consumed)
    return entries, arrays, dots


def _entry(part: Any) -> Any:
    """Return an integer, or an integer or boolean tensor, for what stands for one in a key."""
    if not isinstance(part, ARRAYS):
        if hasattr(part, "__index__") and not isinstance(part, (bool, np.bool_)):
            return operator.index(part)
        array = np.asarray(part)
        if not array.size and isinstance(part, list):
            array = array.astype(np.int64)
        part = tf.constant(array)
    if part.dtype is not tf.bool and part.dtype not in INTEGERS:
        raise IndexError(f"an array of dtype {part.dtype.name} is no index; integers and booleans are")
    return part


def _index(entry: int, size: int | None, axis: int) -> int:
    """Return an integer index counted from the front, if the size is known."""
    if size is None:
        return entry
    if not -size <= entry < size:
        raise IndexError(f"index {entry} is out of bounds for axis {axis} with size {size}")
    return entry % size


def _sliced(x: Any, entries: list[Any]) -> Any:
    """Return the elements at integers, slices and `None`."""
    begin, end, strides, masks, shape = _slices(x, entries)
    if x.shape.rank > _MOST_AXES:
        x = _sliced(*_with_axes_joined(x, entries))
        return raw_ops.Reshape(tensor=x, shape=constant(tuple(shape)))
    return raw_ops.StridedSlice(input=x, begin=begin, end=end, strides=strides, **masks)


def _with_axes_joined(x: Any, entries: list[Any]) -> tuple[Any, list[Any]]:
    """Make one axis of neighbours that a key takes as a whole, or of which it takes one element each."""
    entries = [entry for entry in entries if entry is not None]
    entries += [slice(None)] * (x.shape.rank - len(entries))
    sizes: list[int] = []
    joined: list[Any] = []
    for axis, (entry, size) in enumerate(zip(entries, x.shape.as_list(), strict=True)):
        entry = _index(entry, size, axis) if type(entry) is int else entry
        if joined and entry == joined[-1] == slice(None):
            sizes[-1] *= size
        elif joined and type(entry) is type(joined[-1]) is int:
            joined[-1] = joined[-1] * size + entry
            sizes[-1] *= size
        else:
            joined.append(entry)
            sizes.append(size)
    return raw_ops.Reshape(tensor=x, shape=constant(tuple(sizes))), joined


def _slices(x: Any, entries: list[Any]) -> _Slices:
    """Write integers, slices and `None` as the arguments of a strided slice."""
    sizes = x.shape.as_list()
    begin, end, strides = [], [], []
    begin_mask = end_mask = new_mask = shrink_mask = 0
    shape: list[int | None] = []
    axis = 0
    for place, entry in enumerate(entries):
        bit = 1 << place
        start, stop, step = 0, 1, 1
        if entry is None:
            new_mask |= bit
            shape.append(1)
        elif type(entry) is int:
            start = _index(entry, sizes[axis], axis)
            stop = start + 1
            shrink_mask |= bit
            axis += 1
        else:
            size = sizes[axis]
            if size is None:
                start, stop, step = entry.start, entry.stop, 1 if entry.step is None else entry.step
                begin_mask |= bit * (start is None)
                end_mask |= bit * (stop is None)
                start, stop = start or 0, stop or 0
                shape.append(None)
            else:
                start, stop, step = entry.indices(size)
                length = len(range(start, stop, step))
                shape.append(length)
                if not length:
                    start, stop, step = 0, 0, 1
                elif stop < 0:
                    stop = 0
                    end_mask |= bit
            axis += 1
        begin.append(start)
        end.append(stop)
        strides.append(step)
    masks = {
        "begin_mask": begin_mask, "end_mask": end_mask, "new_axis_mask": new_mask, "shrink_axis_mask": shrink_mask,
    }  # fmt: skip
    shape.extend(sizes[axis:])
    return _Slices(constant(tuple(begin)), constant(tuple(end)), constant(tuple(strides)), masks, shape)


def _gathered(x: Any, entries: list[Any], dots: int) -> Any:
    """Return the elements at a key with index arrays, which integers beside them belong to.

    Their axes stay together if nothing stands between them in the key, `...` for no axes counting as well.
    """
    plain: list[Any] = []
    indices: list[tuple[int, Any]] = []
    among: list[int] = []
    sizes = x.shape.as_list()
    axis = 0
    for place, entry in enumerate(entries):
        if entry is None or type(entry) is slice:
            plain.append(entry)
            axis += entry is not None
            continue
        among.append(place)
        found = _index_arrays(x, sizes, entry, axis)
        indices.extend((len(plain) + i, index) for i, index in enumerate(found))
        if type(entry) is not int and entry.dtype is tf.bool and not entry.shape.rank:
            plain.append(None)
        else:
            plain.extend([slice(None)] * len(found))
            axis += len(found)
    if any(entry is None or entry != slice(None) for entry in plain):
        x = _sliced(x, plain)
    together = among[-1] - among[0] == len(among) - 1 and not among[0] < dots <= among[-1]
    return _at(x, indices, together)


def _index_arrays(x: Any, sizes: list[int | None], entry: Any, axis: int) -> list[Any]:
    """Return the index arrays for which an integer, an index array or a mask stands, one for each axis."""
    if type(entry) is int:
        return [tf.constant(_index(entry, sizes[axis], axis), tf.int64)]
    if entry.dtype is not tf.bool:
        return [places(entry, x, axis)]
    _check_mask(entry, sizes, axis)
    if not entry.shape.rank:
        entry = raw_ops.Reshape(tensor=entry, shape=constant((1,)))
    return raw_ops.Unpack(value=raw_ops.Where(condition=entry), num=entry.shape.rank, axis=1)


def _lone_mask(x: Any, entries: list[Any]) -> Any:
    """Return the mask, with elements, that is the whole key."""
    mask = entries[0]
    if len(entries) > 1 or mask.dtype is not tf.bool or not mask.shape.rank or 0 in mask.shape:
        return None
    _check_mask(mask, x.shape.as_list(), 0)
    return mask


def _check_mask(mask: Any, sizes: list[int | None], axis: int) -> None:
    """Refuse a mask that has another size than its array along an axis; nothing fits everywhere."""
    for own, size in zip(mask.shape.as_list(), sizes[axis:], strict=False):
        if own and size is not None and own != size:
            raise IndexError(f"a mask of shape {tuple(mask.shape)} does not fit axis {axis} on of {tuple(sizes)}")


def _at(x: Any, indices: list[tuple[int, Any]], together: bool) -> Any:
    """Gather at broadcast index arrays; their axes stand where the first was if they are `together`, else in front."""
    axes = [axis for axis, _ in indices]
    arrays = [index for _, index in indices]
    nowhere = any(index.shape.num_elements() == 0 for index in arrays)
    if nowhere or 0 in x.shape:
        _check_range(x, [(axis, index) for axis, index in indices if not (nowhere and index.shape.rank)])
    if len(arrays) == 1:
        return raw_ops.GatherV2(params=x, indices=arrays[0], axis=axes[0])
    arrays, shape = _alike(arrays)
    rest = [axis for axis in range(x.shape.rank) if axis not in axes]
    if axes != list(range(len(axes))):
        x = raw_ops.Transpose(x=x, perm=constant((*axes, *rest)))
    if 0 in x.shape:
        gathered = _nothing(x, shape, len(axes))
    else:
        gathered = raw_ops.GatherNd(params=x, indices=raw_ops.Pack(values=arrays, axis=-1))
    front = axes[0] if together else 0
    if not front:
        return gathered
    count = shape.rank
    order = (*range(count, count + front), *range(count), *range(count + front, count + len(rest)))
    return raw_ops.Transpose(x=gathered, perm=constant(order))


def _check_range(x: Any, indices: list[tuple[int, Any]]) -> None:
    """Refuse indices beyond an axis where no element is chosen, so that TensorFlow does not look at them.

    As in NumPy, arrays of indices that choose nothing may hold anything, integers beside them may not.
    """
    for axis, index in indices:
        if hasattr(index, "numpy"):
            values, size = elements(index), x.shape[axis]
            if values.min() < 0 or values.max() >= size:
                raise IndexError(f"an index is out of bounds for axis {axis} with size {size}")


def _alike(arrays: list[Any]) -> tuple[list[Any], Any]:
    """Bring index arrays to one dtype and one shape, and return the shape too."""
    arrays = [x if x.dtype is tf.int64 else raw_ops.Cast(x=x, DstT=tf.int64) for x in arrays]
    shape = arrays[0].shape
    for x in arrays[1:]:
        try:
            shape = tf.broadcast_static_shape(shape, x.shape)
        except ValueError:
            shapes = ", ".join(str(tuple(x.shape)) for x in arrays)
            raise IndexError(f"index arrays of the shapes {shapes} do not broadcast to one shape") from None
    target = constant(tuple(shape)) if shape.is_fully_defined() else tf.shape(tf.add_n(arrays))
    return [raw_ops.BroadcastTo(input=x, shape=target) for x in arrays], shape


def _nothing(x: Any, shape: Any, count: int) -> Any:
    """Gather from an array without elements, which TensorFlow refuses."""
    if 0 in x.shape[:count] and 0 not in shape:
        raise IndexError(f"there is nothing to index in axes of the sizes {tuple(x.shape[:count])}")
    return raw_ops.Reshape(tensor=x[:0], shape=constant((*shape, *x.shape[count:])))


def _fitting(value: Any, shape: list[int | None], run_time_shape: Callable[[], Any]) -> Any:
    """Return a value broadcast to a shape; axes of length one in front of it may be too many, as in NumPy."""
    own = value.shape.as_list()
    if own == shape and None not in own:
        return value
    if len(own) > len(shape):
        spare = len(own) - len(shape)
        if any(size != 1 for size in own[:spare]):
            raise ValueError(f"a value of shape {tuple(own)} does not fit into the shape {tuple(shape)}")
        value = raw_ops.Squeeze(input=value, axis=list(range(spare)))
    return raw_ops.BroadcastTo(input=value, shape=run_time_shape() if None in shape else constant(tuple(shape)))
