"""CuPy's names over NumPy, with what CuPy refuses and does otherwise, for tests without a GPU.

Arrays do not become NumPy's by themselves, and NumPy's are no operands. Reductions and integer keys give arrays without
axes. Arrays of indices wrap at the ends of an axis. Factorisations of matrices that have none give NaN in place of an error.
"""

from __future__ import annotations

import sys
import types
from typing import Any

import numpy as np

__all__ = ["modules", "ndarray"]

#: Names of NumPy that CuPy 13 lacks, or that are no functions of arrays.
_LACKING = {
    "astype", "bitwise_count", "concat", "cumulative_prod", "cumulative_sum", "isdtype", "matrix_transpose", "matvec",
    "ndarray", "permute_dims", "pow", "test", "unstack", "vecdot", "vecmat",
}  # fmt: skip
_LACKING_OF_LINALG = {"eig", "eigvals", "test", "LinAlgError", *(set(dir(np.linalg)) & _LACKING)}


class Device:
    """A GPU, also the one that is in force within a `with` statement."""

    def __init__(self, number: Any = None) -> None:
        self.id = number.id if isinstance(number, Device) else int(number or 0)

    def __enter__(self) -> Device:
        return self

    def __exit__(self, *raised: object) -> None: ...

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and self.id == other.id

    def __hash__(self) -> int:
        return hash(self.id)


class ndarray:  # noqa: N801 - CuPy's name
    """An array on the GPU."""

    __array_priority__ = 100
    __array_ufunc__ = None

    def __init__(self, held: np.ndarray) -> None:
        self.held = held

    dtype = property(lambda self: self.held.dtype)
    shape = property(lambda self: self.held.shape, lambda self, shape: setattr(self.held, "shape", shape))
    ndim = property(lambda self: self.held.ndim)
    size = property(lambda self: self.held.size)
    itemsize = property(lambda self: self.held.itemsize)
    strides = property(lambda self: self.held.strides)
    flags = property(lambda self: self.held.flags)
    T = property(lambda self: ndarray(self.held.T))
    real = property(lambda self: ndarray(np.asarray(self.held.real)))
    imag = property(lambda self: ndarray(np.asarray(self.held.imag)))
    device = property(lambda self: Device(0))

    @property
    def data(self) -> Any:
        """Views share the pointer to their chunk of memory."""
        root = self.held
        while isinstance(root.base, np.ndarray):
            root = root.base
        return types.SimpleNamespace(mem=types.SimpleNamespace(ptr=root.__array_interface__["data"][0], held=root))

    def get(self) -> np.ndarray:
        return self.held.copy()

    def item(self) -> Any:
        return self.held.item()

    def tolist(self) -> Any:
        return self.held.tolist()

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise TypeError(
            "Implicit conversion to a NumPy array is not allowed. Please use `.get()` to construct one explicitly."
        )

    def __dlpack__(self, **options: Any) -> Any:
        return self.held.__dlpack__()

    def __dlpack_device__(self) -> tuple[int, int]:
        return 2, 0  # of CUDA

    def __bool__(self) -> bool:
        return bool(self.held)

    def __len__(self) -> int:
        return len(self.held)

    def __index__(self) -> int:
        return self.held.__index__()

    def __int__(self) -> int:
        return int(self.held)

    def __float__(self) -> float:
        return float(self.held)

    def __complex__(self) -> complex:
        return complex(self.held)

    def __getitem__(self, key: Any) -> ndarray:
        return _given(self.held[_wrapped(self.held, key)])

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(value, np.ndarray) and value.ndim:
            raise ValueError("non-scalar numpy.ndarray cannot be used for fill")
        self.held[_wrapped(self.held, key)] = _taken(value)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not callable(getattr(self.held, name)):
            raise AttributeError(f"'ndarray' object has no attribute '{name}'")
        return _function(lambda self, *args, **options: getattr(self, name)(*args, **options)).__get__(self)


def _wrapped(x: np.ndarray, key: Any) -> Any:
    """Return a key of NumPy, with arrays of indices taken modulo the lengths of their axes."""
    parts = key if isinstance(key, tuple) else (key,)
    if any(isinstance(part, np.ndarray) and part.ndim for part in parts):
        raise TypeError("Unsupported type <class 'numpy.ndarray'>")
    taken, axis = [], 0
    for part in parts:
        if part is Ellipsis:
            axis = x.ndim - sum(other is not None for other in parts[len(taken) + 1 :])
        if isinstance(part, ndarray) and part.dtype.kind in "iu" and axis < x.ndim and x.shape[axis]:
            taken.append(part.held.astype("int64") % x.shape[axis])
        else:
            taken.append(_taken(part))
        axis += part is not None and part is not Ellipsis
    return tuple(taken) if isinstance(key, tuple) else taken[0]


def _taken(value: Any) -> Any:
    if isinstance(value, ndarray):
        return value.held
    if isinstance(value, np.ndarray):
        raise TypeError("Unsupported type <class 'numpy.ndarray'>")
    if isinstance(value, (list, tuple)):
        return type(value)(map(_taken, value))
    return value


def _given(value: Any) -> Any:
    if isinstance(value, (np.ndarray, np.generic)):
        return ndarray(np.asarray(value))
    if isinstance(value, (list, tuple)):
        items = list(map(_given, value))
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    return value


def _function(function: Any) -> Any:
    def called(*args: Any, **options: Any) -> Any:
        with np.errstate(all="ignore"):
            return _given(function(*map(_taken, args), **{name: _taken(value) for name, value in options.items()}))

    called.__name__ = getattr(function, "__name__", "called")
    return called


def _operator(name: str) -> Any:
    def called(self: ndarray, *others: Any) -> Any:
        with np.errstate(all="ignore"):
            return _given(getattr(self.held, name)(*map(_taken, others)))

    return called


for _name in (
    "add",
    "sub",
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "pow",
    "and",
    "or",
    "xor",
    "lshift",
    "rshift",
    "matmul",
):
    for _full in (f"__{_name}__", f"__r{_name}__"):
        setattr(ndarray, _full, _operator(_full))
for _name in ("eq", "ne", "lt", "le", "gt", "ge", "neg", "pos", "abs", "invert"):
    setattr(ndarray, f"__{_name}__", _operator(f"__{_name}__"))


def _without_error(function: Any) -> Any:
    """Let a function of matrices give NaN where NumPy raises an error for their values."""

    def called(x: Any, *others: Any) -> Any:
        try:
            return function(x, *others)
        except np.linalg.LinAlgError as error:
            if "definite" not in str(error) and "Singular" not in str(error):
                raise
            return np.full_like(others[0] if others else x, np.nan)

    return _function(called)


def _array(obj: Any, dtype: Any = None, copy: Any = True, **options: Any) -> ndarray:
    """Make an array, of NumPy's also."""
    held = obj.held if isinstance(obj, ndarray) else _of_lists(obj)
    found = np.array(held, dtype, copy=bool(copy) or isinstance(obj, np.ndarray) or None)
    if found.dtype.kind not in "biufc":
        raise ValueError(f"Unsupported dtype {found.dtype}")
    return obj if isinstance(obj, ndarray) and found is held else ndarray(found)


def _of_lists(obj: Any) -> Any:
    return type(obj)(map(_of_lists, obj)) if isinstance(obj, (list, tuple)) else getattr(obj, "held", obj)


def _take(x: Any, indices: Any, axis: Any = None) -> Any:
    return np.take(x, indices, axis, mode="wrap")


def _from_dlpack(x: Any, **options: Any) -> ndarray:
    if int(x.__dlpack_device__()[0]) == 1:
        raise ValueError(
            "CPU arrays cannot be directly imported to CuPy. Use `cupy.array(numpy.from_dlpack(input))` instead."
        )
    return x if isinstance(x, ndarray) else ndarray(np.from_dlpack(x))


def _module(name: str, source: Any, lacking: set[str], **own: Any) -> types.ModuleType:
    made = types.ModuleType(name)
    for each in dir(source):
        value = getattr(source, each)
        if each.startswith("_") or each in lacking or isinstance(value, types.ModuleType):
            continue
        setattr(made, each, _function(value) if callable(value) and not isinstance(value, type) else value)
    vars(made).update(own)
    return made


def modules() -> dict[str, types.ModuleType]:
    """Return the modules of CuPy by their names, as in `sys.modules`."""
    runtime = types.SimpleNamespace(getDeviceCount=lambda: 1)
    cuda = _module("cupy.cuda", types, set(dir(types)), Device=Device, runtime=runtime)
    cuda.device = _module("cupy.cuda.device", types, set(dir(types)), Device=Device)
    linalg = _module(
        "cupy.linalg",
        np.linalg,
        _LACKING_OF_LINALG,
        cholesky=_without_error(np.linalg.cholesky),
        solve=_without_error(np.linalg.solve),
        inv=_without_error(np.linalg.inv),
    )
    fft = _module("cupy.fft", np.fft, {"test"})
    cupy = _module(
        "cupy",
        np,
        _LACKING,
        array=_array,
        asarray=lambda obj, dtype=None, **options: _array(obj, dtype, copy=False),
        asnumpy=lambda x, **options: x.get() if isinstance(x, ndarray) else np.asarray(x),
        take=_function(_take),
        from_dlpack=_from_dlpack,
        ndarray=ndarray,
        cuda=cuda,
        linalg=linalg,
        fft=fft,
    )
    cupy.__path__ = []
    found = {module.__name__: module for module in (cupy, cuda, cuda.device, linalg, fft)}
    assert not set(found) & set(sys.modules), "CuPy itself is installed"
    return found
