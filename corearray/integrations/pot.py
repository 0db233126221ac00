"""POT (Python Optimal Transport): a backend of its kind, so that its functions take arrays and have gradients."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

import corearray as ca
from corearray.integrations.numpy_names import FUNCTIONS, norm

__all__ = ["Functions", "register"]


def register() -> None:
    """Add the backend to POT's list, unless it is there."""
    backend = import_module("ot.backend")
    known = backend.get_available_backend_implementations()
    if not any(issubclass(each, Functions) for each in known):
        backend._register_backend_implementation(
            type("CorearrayBackend", (Functions, backend.Backend), {"__name__": "corearray", "__type__": ca.Array})
        )


def _like(type_as: Any) -> dict[str, Any]:
    return {} if type_as is None else {"dtype": type_as.dtype, "device": type_as.device}


def _all_axes(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method that reduces all axes unless one is given."""

    def method(self: Any, a: Any, axis: Any = None, keepdims: bool = False) -> Any:
        return function(a, axis=axis, keepdims=keepdims)

    return method


def _of(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method that passes its arguments on."""

    def method(self: Any, *arguments: Any, **given: Any) -> Any:
        return function(*arguments, **given)

    return method


class Functions:
    """The functions that POT asks of a backend, in the order of its base class."""

    def __init__(self) -> None:
        self.rng_ = ca.random.Generator(0)
        self.__type_list__ = [ca.ones((), dtype=ca.float32), ca.ones((), dtype=ca.float64)]

    def _to_numpy(self, a: Any) -> Any:
        return ca.to_numpy(ca.stop_gradient(a)) if isinstance(a, ca.Array) else a

    def _from_numpy(self, a: Any, type_as: Any = None) -> Any:
        return ca.asarray(a, **_like(type_as))

    def set_gradients(self, val: Any, inputs: Any, grads: Any) -> Any:
        """Return the value with given derivatives: what is added is zero, and so are derivatives of anything else."""
        found = ca.stop_gradient(val)
        for x, slope in zip(inputs, grads, strict=True):
            line = ca.sum(x * ca.stop_gradient(slope))
            found = found + (line - ca.stop_gradient(line))
        return found

    def _detach(self, a: Any) -> Any:
        return ca.stop_gradient(a)

    def zeros(self, shape: Any, type_as: Any = None) -> Any:
        return ca.zeros(shape, **_like(type_as))

    def ones(self, shape: Any, type_as: Any = None) -> Any:
        return ca.ones(shape, **_like(type_as))

    def arange(self, stop: Any, start: Any = 0, step: Any = 1, type_as: Any = None) -> Any:
        return ca.arange(start, stop, step, **_like(type_as))

    def full(self, shape: Any, fill_value: Any, type_as: Any = None) -> Any:
        return ca.full(shape, fill_value, **_like(type_as))

    def eye(self, N: int, M: int | None = None, type_as: Any = None) -> Any:
        return ca.eye(N, M, **_like(type_as))

    sum, max, min = _all_axes(ca.sum), _all_axes(ca.max), _all_axes(ca.min)
    mean, median, std, prod = _all_axes(ca.mean), _all_axes(ca.median), _all_axes(ca.std), _all_axes(ca.prod)
    argmax, argmin, logsumexp = _all_axes(ca.argmax), _all_axes(ca.argmin), _all_axes(ca.logsumexp)
    maximum, minimum, power, atan2 = _of(ca.maximum), _of(ca.minimum), _of(ca.pow), _of(ca.atan2)
    sign, abs, exp, log = _of(ca.sign), _of(ca.abs), _of(ca.exp), _of(ca.log)
    sqrt, floor, arccos = _of(ca.sqrt), _of(ca.floor), _of(ca.acos)
    real, imag, conj, any = _of(ca.real), _of(ca.imag), _of(ca.conj), _of(ca.any)
    isnan, isinf, isfinite = _of(ca.isnan), _of(ca.isinf), _of(ca.isfinite)
    dot, cumsum, repeat, transpose = map(_of, (FUNCTIONS[name] for name in ("dot", "cumsum", "repeat", "transpose")))
    concatenate, stack, squeeze = map(_of, (FUNCTIONS[name] for name in ("concatenate", "stack", "squeeze")))
    take_along_axis, diag, where, copy = map(_of, (FUNCTIONS[n] for n in ("take_along_axis", "diag", "where", "copy")))
    matmul, outer, tile = _of(ca.matmul), _of(ca.linalg.outer), _of(ca.tile)
    solve, inv, pinv = _of(ca.linalg.solve), _of(ca.linalg.inv), _of(ca.linalg.pinv)
    det, trace = _of(ca.linalg.det), _of(ca.linalg.trace)
    array_equal, allclose = _of(ca.array_equal), _of(ca.allclose)

    def norm(self, a: Any, axis: Any = None, keepdims: bool = False) -> Any:
        return norm(a, axis=axis, keepdims=keepdims)

    def einsum(self, subscripts: str, *operands: Any) -> Any:
        return ca.einsum(subscripts, *operands)

    def sort(self, a: Any, axis: int = -1) -> Any:
        return ca.sort(a, axis=axis)

    def argsort(self, a: Any, axis: int = -1) -> Any:
        return ca.argsort(a, axis=axis)

    def sort2(self, a: Any, axis: int = -1) -> Any:
        return ca.sort(a, axis=axis), ca.argsort(a, axis=axis)

    def searchsorted(self, a: Any, v: Any, side: Any = "left") -> Any:
        if a.ndim == 1:
            return ca.searchsorted(a, v, side=side)
        rows = [self.searchsorted(a[i], v[i], side) for i in range(a.shape[0])]
        return ca.stack(rows)

    def flip(self, a: Any, axis: Any = None) -> Any:
        return ca.flip(a, axis=axis)

    def clip(self, a: Any, a_min: Any = None, a_max: Any = None) -> Any:
        return ca.clip(a, a_min, a_max)

    def zero_pad(self, a: Any, pad_width: Any, value: Any = 0) -> Any:
        return ca.pad(a, pad_width, constant_values=value)

    def linspace(self, start: Any, stop: Any, num: int, type_as: Any = None) -> Any:
        return ca.linspace(start, stop, num, **_like(type_as))

    def meshgrid(self, a: Any, b: Any) -> Any:
        return ca.meshgrid(a, b)

    def unique(self, a: Any, return_inverse: bool = False) -> Any:
        found = ca.unique_inverse(a) if return_inverse else ca.sort(ca.unique_values(a))
        return (found[0], ca.reshape(found[1], a.shape)) if return_inverse else found

    def reshape(self, a: Any, shape: Any) -> Any:
        return ca.reshape(a, shape)

    def seed(self, seed: int | None = None) -> None:
        if seed is not None:
            self.rng_ = ca.random.Generator(seed)

    def rand(self, *size: int, type_as: Any = None) -> Any:
        return self.rng_.uniform(shape=size, **_like(type_as))

    def randn(self, *size: int, type_as: Any = None) -> Any:
        return self.rng_.normal(shape=size, **_like(type_as))

    def randperm(self, size: int, type_as: Any = None) -> Any:
        if not isinstance(size, int):
            raise ValueError("size must be an integer")
        return self.rng_.permutation(size)

    # --- sparse matrices are dense here, as on POT's other backends without them

    def coo_matrix(self, data: Any, rows: Any, cols: Any, shape: Any = None, type_as: Any = None) -> Any:
        data, rows, cols = map(ca.asarray, (data, rows, cols))  # POT's solvers of one dimension give NumPy's
        shape = (int(ca.max(rows)) + 1, int(ca.max(cols)) + 1) if shape is None else tuple(shape)
        like = data if type_as is None else type_as
        flat = ca.zeros((math.prod(shape),), **_like(like))
        at = ca.reshape(ca.astype(rows, ca.int64) * shape[1] + ca.astype(cols, ca.int64), (-1, 1))
        return ca.reshape(flat + ca.scatter_nd(at, ca.astype(data, like.dtype), flat.shape), shape)

    def issparse(self, a: Any) -> bool:
        return False

    def tocsr(self, a: Any) -> Any:
        return a

    def eliminate_zeros(self, a: Any, threshold: float = 0.0) -> Any:
        return ca.where(ca.abs(a) <= threshold, ca.zeros_like(a), a) if threshold > 0 else a

    def todense(self, a: Any) -> Any:
        return a

    def sparse_coo_data(self, a: Any) -> Any:
        found = import_module("scipy.sparse").coo_array(self._to_numpy(a))
        return found.row, found.col, found.data, found.shape

    def dtype_device(self, a: Any) -> tuple[Any, Any]:
        return a.dtype, a.device

    def assert_same_dtype_device(self, a: Any, b: Any) -> None:
        assert a.dtype == b.dtype, "Dtype discrepancy"
        assert a.device == b.device, f"Device discrepancy: {a.device} and {b.device}"

    def unsqueeze(self, a: Any, axis: int) -> Any:
        return ca.expand_dims(a, axis=axis)

    def bitsize(self, type_as: Any) -> int:
        return ca.finfo(type_as.dtype).bits

    def device_type(self, type_as: Any) -> str:
        return str(type_as.device).partition(":")[0].upper()

    def _bench(
        self, callable: Callable[..., Any], *args: Any, n_runs: int = 1, warmup_runs: int = 1
    ) -> dict[Any, float]:
        results = {}
        for type_as in self.__type_list__:
            inputs = [self._from_numpy(arg, type_as=type_as) for arg in args]
            for _ in range(warmup_runs):
                ca.evaluate(callable(*inputs))
            start = time.perf_counter()
            for _ in range(n_runs):
                ca.evaluate(callable(*inputs))
            key = ("Corearray", self.device_type(type_as), self.bitsize(type_as))
            results[key] = (time.perf_counter() - start) / n_runs
        return results

    def sqrtm(self, a: Any) -> Any:
        """Return the square root of symmetric matrices, as POT's other backends do."""
        values, vectors = ca.linalg.eigh(a)
        return (vectors * ca.sqrt(ca.clip(values, 0.0, None))[..., None, :]) @ vectors.mT

    def eigh(self, a: Any) -> Any:
        return tuple(ca.linalg.eigh(a))

    def qr(self, a: Any) -> Any:
        return tuple(ca.linalg.qr(a))

    def slogdet(self, a: Any) -> Any:
        return tuple(ca.linalg.slogdet(a))

    def kl_div(self, p: Any, q: Any, mass: bool = False, eps: float = 1e-16, axis: Any = None) -> Any:
        value = ca.sum(p * ca.log(p / q + eps), axis=axis)
        return value + ca.sum(q - p, axis=axis) if mass else value

    def is_floating_point(self, a: Any) -> bool:
        return bool(ca.isdtype(a.dtype, "real floating"))

    def nan_to_num(self, x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
        return ca.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf)
