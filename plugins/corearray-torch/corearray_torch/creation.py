"""Arrays from Python values, from other libraries' arrays and from a rule."""

from __future__ import annotations

import sys
from typing import Any

import torch
from torch.utils.dlpack import from_dlpack as from_dlpack_capsule

from corearray.plugin import hookimpl, is_constant, is_foreign, is_typed_number, read_range
from corearray_torch.data_type import astype
from corearray_torch.native import BITS
from corearray_torch.sharding import beside

_SCALARS = frozenset({bool, int, float, complex})
_SEQUENCES = (list, tuple, range)

#: The smallest and the largest integer of each integer dtype; torch wraps some that do not fit around.
_LIMITS = {
    dtype: (torch.iinfo(dtype).min, torch.iinfo(dtype).max)
    for dtype in (
        torch.int8, torch.int16, torch.int32, torch.int64,
        torch.uint8, torch.uint16, torch.uint32, torch.uint64,
    )
}  # fmt: skip

_UNSIGNED = frozenset({torch.uint16, torch.uint32, torch.uint64})
_TOP = 1 << 63

#: Kinds of numbers by the format characters of the buffer protocol; the width says the rest.
_FORMATS = {
    **dict.fromkeys("bhilqn", "int"),
    **dict.fromkeys("BHILQN", "uint"),
    **dict.fromkeys("efd", "float"),
    **dict.fromkeys(("Zf", "Zd", "F", "D"), "complex"),
}


#: What stands before the format of a buffer in the byte order that is not this machine's.
_FOREIGN = ">!" if sys.byteorder == "little" else "<"


@hookimpl
def arange(start: Any, /, stop: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None) -> Any:
    if stop is None:
        start, stop = 0, start
    whole = type(start) is int and type(stop) is int and type(step) is int
    if dtype.is_floating_point or (whole and dtype is torch.int64):
        if step != 0 and (stop - start) / step <= 0:
            return torch.empty((0,), dtype=dtype, device=device)
        try:
            return torch.arange(start, stop, step, dtype=dtype, device=device)
        except (RuntimeError, OverflowError):  # of which is told below
            pass
    first, step, count = read_range(start, stop, step, dtype)
    if type(first) is float:
        values = torch.arange(count, dtype=torch.float64, device=device) * step + first
        return astype(values.floor() if dtype in _LIMITS else values, dtype)
    stop = first + count * step
    if dtype not in _UNSIGNED:
        return torch.arange(first, stop, step, dtype=dtype, device=device)
    if max(first, stop) < _TOP:
        return torch.arange(first, stop, step, dtype=torch.int64, device=device).to(dtype)
    places = torch.arange(count, dtype=torch.int64, device=device)
    return (places * step + (first - _TOP) ^ -_TOP).view(torch.uint64).to(dtype)


@hookimpl
def asarray(obj: Any, /, dtype: Any = None, device: Any = None, copy: bool | None = None) -> Any:
    if isinstance(obj, torch.Tensor):
        return _settled(obj, dtype, device, copy)
    if type(obj) not in _SCALARS and not isinstance(obj, _SEQUENCES):
        return _imported(obj, dtype, device, copy)
    if copy is False:
        raise ValueError("an array of Python numbers needs a copy; leave copy=False out")
    return _full((), obj, dtype, device) if type(obj) in _SCALARS else _nested(obj, dtype, device)


@hookimpl
def empty(shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
    return torch.empty(shape, dtype=dtype, device=device)


@hookimpl(fast=torch.empty_like)
def empty_like(x: Any, /, dtype: Any = None, device: Any = None) -> Any:
    return torch.empty_like(x, dtype=dtype, device=device)


@hookimpl
def eye(n_rows: Any, n_cols: Any = None, /, k: int = 0, dtype: Any = None, device: Any = None) -> Any:
    n_cols = n_rows if n_cols is None else n_cols
    if k == 0 and dtype not in _UNSIGNED:
        return torch.eye(n_rows, n_cols, dtype=dtype, device=device)
    matrix = torch.zeros((n_rows, n_cols), dtype=dtype, device=device)
    if -n_rows < k < n_cols:
        matrix.diagonal(k).fill_(1)
    return matrix


@hookimpl
def from_dlpack(x: Any, /, device: Any = None, copy: bool | None = None) -> Any:
    """Import through DLPack, and through NumPy where strides are negative: torch ends the process over those."""
    native = getattr(x, "native", x)
    if _reversed(x) or (copy is False and is_foreign(native)):
        return _imported(native, None, device, copy)
    return _settled(from_dlpack_capsule(x), None, device, copy)


@hookimpl
def full(shape: Any, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Any:
    return _full(shape, fill_value, dtype, device)


@hookimpl
def full_like(x: Any, /, fill_value: Any, *, dtype: Any = None, device: Any = None) -> Any:
    filled = _full(x.shape, fill_value, dtype, device)
    return filled if type(x) is torch.Tensor else beside(x, filled)


@hookimpl
def linspace(
    start: Any, stop: Any, /, num: int, *, dtype: Any = None, device: Any = None, endpoint: bool = True, axis: int = 0
) -> Any:
    """Divide the interval in double precision, then round to the dtype."""
    if num < 0:
        raise ValueError(f"there are no {num} numbers")
    wide = torch.complex128 if dtype.is_complex else torch.float64
    if isinstance(start, torch.Tensor) or isinstance(stop, torch.Tensor):
        bounds = (torch.as_tensor(bound, dtype=wide, device=device).unsqueeze(-1) for bound in (start, stop))
        first, last = torch.broadcast_tensors(*bounds)
        intervals = num - 1 if endpoint else num
        index = torch.arange(num, dtype=torch.float64, device=device)
        values = index * ((last - first) / max(intervals, 1)) + first
        if endpoint and num > 1:
            values = torch.where(index == intervals, last, values)
        values = values.movedim(-1, axis)
        return values.to(dtype) if dtype.is_floating_point or dtype.is_complex else values.floor().to(dtype)
    start = float(start) if type(start) is int else start
    stop = float(stop) if type(stop) is int else stop
    values = torch.linspace(start, stop, num if endpoint else num + 1, dtype=wide, device=device)
    if not endpoint:
        values = values[:num]
    return values.to(dtype) if dtype.is_floating_point or dtype.is_complex else values.floor().to(dtype)


@hookimpl
def ones(shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
    return torch.ones(shape, dtype=dtype, device=device)


@hookimpl(fast=torch.ones_like)
def ones_like(x: Any, /, dtype: Any = None, device: Any = None) -> Any:
    return torch.ones_like(x, dtype=dtype, device=device)


@hookimpl(via=BITS)
def tril(x: Any, /, k: int = 0) -> Any:
    return x.tril(k)


@hookimpl(via=BITS)
def triu(x: Any, /, k: int = 0) -> Any:
    return x.triu(k)


@hookimpl
def zeros(shape: Any, *, dtype: Any = None, device: Any = None) -> Any:
    return torch.zeros(shape, dtype=dtype, device=device)


@hookimpl(fast=torch.zeros_like)
def zeros_like(x: Any, /, dtype: Any = None, device: Any = None) -> Any:
    return torch.zeros_like(x, dtype=dtype, device=device)


def _full(shape: Any, value: Any, dtype: Any, device: Any) -> Any:
    """Fill with a Python number that fits, infinite if it is too large for a floating dtype, or with a tensor."""
    if type(value) not in _SCALARS and isinstance(value, torch.Tensor):
        if value.ndim:
            raise ValueError(f"the value has the shape {tuple(value.shape)}; it is one number")
        return value.to(device, dtype).expand(shape).clone(memory_format=torch.contiguous_format)
    if type(value) in (int, float) and dtype in _LIMITS:
        value = int(value)
        low, high = _LIMITS[dtype]
        if not low <= value <= high:
            raise OverflowError(f"the Python integer {value} does not fit into {dtype}, which holds {low} to {high}")
    if dtype is torch.bool:
        value = bool(value)
    if type(value) is complex and dtype is not None and not dtype.is_complex:
        raise TypeError(f"the complex number {value} cannot become {dtype}; give its real part or a complex dtype")
    try:
        return torch.full(shape, value, dtype=dtype, device=device)
    except (RuntimeError, OverflowError):
        return torch.tensor(value, dtype=dtype, device=device).expand(shape).clone()


def _nested(obj: Any, dtype: Any, device: Any) -> Any:
    """Make an array of nested sequences; arrays in them are stacked, so that gradients flow through."""
    if _plain(obj, _LIMITS.get(dtype)):
        if (dtype is torch.uint8 or dtype in _UNSIGNED) and _holds(float, obj):
            obj = _cut(obj)  # torch refuses some numbers that are cut to 0, or all
        return torch.tensor(obj, dtype=dtype, device=device)
    return torch.stack([asarray(part, dtype=dtype, device=device) for part in obj])


def _plain(obj: Any, limits: tuple[int, int] | None) -> bool:
    """Return whether nested sequences hold only Python's numbers; raise an error if one is outside the limits."""
    kinds = set(map(type, obj))
    if kinds <= _SCALARS:
        integers = obj if limits is None or kinds == {int} else [int(v) for v in obj if type(v) in (int, float)]
        if limits is not None and integers:
            low, high = min(integers), max(integers)
            if low < limits[0] or high > limits[1]:
                raise OverflowError(f"integers from {low} to {high} do not fit between {limits[0]} and {limits[1]}")
        return True
    return all(isinstance(part, _SEQUENCES) and _plain(part, limits) for part in obj)


def _cut(obj: Any) -> Any:
    """Return nested sequences with the whole parts of their numbers."""
    return [_cut(part) if isinstance(part, _SEQUENCES) else int(part) for part in obj]


def _holds(kind: type, obj: Any) -> bool:
    """Return whether nested sequences hold a number of a Python type."""
    return any(type(part) is kind or (isinstance(part, _SEQUENCES) and _holds(kind, part)) for part in obj)


def _settled(x: Any, dtype: Any, device: Any, copy: bool | None) -> Any:
    """Return a tensor of a dtype on a device, the same one if it may be."""
    same = (dtype is None or x.dtype is dtype) and (device is None or x.device == device)
    if copy is False and not same:
        raise ValueError(
            f"an array of {x.dtype} on {x.device} needs a copy to become {dtype or x.dtype} on {device or x.device}; "
            "leave copy=False out"
        )
    if same:
        return x.clone() if copy else x
    return astype(x, x.dtype if dtype is None else dtype, copy=bool(copy), device=device)


def _imported(obj: Any, dtype: Any, device: Any, copy: bool | None) -> Any:
    """Import a foreign array: by way of NumPy on the CPU, which knows what is read-only, else through DLPack."""
    if torch.compiler.is_compiling() and is_foreign(obj):
        return _settled(torch.as_tensor(obj), dtype, device, copy)
    if is_typed_number(obj) and copy is not False:
        number = _full((), obj.tolist(), getattr(torch, obj.dtype.name), device)  # which a graph follows
        return _settled(number, dtype, device, None)
    if copy is False and hasattr(obj, "__dlpack__") and not (is_foreign(obj) or _reversed(obj)):
        return _settled(from_dlpack_capsule(obj), dtype, device, copy)
    on_cpu = not hasattr(obj, "__dlpack_device__") or int(obj.__dlpack_device__()[0]) == 1
    if on_cpu and (hasattr(obj, "__array__") or hasattr(obj, "__array_interface__")):
        array = obj.__array__() if hasattr(obj, "__array__") else _described(obj)
        array = array[...]  # TensorFlow returns a number for a tensor without axes
        half = array.dtype.name == "bfloat16"  # which torch does not take from NumPy
        array = array.view("int16") if half else array
        if (
            copy
            or not array.flags.writeable
            or is_constant(obj)
            or not array.dtype.isnative
            or min(array.strides, default=0) < 0
        ):
            if copy is False:
                raise ValueError("an array that is read-only, reversed or in foreign byte order needs a copy")
            array, copy = array.astype(array.dtype.newbyteorder("="), order="C", copy=True), None
        made = torch.from_numpy(array)
        return _settled(made.view(torch.bfloat16) if half else made, dtype, device, copy)
    if hasattr(obj, "__dlpack__"):
        return _settled(from_dlpack_capsule(obj), dtype, device, True if copy is None and is_constant(obj) else copy)
    try:
        buffer = memoryview(obj)
    except TypeError:
        raise TypeError(
            f"cannot make an array of {type(obj).__name__}; give numbers, nested lists of numbers, or an object with "
            "__array__, __dlpack__ or the buffer protocol"
        ) from None
    return _settled(_from_buffer(buffer, copy), dtype, device, None)


def _described(obj: Any) -> Any:
    """Return the NumPy array of what tells of its memory alone, as images do."""
    import numpy as np

    return np.asarray(obj)


def _from_buffer(buffer: memoryview, copy: bool | None) -> Any:
    """Share the memory of a buffer if it can be written to, else copy it."""
    form, shape = (buffer.format or "B").lstrip("@=<>!"), buffer.shape or ()
    if form != "?" and form not in _FORMATS:
        raise TypeError(f"cannot make an array of a buffer of the format '{buffer.format}'")
    dtype = torch.bool if form == "?" else getattr(torch, f"{_FORMATS[form]}{8 * buffer.itemsize}")
    if buffer.nbytes == 0:
        return torch.empty(shape, dtype=dtype)
    shared: Any = buffer
    foreign = (buffer.format or "")[:1] in _FOREIGN and buffer.itemsize > 1
    if copy or buffer.readonly or foreign or not buffer.c_contiguous:
        if copy is False:
            raise ValueError(
                "a buffer that is read-only, in foreign byte order or not contiguous needs a copy; leave copy=False out"
            )
        shared = bytearray(buffer.tobytes())
    if foreign:
        size = buffer.itemsize // (2 if dtype.is_complex else 1)
        for place in range(size // 2):
            shared[place::size], shared[size - 1 - place :: size] = (
                shared[size - 1 - place :: size],
                shared[place::size],
            )
    return torch.frombuffer(shared, dtype=dtype).reshape(shape)


def _reversed(x: Any) -> bool:
    """Whether an array on the CPU has a negative stride."""
    if isinstance(x, torch.Tensor) or int(x.__dlpack_device__()[0]) != 1:
        return False
    strides: Any = getattr(x, "strides", None)
    if strides is None and hasattr(x, "__array__"):
        strides = x.__array__().strides
    return min(strides or (), default=0) < 0
