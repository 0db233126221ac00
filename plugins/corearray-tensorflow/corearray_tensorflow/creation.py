"""Making arrays.

TensorFlow wraps Python integers that do not fit round, and it ends the process over foreign memory that is not aligned.
"""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
import tensorflow as tf

from corearray.plugin import hookimpl, is_constant, read_range
from corearray_tensorflow.data_type import cast
from corearray_tensorflow.manipulation import moveaxis
from corearray_tensorflow.native import (
    ARRAYS,
    COMPLEX,
    FLOATING,
    INTEGERS,
    NUMBERS,
    choose,
    constant,
    number,
    ones_beside,
    placed,
    raw_ops,
    shape_argument,
    shape_of,
    zero_or_one,
)

#: Memory must lie at a multiple of this many bytes to be used without a copy.
_ALIGNMENT = 64

#: Kinds of NumPy's dtypes of numbers; the last one is of those that other libraries add.
_NUMERIC = "biufcV"


@hookimpl
def arange(start: float, /, stop: Any = None, step: float = 1, *, dtype: Any = None, device: Any = None) -> Any:
    first, step, count = read_range(start, stop, step, dtype)
    limit = tf.constant(count, tf.int64)
    values = raw_ops.Range(start=zero_or_one(0, tf.int64), limit=limit, delta=zero_or_one(1, tf.int64))
    if type(first) is int:
        first, step = _wrapped(first), _wrapped(step)
    else:
        values = raw_ops.Cast(x=values, DstT=tf.float64)
    if step != 1:
        values = raw_ops.Mul(x=values, y=step)
    if first != 0:
        values = raw_ops.AddV2(x=values, y=first)
    if type(first) is float and dtype in INTEGERS:
        values = raw_ops.Floor(x=values)
    return placed(values if values.dtype is dtype else cast(values, dtype), device)


@hookimpl
def asarray(obj: Any, /, dtype: Any = None, device: Any = None, copy: bool | None = None) -> Any:
    if type(obj) in NUMBERS and copy is not False:
        return placed(_scalar(obj, dtype), device)
    if isinstance(obj, ARRAYS):
        return _converted(obj, dtype, device, copy)
    if hasattr(obj, "__dlpack__") and (copy is False or not isinstance(obj, (np.ndarray, np.generic))):
        copy = True if copy is None and not is_constant(obj) else copy  # a write there must not change this array
        return _converted(_imported(obj, copy), dtype, device, None if copy else copy)
    if copy is False:
        raise ValueError(f"TensorFlow cannot use the memory of a {type(obj).__name__}; let copy be None or True")
    if isinstance(obj, (list, tuple)):
        made = _from_nest(obj, dtype)
    else:
        made = _from_numpy(np.asarray(obj), dtype)
    if made.dtype is tf.string:
        raise TypeError("cannot make an array of texts; give numbers")
    return placed(made, device)


@hookimpl
def empty(shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
    return placed(raw_ops.Fill(dims=shape_argument(shape), value=zero_or_one(0, dtype)), device)


@hookimpl
def empty_like(x: Any, /, dtype: Any = None, device: Any = None) -> Any:
    return zeros_like(x, dtype=dtype, device=device)


@hookimpl
def eye(n_rows: int, n_cols: Any = None, /, k: int = 0, dtype: Any = None, device: Any = None) -> Any:
    n_cols = n_rows if n_cols is None else n_cols
    length = min(n_rows, n_cols - k) if k >= 0 else min(n_rows + k, n_cols)
    if length <= 0:
        return zeros((n_rows, n_cols), dtype=dtype, device=device)
    ones = raw_ops.Fill(dims=constant((length,)), value=zero_or_one(1, dtype))
    none = zero_or_one(0, dtype)
    return placed(
        raw_ops.MatrixDiagV3(diagonal=ones, k=k, num_rows=n_rows, num_cols=n_cols, padding_value=none), device
    )


@hookimpl
def from_dlpack(x: Any, /, device: Any = None, copy: bool | None = None) -> Any:
    native = getattr(x, "native", x)
    if isinstance(native, ARRAYS):
        return _converted(native, None, device, copy)
    return _converted(_imported(x, copy), None, device, None if copy else copy)


@hookimpl
def full(shape: Any, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Any:
    return placed(raw_ops.Fill(dims=shape_argument(shape), value=_one_number(fill_value, dtype)), device)


@hookimpl
def full_like(x: Any, /, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Any:
    return placed(raw_ops.Fill(dims=shape_of(x), value=_one_number(fill_value, dtype)), device)


@hookimpl
def linspace(
    start: Any, stop: Any, /, num: int, *, dtype: Any = None, device: Any = None, endpoint: bool = True, axis: int = 0
) -> Any:
    if num < 0:
        raise ValueError(f"the number of values is {num}; it must not be negative")
    intervals = num - 1 if endpoint else num
    index = arange(num, dtype=tf.complex128 if dtype in COMPLEX else tf.float64)
    several = isinstance(start, ARRAYS) or isinstance(stop, ARRAYS)
    if several:
        bounds = [cast(x, index.dtype) if isinstance(x, ARRAYS) else number(x, index.dtype) for x in (start, stop)]
        shape = tf.broadcast_dynamic_shape(tf.shape(bounds[0]), tf.shape(bounds[1]))
        start, stop = [tf.broadcast_to(x, shape)[..., tf.newaxis] for x in bounds]
    step = (stop - start) / intervals if intervals > 0 else 0.0
    values = raw_ops.AddV2(x=raw_ops.Mul(x=index, y=step), y=start)
    if endpoint and num > 1:
        values = choose(raw_ops.Equal(x=index, y=intervals), stop if several else number(stop, index.dtype), values)
    if dtype in INTEGERS:
        values = raw_ops.Floor(x=values)
    if several:
        values = moveaxis(values, -1, axis)
    return placed(cast(values, dtype), device)


@hookimpl
def ones(shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
    return placed(raw_ops.Fill(dims=shape_argument(shape), value=zero_or_one(1, dtype)), device)


@hookimpl
def ones_like(x: Any, /, dtype: Any = None, device: Any = None) -> Any:
    if x.dtype is dtype:
        return placed(ones_beside(x), device)
    return placed(raw_ops.Fill(dims=shape_of(x), value=zero_or_one(1, dtype)), device)


@hookimpl
def tril(x: Any, /, k: int = 0) -> Any:
    return _band(x, "tril", -1, k) if k >= 0 else _without_band(x, "tril", -k - 1, -1)


@hookimpl
def triu(x: Any, /, k: int = 0) -> Any:
    return _band(x, "triu", -k, -1) if k <= 0 else _without_band(x, "triu", -1, k - 1)


@hookimpl
def zeros(shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
    return placed(raw_ops.Fill(dims=shape_argument(shape), value=zero_or_one(0, dtype)), device)


@hookimpl
def zeros_like(x: Any, /, dtype: Any = None, device: Any = None) -> Any:
    if x.dtype is dtype:
        return placed(raw_ops.ZerosLike(x=x), device)
    return placed(raw_ops.Fill(dims=shape_of(x), value=zero_or_one(0, dtype)), device)


def _wrapped(value: int) -> int:
    """Return the integer of 64 bits with sign that has the bits of `value`."""
    return (value + 2**63) % 2**64 - 2**63


def _scalar(value: Any, dtype: Any) -> Any:
    """Return an array without axes for a Python number."""
    kind = type(value)
    if dtype in INTEGERS:
        value = int(value)
        if not dtype.min <= value <= dtype.max:
            raise OverflowError(f"the Python integer {value} does not fit into {dtype.name}")
    elif dtype is tf.bool:
        value = bool(value)
    elif kind is complex and dtype in FLOATING:
        raise TypeError(f"the complex number {value} does not fit into {dtype.name}")
    elif dtype in COMPLEX:
        value = complex(value)
    return number(value, dtype)


def _one_number(value: Any, dtype: Any) -> Any:
    """Return an array without axes; TensorFlow fills with one of one element, too."""
    made = asarray(value, dtype=dtype)
    if type(value) not in NUMBERS and made.shape.rank:
        raise ValueError(f"the value has the shape {tuple(made.shape)}; it is one number")
    return made


def _from_nest(obj: Any, dtype: Any) -> Any:
    """Return an array of nested sequences of Python numbers, among which there may be arrays."""
    if _holds_array(obj):
        return raw_ops.Pack(values=[asarray(item, dtype=dtype) for item in obj], axis=0)
    if dtype in INTEGERS:
        wide = np.array(obj, np.uint64 if dtype is tf.uint64 else np.int64)
        if dtype is tf.uint64 and np.any(np.array(obj, object) <= -1):  # NumPy 1 wraps them
            raise OverflowError(f"some of the Python integers do not fit into {dtype.name}")
        return tf.constant(_narrowed(wide, dtype))
    return _from_numpy(np.array(obj, None if dtype is None else dtype.as_numpy_dtype), dtype)


def _holds_array(obj: Any) -> bool:
    return any(_holds_array(item) if isinstance(item, (list, tuple)) else isinstance(item, ARRAYS) for item in obj)


def _narrowed(wide: Any, dtype: Any) -> Any:
    narrow = wide.astype(dtype.as_numpy_dtype)
    if not np.array_equal(narrow, wide):
        raise OverflowError(f"some of the Python integers do not fit into {dtype.name}")
    return narrow


def _from_numpy(array: Any, dtype: Any) -> Any:
    """Return a copy of a NumPy array."""
    own = tf.dtypes.as_dtype(array.dtype.newbyteorder("="))
    made = tf.constant(array.astype(own.as_numpy_dtype, copy=False))
    return made if dtype is None or dtype is own else cast(made, dtype)


def _converted(x: Any, dtype: Any, device: Any, copy: bool | None) -> Any:
    """Return a native array in a dtype and on a device."""
    result = placed(x if dtype is None or x.dtype is dtype else cast(x, dtype), device)
    if result is x:
        return raw_ops.Identity(input=x) if copy else x
    if copy is False:
        raise ValueError("another dtype or device needs a copy; let copy be None or True")
    return result


def _imported(obj: Any, copy: bool | None) -> Any:
    """Return an array of another library, in its memory where TensorFlow can use that and `copy` allows it."""
    kind, _ = obj.__dlpack_device__()
    if int(kind) != 1:
        shared = tf.experimental.dlpack.from_dlpack(obj.__dlpack__())
        return raw_ops.DeepCopy(x=shared) if copy else shared
    array = np.asarray(obj) if hasattr(obj, "__array__") else np.from_dlpack(obj)
    if array.dtype.kind not in _NUMERIC:
        obj.__dlpack__()  # which raises, and says why
    aligned = not array.size or array.__array_interface__["data"][0] % _ALIGNMENT == 0
    lazy = not hasattr(getattr(obj, "native", obj), "__dlpack__")  # computed anew in each export, perhaps not aligned
    usable = aligned and not lazy and array.flags.c_contiguous and array.dtype.isnative
    if usable and not copy and (array.flags.writeable or not isinstance(obj, np.ndarray)):
        return tf.experimental.dlpack.from_dlpack(obj.__dlpack__())
    if copy is False:
        raise ValueError(f"TensorFlow cannot use the memory of this {type(obj).__name__}; let copy be None or True")
    return _from_numpy(array, None)


def _band(x: Any, name: str, lower: int, upper: int) -> Any:
    """Return matrices with so many diagonals below and above the main one, all where the number is negative."""
    if x.shape.rank < 2:
        raise ValueError(f"'{name}' got an array of shape {tuple(x.shape)}; it takes matrices, of shape (..., M, N)")
    rows, columns = x.shape[-2:]
    lower, upper = index(lower), index(upper)
    lower = lower if rows is None else min(lower, rows)
    upper = upper if columns is None else min(upper, columns)
    return raw_ops.MatrixBandPart(input=x, num_lower=lower, num_upper=upper)


def _without_band(x: Any, name: str, lower: int, upper: int) -> Any:
    """Return matrices with zeros in these diagonals."""
    everywhere = raw_ops.Fill(dims=shape_of(x), value=True)
    return choose(_band(everywhere, name, lower, upper), raw_ops.ZerosLike(x=x), x)
