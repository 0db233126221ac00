"""Functions that make tensors."""

from __future__ import annotations

from math import prod
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.operands import is_floating
from corearray.frontend.tensorflow.conversion import alike, axis_of, integers, tensor
from corearray.frontend.tensorflow.data_types import dtype_of
from corearray.frontend.tensorflow.described import rule, say
from corearray.frontend.tensorflow.exceptions import InvalidArgumentError

__all__: list[str] = []

say("""
tensorflow.ones(shape, dtype=ca.float32, name=None, layout=None) = ca.ones(integers(shape), dtype=dtype_of(dtype))
tensorflow.zeros(shape, dtype=ca.float32, name=None, layout=None) = ca.zeros(integers(shape), dtype=dtype_of(dtype))
tensorflow.ones_like(input, dtype=None, name=None, layout=None) = ca.ones_like(tensor(input), dtype=dtype_of(dtype))
tensorflow.zeros_like(input, dtype=None, name=None, layout=None) = ca.zeros_like(tensor(input), dtype=dtype_of(dtype))
tensorflow.fill(dims, value, name=None, layout=None) = ca.broadcast_to(tensor(value), integers(dims))
""")


@rule("tensorflow.constant")
def constant(value: Any, dtype: Any = None, shape: Any = None, name: Any = "Const") -> Any:
    """Return a tensor of numbers, nested lists or an array; foreign arrays and tensors are converted to the dtype."""
    own = dtype_of(dtype)
    made = ca.astype(value, own or value.dtype) if isinstance(value, ca.Array) else tensor(value, own)
    if shape is None:
        return made
    sizes = integers(shape)
    if made.size == prod(sizes):
        return ca.reshape(made, sizes)
    if made.size == 1:
        return ca.broadcast_to(ca.reshape(made, ()), sizes)
    raise CoreArrayTypeError(
        f"Eager execution of tf.constant with unsupported shape. The value has {made.size} elements, but got `shape` {sizes} "
        f"with {prod(sizes)} elements"
    )


@rule("tensorflow.convert_to_tensor")
def convert_to_tensor(value: Any, dtype: Any = None, dtype_hint: Any = None, name: Any = None) -> Any:
    """Return a tensor; one that has another dtype than `dtype` is refused."""
    return tensor(value, dtype_of(dtype), dtype_of(dtype_hint))


@rule("tensorflow.range")
def range_(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str = "range") -> Any:
    """Return numbers at equal distances."""
    if limit is None:
        start, limit = 0, start
    own = dtype_of(dtype)
    given = [start, limit, delta]
    if own is None:
        held = [x.dtype if isinstance(x, ca.Array) else tensor(x).dtype for x in given]
        own = sorted(held, key=lambda one: (is_floating(one), one.bits))[-1]
    numbers = [x.item() if isinstance(x, ca.Array) else x for x in given]
    if numbers[2] == 0:
        raise InvalidArgumentError("Requires delta != 0")
    return ca.arange(*numbers, dtype=own)


@rule("tensorflow.linspace")
def linspace(start: Any, stop: Any, num: Any, name: Any = None, axis: int = 0) -> Any:
    """Return numbers at equal distances, the ends among them, along a new axis."""
    first, last = alike("LinSpace", [start, stop])
    if not is_floating(first.dtype):
        first, last = ca.astype(first, ca.float64), ca.astype(last, ca.float64)
    first, last = ca.broadcast_arrays(first, last)
    count = integers(num)[0]
    if count < 1:
        raise CoreArrayValueError(f"Requires num > 0: {count}")
    place = axis_of(axis, first.ndim + 1)
    first, last = ca.expand_dims(first, axis=place), ca.expand_dims(last, axis=place)
    if count == 1:
        return first
    steps = ca.reshape(ca.arange(count - 1, dtype=first.dtype), (-1, *(1,) * (first.ndim - 1 - place)))
    made = first + (last - first) / (count - 1) * steps
    return ca.concat([made, last], axis=place)


@rule("tensorflow.eye", "tensorflow.linalg.eye")
def eye(
    num_rows: Any, num_columns: Any = None, batch_shape: Any = None, dtype: Any = ca.float32, name: Any = None
) -> Any:
    """Return matrices with ones on the diagonal."""
    rows = integers(num_rows)[0]
    columns = rows if num_columns is None else integers(num_columns)[0]
    made = ca.eye(rows, columns, dtype=dtype_of(dtype))
    return made if batch_shape is None else ca.broadcast_to(made, (*integers(batch_shape), rows, columns))


@rule("tensorflow.broadcast_static_shape")
def broadcast_static_shape(shape_x: Any, shape_y: Any) -> Any:
    """Return the shape of a result of tensors of two shapes."""
    from corearray.frontend.tensorflow.tensor_shape import TensorShape

    return TensorShape(ca.broadcast_shapes(tuple(shape_x), tuple(shape_y)))


@rule("tensorflow.broadcast_dynamic_shape")
def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> Any:
    """Return the shape of a result of tensors of two shapes, as a tensor."""
    one, other = alike("BroadcastArgs", [shape_x, shape_y])
    return ca.asarray(list(ca.broadcast_shapes(integers(one), integers(other))), dtype=one.dtype)
