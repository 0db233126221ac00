"""New arrays. Lists are read by NumPy, which knows all integers."""

import mlx.core as mx
import numpy

from corearray.plugin import hookimpl
from corearray_mlx.native import DTYPES

NAMES = {dtype: name for name, dtype in DTYPES.items()}


@hookimpl
def arange(start, /, stop=None, step=1, *, dtype=None):
    start, stop = (0, start) if stop is None else (start, stop)
    if not mx.issubdtype(dtype, mx.integer):
        return mx.arange(start, stop, step, dtype)
    if all(isinstance(number, int) for number in (start, stop, step)):  # of which MLX counts in floating numbers
        return mx.arange(len(range(start, stop, step)), dtype=dtype) * step + mx.array(start, dtype)
    return mx.floor(mx.arange(start, stop, step, mx.float32)).astype(dtype)


@hookimpl
def asarray(obj, /, *, dtype=None, copy=None):
    if isinstance(obj, mx.array):
        obj = obj if dtype is None else obj.astype(dtype)
        return mx.array(obj) if copy else obj
    if copy is False:
        raise ValueError("MLX takes over no memory of others; leave copy=False out")
    if not hasattr(obj, "__array__") and hasattr(obj, "__dlpack__"):
        obj = numpy.from_dlpack(obj)
    small = dtype is not None and isinstance(obj, (int, list, tuple)) and mx.issubdtype(dtype, mx.integer)
    values = numpy.asarray(obj, NAMES[dtype] if small else None)  # which refuses integers that do not fit
    if values.dtype.kind not in "biufc":
        raise TypeError(f"'{values.dtype}' is no dtype of numbers")
    if values.dtype.kind == "c":
        values = values.astype("complex64")
    result = mx.array(values.astype(values.dtype.newbyteorder("=")))
    return result if dtype is None else result.astype(dtype)


@hookimpl
def from_dlpack(x, /, *, device=None, copy=None):
    if copy is False:
        raise ValueError("MLX takes over no memory of others; leave copy=False out")
    return mx.array(x) if isinstance(x, mx.array) else mx.array(numpy.array(numpy.from_dlpack(x), order="C"))
