"""Decompositions of matrices, and what follows from singular values."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.frontend.numpy.described import rule
from corearray.frontend.numpy.promotion import array, cast, common, floating

__all__: list[str] = []


def _matrices(a: Any) -> Any:
    a = floating(a, double=True)
    if a.dtype == ca.float16:
        raise TypeError("array type float16 is unsupported in linalg")
    if a.ndim < 2:
        raise ca.LinAlgError(f"{a.ndim}-dimensional array given. Array must be at least two-dimensional")
    return a


@rule("numpy.linalg.svd")
def _svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    a = _matrices(a)
    return ca.linalg.svd(a, full_matrices=full_matrices) if compute_uv else ca.linalg.svdvals(a)


@rule("numpy.linalg.qr")
def _qr(a: Any, mode: str = "reduced") -> Any:
    if mode in ("f", "full", "e", "economic"):
        mode = "reduced"
    if mode not in ("reduced", "complete", "r", "raw"):
        raise ValueError(f"Unrecognized mode '{mode}'")
    if mode == "raw":
        raise NotImplementedError("qr(mode='raw'): no backend but NumPy returns Householder reflectors; use 'reduced'")
    made = ca.linalg.qr(_matrices(a), mode="reduced" if mode == "r" else mode)
    return made.R if mode == "r" else made


@rule("numpy.linalg.pinv")
def _pinv(a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = ...) -> Any:
    if rcond is not None and rtol is not ...:
        raise ValueError("`rtol` and `rcond` can't be both set.")
    a = _matrices(a)
    if not a.size:
        return ca.zeros((*a.shape[:-2], a.shape[-1], a.shape[-2]), dtype=a.dtype)
    limit = (None if rtol is ... else rtol) if rcond is None else rcond
    if limit is None:
        limit = ca.finfo(a.dtype).eps * max(a.shape[-2:]) if rtol is None else 1e-15
    return ca.linalg.pinv(a, rtol=cast(array(limit), ca.finfo(a.dtype).dtype))


@rule("numpy.linalg.matrix_rank")
def _matrix_rank(A: Any, tol: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Any:
    if tol is not None and rtol is not None:
        raise ValueError("`tol` and `rtol` can't be both set.")
    a = floating(A, double=True)
    if a.ndim < 2:
        return ca.astype(ca.any(a != 0), ca.int64)
    values = ca.linalg.svdvals(a)
    if not values.shape[-1]:
        return ca.zeros(tuple(a.shape[:-2]), dtype=ca.int64)
    if tol is None:
        most = ca.max(values, axis=-1, keepdims=True)
        eps = ca.finfo(values.dtype).eps * max(a.shape[-2:])
        limit = most * (eps if rtol is None else array(rtol)[..., None])
    else:
        limit = array(tol)[..., None]
    return ca.count_nonzero(values > limit, axis=-1)


@rule("numpy.cross")
def _cross(a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None) -> Any:
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = common(a, b)
    if not a.ndim or not b.ndim:
        raise ValueError("At least one array has zero dimension")
    a, b = ca.moveaxis(a, axisa, -1), ca.moveaxis(b, axisb, -1)
    sizes = {a.shape[-1], b.shape[-1]}
    if not sizes <= {2, 3}:
        raise ValueError(
            "Both input arrays must be (arrays of) 3-dimensional vectors, "
            f"but they are {a.shape[-1]} and {b.shape[-1]} dimensional instead."
        )
    if sizes == {2}:
        return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    a, b = (_third(x) if x.shape[-1] == 2 else x for x in (a, b))
    made = ca.linalg.cross(a, b, axis=-1)
    return made if axisc == -1 else ca.moveaxis(made, -1, axisc)


def _third(x: Any) -> Any:
    """Append a zero to vectors of two numbers."""
    return ca.concat([x, ca.zeros((*x.shape[:-1], 1), dtype=x.dtype)], axis=-1)
