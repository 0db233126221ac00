"""Types, dtypes and devices of TensorFlow, the constants that its operations take, and the ways in and out.

The implementations call raw operations, the public functions without the conversions in front. One makes a tensor of a
Python tuple at every call, which costs three times what it costs itself; `constant` keeps such tensors.
"""

from __future__ import annotations

import math
from contextvars import ContextVar
from functools import cache, lru_cache, partial, wraps
from inspect import isfunction, unwrap
from operator import attrgetter, index
from types import SimpleNamespace
from typing import Any

import numpy as np
import tensorflow as tf

from corearray import LinAlgError, TracingError
from corearray.plugin import Device, Via, hookimpl
from corearray_tensorflow.composites import register_composite
from corearray_tensorflow.protocols import Dispatcher

#: The functions of `tf.raw_ops`, without the wrapper around each that refuses positional arguments and costs a tenth.
raw_ops = SimpleNamespace(**{name: unwrap(found) for name, found in vars(tf.raw_ops).items() if isfunction(found)})

ARRAYS = (tf.Tensor, tf.Variable)
NUMBERS = frozenset((bool, int, float, complex))

FLOATING = frozenset((tf.float16, tf.bfloat16, tf.float32, tf.float64))
COMPLEX = frozenset((tf.complex64, tf.complex128))
SIGNED = frozenset((tf.int8, tf.int16, tf.int32, tf.int64))
UNSIGNED = frozenset((tf.uint8, tf.uint16, tf.uint32, tf.uint64))
INTEGERS = SIGNED | UNSIGNED

#: The dtype of the real and imaginary parts, and the other way round.
PARTS = {tf.complex64: tf.float32, tf.complex128: tf.float64}
WHOLE = {tf.float32: tf.complex64, tf.float64: tf.complex128}
#: The signed integers of the same width, for work on the bits of floating-point numbers.
BITS = {tf.float16: tf.int16, tf.bfloat16: tf.int16, tf.float32: tf.int32, tf.float64: tf.int64}

#: `hookimpl(via=...)` of what TensorFlow has from float32 on, or rounds at each step.
HALF = {"float16": "float32", "bfloat16": "float32"}

#: `hookimpl(via=...)` of functions that TensorFlow refuses for truth values: they give those that NumPy gives, or its integers.
TRUTH_AS_NUMBERS: dict[str, str | Via] = {"bool": "int32"}
TRUTH_TO_INT8: dict[str, str | Via] = {"bool": Via("int8", back=False)}
TRUTH_TO_INT64: dict[str, str | Via] = {"bool": Via("int64", back=False)}

#: `hookimpl(via=...)` of products and sums of integers, which have the same low bits in a wider dtype.
WIDE = {
    "int8": "int32", "int16": "int32", "uint8": "int32", "uint16": "int32", "uint32": "int64",
    "uint64": Via(
        "int64",
        lambda x: raw_ops.Bitcast(input=x, type=tf.int64),
        lambda x: raw_ops.Bitcast(input=x, type=tf.uint64),
    ),
}  # fmt: skip


@lru_cache(maxsize=4096)
def constant(value: Any) -> Any:
    """Return a tensor of one integer or of (nested) tuples of integers, such as a shape or an order of axes."""
    array = np.asarray(value)
    if array.dtype != np.int64:
        if array.size and array.dtype.kind == "f":  # of which NumPy cuts fractions off
            raise TypeError(f"{value} holds numbers that are no integers")
        array = np.asarray(value, np.int64)
    small = not array.size or (array.min() >= -(2**31) and array.max() < 2**31)
    return _kept(array, tf.int32 if small else tf.int64)


@cache
def zero_or_one(value: int, dtype: Any) -> Any:
    """Return 0 or 1 in a dtype."""
    return _kept(np.asarray(value, dtype.as_numpy_dtype), dtype)


def is_kept(x: Any) -> bool:
    """Whether a tensor may be one of the above: an integer, or a 0 or 1 from here."""
    return x.dtype.is_integer or (
        (x.dtype.is_floating or x.dtype.is_complex)
        and x.shape.rank == 0
        and any(x is zero_or_one(value, x.dtype) for value in (0, 1))
    )


def _kept(array: Any, dtype: Any) -> Any:
    """Return a tensor to keep: outside of a function that is traced, in host memory, which every device can read."""
    with tf.init_scope(), tf.device("CPU:0"):
        if not tf.executing_eagerly():
            raise RuntimeError("corearray computes in eager mode and in tf.function, not in a graph of TensorFlow 1")
        return tf.constant(array, dtype)


def ones_beside(x: Any) -> Any:
    """Return ones of the shape and dtype of an array; TensorFlow's own are zeros while it compiles these integers."""
    if x.dtype in _WIDE_UNSIGNED:
        return raw_ops.Fill(dims=shape_of(x), value=zero_or_one(1, x.dtype))
    return raw_ops.OnesLike(x=x)


_WIDE_UNSIGNED = frozenset((tf.uint32, tf.uint64))


def shape_argument(shape: Any) -> Any:
    """Return a shape, or one size, as a tensor; sizes that are tensors themselves are packed.

    `constant` takes 2.0 for 2 where it has met that; such sizes have no divisor.
    """
    try:
        math.gcd(*shape)
        return _shape(shape if type(shape) is tuple else tuple(shape))
    except TypeError:
        return constant((shape,)) if type(shape) is int else tf.stack(list(shape))


@lru_cache(maxsize=4096)
def _shape(shape: tuple[int, ...]) -> Any:
    """Return a shape as a tensor; TensorFlow finds a size beside 0 where there is none to find."""
    if 0 in shape and -1 in shape:
        raise ValueError(f"the size -1 may be any beside 0, in the shape {shape}")
    return constant(shape)


def shape_of(x: Any) -> Any:
    """Return the shape of an array as a tensor, read at run time where a size is unknown."""
    shape = x.shape
    return constant(tuple(shape)) if shape.is_fully_defined() else tf.shape(x)


@cache
def all_axes(ndim: int) -> Any:
    """Return the axes of an array, as a tensor."""
    return constant(tuple(range(ndim)))


def at_hand(x: Any) -> bool:
    """Whether NumPy can read the elements where they are: neither of a function that is traced nor on another device."""
    return hasattr(x, "numpy") and "CPU" in x.device


def elements(x: Any) -> Any:
    """Return the elements of a tensor at hand as NumPy's array, in the tensor's own memory.

    In a copy those of a variable, and of dtypes that NumPy does not know, as bfloat16.
    """
    try:
        return np.asarray(memoryview(x))
    except (TypeError, ValueError):
        return np.asarray(x)


def beside(array: Any, x: Any) -> Any:
    """Return what NumPy computed of a tensor's elements, as a tensor on the same device."""
    if len(_device_names()) == 1:
        return tf.constant(array)
    with tf.device(x.device):
        return tf.constant(array)


def reduced(x: Any, axis: Any) -> Any:
    """Return the axes of a reduction as raw operations take them: all for `None`, a tuple as a tensor."""
    if axis is None:
        return all_axes(x.shape.rank)
    if type(axis) is int:
        return axis
    return constant(tuple(map(index, axis))) if isinstance(axis, (tuple, list)) else index(axis)


def checked_axis(axis: int, ndim: int) -> int:
    """Return an axis counted from the front.

    Raises
    ------
    IndexError
        If there is no such axis.
    """
    if not -ndim <= index(axis) < ndim:
        raise IndexError(f"axis {axis} is out of bounds for an array with {ndim} axes")
    return axis % ndim


def checked_axes(axes: Any, ndim: int, *, repeated: bool = False) -> tuple[int, ...]:
    """Return one axis or several as a tuple, counted from the front.

    Raises
    ------
    IndexError, ValueError
        If there is no such axis, or if one stands twice and may not be `repeated`.
    """
    found = tuple(checked_axis(axis, ndim) for axis in (axes if isinstance(axes, (tuple, list)) else (axes,)))
    if not repeated and len(set(found)) < len(found):
        raise ValueError(f"the axes {tuple(axes)} of an array with {ndim} axes name one twice; name each once")
    return found


def to_last(axis: int, ndim: int) -> Any:
    """Return the order of axes that exchanges one with the last, or `None` if it is the last."""
    axis = checked_axis(axis, ndim)
    if axis == ndim - 1:
        return None
    order = list(range(ndim))
    order[axis], order[-1] = order[-1], order[axis]
    return constant(tuple(order))


def number(value: complex, dtype: Any) -> Any:
    """Return a Python number as a tensor. TensorFlow keeps such tensors by value and takes -0.0 for 0.0."""
    if type(value) is complex:
        return tf.constant(np.asarray(value, dtype.as_numpy_dtype))
    if value is True:  # which bfloat16 refuses
        return zero_or_one(1, dtype)
    if value != 0:
        return tf.constant(value, dtype)
    zero = zero_or_one(0, dtype)
    return raw_ops.Neg(x=zero) if type(value) is float and math.copysign(1.0, value) < 0 else zero


def operand(x: Any, other: Any) -> Any:
    """Return an operand beside another one, a Python number as a tensor: for the first, which settles the dtype while
    tracing, and for those of which the sign of zero counts.
    """
    return number(x, other.dtype) if type(x) in NUMBERS else x


def real_part(x: Any) -> Any:
    """Return the real part of a complex array."""
    return raw_ops.Real(input=x, Tout=PARTS[x.dtype])


def imag_part(x: Any) -> Any:
    """Return the imaginary part of a complex array."""
    return raw_ops.Imag(input=x, Tout=PARTS[x.dtype])


def complex_of(real: Any, imag: Any) -> Any:
    """Return the complex array with these parts."""
    return raw_ops.Complex(real=real, imag=imag, Tout=WHOLE[real.dtype])


#: Whether a program is mapped over an axis.
mapping: ContextVar[bool] = ContextVar("corearray_tensorflow.native.mapping", default=False)


#: Gets an entry for each custom gradient that a mapped program calls; `None` outside of one.
custom_gradients: ContextVar[list[Any] | None] = ContextVar(
    "corearray_tensorflow.native.custom_gradients", default=None
)


def custom_gradient(function: Any) -> Any:
    """Apply `tf.custom_gradient`, and note each call in `custom_gradients`.

    `tf.vectorized_map` maps the operations of a call but not its derivative; `vectorized` gives one to the mapped program.
    """
    computed = tf.custom_gradient(function)

    @wraps(function)
    def call(*args: Any) -> Any:
        calls = custom_gradients.get()
        if calls is not None:
            calls.append(function)
        return computed(*args)

    return call


def padded_by(x: Any, pairs: tuple[Any, ...], number: Any) -> Any:
    """Put a number around the elements; `tf.vectorized_map` puts zeros there, whatever number is asked for."""
    pairs = constant(pairs)
    number = tf.constant(number, x.dtype)
    if not mapping.get():
        return raw_ops.PadV2(input=x, paddings=pairs, constant_values=number)
    inside = raw_ops.Pad(input=ones_beside(x), paddings=pairs)
    return choose(raw_ops.NotEqual(x=inside, y=0), raw_ops.Pad(input=x, paddings=pairs), number)


#: Whether a program runs on behalf of a derivative.
deriving: ContextVar[bool] = ContextVar("corearray_tensorflow.native.deriving", default=False)


def may_be_derived() -> bool:
    """Whether a program runs on behalf of a derivative, or is traced, after which it may be differentiated."""
    return deriving.get() or not tf.executing_eagerly() or not _records_nothing()


try:  # TensorFlow keeps to itself whether a tape of the user's records
    from tensorflow.python.pywrap_tfe import TFE_Py_TapeSetIsEmpty as _records_nothing
    from tensorflow.python.pywrap_tfe import TFE_Py_TapeSetShouldRecordBackprop as _any_is_recorded
except ImportError:  # a version that keeps it elsewhere: tapes of corearray are known by `deriving`

    def _records_nothing() -> bool:
        return True

    def _any_is_recorded(tensors: list[Any]) -> bool:
        return False


@hookimpl
def records_gradient(x: Any) -> bool:
    return bool(_any_is_recorded([x]))


def choose(condition: Any, x1: Any, x2: Any) -> Any:
    """Return elements of the one array where the condition holds, else of the other."""
    return raw_ops.SelectV2(condition=condition, t=x1, e=x2)


def bits_of(x: Any) -> Any:
    """Return the bits of floating-point numbers as signed integers."""
    return raw_ops.Bitcast(input=x, type=BITS[x.dtype])


def with_sign(x1: Any, x2: Any) -> Any:
    """Return `x1` with the signs of `x2`: numbers whose sign differs are turned, so that a gradient passes through."""
    apart = raw_ops.Less(x=raw_ops.BitwiseXor(x=bits_of(x1), y=bits_of(x2)), y=0)
    return choose(apart, raw_ops.Neg(x=x1), x1)


def placed(x: Any, device: str | None) -> Any:
    """Return an array on a device; a new one is there already, unless the program runs in a `tf.device` scope."""
    if device is None or not hasattr(x, "numpy") or x.device.endswith(device):
        return x
    return move(x, device)


@hookimpl
def array_types() -> tuple[type, ...]:
    return ARRAYS


@hookimpl
def dtypes() -> dict[str, Any]:
    names = (
        "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
        "float16", "bfloat16", "float32", "float64", "complex64", "complex128",
    )  # fmt: skip
    return {name: tf.dtypes.as_dtype(name) for name in names}


@cache
def _device_names() -> dict[str, str]:
    """Native devices by their short names, as tensors name them; accelerators first as TensorFlow prefers them."""
    logical = sorted(tf.config.list_logical_devices(), key=lambda device: device.device_type == "CPU")
    kept = [device.name for device in logical if device.device_type in ("CPU", "GPU", "TPU")]
    process = constant(0).device.rpartition("/device:")[0]
    return {str(Device(name)): name if name.startswith(process) else process + name for name in kept}


@hookimpl
def devices() -> tuple[str, ...]:
    return tuple(_device_names())


@hookimpl
def native_device(name: str) -> str:
    return _device_names()[name]


@hookimpl
def device_name(device: Any) -> str:
    return str(device)


@hookimpl
def device_of(x: Any) -> str:
    return _short_name(x.device)


@cache
def _short_name(device: str) -> str:
    return str(Device(device)) if device else next(iter(_device_names()))


@hookimpl
def move(x: Any, device: str) -> Any:
    with tf.device(device):
        return tf.identity(x)


@hookimpl
def to_dlpack(x: Any, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: Any = None) -> Any:
    on = dlpack_device(x)
    if dl_device is not None and tuple(map(int, dl_device)) != on:
        if copy is False:
            raise ValueError(f"an array on the DLPack device {on} cannot be exported to {dl_device} without a copy")
        if tuple(map(int, dl_device)) != (_DLPACK_CPU, 0):
            raise BufferError(f"an array on the DLPack device {on} cannot be exported to {dl_device}")
        x = move(x, "CPU:0")
    elif copy:
        x = raw_ops.DeepCopy(x=x)
    return tf.experimental.dlpack.to_dlpack(tf.convert_to_tensor(x))


_DLPACK_CPU, _DLPACK_CUDA = 1, 2


@hookimpl
def dlpack_device(x: Any) -> tuple[Any, int]:
    kind, _, index = x.device.rpartition("/device:")[2].partition(":")
    return (_DLPACK_CUDA, int(index)) if kind == "GPU" else (_DLPACK_CPU, 0)


@hookimpl
def text(x: Any, precision: int | None) -> str:
    return np.array2string(x.numpy(), precision=precision, separator=", ", threshold=200, edgeitems=3)


#: What the messages of `InvalidArgumentError` tell, which TensorFlow raises for nearly everything.
_MEANINGS = (
    ("is not in [", IndexError),
    ("outside the valid range", IndexError),
    ("does not index into", IndexError),
    ("not invertible", LinAlgError),
    ("Integer division by zero", ZeroDivisionError),
    ("tensor but is a", TypeError),
    ("is not in the list of allowed values", TypeError),
)


@hookimpl
def error_kind(error: Exception) -> type[Exception] | None:
    if isinstance(error, tf.errors.OperatorNotAllowedInGraphError):
        return TracingError
    if isinstance(error, tf.errors.InvalidArgumentError):
        return next((kind for words, kind in _MEANINGS if words in error.message), ValueError)
    if isinstance(error, tf.errors.NotFoundError):
        return TypeError
    if isinstance(error, tf.errors.ResourceExhaustedError):
        return MemoryError
    if isinstance(error, tf.errors.UnimplementedError):
        return NotImplementedError
    return None


@hookimpl
def capabilities() -> dict[str, Any]:
    return {"max dimensions": 8}


@hookimpl
def random_words(seed: int, count: int) -> Any:
    key = np.asarray([seed >> 32, seed & 0xFFFFFFFF], "uint32").view("int32")
    return tf.unstack(tf.cast(tf.random.stateless_uniform((2, count), key, None, None, tf.uint32), tf.int64))


@hookimpl
def register_array(array_class: type) -> None:
    """Make the class a composite of one tensor for `tf.nest`, loops and traced functions, and an argument of functions."""
    register_composite(array_class)
    for name in _KERAS:
        setattr(array_class, name, property(attrgetter(f"native.{name}"), partial(_set_on_native, name)))
    Dispatcher(array_class).register()


@hookimpl
def register_function(function: Any) -> None:
    """Keep AutoGraph from rewriting the source of corearray's functions, which gains nothing, and warning if it cannot."""
    function.autograph_info__ = None


#: What Keras notes on the results of its activations, from which its losses read the logits.
_KERAS = ("_keras_logits", "_keras_mask")


def _set_on_native(name: str, array: Any, value: Any) -> None:
    setattr(array.native, name, value)


def is_finite(x: Any) -> bool:
    """Return true if the sum of the elements is finite: then all of them are. Within a graph the result is false."""
    if not hasattr(x, "numpy"):
        return False
    total = raw_ops.Sum(input=x, axis=constant(tuple(range(len(x.shape)))))
    return hasattr(total, "numpy") and math.isfinite(total.numpy())


@hookimpl
def held_array(value: Any) -> Any:
    if isinstance(value, type) or not hasattr(type(value), "__tf_tensor__"):
        return None
    held = value.__tf_tensor__(None, None)
    return held if isinstance(held, ARRAYS) else None


@hookimpl
def advice(value: object) -> str | None:
    """Say what to do with values of several replicas, which functions of TensorFlow refuse too, and with ragged tensors."""
    if isinstance(value, tf.distribute.DistributedValues):
        return "compute on each replica's own array within strategy.run(function, args=(value,))"
    if isinstance(value, tf.RaggedTensor):
        makers = "corearray.Ragged.from_row_splits and tf.RaggedTensor.from_row_splits"
        return f"give x.values and x.row_splits, of which {makers} make it again"
    return None


@hookimpl
def diagnostics() -> dict[str, str]:
    return {
        "built with CUDA": str(tf.test.is_built_with_cuda()),
        "devices": ", ".join(_device_names()),
        "eager": str(tf.executing_eagerly()),
    }
