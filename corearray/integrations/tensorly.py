"""TensorLy: the backend "corearray", whose tensors are arrays of the backend in force."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import corearray as ca
from corearray.integrations.numpy_names import FUNCTIONS, dtype_of, norm

__all__ = ["Functions", "register"]

#: Functions that TensorLy calls as NumPy's.
_SAME = (
    "abs all any arange arccos arccosh arcsin arcsinh arctan arctanh argmax argmin argsort concatenate conj cos cosh "
    "count_nonzero cumsum diag digamma dot einsum exp eye flip kron log log2 matmul max maximum mean min minimum moveaxis "
    "ndim ones prod reshape sign sin sinh sort sqrt stack sum tan tanh tensordot trace transpose where zeros zeros_like"
).split()


def register() -> None:
    """Define a subclass of TensorLy's base class, which notes it by its name, and list the name."""
    base = import_module("tensorly.backend.core").Backend
    manager = import_module("tensorly.backend").BackendManager
    if "corearray" not in base._available_backends:
        made = type(base)("CorearrayBackend", (Functions, base), {}, backend_name="corearray")
        for name in _SAME:
            made.register_method(name, FUNCTIONS.get(name) or getattr(ca, name))
        for name in ("int32", "int64", "float32", "float64", "complex64", "complex128", "pi", "e", "inf", "nan"):
            setattr(made, name, getattr(ca, name))
    if "corearray" not in manager.available_backend_names:
        manager.available_backend_names.append("corearray")


class Functions:
    """The functions of TensorLy that are not NumPy's."""

    @staticmethod
    def context(tensor: Any) -> dict[str, Any]:
        return {"dtype": tensor.dtype, "device": tensor.device}

    @staticmethod
    def tensor(data: Any, dtype: Any = None, device: Any = None, **_: Any) -> Any:
        return ca.asarray(data, dtype=dtype_of(dtype), device=device, copy=True)

    @staticmethod
    def is_tensor(obj: Any) -> bool:
        return isinstance(obj, ca.Array)

    @staticmethod
    def to_numpy(tensor: Any) -> Any:
        return ca.to_numpy(ca.stop_gradient(tensor)) if isinstance(tensor, ca.Array) else tensor

    @staticmethod
    def shape(tensor: Any) -> tuple[int, ...]:
        return tuple(tensor.shape)

    @staticmethod
    def copy(tensor: Any) -> Any:
        return FUNCTIONS["copy"](tensor)

    @staticmethod
    def norm(tensor: Any, order: Any = 2, axis: Any = None) -> Any:
        """Return the norm of all elements as one vector, or of vectors along an axis."""
        if axis is None:
            tensor = ca.reshape(tensor, (-1,))
        return norm(tensor, ord=float("inf") if order == "inf" else order, axis=axis)

    @staticmethod
    def clip(tensor: Any, a_min: Any = None, a_max: Any = None, inplace: bool = False) -> Any:
        found = ca.clip(tensor, a_min, a_max)
        if not inplace:
            return found
        tensor[...] = found
        return tensor

    @staticmethod
    def lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
        """Return the solution and the residuals; the residuals are empty without full rank, as in NumPy."""
        found = ca.linalg.lstsq(a, b, rcond=rcond)
        full = a.shape[0] > a.shape[1] == int(found.rank)
        return found.solution, found.residuals if full else ca.zeros((0,), dtype=a.dtype, device=a.device)

    @staticmethod
    def logsumexp(tensor: Any, axis: Any = 0) -> Any:
        return ca.logsumexp(tensor, axis=axis)

    @staticmethod
    def solve(a: Any, b: Any) -> Any:
        return ca.linalg.solve(a, b)

    @staticmethod
    def qr(matrix: Any, mode: Any = "reduced") -> Any:
        return tuple(ca.linalg.qr(matrix, mode=mode))

    @staticmethod
    def svd(matrix: Any, full_matrices: bool = True) -> Any:
        return tuple(ca.linalg.svd(matrix, full_matrices=full_matrices))

    @staticmethod
    def eigh(matrix: Any) -> Any:
        return tuple(ca.linalg.eigh(matrix))

    @staticmethod
    def finfo(dtype: Any) -> Any:
        return ca.finfo(dtype)

    @staticmethod
    def eps(dtype: Any) -> float:
        return ca.finfo(dtype).eps
