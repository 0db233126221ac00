"""Factorisations that return a number for each matrix in place of an error, and Householder's in compact form."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.errors import LinAlgError
from corearray.frontend.torch.described import rule
from corearray.frontend.torch.promotion import cast, category
from corearray.frontend.torch.rules.linalg import adjoint, lu_factor, reflected, solved

__all__: list[str] = []


def _singular(lu: ca.Array) -> ca.Array:
    """Return the number of the first zero on the diagonal of an upper factor, counted from 1; 0 if there is none."""
    zero = ca.equal(ca.linalg.diagonal(lu), 0)
    if not zero.shape[-1]:
        return ca.zeros(lu.shape[:-2], dtype=ca.int32)
    first = ca.argmax(ca.astype(zero, ca.int32), axis=-1) + 1
    return cast(ca.where(ca.any(zero, axis=-1), first, ca.zeros_like(first)), ca.int32)


def _indefinite(a: ca.Array) -> ca.Array:
    """Return the number of the first leading minor that is not positive, counted from 1; 0 if there is none."""
    size, found = a.shape[-1], ca.zeros(a.shape[:-2], dtype=ca.int32)
    for k in range(size):
        pivot = ca.real(a[..., 0, 0]) if category(a.dtype) == "c" else a[..., 0, 0]
        positive = pivot > 0
        found = ca.where(ca.logical_and(ca.equal(found, 0), ca.logical_not(positive)), k + 1, found)
        scale = ca.where(positive, pivot, ca.ones_like(pivot))
        column = a[..., 1:, :1]
        a = a[..., 1:, 1:] - ca.matmul(column, adjoint(column)) / ca.reshape(scale, (*scale.shape, 1, 1))
    return cast(found, ca.int32)


def _sound(a: ca.Array, info: ca.Array) -> tuple[ca.Array, ca.Array]:
    """Return matrices with the identity in place of those that fail, and where they fail."""
    failed = ca.reshape(ca.not_equal(info, 0), (*info.shape, 1, 1))
    return ca.where(failed, ca.eye(a.shape[-1], dtype=a.dtype), a), failed


def _failing(made: ca.Array, failed: ca.Array) -> ca.Array:
    """Return results with NaN for the matrices that fail."""
    return ca.where(failed, ca.full_like(made, ca.nan), made)


def _checked(name: str, info: ca.Array, check: bool, what: str) -> ca.Array:
    if check and bool(ca.any(ca.not_equal(info, 0))):
        raise LinAlgError(f"{name}: {what} (info = {info.tolist()})")
    return info


@rule("torch.linalg.cholesky_ex")
def cholesky_ex(
    A: ca.Array, *, upper: bool = False, check_errors: bool = False, out: Any = None
) -> tuple[ca.Array, ca.Array]:
    info = _indefinite(ca.stop_gradient(A))
    sound, failed = _sound(A, _checked("linalg.cholesky_ex", info, check_errors, "a matrix is not positive-definite"))
    return _failing(ca.linalg.cholesky(sound, upper=upper), failed), info


@rule("torch.linalg.inv_ex")
def inv_ex(A: ca.Array, *, check_errors: bool = False, out: Any = None) -> tuple[ca.Array, ca.Array]:
    info = _singular(lu_factor(ca.stop_gradient(A))[0])
    sound, failed = _sound(A, _checked("linalg.inv_ex", info, check_errors, "a matrix is singular"))
    return _failing(ca.linalg.inv(sound), failed), info


@rule("torch.linalg.solve_ex")
def solve_ex(
    A: ca.Array, B: ca.Array, *, left: bool = True, check_errors: bool = False, out: Any = None
) -> tuple[ca.Array, ca.Array]:
    info = _singular(lu_factor(ca.stop_gradient(A))[0])
    sound, failed = _sound(A, _checked("linalg.solve_ex", info, check_errors, "a matrix is singular"))
    made = solved(sound, B, left)
    return _failing(made, failed[..., 0] if made.ndim < sound.ndim else failed), info


@rule("torch.linalg.lu_factor_ex")
def lu_factor_ex(
    A: ca.Array, *, pivot: bool = True, check_errors: bool = False, out: Any = None
) -> tuple[ca.Array, ...]:
    lu, pivots = lu_factor(A)
    return lu, pivots, _checked("linalg.lu_factor_ex", _singular(ca.stop_gradient(lu)), check_errors, "a zero pivot")


@rule("torch.geqrf")
def geqrf(input: ca.Array, *, out: Any = None) -> tuple[ca.Array, ca.Array]:
    """Return reflections below the diagonal with R above it, and their factors (LAPACK, `geqrf` and `larfg`)."""
    a, factors = input, []
    rows, columns = a.shape[-2:]
    complex_ = category(a.dtype) == "c"
    for k in range(min(rows, columns)):
        below, at = a[..., k + 1 :, k], a[..., k, k]
        alpha = ca.real(at) if complex_ else at
        rest = ca.sum(ca.square(ca.abs(below)), axis=-1)
        rest = rest + ca.square(ca.imag(at)) if complex_ else rest
        idle = ca.equal(rest, 0)
        safe = ca.where(idle, ca.ones_like(rest), rest)
        length = ca.sqrt(ca.square(alpha) + safe)
        beta = cast(ca.where(alpha < 0, length, -length), a.dtype)
        tau = ca.where(idle, ca.zeros_like(at), (beta - at) / beta)
        vector = below / ca.expand_dims(ca.where(idle, ca.ones_like(at), at - beta), -1)
        ones = ca.ones((*vector.shape[:-1], 1), dtype=a.dtype)
        v = ca.expand_dims(ca.concat([ones, vector], axis=-1), -1)
        part = a[..., k:, k + 1 :]
        factor = ca.reshape(ca.conj(tau) if complex_ else tau, (*tau.shape, 1, 1))
        part = part - factor * ca.matmul(v, ca.matmul(adjoint(v), part))
        head = ca.expand_dims(ca.where(idle, at, beta), -1)
        column = ca.expand_dims(ca.concat([head, vector], axis=-1), -1)
        lower = ca.concat([a[..., k:, :k], column, part], axis=-1)
        a = lower if k == 0 else ca.concat([a[..., :k, :], lower], axis=-2)
        factors.append(tau)
    none = ca.zeros((*a.shape[:-2], 0), dtype=a.dtype)
    return a, ca.stack(factors, axis=-1) if factors else none


@rule("torch.ormqr")
def ormqr(
    input: ca.Array, tau: ca.Array, other: ca.Array, left: bool = True, transpose: bool = False, *, out: Any = None
) -> ca.Array:
    q = reflected(input, tau)
    q = adjoint(q) if transpose else q
    return ca.matmul(q, other) if left else ca.matmul(other, q)


@rule("torch.lobpcg")
def lobpcg(
    A: ca.Array, k: int | None = None, B: ca.Array | None = None, X: ca.Array | None = None, n: int | None = None,
    iK: ca.Array | None = None, niter: int | None = None, tol: float | None = None, largest: bool | None = None,
    method: str | None = None, tracker: Any = None, ortho_iparams: Any = None, ortho_fparams: Any = None,
    ortho_bparams: Any = None,
) -> tuple[ca.Array, ca.Array]:  # fmt: skip
    """Return some eigenvalues and eigenvectors of a symmetric matrix, of all that `eigh` finds."""
    count = k or (1 if X is None else X.shape[-1])
    root = None if B is None else ca.linalg.cholesky(B)
    if root is not None:
        half = ca.linalg.solve_triangular(root, A, lower=True)
        A = ca.linalg.solve_triangular(root, adjoint(half), lower=True)
    values, vectors = ca.linalg.eigh(A)
    if root is not None:
        vectors = ca.linalg.solve_triangular(adjoint(root), vectors, lower=False)
    if largest is not False:
        values, vectors = ca.flip(values, axis=-1), ca.flip(vectors, axis=-1)
    return values[..., :count], vectors[..., :, :count]
