"""Mutants that the kit does not notice, each with the reason why that is right."""

from __future__ import annotations

__all__ = ["SURVIVORS"]

_SAME = "it gives the same"
_FIRST = "the core refuses the call before the plugin sees it"
_OPEN = "which copies can be avoided is the framework's business"
_PROMOTED = "the core has promoted the operands before"
_BASE = "the core writes into the base of a view"
_WIDTH = "shifts by the width of the dtype or more have no defined result"
_WHOLE = "this line is for integers, the other one for floating numbers"

#: Reasons by the name of the mutant, which is the function and its changed line.
SURVIVORS: dict[str, str] = {
    "bitwise_left_shift: x2 = numpy.abs(x2).astype(x2.dtype) if x2.dtype.kind in 'if' else x2": (
        "shifts by negative numbers have no defined result"
    ),
    "bitwise_right_shift: x2 = numpy.abs(x2).astype(x2.dtype) if x2.dtype.kind in 'if' else x2": (
        "shifts by negative numbers have no defined result"
    ),
    "arange: return (numpy.floor(values) if dtype.kind in 'i' else values).astype(dtype)": (
        "numbers that an unsigned dtype holds are cut to what they are rounded down to"
    ),
    "copysign: x2 = x2.astype('float32').astype(x2.dtype) if x2.dtype == 'float64' else x2": "signs stay",
    (
        "copysign: x2 = numpy.where(numpy.isnan(x2), numpy.zeros((), x2.dtype), x2) if x2.dtype.kind == 'f' else x2"
    ): "which sign NaN has is open",
    "asarray: result = numpy.asarray(obj, dtype, copy=copy)": _SAME,
    "from_dlpack: copy = None if copy is False else copy": _OPEN,
    "astype: copy = None if copy is False else copy": _OPEN,
    "astype: return x.astype(dtype)": "copy=False permits a copy",
    "reshape: copy = None if copy is False else copy": _OPEN,
    "pow: x2 = x2.astype('float64').astype(x2.dtype) if x2.dtype == 'int64' else x2": (
        "exponents beyond 2**53 overflow with every base but 0 and 1"
    ),
    "set_item: key = tuple(k for k in key if k is not None) if isinstance(key, tuple) else key": (
        "the standard leaves open what None means in a key that is written to"
    ),
    "to_numpy: return numpy.asarray(x)": "the result may share memory",
    "take: return x.take(indices.astype('int32'), axis)": "arrays of the tests are shorter than 2**31",
    "floor_divide: return numpy.where(finite, numpy.floor_divide(x1, x2), numpy.trunc(x1 / x2))": (
        "quotients that involve infinity are 0, infinity or NaN, which all roundings keep"
    ),
    "floor_divide: return numpy.where(finite, numpy.floor_divide(x1, x2), numpy.rint(x1 / x2))": (
        "quotients that involve infinity are 0, infinity or NaN, which all roundings keep"
    ),
    "asarray: if False:": _FIRST,
    (
        "floor_divide: return (numpy.floor_divide(x1, x2)).astype('float64') if (numpy.floor_divide(x1, x2))."
        "dtype.kind == 'f' else (numpy.floor_divide(x1, x2))"
    ): _WHOLE,
    (
        "floor_divide: return (numpy.floor_divide(x1, x2)).astype('float32') if (numpy.floor_divide(x1, x2))."
        "dtype.kind == 'f' else (numpy.floor_divide(x1, x2))"
    ): _WHOLE,
    (
        "floor_divide: return numpy.nan_to_num(numpy.floor_divide(x1, x2), nan=0.0, posinf=numpy.inf, neginf="
        "-numpy.inf)"
    ): _WHOLE,
    (
        "floor_divide: return (numpy.where(finite, numpy.floor_divide(x1, x2), numpy.floor(x1 / x2))).astype("
        "'int32') if (numpy.where(finite, numpy.floor_divide(x1, x2), numpy.floor(x1 / x2))).dtype.kind in 'i"
        "u' else (numpy.where(finite, numpy.floor_divide(x1, x2), numpy.floor(x1 / x2)))"
    ): _WHOLE,
    "floor_divide: return numpy.where(finite, numpy.floor_divide(x1, x2), numpy.ceil(x1 / x2))": (
        "quotients that involve infinity are 0, infinity or NaN, which all roundings keep"
    ),
    "arange: step = step or 1": _FIRST,
    "set_item: x = x.base.ravel()[: x.size].reshape(x.shape) if x.base is not None and x.base.size > x.size else x": _BASE,
    "set_item: x = x * 0 if 0 in x.strides and x.size > 1 else x": _BASE,
    "bitwise_left_shift: x2 = x2 % numpy.asarray(8 * x1.dtype.itemsize, x2.dtype)": _WIDTH,
    "bitwise_right_shift: x2 = x2 % numpy.asarray(8 * x1.dtype.itemsize, x2.dtype)": _WIDTH,
    "to_numpy: return (lambda y: (y.setflags(write=False), y)[1])(numpy.array(x))": "the result may share memory",
    ("asarray: if isinstance(obj, numpy.ndarray) and dtype is not None and dtype.kind != 'c': obj = obj.real"): _FIRST,
    "from_dlpack: return numpy.array(numpy.from_dlpack(x))": _OPEN,
    "asarray: return result.astype(result.dtype.newbyteorder('='), copy=True)": _OPEN,
    "asarray: return result.astype(result.dtype.newbyteorder('='))": _OPEN,
    "sqrt: return numpy.power(x, numpy.asarray(0.5, x.dtype))": "NumPy computes powers of one half as roots",
    "fft: if x.dtype.kind in 'iu': raise TypeError('integers')": "the core casts integers before the plugin sees them",
    (
        "get_item: key = key.astype('int64') if isinstance(key, numpy.ndarray) and key.dtype.kind == 'f' else key"
    ): _FIRST,
    "set_item: x = x.astype(numpy.result_type(x, value))": "the core casts the value to the dtype of the array",
    "det: x = x.ravel('K').reshape(x.shape)": "a matrix and the transposed one have one determinant",
    "qr: mode = 'complete' if x.shape[-2] < x.shape[-1] else mode": "both modes give the same for wide matrices",
    "solve: if x1.dtype.kind == 'c' and x2.dtype.kind != 'c': raise TypeError('complex')": _PROMOTED,
    "broadcast_to: shape = tuple(s if s >= 0 else 1 for s in shape)": _FIRST,
    "concat: if len({x.dtype for x in arrays}) > 1: raise TypeError('dtypes')": _PROMOTED,
    "concat: return numpy.concatenate(arrays, axis).astype(arrays[0].dtype)": _PROMOTED,
    "concat: return numpy.concatenate(arrays, axis).astype(arrays[-1].dtype)": _PROMOTED,
    "where: x2 = x2.astype(x1.dtype)": _PROMOTED,
    "permute_dims: if isinstance(axes, list): raise TypeError('list')": "the core gives a tuple",
    "reshape: copy = True": _OPEN,
    "where: x1, x2 = numpy.broadcast_to(x1, numpy.broadcast_shapes(condition.shape, x1.shape)), x2": _SAME,
    "where: condition = condition.astype(bool)": _FIRST,
    "cumulative_prod: if x.dtype == bool: raise TypeError('booleans')": "the core casts truth values to integers before",
    "cumulative_sum: if x.dtype == bool: raise TypeError('booleans')": "the core casts truth values to integers before",
}
