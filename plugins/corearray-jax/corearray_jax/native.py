"""Types, dtypes and devices of JAX, the 64-bit switch, and what the other modules build on.

A call of a `jax.numpy` function costs 4 to 30 µs, most of it Python; a call of a `jax.jit` function 3.5 µs. So every
implementation is one compiled function of this plugin, made with `compiled`. JAX compiles it anew for each shape, as it
does for the functions of `jax.numpy`.
"""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache, wraps
from math import prod
from numbers import Number
from operator import index
from typing import Any

import jax
import numpy as np
from jax import numpy as jnp

import corearray as ca
from corearray.plugin import Device, Shape, hookimpl

_X64_BEFORE = bool(jax.config.jax_enable_x64)
_X64_WANTED = os.environ.get("COREARRAY_JAX_X64", "").strip().lower() not in ("0", "false")
if _X64_WANTED:
    jax.config.update("jax_enable_x64", True)

_WIDE = ("int64", "uint64", "float64", "complex128")
_NARROW = (
    "bool", "int8", "int16", "int32", "uint8", "uint16", "uint32", "float16", "bfloat16", "float32", "complex64",
)  # fmt: skip

#: Whether JAX has dtypes of 64 bits.
X64 = _X64_WANTED or _X64_BEFORE

DTYPES = {name: jnp.dtype(name) for name in (*_NARROW, *(_WIDE if X64 else ()))}

#: The dtype of counts and indices, and the widest real and complex ones.
INDEX = jnp.dtype("int64" if X64 else "int32")
REAL = jnp.dtype("float64" if X64 else "float32")
COMPLEX = jnp.dtype("complex128" if X64 else "complex64")

#: `hookimpl(via=...)` of functions for which LAPACK or the Fourier transform lack them.
HALF = {"float16": "float32", "bfloat16": "float32"}

_SHAPES = re.compile(r"shape|dimension|broadcast|\bsizes?\b|rank")


def compiled(*static: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Compile a function for each shape, dtype and value of the static parameters; within a trace it is inlined."""
    return lambda function: jax.jit(_within_memory(function), static_argnames=static, inline=True)


def counts_truth(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compute truth values as int8, as NumPy does where JAX would take int32; the cast is made where `compiled` traces."""

    @wraps(function)
    def counted(*args: Any) -> Any:
        return function(*(x.astype(jnp.int8) if getattr(x, "dtype", None) == jnp.bool_ else x for x in args))

    return counted


def _within_memory(function: Callable[..., Any]) -> Callable[..., Any]:
    """Refuse results whose bytes 64 bits cannot count, for which JAX ends the process: it looks only while it traces."""

    @wraps(function)
    def traced(*args: Any, **options: Any) -> Any:
        result = function(*args, **options)
        for leaf in jax.tree_util.tree_leaves(result):
            size = prod(getattr(leaf, "shape", ()))
            if type(size) is int and size >= _MOST:
                raise ValueError(f"an array of the shape {leaf.shape} has more elements than any memory")
        return result

    return traced


#: Of so many complex numbers of 16 bytes each the bytes have 64 bits.
_MOST = 1 << 59


def ordered(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Compile a function of one array for real numbers; of complex ones JAX orders the parts, and this refuses them.

    That is looked at while it is compiled, and costs a call nothing.
    """

    def of_real_numbers(x: Any) -> Any:
        if is_complex(x):
            raise TypeError("complex numbers have no order")
        return function(x)

    return compiled()(of_real_numbers)


def counting(indices: Any, shape: tuple[int, ...]) -> Any:
    """Return indices in a dtype that holds the sizes of a shape, which JAX adds to those below zero in the dtype they have.

    XLA ends the process for unsigned indices of 8 and 16 bits that are split over devices.
    """
    wide = max(shape, default=0) >= 2**31 and jnp.issubdtype(indices.dtype, jnp.signedinteger)
    narrow = indices.dtype.itemsize < 4 and jnp.issubdtype(indices.dtype, jnp.integer)
    return indices.astype(INDEX) if wide or narrow else indices


def root(x: Any) -> Any:
    """Return the square root of what is not negative, with the derivative 0 at 0, as norms and deviations have it."""
    positive = x != 0
    return jnp.where(positive, jnp.sqrt(jnp.where(positive, x, 1)), 0)


def is_complex(x: Any) -> bool:
    """Whether an array, traced or not, has a complex dtype."""
    return _is(x.dtype, jnp.complexfloating)


def is_floating(x: Any) -> bool:
    """Whether an array, traced or not, has a real or complex floating dtype."""
    return _is(x.dtype, jnp.inexact)


@lru_cache
def _is(dtype: Any, kind: Any) -> bool:
    return bool(jnp.issubdtype(dtype, kind))


def is_traced(x: Any) -> bool:
    """Whether an array stands for values that are not there yet."""
    return isinstance(x, jax.core.Tracer)


def default_device() -> Any:
    """Return the device on which JAX puts new arrays."""
    chosen = jax.config.jax_default_device
    if chosen is None:
        return jax.local_devices()[0]
    return jax.local_devices(backend=chosen)[0] if isinstance(chosen, str) else chosen


def placed(x: Any, device: Any) -> Any:
    """Return a new array on a device or in a sharding.

    Without a device it stays uncommitted, so that JAX moves it to where a computation runs; so do arrays where there is one
    device only, and those traced for the default device.
    """
    if type(x) is np.ndarray:  # what older JAX makes of an inlined constant without axes
        x = jnp.asarray(x)
    if device is None or (
        not is_layout(device) and (len(_devices()) == 1 or (is_traced(x) and device is default_device()))
    ):
        return x
    return jax.device_put(x, device)


def like(new: Any, x: Any, device: Any) -> Any:
    """Return a new array of the shape of another one, in its sharding if no device is given."""
    if device is None and not is_traced(x) and is_layout(x.sharding):
        device = x.sharding
    return placed(new, device)


def elsewhere(x: Any, device: Any) -> bool:
    """Return whether an array has to move to be on a device or in a sharding."""
    if device is None or is_layout(device):
        return device is not None and (is_traced(x) or x.sharding != device)
    return not (is_traced(x) or x.devices() == {device})


@lru_cache
def _is_alone() -> bool:
    return jax.process_count() == 1


def spans_processes(x: Any) -> bool:
    """Return whether other processes hold elements of an array that this one does not."""
    if _is_alone() or is_traced(x) or not isinstance(x, jax.Array):
        return False
    return not (x.is_fully_addressable or x.is_fully_replicated)


def elements(x: Any) -> np.ndarray:
    """Return all elements as NumPy's array. Of an array over several processes a collective: each has to call it."""
    if spans_processes(x):
        from jax.experimental.multihost_utils import process_allgather

        return process_allgather(x, tiled=True)
    return np.asarray(x)


def beside(x: Any, values: np.ndarray) -> Any:
    """Return what NumPy computed as an array on the device of a concrete array, movable if that is, or whole on its mesh."""
    if isinstance(x.sharding, jax.sharding.NamedSharding):
        return jax.device_put(values, jax.sharding.NamedSharding(x.sharding.mesh, jax.sharding.PartitionSpec()))
    return placed(jnp.array(values), device_beside(x))


def choosing(function: Callable[..., Any], is_first: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that chooses one of two numbers, with the derivative of the chosen one.

    Parameters
    ----------
    function
        The choice, as `jnp.maximum`, of two arrays of one dtype.
    is_first
        Whether the derivative is that of the first number, for each element.
    """

    @jax.custom_jvp
    def chosen(x1: Any, x2: Any) -> Any:
        return function(x1, x2)

    @chosen.defjvp
    def _(primals: Any, tangents: Any) -> Any:
        return chosen(*primals), jnp.where(is_first(*primals), *tangents)

    return chosen


def promoted(x1: Any, x2: Any) -> tuple[Any, Any]:
    """Bring two arrays, or an array and a number, to their dtype."""
    dtype = jnp.result_type(x1, x2)
    return jax.lax.convert_element_type(x1, dtype), jax.lax.convert_element_type(x2, dtype)


def static(places: Any) -> Any:
    """Return axes or sizes as what `compiled` can tell apart, which takes 1.0 for 1."""
    if isinstance(places, (list, tuple)):
        return tuple([index(place) if isinstance(place, Number) else place for place in places])
    return places


@lru_cache
def _devices() -> dict[str, Any]:
    """Return the devices of this process by their names, the default one first; a CPU is there in any case."""
    found = list(jax.local_devices())
    if all(device.platform != "cpu" for device in found):
        with suppress(RuntimeError):  # JAX_PLATFORMS may leave the CPU out
            found += jax.local_devices(backend="cpu")
    counts: Counter[str] = Counter()
    table = {}
    for device in found:
        table[Device(f"{device.platform}:{counts[device.platform]}")] = device
        counts[device.platform] += 1
    first = default_device()
    return dict(sorted(table.items(), key=lambda item: item[1] != first))


@lru_cache
def _name(device: Any) -> str:
    return next(name for name, known in _devices().items() if known == device)


@hookimpl
def array_types() -> tuple[type, ...]:
    return jax.Array, jax.core.Tracer


@hookimpl
def device_beside(x: Any) -> Any:
    if is_traced(x):
        return None
    found = x.devices()
    if len(found) > 1 or not (x.committed or len(_devices()) == 1):
        return None
    return next(iter(found))


@hookimpl
def device_name(device: Any) -> str:
    if isinstance(device, jax.sharding.SingleDeviceSharding):
        (device,) = device.device_set
    return _name(device) if isinstance(device, jax.Device) else str(device)


@hookimpl
def device_of(x: Any) -> str:
    """Arrays over several devices name the default one: arrays created there are uncommitted and combine with them."""
    if is_traced(x):
        return _name(default_device())
    found = x.devices()
    return _name(next(iter(found)) if len(found) == 1 else default_device())


@hookimpl
def devices() -> tuple[str, ...]:
    return tuple(_devices())


@hookimpl
def diagnostics() -> dict[str, str]:
    if _X64_WANTED:
        x64 = "on (it was on before)" if _X64_BEFORE else "on (switched on by corearray)"
    else:
        x64 = f"{'on' if X64 else 'off'} (left alone: COREARRAY_JAX_X64={os.environ['COREARRAY_JAX_X64']})"
    return {"x64": x64, "platform": jax.default_backend()}


@hookimpl
def dlpack_device(x: Any) -> tuple[Any, int]:
    return x.__dlpack_device__()


@hookimpl
def dtypes() -> dict[str, Any]:
    return DTYPES


#: How JAX refuses to look at elements while it traces.
REFUSALS = (
    jax.errors.ConcretizationTypeError, jax.errors.NonConcreteBooleanIndexError, jax.errors.TracerArrayConversionError,
    jax.errors.TracerIntegerConversionError,
)  # fmt: skip


class DeletedArrayError(ca.CoreArrayError, RuntimeError):
    """An array whose memory a compiled program was given for its results."""

    def __str__(self) -> str:
        return (
            f"{super().__str__().rstrip('.')}: a training step or compiled program uses the memory of its arguments for its "
            "results; keep a copy, ca.asarray(x, copy=True), or write nn.TrainStep(..., donate=False)"
        )


@hookimpl
def error_kind(error: Exception) -> type[Exception] | None:
    """JAX reports shapes that do not fit as `TypeError` here and there, and missing axes as `ValueError`."""
    if isinstance(error, REFUSALS):
        return ca.TracingError
    text = str(error)
    if isinstance(error, ValueError) and "out of bounds for array of dimension" in text:
        return IndexError
    if type(error) is TypeError and "dtype" not in text and _SHAPES.search(text):
        return ValueError
    if text.startswith("RESOURCE_EXHAUSTED"):
        return MemoryError
    if "Array has been deleted" in text or "Buffer has been deleted" in text:
        return DeletedArrayError
    if "incompatible devices for jitted computation" in text:
        return ca.DeviceError
    return None


@hookimpl
def is_layout(device: Any) -> bool:
    return isinstance(device, jax.sharding.Sharding) and not isinstance(device, jax.sharding.SingleDeviceSharding)


@hookimpl
def memory_of_device(device: Any) -> tuple[int, int] | None:
    found = device.memory_stats() or {}
    return (found["bytes_in_use"], found["bytes_limit"]) if "bytes_limit" in found else None


@hookimpl
def move(x: Any, device: Any) -> Any:
    return jax.device_put(x, device)


@hookimpl
def native_device(name: str) -> Any:
    return _devices()[Device(name)]


@lru_cache
def _random_words(count: int) -> Any:
    """Compile what makes words from a key, for the number of them."""

    def words(key: Any) -> Any:
        drawn = jax.random.bits(jax.random.wrap_key_data(key), (2, count), "uint32")
        drawn = drawn.astype("int64") if X64 else drawn
        return drawn[0], drawn[1]

    return jax.jit(words)


@hookimpl
def promotes_arrays() -> bool:
    return True


@hookimpl
def random_words(seed: int, count: int) -> Any:
    return _random_words(count)(np.asarray([seed >> 32, seed & 0xFFFFFFFF], "uint32"))


@hookimpl
def register_array(array_class: Any) -> None:
    """Make arrays nodes of JAX's trees. What JAX puts into a tree while it transforms need not be an array."""
    _register_shape()

    def unflatten(_: None, children: Any) -> Any:
        return array_class._backend.wrap(*children)

    jax.tree_util.register_pytree_node(array_class, lambda array: ((array._native,), None), unflatten)
    array_class.__jax_array__ = property(_converter)


def _converter(array: Any) -> Any:
    """Return what gives JAX's functions the native array; JAX has no protocol by which they could give another class back.

    JAX's operators ask too; they are left to the array on their other side.
    """
    if sys._getframe(1).f_globals.get("__name__") == _OPERATORS:
        raise AttributeError("__jax_array__")
    return lambda: array._native


@hookimpl
def held_array(value: Any) -> Any:
    if isinstance(value, jax.Array):
        return jax.random.key_data(value) if jax.dtypes.issubdtype(value.dtype, jax.dtypes.prng_key) else None
    if not hasattr(type(value), "__jax_array__"):
        return None
    held = value.__jax_array__()
    return held if isinstance(held, jax.Array) else None


#: The module of the operators of JAX's arrays.
_OPERATORS = "jax._src.numpy.array_methods"


@lru_cache
def _register_shape() -> None:
    """Let compiled programs return shapes, as tuples of integers."""
    jax.tree_util.register_pytree_node(Shape, lambda shape: (tuple(shape), None), lambda _, sizes: Shape(sizes))


@hookimpl
def register_container(container_class: type) -> None:
    """Make Containers nodes of JAX's trees; their keys stand in the paths of messages."""
    _register_container(container_class)


@lru_cache
def _register_container(container_class: Any) -> None:
    def with_keys(container: Any) -> Any:
        values, keys = container.tree_flatten()
        return tuple(zip(map(jax.tree_util.DictKey, keys), values, strict=True)), keys

    jax.tree_util.register_pytree_with_keys(
        container_class, with_keys, container_class.tree_unflatten, container_class.tree_flatten
    )


@hookimpl
def text(x: Any, precision: int | None) -> str:
    return np.array2string(np.asarray(x), precision=precision, separator=", ", threshold=200, edgeitems=3)


@hookimpl
def usual_device() -> Any:
    return None


@hookimpl
def to_dlpack(x: Any, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: Any = None) -> Any:
    """Export; for consumers that know DLPack 0 only, JAX wants to hear no version at all."""
    if max_version is not None and max_version[0] < 1:
        max_version = None
    return x.__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)
