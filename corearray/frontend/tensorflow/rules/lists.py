"""Lists of tensors, which hold the elements of `tf.TensorArray`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import corearray as ca
from corearray.frontend.tensorflow.described import rule, say
from corearray.frontend.tensorflow.tensor_list import TensorList

__all__: list[str] = []

say("""
tensorflow.raw_ops.TensorListFromTensor(tensor, element_shape) = (
    TensorList(tensor, tensor.shape[0], tensor.dtype, tuple(tensor.shape[1:])))
tensorflow.raw_ops.TensorListReserve(element_shape, num_elements, element_dtype) = (
    TensorList(None, int(num_elements), element_dtype, _shape(element_shape)))
tensorflow.raw_ops.EmptyTensorList(element_shape, max_num_elements, element_dtype) = (
    TensorList(None, 0, element_dtype, _shape(element_shape)))
tensorflow.raw_ops.TensorListGetItem(input_handle, index, element_shape, element_dtype) = (
    _known(input_handle, element_shape).get(index))
tensorflow.raw_ops.TensorListSetItem(input_handle, index, item, resize_if_index_out_of_bounds=False) = (
    input_handle.set(index, item, grows=resize_if_index_out_of_bounds))
tensorflow.raw_ops.TensorListPushBack(input_handle, tensor) = input_handle.pushed(tensor)
tensorflow.raw_ops.TensorListPopBack(input_handle, element_shape, element_dtype) = (
    list(_known(input_handle, element_shape).popped()))
tensorflow.raw_ops.TensorListLength(input_handle) = ca.asarray(input_handle.length, dtype=ca.int32)
tensorflow.raw_ops.TensorListElementShape(input_handle, shape_type) = ca.asarray(list(input_handle.shape), dtype=shape_type)
tensorflow.raw_ops.TensorListConcatLists(input_a, input_b, element_dtype) = (
    TensorList(ca.concat([input_a.stacked, input_b.stacked]), input_a.length + input_b.length, input_a.dtype, input_a.shape))
tensorflow.raw_ops.TensorListGather(input_handle, indices, element_shape, element_dtype) = (
    ca.take(_known(input_handle, element_shape).stacked, indices, axis=0))
tensorflow.raw_ops.TensorListScatterIntoExistingList(input_handle, tensor, indices) = _scattered(input_handle, tensor, indices)
tensorflow.raw_ops.TensorListScatterV2(tensor, indices, element_shape, num_elements) = (
    _scattered(TensorList(None, int(num_elements), tensor.dtype, tuple(tensor.shape[1:])), tensor, indices))
""")


def _shape(shape: Any) -> tuple[int, ...] | None:
    """Return the shape of elements, `None` where it is not known."""
    if not isinstance(shape, Sequence) or any(int(n) < 0 for n in shape):
        return None
    return tuple(int(n) for n in shape)


def _known(elements: TensorList, shape: Any) -> TensorList:
    known = _shape(shape)
    return elements if known is None or elements.shape is not None else elements.of_shape(known)


def _scattered(elements: TensorList, rows: ca.Array, indices: ca.Array) -> TensorList:
    known = elements.of_shape(rows.shape[1:])
    made = ca.scatter_nd(indices[:, None], rows, base=known.stacked, reduction="replace")
    return TensorList(made, known.length, known.dtype, known.shape)


@rule("tensorflow.raw_ops.TensorListStack")
def stack(input_handle: TensorList, element_shape: Any, element_dtype: Any, num_elements: int = -1) -> Any:
    """Return the elements as one array."""
    known = _known(input_handle, element_shape)
    if known.uneven:
        return ca.stack(known.uneven)
    if known.stacked is not None:
        return known.stacked
    return ca.zeros((0, *(known.shape or ())), dtype=element_dtype)


@rule("tensorflow.raw_ops.TensorListConcatV2")
def concat(input_handle: TensorList, element_shape: Any, leading_dims: Any, element_dtype: Any) -> Any:
    """Join the elements along their first axis; return the lengths of them too."""
    stacked, uneven = input_handle.stacked, input_handle.uneven
    if uneven:
        return [ca.concat(uneven, axis=0), ca.asarray([x.shape[0] for x in uneven], dtype=ca.int64)]
    lengths = ca.full((input_handle.length,), stacked.shape[1], dtype=ca.int64)
    return [ca.reshape(stacked, (-1, *stacked.shape[2:])), lengths]


@rule("tensorflow.raw_ops.ZerosLike")
def zeros_like(x: Any) -> Any:
    """Return zeros in the place of elements, also of those of a list."""
    if not isinstance(x, TensorList):
        return ca.zeros_like(x)
    stacked = None if x.stacked is None else ca.zeros_like(x.stacked)
    return TensorList(stacked, x.length, x.dtype, x.shape)


@rule("tensorflow.raw_ops.AddN", "tensorflow.raw_ops.AccumulateNV2")
def add_n(inputs: Sequence[Any], shape: Any = None) -> Any:
    """Add arrays, or the elements of lists."""
    first = inputs[0]
    if not isinstance(first, TensorList):
        return reduce(ca.add, inputs)
    held = [x for x in inputs if x.stacked is not None]
    if not held:
        return first
    return TensorList(reduce(ca.add, [x.stacked for x in held]), first.length, first.dtype, held[0].shape)
