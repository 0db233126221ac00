"""Types, dtypes and devices of NumPy, and the facts that the core asks for.

NumPy computes in every dtype of the standard, so that no dtype needs another to stand in for it; only `numpy.linalg`
lacks float16. NumPy 1 promotes a Python scalar beside an array without axes by its value; there the core makes
arrays of scalars first.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from corearray.plugin import Fast, called_on_natives, hookimpl, matches
from corearray_numpy.tracer import Tracer

DTYPES = {
    "bool": np.dtype(np.bool_),
    "int8": np.dtype(np.int8),
    "int16": np.dtype(np.int16),
    "int32": np.dtype(np.int32),
    "int64": np.dtype(np.int64),
    "uint8": np.dtype(np.uint8),
    "uint16": np.dtype(np.uint16),
    "uint32": np.dtype(np.uint32),
    "uint64": np.dtype(np.uint64),
    "float16": np.dtype(np.float16),
    "float32": np.dtype(np.float32),
    "float64": np.dtype(np.float64),
    "complex64": np.dtype(np.complex64),
    "complex128": np.dtype(np.complex128),
}
KNOWN = frozenset(DTYPES.values())
INTEGERS = frozenset(dtype for dtype in KNOWN if dtype.kind in "iu")
COMPLEX = frozenset(dtype for dtype in KNOWN if dtype.kind == "c")

#: `hookimpl(scalars=...)` of elementwise functions: whether a Python scalar is weak beside every array.
WEAK_SCALARS = matches(np.__version__, ">=2")

#: `hookimpl(via=...)` of functions that NumPy lacks in half precision (LAPACK's), or that lose too much in it (means).
HALF = {"float16": "float32"}


#: Whether `out=...` makes a ufunc return an array where it would return a scalar.
AS_ARRAY = matches(np.__version__, ">=2.3")


def reduction(ufunc: np.ufunc) -> Fast:
    """Return the fast path of a reduction. By default NumPy reduces the first axis only."""
    return Fast(_over_all(ufunc.reduce), with_options=_over_axes(ufunc.reduce))


def _over_all(reduce: Callable[..., Any]) -> Callable[[Any], Any]:
    if AS_ARRAY:
        return lambda x: reduce(x, None, out=...)
    return lambda x: reduce(x, None)


def _over_axes(reduce: Callable[..., Any]) -> Callable[[Any, Any, bool], Any]:

    def along(x: Any, axis: Any, keepdims: bool) -> Any:
        axis = tuple(axis) if type(axis) is list else axis
        return reduce(x if x.ndim else with_axes(x, axis), axis, None, None, keepdims)

    return along


def with_axes(x: Any, axes: Any) -> Any:
    """Refuse an array without axes, in which NumPy's reductions find the axes 0 and -1, unless it is asked for none."""
    if not x.ndim and axes is not None and axes != ():
        raise IndexError("the array has no axes")
    return x


def as_indices(x: Any) -> Any:
    """Return an integer array in the dtype of indices, which methods want where they take no uint64."""
    if x.dtype.kind == "b":
        raise TypeError(f"indices are integers, got an array of {x.dtype}")
    return x.astype(np.intp, casting="same_kind", copy=False)


#: Ufuncs of operators, which the library's promotion decides: `array + x` is `x + array`.
_OPERATORS = {
    np.add: operator.add, np.bitwise_and: operator.and_, np.bitwise_or: operator.or_, np.bitwise_xor: operator.xor,
    np.equal: operator.eq, np.floor_divide: operator.floordiv, np.greater: operator.gt, np.greater_equal: operator.ge,
    np.left_shift: operator.lshift, np.less: operator.lt, np.less_equal: operator.le, np.matmul: operator.matmul,
    np.multiply: operator.mul, np.not_equal: operator.ne, np.power: operator.pow, np.remainder: operator.mod,
    np.right_shift: operator.rshift, np.subtract: operator.sub, np.true_divide: operator.truediv,
}  # fmt: skip

#: Comparisons from the right; other operators have methods of their own for that.
_MIRRORED = {
    np.equal: operator.eq, np.greater: operator.lt, np.greater_equal: operator.le, np.less: operator.gt,
    np.less_equal: operator.ge, np.not_equal: operator.ne,
}  # fmt: skip


@hookimpl
def register_array(array_class: Any) -> None:
    """Let NumPy's functions take arrays and return them."""
    arrays = array_class.__mro__[1]

    def of_ufunc(self: Any, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        if any(isinstance(x, arrays) and not isinstance(x, array_class) for x in inputs):
            return NotImplemented  # arrays of other backends, which their operators refuse in words
        if method == "__call__" and not options and ufunc in _OPERATORS:
            one, other = inputs
            if isinstance(one, array_class):
                return _OPERATORS[ufunc](one, other)
            if ufunc in _MIRRORED:
                return _MIRRORED[ufunc](other, one)
            return getattr(other, f"__r{_OPERATORS[ufunc].__name__.strip('_')}__")(one)
        return called_on_natives(getattr(ufunc, method), inputs, options, array_class)

    def of_function(self: Any, function: Any, types: Any, args: Any, options: Any) -> Any:
        known = (np.ndarray, np.generic, array_class)
        if not all(kind is Tracer or issubclass(kind, known) for kind in types):
            return NotImplemented
        return called_on_natives(function, args, options, array_class)

    array_class.__array_ufunc__ = of_ufunc
    array_class.__array_function__ = of_function


@hookimpl
def array_types() -> tuple[type, ...]:
    return np.ndarray, np.generic, Tracer


@hookimpl
def as_array(value: Any) -> Any:
    return value if type(value) is Tracer else np.asarray(value)


@hookimpl
def device_name(device: Any) -> str:
    return str(device)


@hookimpl
def device_of(x: Any) -> str:
    return "cpu"


@hookimpl
def devices() -> tuple[str, ...]:
    return ("cpu",)


@hookimpl
def diagnostics() -> dict[str, str]:
    found = np.show_config(mode="dicts")
    blas = found.get("Build Dependencies", {}).get("blas", {})
    simd = found.get("SIMD Extensions", {})
    return {
        "BLAS": f"{blas.get('name', 'unknown')} {blas.get('version', '')}".rstrip(),
        "SIMD": ", ".join([*simd.get("baseline", ()), *simd.get("found", ())]),
    }


@hookimpl
def dlpack_device(x: Any) -> tuple[Any, int]:
    return np.asarray(x).__dlpack_device__()


@hookimpl
def dtypes() -> dict[str, Any]:
    return DTYPES


@hookimpl
def memory_of(x: Any) -> int:
    """Tell memories apart by the arrays that own them."""
    return id(owner(x))


@hookimpl
def move(x: Any, device: Any) -> Any:
    return x


@hookimpl
def native_device(name: str) -> str:
    return name


@hookimpl
def promotes_arrays() -> bool:
    """Tell whether arrays without axes count like others; to NumPy 1 it was their value that counted."""
    return WEAK_SCALARS


@hookimpl
def random_words(seed: int, count: int) -> Any:
    drawn = np.random.Philox(key=seed).random_raw(count)
    return (drawn >> np.uint64(32)).astype(np.int64), (drawn & np.uint64(0xFFFFFFFF)).astype(np.int64)


@hookimpl
def text(x: Any, precision: int | None) -> str:
    return np.array2string(x, precision=precision, separator=", ", threshold=200, edgeitems=3)


@hookimpl
def to_dlpack(x: Any, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: Any = None) -> Any:
    """Export; read-only memory is copied, because consumers may ignore the flag of DLPack 1 and write into it."""
    x = np.asarray(x)
    if not x.flags.writeable and copy is not False:
        x = x.copy()
    options = {"max_version": max_version, "dl_device": dl_device, "copy": copy}
    return x.__dlpack__(stream=stream, **{name: value for name, value in options.items() if value is not None})


@hookimpl
def writes_in_place() -> bool:
    return True


#: By function, the ufunc that computes it in place, and the kinds of dtypes that its result keeps.
_UPDATES = {
    "add": (np.add, "iufc"),
    "bitwise_and": (np.bitwise_and, "biu"),
    "bitwise_or": (np.bitwise_or, "biu"),
    "bitwise_xor": (np.bitwise_xor, "biu"),
    "divide": (np.divide, "fc"),
    "multiply": (np.multiply, "iufc"),
    "subtract": (np.subtract, "iufc"),
}


@hookimpl
def updates() -> dict[str, Callable[[Any, Any], bool]]:
    return {name: _updating(ufunc, kinds) for name, (ufunc, kinds) in _UPDATES.items()}


def _updating(ufunc: np.ufunc, kinds: str) -> Callable[[Any, Any], bool]:
    def update(x: Any, other: Any) -> bool:
        if type(x) is not np.ndarray or x.dtype.kind not in kinds or not x.flags.writeable:
            return False
        if type(other) is not np.ndarray and not WEAK_SCALARS:
            return False
        try:
            ufunc(x, other, x)
        except ValueError:  # before anything is written: the result has another shape
            return False
        return True

    return update


def owner(x: Any) -> Any:
    """Return the array that owns the memory of an array, or that took it over from another library."""
    x = getattr(x, "_array", x)  # what stands for an array in a graph
    while isinstance(x.base, np.ndarray):
        x = x.base
    return x


#: `hookimpl(via=...)` of functions that NumPy refuses for truth values, or for which it gives another dtype.
TRUTH_AS_NUMBERS = {"bool": "int32"}
