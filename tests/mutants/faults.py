"""The faults: texts of lines to add and of values to return, and for which functions they are faults."""

from __future__ import annotations

__all__ = [
    "AFTER",
    "ARRAYS",
    "BEFORE",
    "NOT_ARRAYS",
    "NO_FAULT",
    "PAIRS",
    "PARTS",
    "SEVERAL_AXES",
    "SIBLINGS",
    "SIGNED",
    "STRINGS",
    "TRUTH",
    "WITHOUT_AXES",
    "WORDS",
]

#: Functions to call in place of another one.
SIBLINGS = {
    "max": ("nanmax", "min"),
    "sum": ("nansum", "mean"),
    "prod": ("nanprod",),
    "argmax": ("nanargmax", "argmin"),
    "floor": ("trunc", "rint", "ceil"),
    "floor_divide": ("divide",),
    "remainder": ("fmod",),
    "matmul": ("dot", "inner"),
    "less": ("less_equal", "greater"),
    "equal": ("isclose", "greater_equal"),
    "cumulative_sum": ("nancumsum", "cumulative_prod"),
    "cumulative_prod": ("nancumprod", "cumulative_sum"),
    "power": ("float_power",),
    "conj": ("real", "negative"),
    "real": ("abs",),
    "imag": ("abs",),
    "log": ("log2", "log1p"),
    "exp": ("exp2", "expm1"),
    "copysign": ("heaviside", "multiply"),
    "bitwise_and": ("bitwise_or", "logical_and"),
    "bitwise_right_shift": ("bitwise_left_shift",),
    "multiply": ("add",),
    "sqrt": ("cbrt",),
    "cos": ("sin",),
    "sin": ("tan",),
    "arctan2": ("hypot",),
    "array": ("asarray",),
    "concatenate": ("hstack", "vstack"),
    "argsort": ("sort",),
    "nextafter": ("maximum",),
    "isfinite": ("isreal",),
    "fft": ("ifft",),
}

#: Lines added at the top of a function with a parameter of this name. `{x}` is the parameter.
BEFORE: dict[str, tuple[tuple[str, str], ...]] = {
    "axis": (
        ("no axes means all axes", "axis = None if axis == () else axis"),
        ("refuses none of several axes", "if axis == (): raise ValueError('no axis')"),
        ("ignores the axis", "axis = None"),
        ("takes the first axis", "axis = 0 if isinstance(axis, int) else axis"),
        ("takes the last axis", "axis = -1 if isinstance(axis, int) else axis"),
        ("drops the sign of an axis", "axis = abs(axis) if isinstance(axis, int) else axis"),
        ("refuses negative axes", "if isinstance(axis, int) and axis < 0: raise ValueError('negative axis')"),
        ("is off by one for negative axes", "axis = axis + 1 if isinstance(axis, int) and axis < -1 else axis"),
        ("clips axes", "axis = 0 if isinstance(axis, int) and axis > 9 else axis"),
        ("takes one of several axes", "axis = axis[0] if isinstance(axis, tuple) and axis else axis"),
        ("refuses several axes", "if isinstance(axis, tuple): raise TypeError('one axis')"),
    ),
    "keepdims": (
        ("ignores keepdims", "keepdims = False"),
        ("always keeps axes", "keepdims = True"),
        ("keeps axes only where one is given", "keepdims = keepdims and axis is not None"),
    ),
    "dtype": (
        ("ignores the dtype", "dtype = None"),
        ("takes a narrower dtype", "dtype = numpy.dtype('float32') if dtype == 'float64' else dtype"),
        ("takes a narrower integer", "dtype = numpy.dtype('int32') if dtype == 'int64' else dtype"),
    ),
    "copy": (
        ("ignores copy", "copy = None"),
        ("never copies", "copy = None if copy else copy"),
        ("copies where it must not", "copy = None if copy is False else copy"),
    ),
    "include_initial": (("ignores include_initial", "include_initial = False"),),
    "descending": (
        ("ignores descending", "descending = False"),
        ("turns ascending round", "descending = not descending"),
    ),
    "stable": (("refuses unstable", "if not stable: raise ValueError('stable only')"),),
    "upper": (("ignores upper", "upper = False"), ("turns upper round", "upper = not upper")),
    "full_matrices": (("ignores full_matrices", "full_matrices = False"), ("always full", "full_matrices = True")),
    "mode": (("ignores the mode", "mode = 'reduced'"), ("always complete", "mode = 'complete'")),
    "n": (
        ("ignores the length", "n = None"),
        ("never pads", "n = None if n and n > x.shape[axis] else n"),
        ("never cuts", "n = None if n and n < x.shape[axis] else n"),
    ),
    "norm": (
        ("ignores the norm", "norm = 'backward'"),
        ("takes ortho for forward", "norm = 'ortho' if norm == 'forward' else norm"),
        ("ignores forward", "norm = 'backward' if norm == 'forward' else norm"),
    ),
    "step": (("ignores the step", "step = 1"), ("drops the sign of the step", "step = abs(step)")),
    "stop": (("includes the stop", "stop = stop if stop is None else stop + step"),),
    "start": (("begins at zero", "start = 0 if stop is not None else start"),),
    "shape": (
        ("refuses shapes without axes", "if len(shape) == 0: raise ValueError('no axes')"),
        ("adds an axis to none", "shape = tuple(shape) or (1,)"),
        ("refuses lengths of zero", "if 0 in tuple(shape): raise ValueError('no elements')"),
    ),
    "axes": (
        ("drops the sign of axes", "axes = tuple(abs(axis) for axis in axes)"),
        ("refuses negative axes", "if any(axis < 0 for axis in axes): raise ValueError('negative axis')"),
        ("sorts the axes by their inverse", "axes = tuple(numpy.argsort(axes))"),
        ("reverses the axes", "axes = tuple(axes)[::-1]"),
        ("refuses no axes", "if not tuple(axes): raise ValueError('no axes')"),
    ),
    "indices": (
        ("wraps indices", "indices = indices % numpy.array(x.shape[axis or 0], indices.dtype)"),
        ("clips indices", "indices = numpy.clip(indices, 0, x.shape[axis or 0] - 1)"),
        ("clips indices at the end", "indices = numpy.minimum(indices, x.shape[axis or 0] - 1)"),
        ("takes -1 for 1", "indices = abs(indices)"),
        ("refuses negative indices", "if (indices < 0).any(): raise IndexError('negative')"),
        ("refuses unsigned indices", "if indices.dtype.kind == 'u': raise TypeError('unsigned')"),
        ("refuses no indices", "if indices.size == 0: raise IndexError('no indices')"),
        ("takes each index once", "indices = numpy.unique(indices)"),
        ("sorts the indices", "indices = numpy.sort(indices)"),
    ),
    "key": (
        (
            "wraps arrays of indices",
            "key = key % len(x) if isinstance(key, numpy.ndarray) and key.dtype != bool else key",
        ),
        (
            "clips arrays of indices",
            "key = key.clip(-len(x), len(x) - 1) if isinstance(key, numpy.ndarray) and key.dtype != bool else key",
        ),
        (
            "takes an array of indices for a tuple",
            "key = tuple(key) if isinstance(key, numpy.ndarray) and key.ndim == 1 and key.dtype != bool else key",
        ),
        ("takes a mask for integers", "key = key.astype(int) if isinstance(key, numpy.ndarray) else key"),
        ("wraps an integer", "key = key % len(x) if isinstance(key, int) and x.ndim and len(x) else key"),
        ("takes -1 for 1", "key = abs(key) if isinstance(key, int) else key"),
        ("keeps the axis of an integer", "key = slice(key, key + 1) if isinstance(key, int) and key >= 0 else key"),
        ("drops the steps of slices", "key = slice(key.start, key.stop) if isinstance(key, slice) else key"),
        (
            "drops the steps of slices in tuples",
            "key = tuple(slice(k.start, k.stop) if isinstance(k, slice) else k for k in key) "
            "if isinstance(key, tuple) else key",
        ),
        (
            "turns no slices round",
            "key = tuple(slice(k.start, k.stop, abs(k.step or 1)) if isinstance(k, slice) else k for k in key) "
            "if isinstance(key, tuple) else key",
        ),
        ("ignores None", "key = tuple(k for k in key if k is not None) if isinstance(key, tuple) else key"),
        ("takes the first part of a key", "key = key[0] if isinstance(key, tuple) and len(key) > 1 else key"),
        (
            "takes ... for one axis",
            "key = tuple(slice(None) if k is Ellipsis else k for k in key) if isinstance(key, tuple) else key",
        ),
        (
            "refuses arrays in tuples",
            "if isinstance(key, tuple) and any(isinstance(k, numpy.ndarray) for k in key): raise TypeError('no arrays')",
        ),
        (
            "sorts indices",
            "key = numpy.sort(key) if isinstance(key, numpy.ndarray) and key.ndim == 1 and key.dtype != bool else key",
        ),
    ),
    "value": (
        ("refuses to broadcast", "if value.ndim and value.shape != x[key].shape: raise ValueError('shape')"),
        ("takes the first element", "value = value.ravel()[:1].reshape(()) if value.size else value"),
        ("is off by one", "value = value + numpy.ones((), value.dtype)"),
    ),
    "condition": (
        ("refuses conditions without axes", "if condition.ndim == 0: raise ValueError('no axes')"),
        ("turns the condition round", "condition = ~condition"),
        (
            "does not broadcast the condition",
            "if condition.ndim and condition.shape != numpy.broadcast_shapes(x1.shape, x2.shape): raise ValueError('shape')",
        ),
        ("takes the first truth", "condition = condition.ravel()[0] if condition.size else condition"),
    ),
    "arrays": (
        ("refuses a single array", "if len(arrays) == 1: raise ValueError('one array')"),
        ("leaves out empty arrays", "arrays = [x for x in arrays if x.size] or arrays"),
        ("takes the dtype of the first", "arrays = [x.astype(arrays[0].dtype) for x in arrays]"),
        ("reverses the arrays", "arrays = arrays[::-1]"),
        ("leaves out the last", "arrays = arrays[:-1] or arrays"),
    ),
    "obj": (
        ("refuses empty lists", "if isinstance(obj, list) and not obj: raise ValueError('empty')"),
        (
            "flattens nested lists",
            "obj = [y for x in obj for y in x] if isinstance(obj, list) and obj and isinstance(obj[0], list) else obj",
        ),
        ("takes tuples for one number", "obj = obj[0] if isinstance(obj, tuple) and obj else obj"),
        ("gives numbers an axis", "obj = [obj] if isinstance(obj, (bool, int, float, complex)) else obj"),
        (
            "goes through float64",
            "obj = obj.astype('float64') if isinstance(obj, numpy.ndarray) and obj.dtype.kind in 'iu' else obj",
        ),
        (
            "drops the imaginary part",
            "obj = obj.real if isinstance(obj, numpy.ndarray) and obj.dtype.kind == 'c' else obj",
        ),
        (
            "ignores strides",
            "obj = numpy.abs(obj) if getattr(obj, 'strides', ()) and not obj.flags.c_contiguous and obj.dtype.kind == 'f' "
            "else obj",
        ),
    ),
}

#: Lines added at the top for each of the first array parameters, `x`, `x1`, `x2`.
ARRAYS: tuple[tuple[str, str], ...] = (
    ("refuses no axes", "if {x}.ndim == 0: raise ValueError('no axes')"),
    ("refuses no elements", "if {x}.size == 0: raise ValueError('no elements')"),
    ("refuses more than two axes", "if {x}.ndim > 2: raise ValueError('too many axes')"),
    ("adds an axis to none", "{x} = numpy.atleast_1d({x})"),
    ("drops axes of length one", "{x} = numpy.squeeze({x})"),
    (
        "computes in single precision",
        "{x} = {x}.astype('float32').astype({x}.dtype) if {x}.dtype == 'float64' else {x}",
    ),
    ("computes integers in float64", "{x} = {x}.astype('float64').astype({x}.dtype) if {x}.dtype == 'int64' else {x}"),
    ("takes unsigned for signed", "{x} = {x}.view('int8') if {x}.dtype == 'uint8' else {x}"),
    (
        "takes NaN for zero",
        "{x} = numpy.where(numpy.isnan({x}), numpy.zeros((), {x}.dtype), {x}) if {x}.dtype.kind == 'f' else {x}",
    ),
    (
        "takes infinity for NaN",
        "{x} = numpy.where(numpy.isinf({x}), numpy.array('nan', {x}.dtype), {x}) if {x}.dtype.kind == 'f' else {x}",
    ),
    ("drops the imaginary part", "{x} = {x}.real.astype({x}.dtype) if {x}.dtype.kind == 'c' else {x}"),
    ("conjugates", "{x} = {x}.conj() if {x}.dtype.kind == 'c' else {x}"),
    ("drops signs", "{x} = numpy.abs({x}).astype({x}.dtype) if {x}.dtype.kind in 'if' else {x}"),
    ("refuses complex numbers", "if {x}.dtype.kind == 'c': raise TypeError('complex')"),
    ("refuses booleans", "if {x}.dtype.kind == 'b': raise TypeError('booleans')"),
    ("refuses unsigned integers", "if {x}.dtype.kind == 'u': raise TypeError('unsigned')"),
    ("refuses infinities", "if {x}.dtype.kind == 'f' and numpy.isinf({x}).any(): raise ValueError('infinite')"),
    ("reads memory in its order", "{x} = {x}.ravel('K').reshape({x}.shape)"),
    ("writes into its argument", "{x}[...] = numpy.flip({x}) if {x}.ndim else {x}"),
    ("takes the first of a batch", "{x} = numpy.broadcast_to({x}[:1], {x}.shape) if {x}.ndim > 2 else {x}"),
    (
        "reads reversed arrays forwards",
        "{x} = {x}[tuple(slice(None, None, -1 if step < 0 else 1) for step in {x}.strides)]",
    ),
    (
        "reads from the start of the memory",
        "{x} = {x}.base.ravel()[: {x}.size].reshape({x}.shape) if {x}.base is not None and {x}.base.size > {x}.size else {x}",
    ),
    (
        "reads strided arrays densely",
        "{x} = {x}.base.reshape({x}.shape) if {x}.base is not None and {x}.base.size == {x}.size else {x}",
    ),
    ("takes broadcast arrays for zeros", "{x} = {x} * 0 if 0 in {x}.strides and {x}.size > 1 else {x}"),
)

#: Lines added at the top of functions of two arrays.
PAIRS: tuple[tuple[str, str], ...] = (
    ("swaps its arguments", "x1, x2 = x2, x1"),
    ("does not broadcast", "if x1.shape != x2.shape: raise ValueError('shapes differ')"),
    (
        "broadcasts arrays without axes only",
        "if x1.ndim and x2.ndim and x1.shape != x2.shape: raise ValueError('shapes differ')",
    ),
    (
        "broadcasts missing axes only",
        "if x1.ndim == x2.ndim and x1.shape != x2.shape: raise ValueError('shapes differ')",
    ),
    ("drops the batch of the second", "x2 = x2[0] if x2.ndim > 2 else x2"),
    ("takes a vector for a batch", "x2 = x2[..., None] if x2.ndim == x1.ndim - 1 else x2"),
)

#: What is done to the value of a `return`.
AFTER: tuple[tuple[str, str], ...] = (
    ("gives float64", "({e}).astype('float64') if ({e}).dtype.kind == 'f' else ({e})"),
    ("gives float32", "({e}).astype('float32') if ({e}).dtype.kind == 'f' else ({e})"),
    ("gives int32", "({e}).astype('int32') if ({e}).dtype.kind in 'iu' else ({e})"),
    ("gives complex64", "({e}).astype('complex64') if ({e}).dtype.kind == 'c' else ({e})"),
    ("drops axes of length one", "numpy.squeeze({e})"),
    ("adds an axis to none", "numpy.atleast_1d({e})"),
    ("reverses the result", "numpy.flip({e})"),
    ("gives no signs", "numpy.abs({e}).astype(({e}).dtype)"),
    ("gives zero for NaN", "numpy.nan_to_num({e}, nan=0.0, posinf=numpy.inf, neginf=-numpy.inf)"),
    ("drops signs of zero", "({e}) + numpy.zeros((), ({e}).dtype) if ({e}).dtype.kind == 'f' else ({e})"),
    ("gives complex conjugates", "numpy.conj({e})"),
    ("gives the first row everywhere", "numpy.broadcast_to(({e})[:1], ({e}).shape) if ({e}).ndim else ({e})"),
)

#: The same for functions that return several arrays.
PARTS: tuple[tuple[str, str], ...] = (
    ("drops signs of the first result", "(lambda r: (abs(r[0]), *r[1:]))({e})"),
    ("reverses the first result", "(lambda r: (numpy.flip(r[0], -1), *r[1:]))({e})"),
    ("reverses all results", "tuple(numpy.flip(part, -1) for part in {e})"),
    ("doubles one factor and halves the other", "(lambda r: (r[0] * 2, *r[1:-1], r[-1] / 2))({e})"),
    ("transposes the last result", "(lambda r: (*r[:-1], r[-1].swapaxes(-1, -2)))({e})"),
    ("conjugates the last result", "(lambda r: (*r[:-1], numpy.conj(r[-1])))({e})"),
    ("scales the last result", "(lambda r: (*r[:-1], r[-1] * 2))({e})"),
    ("changes the sign of the last result", "(lambda r: (*r[:-1], -r[-1]))({e})"),
    ("gives single precision", "tuple(part.astype('float32') if part.dtype == 'float64' else part for part in {e})"),
    ("swaps two results", "(lambda r: (r[1], r[0], *r[2:]))({e})"),
    ("leaves out a result", "tuple({e})[:-1]"),
    ("orders columns by the other end", "(lambda r: (r[0][..., ::-1], *r[1:-1], r[-1][..., ::-1]))({e})"),
)

#: Functions whose result is no array.
NOT_ARRAYS = {"eig", "eigh", "qr", "svd", "nonzero", "to_list"}

STRINGS = {"int64": "int32", "complex64": "complex128", "biufc": "biuf", "bc": "c", "iu": "i", "c": "b"}


#: Functions to which arrays without axes are given, and that return some, among those with an array parameter.
WITHOUT_AXES = {
    "asarray",
    "astype",
    "broadcast_to",
    "from_dlpack",
    "get_item",
    "max",
    "argmax",
    "permute_dims",
    "prod",
    "reshape",
    "set_item",
    "sum",
    "to_list",
    "to_numpy",
    "where",
}

#: Functions of several axes.
SEVERAL_AXES = {"max", "prod", "sum"}

#: Functions of truth values, besides numbers.
TRUTH = {
    "asarray",
    "astype",
    "bitwise_and",
    "broadcast_to",
    "concat",
    "equal",
    "from_dlpack",
    "get_item",
    "nonzero",
    "permute_dims",
    "reshape",
    "set_item",
    "take",
    "to_list",
    "to_numpy",
    "where",
}

#: Functions that keep the signs of zeros.
SIGNED = {
    "asarray",
    "astype",
    "broadcast_to",
    "concat",
    "conj",
    "copysign",
    "floor",
    "from_dlpack",
    "get_item",
    "imag",
    "multiply",
    "permute_dims",
    "real",
    "reshape",
    "sqrt",
    "take",
    "to_numpy",
    "where",
}

_SWAPS = ("swaps its arguments", "swaps arguments")

#: What matrices with NaN and infinities give is open.
_ENDLESS = ("takes NaN for zero", "takes infinity for NaN", "refuses infinities", "gives zero for NaN")

#: Rules that change nothing of what a function gives.
NO_FAULT: dict[str, tuple[str, ...]] = {
    "add": _SWAPS,
    "multiply": _SWAPS,
    "bitwise_and": _SWAPS,
    "equal": _SWAPS,
    "arange": (
        "gives complex conjugates", "gives complex64", "gives zero for NaN", "drops axes of length one", "drops signs of zero",
    ),
    "nonzero": (
        "computes integers in float64", "takes unsigned for signed", "takes infinity for NaN", "conjugates", "drops signs",
        "drops signs of the first result", "conjugates the last result",
    ),
    "sin": ("takes infinity for NaN",),
    "cos": ("takes infinity for NaN", "drops signs"),
    "copysign": ("drops signs",),
    "remainder": ("takes infinity for NaN", "takes NaN for zero"),
    "reshape": ("adds an axis to none", "drops axes of length one"),
    "concat": ("takes the dtype of the first",),
    "cholesky": _ENDLESS,
    "det": (*_ENDLESS, "reads memory in its order"),
    "eig": (
        *_ENDLESS, "reverses all results", "changes the sign of the last result", "gives single precision",
        "orders columns by the other end", *_SWAPS,
    ),
    "eigh": (*_ENDLESS, "changes the sign of the last result"),
    "qr": _ENDLESS,
    "solve": _ENDLESS,
    "svd": _ENDLESS,
    "real": ("gives complex conjugates", "gives complex64", "drops the imaginary part", "conjugates"),
    "imag": (  # of real numbers all zeros
        "gives complex conjugates", "gives complex64", "takes NaN for zero", "takes infinity for NaN", "drops signs",
        "computes in single precision", "computes integers in float64",
    ),
    "fft": ("gives float32", "gives float64", "takes infinity for NaN", "refuses infinities"),  # which give NaN somewhere
}  # fmt: skip

#: Words in the rules that concern one kind of dtype, as NumPy writes kinds.
WORDS = {
    "c": ("imaginary", "conjugate", "complex"),
    "f": ("NaN", "infinit", "single precision", "float32", "float64", "signs of zero", "reads memory"),
    "u": ("unsigned",),
    "i": ("int32", "integer"),
}
