"""autoray: NumPy's names of functions, their options by position, dtypes and random numbers."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import corearray as ca
from corearray.integrations.numpy_names import FUNCTIONS, dtype_of

__all__ = ["register"]


def register() -> None:
    """Register `Array` with autoray, and the functions whose names or options differ from ours."""
    autoray = import_module("autoray")
    autoray.register_backend(ca.Array, "corearray")
    for name, function in _functions().items():
        autoray.register_function("corearray", name, function)
    for name in ("zeros", "ones", "full", "empty", "eye", "identity", "from_numpy", "asarray", "array"):
        autoray.register_function("corearray", name, inject_dtype=name not in ("array", "asarray"), inject_device=True)


def _functions() -> dict[str, Any]:
    # autoray leaves out what only fills the matrices up, on all its backends.
    return {
        **FUNCTIONS,
        "astensor": FUNCTIONS["array"],
        "cast": ca.astype,
        "from_numpy": FUNCTIONS["array"],
        "linalg.expm": ca.linalg.matrix_exp,
        "linalg.householder_product": _householder_product,
        "linalg.lu": _lu,
        "linalg.qr": _qr,
        "linalg.svd": _svd,
        "random.normal": _normal,
        "random.seed": ca.random.seed,
        "random.uniform": _uniform,
        "scipy.linalg.expm": ca.linalg.matrix_exp,
        "scipy.linalg.lu": _lu,
        "scipy.linalg.solve_triangular": ca.linalg.solve_triangular,
        "to_numpy": ca.to_numpy,
    }


def _svd(x: Any, full_matrices: bool = False) -> Any:
    return tuple(ca.linalg.svd(x, full_matrices=full_matrices))


def _qr(x: Any, mode: Any = "reduced") -> Any:
    return tuple(ca.linalg.qr(x, mode=mode))


def _lu(x: Any) -> Any:
    """Factor matrices into a permutation, a lower and an upper triangle, as `scipy.linalg.lu`."""
    packed, pivots = ca.linalg.lu_factor(x)
    rows, columns = x.shape[-2:]
    size = min(rows, columns)
    lower = ca.tril(packed[..., :, :size], k=-1) + ca.eye(rows, size, dtype=x.dtype, device=x.device)
    order = ca.broadcast_to(ca.arange(rows, device=x.device), (*x.shape[:-2], rows))
    for i in range(pivots.shape[-1]):
        place, other = ca.arange(rows, device=x.device), ca.astype(pivots[..., i : i + 1], ca.int64)
        swapped = ca.where(place == i, other, ca.where(place == other, i, place))
        order = ca.take_along_axis(order, swapped, axis=-1)
    permutation = ca.astype(order[..., None, :] == ca.arange(rows, device=x.device)[:, None], x.dtype)
    return permutation, lower, ca.triu(packed[..., :size, :])


def _householder_product(x: Any, tau: Any) -> Any:
    """Multiply the reflections that a QR decomposition keeps below the diagonal."""
    rows, columns = x.shape[-2:]
    product = ca.broadcast_to(ca.eye(rows, dtype=x.dtype, device=x.device), (*x.shape[:-2], rows, rows))
    for i in range(tau.shape[-1]):
        below = ca.tril(x[..., :, i : i + 1], k=-i - 1)
        vector = below + ca.astype(ca.arange(rows, device=x.device) == i, x.dtype)[:, None]
        product = product - tau[..., i : i + 1, None] * (product @ vector) @ ca.conj(vector).mT
    return product[..., :, :columns]


def _size(size: Any) -> tuple[int, ...]:
    return () if size is None else (size,) if isinstance(size, int) else tuple(size)


def _drawn(name: str, first: Any, second: Any, size: Any, dtype: Any, device: Any) -> Any:
    draw = getattr(ca.random.default_generator(), name)
    dtype = dtype_of(dtype)
    if dtype is not None and ca.isdtype(dtype, "complex floating"):
        parts = ca.float32 if dtype == ca.complex64 else ca.float64
        return ca.complex(*(draw(first, second, shape=_size(size), dtype=parts, device=device) for _ in range(2)))
    return draw(first, second, shape=_size(size), dtype=dtype, device=device)


def _uniform(low: Any = 0.0, high: Any = 1.0, size: Any = None, dtype: Any = None, device: Any = None) -> Any:
    return _drawn("uniform", low, high, size, dtype, device)


def _normal(loc: Any = 0.0, scale: Any = 1.0, size: Any = None, dtype: Any = None, device: Any = None) -> Any:
    return _drawn("normal", loc, scale, size, dtype, device)
