"""Linear algebra, with LAPACK and BLAS through `numpy.linalg` and `matmul`."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from corearray.plugin import Fast, hookimpl
from corearray_numpy.native import AS_ARRAY, DTYPES, HALF, as_array
from corearray_numpy.tracer import Tracer, whole

#: Between which bounds the sum of the powers in a norm has lost no digits.
_POWERS = {
    dtype: (np.finfo(dtype).smallest_normal / np.finfo(dtype).eps, np.finfo(dtype).max * np.finfo(dtype).eps)
    for dtype in (DTYPES["float32"], DTYPES["float64"])
}
_WITHOUT_POWERS = (0, 1, math.inf, -math.inf)


def _norm_of_numpy_1(x: Any, *, axis: Any, keepdims: bool, ord: float) -> Any:
    """Lay the elements of each vector along one axis, as NumPy 2 does."""
    axes = tuple(range(x.ndim)) if axis is None else tuple(range(x.ndim)[i] for i in np.atleast_1d(axis))
    others = [i for i in range(x.ndim) if i not in axes]
    flat = x.transpose(*others, *axes).reshape([x.shape[i] for i in others] + [math.prod(x.shape[i] for i in axes)])
    norm = as_array(np.linalg.norm(flat, ord, -1))
    return norm.reshape([1 if i in axes else side for i, side in enumerate(x.shape)]) if keepdims else norm


_norm = getattr(np.linalg, "vector_norm", _norm_of_numpy_1)


@hookimpl(via=HALF)
def cholesky(x: Any, /, upper: bool = False) -> Any:
    factor = cholesky_of_finite(x)
    return factor.swapaxes(-1, -2).conj() if upper else factor


@whole("numpy.linalg.cholesky")
def cholesky_of_finite(x: Any) -> Any:
    return _of_finite(lambda x: (np.linalg.cholesky(x),), x, lower=True)[0]


@hookimpl
def cross(x1: Any, x2: Any, /, axis: int = -1) -> Any:
    if x1.shape[axis] != 3 or x2.shape[axis] != 3:
        raise ValueError(f"vectors of a cross product have 3 elements; the shapes are {x1.shape} and {x2.shape}")
    if axis >= 0 and x1.ndim != x2.ndim:
        raise IndexError(f"axis {axis} of arrays with different numbers of axes; count it from the end")
    return np.cross(x1, x2, axis=axis)


@hookimpl(via=HALF)
def det(x: Any, /) -> Any:
    return det_of_finite(x)


@whole("numpy.linalg.det")
def det_of_finite(x: Any) -> Any:
    return _of_finite(lambda x: (as_array(np.linalg.det(x)),), x)[0]


@hookimpl
def diagonal(x: Any, /, offset: int = 0) -> Any:
    """NumPy has protected its view since 1.9, to make it writable one day; a graph has no flags, but that of einsum is not."""
    if type(x) is Tracer:
        rows, columns = x.shape[-2:]
        top, left = max(-offset, 0), max(offset, 0)
        size = max(min(rows - top, columns - left), 0)
        square = x if rows == columns == size else x[..., top : top + size, left : left + size]
        return np.einsum("...ii->...i", square)
    result = x.diagonal(offset, -2, -1)
    result.flags.writeable = x.flags.writeable
    return result


@hookimpl(via=HALF)
def eig(x: Any, /) -> tuple[Any, ...]:
    """NumPy gives real results where all eigenvalues are real; the dtype must not depend on the values."""
    values, vectors = eig_of_finite(x)
    wanted = np.result_type(x.dtype, np.complex64)
    return values.astype(wanted, copy=False), vectors.astype(wanted, copy=False)


@whole("numpy.linalg.eig")
def eig_of_finite(x: Any) -> tuple[Any, ...]:
    return _of_finite(np.linalg.eig, x)


@hookimpl(via=HALF)
def eigh(x: Any, /) -> tuple[Any, ...]:
    return eigh_of_finite(x)


@whole("numpy.linalg.eigh")
def eigh_of_finite(x: Any) -> tuple[Any, ...]:
    return _of_finite(np.linalg.eigh, x, lower=True)


@hookimpl(via=HALF)
def eigvals(x: Any, /) -> Any:
    return eigvals_of_finite(x).astype(np.result_type(x.dtype, np.complex64), copy=False)


@whole("numpy.linalg.eigvals")
def eigvals_of_finite(x: Any) -> Any:
    return _of_finite(lambda x: (np.linalg.eigvals(x),), x)[0]


@hookimpl(via=HALF)
def eigvalsh(x: Any, /) -> Any:
    return eigvalsh_of_finite(x)


@whole("numpy.linalg.eigvalsh")
def eigvalsh_of_finite(x: Any) -> Any:
    return _of_finite(lambda x: (np.linalg.eigvalsh(x),), x, lower=True)[0]


def _is_finite(x: Any) -> bool:
    return bool(np.count_nonzero(np.isfinite(x)) == x.size)


def _of_finite(compute: Callable[[Any], tuple[Any, ...]], x: Any, *, lower: bool = False) -> tuple[Any, ...]:
    """Compute parts of a result, which are NaN for matrices with NaN or an infinity.

    For these LAPACK refuses the whole batch, returns arbitrary numbers, or never ends (OpenBLAS 0.3.31 in NumPy 2.4,
    numpy/numpy#32591; no fixed version is known). `lower`: the lower triangle is all that counts.
    """
    if _is_finite(x) or x.ndim < 2:
        return compute(x)
    broken = ~np.isfinite(np.tril(x) if lower else x).all((-2, -1))
    if not broken.any():
        return compute(x)
    parts = compute(np.where(broken[..., None, None], np.eye(*x.shape[-2:], dtype=x.dtype), x))
    for part in parts:
        part[broken] = np.nan
    return parts


@hookimpl(via=HALF)
def inv(x: Any, /) -> Any:
    return inv_of_finite(x)


@whole("numpy.linalg.inv")
def inv_of_finite(x: Any) -> Any:
    return _of_finite(lambda x: (np.linalg.inv(x),), x)[0]


#: By a name of this module, of which no attribute has to be found.
_ndarray = np.ndarray
_as_array: dict[str, Any] = {"out": ...} if AS_ARRAY else {}


def _product(x1: Any, x2: Any) -> Any:
    """Multiply a matrix by a matrix or a vector with the method, which takes half the time of the ufunc."""
    if type(x1) is type(x2) is _ndarray and x1.ndim == 2 and 0 < x2.ndim < 3:
        return x1.dot(x2)
    return np.matmul(x1, x2, **_as_array)


@hookimpl(native=np.matmul, fast=Fast(_product))
def matmul(x1: Any, x2: Any, /, *, out: Any = None) -> Any: ...


@hookimpl(via=HALF)
def matrix_norm(x: Any, /, keepdims: bool = False, ord: Any = "fro") -> Any:
    if ord is None or ord == "fro":
        return vector_norm(x, axis=(-2, -1), keepdims=keepdims)
    return norm_of_finite(x, ord, keepdims)


@whole("numpy.linalg.norm", lambda x, ord, keepdims: ((x, ord, (-2, -1), keepdims), {}))
def norm_of_finite(x: Any, ord: Any, keepdims: bool) -> Any:
    if ord in (2, -2, "nuc"):
        return _of_finite(lambda x: (as_array(np.linalg.norm(x, ord, (-2, -1), keepdims)),), x)[0]
    return np.linalg.norm(x, ord, (-2, -1), keepdims)


@hookimpl(via=HALF)
def matrix_power(x: Any, n: int, /) -> Any:
    """NumPy's first power is its argument itself."""
    result = np.linalg.matrix_power(x, n) if n >= 0 else np.linalg.matrix_power(inv_of_finite(x), -n)
    return x.copy() if result is x else result


@hookimpl(via=HALF)
def matrix_rank(x: Any, /, rtol: Any = None) -> Any:
    values = svdvals_of_finite(x)
    smallest = values.max(-1, keepdims=True, initial=0) * np.asarray(_rtol(x) if rtol is None else rtol)[..., None]
    return np.asarray(np.count_nonzero(values > smallest, -1), np.intp)


@hookimpl
def matrix_transpose(x: Any, /) -> Any:
    return x.swapaxes(-1, -2)


@hookimpl
def outer(x1: Any, x2: Any, /, *, out: Any = None) -> Any:
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(f"an outer product is of two vectors, the shapes are {x1.shape} and {x2.shape}")
    return np.multiply.outer(x1, x2, out=out)


@hookimpl(via=HALF, when=lambda x, rtol: rtol is None or np.ndim(rtol) <= max(x.ndim - 2, 0))
def pinv(x: Any, /, rtol: Any = None) -> Any:
    return pinv_of_finite(x, _rtol(x) if rtol is None else rtol)


@whole("numpy.linalg.pinv")
def pinv_of_finite(x: Any, rtol: Any) -> Any:
    return _of_finite(lambda x: (np.linalg.pinv(x, rtol),), x)[0]


@hookimpl(via=HALF)
def qr(x: Any, /, *, mode: str = "reduced") -> tuple[Any, ...]:
    return qr_of_finite(x, mode)


@whole("numpy.linalg.qr")
def qr_of_finite(x: Any, mode: str) -> tuple[Any, ...]:
    return _of_finite(lambda x: tuple(np.linalg.qr(x, mode)), x)


@hookimpl(via=HALF)
def slogdet(x: Any, /) -> tuple[Any, ...]:
    return slogdet_of_finite(x)


@whole("numpy.linalg.slogdet")
def slogdet_of_finite(x: Any) -> tuple[Any, ...]:
    return _of_finite(lambda x: tuple(map(np.array, np.linalg.slogdet(x))), x)


@hookimpl(via=HALF)
def solve(x1: Any, x2: Any, /) -> Any:
    """NumPy 1 takes a second argument with one axis less than the first for vectors; a matrix is always one here."""
    columns = x2[:, None] if x2.ndim == 1 else x2
    result = solve_of_finite(x1, columns.reshape((1,) * (x1.ndim - columns.ndim) + columns.shape))
    return result[..., 0] if x2.ndim == 1 else result


@whole("numpy.linalg.solve")
def solve_of_finite(x1: Any, x2: Any) -> Any:
    if x1.shape[:-2] != x2.shape[:-2] and x1.ndim > 1 and not _is_finite(x1):
        x1 = np.broadcast_to(x1, np.broadcast_shapes(x1.shape[:-2], x2.shape[:-2]) + x1.shape[-2:])
    return _of_finite(lambda x: (np.linalg.solve(x, x2),), x1)[0]


@hookimpl(via=HALF)
def svd(x: Any, /, full_matrices: bool = True) -> tuple[Any, ...]:
    return svd_of_finite(x, full_matrices)


@whole("numpy.linalg.svd")
def svd_of_finite(x: Any, full_matrices: bool) -> tuple[Any, ...]:
    return _of_finite(lambda x: tuple(np.linalg.svd(x, full_matrices)), x)


@hookimpl(via=HALF)
def svdvals(x: Any, /) -> Any:
    return svdvals_of_finite(x)


@whole("numpy.linalg.svd", lambda x: ((x,), {"compute_uv": False}))
def svdvals_of_finite(x: Any) -> Any:
    return _of_finite(lambda x: (np.linalg.svd(x, compute_uv=False),), x)[0]


@hookimpl
def tensordot(x1: Any, x2: Any, /, *, axes: Any = 2) -> Any:
    if isinstance(axes, int) and axes < 0:
        raise ValueError(f"the number of axes is {axes}")
    return np.tensordot(x1, x2, axes)


@hookimpl
def trace(x: Any, /, offset: int = 0, dtype: Any = None) -> Any:
    return x.trace(offset, -2, -1, dtype)


@hookimpl(versions=">=2")
def vecdot(x1: Any, x2: Any, /, axis: int = -1) -> Any:
    if axis >= 0 and x1.ndim != x2.ndim:
        raise IndexError(f"axis {axis} of arrays with different numbers of axes; count it from the end")
    return np.vecdot(x1, x2, axis=axis)


@hookimpl(via=HALF)
def vector_norm(x: Any, /, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    return scaled_norm(x, axis, keepdims, ord)


@whole(
    "numpy.linalg.vector_norm", lambda x, axis, keepdims, ord: ((x,), {"axis": axis, "keepdims": keepdims, "ord": ord})
)
def scaled_norm(x: Any, axis: Any, keepdims: bool, ord: Any) -> Any:
    """NumPy's norm; where its powers overflow or vanish, that of the elements divided by the one that rules."""
    if ord == math.inf and x.size == 0:  # in which older NumPy finds no greatest element
        return as_array(np.maximum.reduce(np.abs(x), axis, None, None, keepdims, 0))
    if ord in _WITHOUT_POWERS:
        return _norm(x, axis=axis, keepdims=keepdims, ord=ord)
    with np.errstate(all="ignore"):
        norm = _norm(x, axis=axis, keepdims=keepdims, ord=ord)
        low, high = _POWERS[norm.dtype]
        power = norm**ord
        if x.size == 0 or np.count_nonzero((low < power) & (power < high)) == power.size:
            return norm
        sizes = np.abs(x)
        scale = as_array((np.maximum if ord > 0 else np.minimum).reduce(sizes, axis, keepdims=True))
        scale[(scale == 0) | ~np.isfinite(scale)] = 1
        scaled = _norm(sizes / scale, axis=axis, keepdims=keepdims, ord=ord)
        return scaled * scale.reshape(scaled.shape)


def _rtol(x: Any) -> float:
    """Return the standard's default: what rounding leaves of singular values that are zero."""
    return max(x.shape[-2:]) * float(np.finfo(x.dtype).eps)
