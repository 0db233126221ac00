"""New arrays. `empty` with `fill` is what `np.full` and `np.ones` do, less their Python."""

from __future__ import annotations

import math
from operator import index
from typing import Any

import numpy as np

from corearray.plugin import hookimpl, is_constant, read_range
from corearray_numpy.native import DTYPES, INTEGERS, KNOWN
from corearray_numpy.tracer import Tracer, held

_arange = held("arange")
_INT64 = DTYPES["int64"]
_LIMITS = {dtype: (int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)) for dtype in INTEGERS}
_REAL = frozenset(dtype for dtype in KNOWN if dtype.kind == "f")
_INFINITY = float("inf")
_NUMBERS = frozenset({bool, int, float, complex})


@hookimpl
def arange(start: Any, /, stop: Any = None, step: Any = 1, *, dtype: Any = None) -> Any:
    """NumPy takes the difference of the first two for the distance, which is far from the step where the first is large."""
    try:
        if dtype is _INT64 and type(start) is int and type(step) is int:
            return _arange(start, stop, step, dtype)
        if dtype in _LIMITS and type(start) is int and type(step) is int and (stop is None or type(stop) is int):
            low, high = _LIMITS[dtype]
            if low <= start <= high and (stop is None or low <= stop <= high):
                return _arange(start, stop, step, dtype)
        elif (stop is None or start == 0) and dtype in _REAL and abs(step) < _INFINITY:
            return _arange(0, start if stop is None else stop, step, dtype)
    except (OverflowError, ValueError, ZeroDivisionError):  # of which is told here
        pass
    first, step, count = read_range(start, stop, step, dtype)
    if type(first) is int:
        return _arange(first, first + count * step, step, dtype)
    values = _arange(count, dtype=np.float64)
    if step != 1:
        values = values * step
    if first != 0:
        values = values + first
    return (np.floor(values) if dtype in INTEGERS else values).astype(dtype)


@hookimpl(versions=">=2")
def asarray(obj: Any, /, dtype: Any = None, copy: bool | None = None) -> Any:
    if type(obj) is Tracer:
        return obj.astype(dtype or obj.dtype) if copy or dtype not in (None, obj.dtype) else obj
    if isinstance(obj, np.ndarray):
        pass
    elif hasattr(obj, "__dlpack__") and (copy is False or not hasattr(obj, "__array__")):
        obj = np.from_dlpack(obj)  # `__array__` of some libraries takes no `copy`, for which NumPy warns
    elif copy and hasattr(obj, "__array__"):
        obj = np.asarray(obj)
    result = np.array(obj, dtype=dtype, copy=copy)
    if copy is None and not isinstance(obj, np.ndarray) and hasattr(obj, "__dlpack__") and result.flags.writeable:
        result = result.copy() if is_constant(obj) else result  # whose library says that it may be written
    return _known(result, copy)


@hookimpl(specname="asarray", versions="<2")
def asarray_of_numpy_1(obj: Any, /, dtype: Any = None, copy: bool | None = None) -> Any:
    """There `copy=False` means what `copy=None` means now, and numbers that do not fit are wrapped."""
    if type(obj) is Tracer:
        return obj.astype(dtype or obj.dtype) if copy or dtype not in (None, obj.dtype) else obj
    if not hasattr(obj, "__array__") and hasattr(obj, "__dlpack__"):
        obj = np.from_dlpack(obj)
    if dtype in INTEGERS and isinstance(obj, (int, float, list, tuple)):
        _require_fitting(obj, dtype)
    result = np.array(obj, dtype=dtype, copy=bool(copy))
    if copy is False and not np.may_share_memory(result, np.asarray(obj)):
        raise ValueError("an array of these values cannot be made without a copy")
    return _known(result, copy)


@hookimpl(native=held("empty"))
def empty(shape: Any, *, dtype: Any = None) -> Any: ...


@hookimpl
def empty_like(x: Any, /, dtype: Any = None) -> Any:
    return np.empty(x.shape, dtype)


@hookimpl(native=held("eye"))
def eye(n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: Any = None) -> Any: ...


@hookimpl(native=np.from_dlpack, versions=">=2.1")
def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> Any: ...


@hookimpl(specname="from_dlpack", versions="<2.1")
def from_dlpack_without_copy(x: Any, /, device: Any = None, copy: bool | None = None) -> Any:
    result = np.from_dlpack(x)
    return result.copy() if copy else result


@hookimpl(versions=">=2")
def full(shape: Any, fill_value: Any, *, dtype: Any = None) -> Any:
    result = np.empty(shape, dtype)
    result.fill(fill_value)
    return result


@hookimpl(specname="full", versions="<2")
def full_of_numpy_1(shape: Any, fill_value: Any, *, dtype: Any = None) -> Any:
    return full(shape, asarray_of_numpy_1(fill_value, dtype), dtype=dtype)


@hookimpl(versions=">=2")
def full_like(x: Any, /, fill_value: Any, *, dtype: Any = None) -> Any:
    result = np.empty(x.shape, dtype)
    result.fill(fill_value)
    return result


@hookimpl(specname="full_like", versions="<2")
def full_like_of_numpy_1(x: Any, /, fill_value: Any, *, dtype: Any = None) -> Any:
    return full(x.shape, asarray_of_numpy_1(fill_value, dtype), dtype=dtype)


_linspace = held("linspace")


@hookimpl
def linspace(start: Any, stop: Any, /, num: int, *, dtype: Any = None, endpoint: bool = True, axis: int = 0) -> Any:
    """NumPy makes objects of integers beyond 64 bits, and divides intervals of float32 in float32."""
    if type(start) in _NUMBERS and type(stop) in _NUMBERS:
        start = float(start) if type(start) is int else start
        stop = float(stop) if type(stop) is int else stop
        return _linspace(start, stop, num, endpoint=endpoint, dtype=dtype)
    wide = np.complex128 if dtype.kind == "c" else np.float64
    return _linspace(np.asarray(start, wide), np.asarray(stop, wide), num, endpoint=endpoint, dtype=dtype, axis=axis)


@hookimpl
def meshgrid(*arrays: Any, indexing: str = "xy") -> tuple[Any, ...]:
    if any(x.ndim > 1 for x in arrays):
        found = next(x.shape for x in arrays if x.ndim > 1)
        raise ValueError(
            f"'meshgrid' got an array of shape {found}; it takes one-dimensional arrays, make one with reshape(x, (-1,))"
        )
    return tuple(np.meshgrid(*arrays, indexing=indexing))


@hookimpl
def ones(shape: Any, *, dtype: Any = None) -> Any:
    result = np.empty(shape, dtype)
    result.fill(1)
    return result


@hookimpl
def ones_like(x: Any, /, dtype: Any = None) -> Any:
    result = np.empty(x.shape, dtype)
    result.fill(1)
    return result


@hookimpl
def tril(x: Any, /, k: int = 0) -> Any:
    _need_matrix(x)
    return np.tril(x, index(k))


@hookimpl
def triu(x: Any, /, k: int = 0) -> Any:
    _need_matrix(x)
    return np.triu(x, index(k))


@hookimpl(native=held("zeros"))
def zeros(shape: Any, *, dtype: Any = None) -> Any: ...


@hookimpl
def zeros_like(x: Any, /, dtype: Any = None) -> Any:
    return np.zeros(x.shape, dtype)


def _known(x: Any, copy: bool | None) -> Any:
    """Bring numbers of the other byte order to this machine's, and refuse strings, objects and the like."""
    if x.dtype in KNOWN:
        return x
    native = DTYPES.get(x.dtype.newbyteorder("=").name)
    if native is None:
        raise TypeError(f"NumPy's dtype '{x.dtype}' is none of {', '.join(DTYPES)}")
    if copy is False:
        raise ValueError("an array in foreign byte order needs a copy; leave copy=False out")
    return x.astype(native)


def _require_fitting(obj: Any, dtype: Any) -> None:
    """Refuse Python numbers that an integer dtype does not hold, cut to integers; what is not finite NumPy refuses."""
    if np.array(obj).dtype is not dtype:
        limits = np.iinfo(dtype)
        for number in np.array(obj, dtype=object).flat:
            counts = isinstance(number, int) or (isinstance(number, float) and math.isfinite(number))
            if counts and not limits.min <= math.trunc(number) <= limits.max:
                raise OverflowError(f"Python number {number} out of bounds for {dtype}")


def _need_matrix(x: Any) -> None:
    if x.ndim < 2:
        raise ValueError(f"a triangle needs an array with at least 2 axes, this one has the shape {x.shape}")
