"""Linear algebra: `torch.linalg` and its older names in `torch`."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.frontend.torch.described import rule, say
from corearray.frontend.torch.promotion import cast, category, dtype_of
from corearray.frontend.torch.templates import axes

__all__: list[str] = []

say("""
torch.linalg.inv(A, *, out=None) = ca.linalg.inv(A)
torch.inverse(input, *, out=None) = ca.linalg.inv(input)
torch.linalg.det(A, *, out=None) = ca.linalg.det(A)
torch.det(input) = ca.linalg.det(input)
torch.linalg.slogdet(A, *, out=None) = tuple(ca.linalg.slogdet(A))
torch.slogdet(input) = tuple(ca.linalg.slogdet(input))
torch.logdet(input) = logdet(*ca.linalg.slogdet(input))
torch.linalg.eigh(A, UPLO="L", *, out=None) = tuple(ca.linalg.eigh(symmetric(A, UPLO)))
torch.linalg.eigvalsh(A, UPLO="L", *, out=None) = ca.linalg.eigvalsh(symmetric(A, UPLO))
torch.linalg.eig(A, *, out=None) = tuple(ca.linalg.eig(A))
torch.linalg.eigvals(A, *, out=None) = ca.linalg.eigvals(A)
torch.linalg.qr(A, mode="reduced", *, out=None) = orthogonal(A, mode)
torch.qr(input, some=True, *, out=None) = orthogonal(input, "reduced" if some else "complete")
torch.linalg.svd(A, full_matrices=True, *, driver=None, out=None) = tuple(ca.linalg.svd(A, full_matrices=full_matrices))
torch.linalg.svdvals(A, *, driver=None, out=None) = ca.linalg.svdvals(A)
torch.linalg.cholesky(A, *, upper=False, out=None) = ca.linalg.cholesky(A, upper=upper)
torch.cholesky(input, upper=False, *, out=None) = ca.linalg.cholesky(input, upper=upper)
torch.linalg.pinv(A, *, atol=None, rtol=None, hermitian=False, out=None) = pseudo_inverse(symmetric(A,
    "L") if hermitian else A, rtol, atol)
torch.pinverse(input, rcond=1e-15) = ca.linalg.pinv(input, rtol=rcond)
torch.linalg.solve(A, B, *, left=True, out=None) = solved(A, B, left)
torch.linalg.solve_triangular(A, B, *, upper, left=True, unitriangular=False, out=None) = triangular(A, B, upper, left,
    unitriangular)
torch.triangular_solve(b, A, upper=True, transpose=False, unitriangular=False, *, out=None) = (triangular(
    adjoint(A) if transpose else A, b, upper != transpose, True, unitriangular), ca.asarray(A, copy=True))
torch.linalg.matrix_exp(A) = ca.linalg.matrix_exp(A)
torch.matrix_exp(input) = ca.linalg.matrix_exp(input)
torch.linalg.matrix_rank(A, *, atol=None, rtol=None, hermitian=False, out=None) = rank(symmetric(A,
    "L") if hermitian else A, rtol, atol)
torch.linalg.cond(A, p=None, *, out=None) = ca.linalg.cond(A, p=p)
torch.linalg.tensorinv(A, ind=2, *, out=None) = ca.linalg.tensorinv(A, ind=ind)
torch.linalg.tensorsolve(A, B, dims=None, *, out=None) = tensor_solved(A, B, dims)
torch.cholesky_inverse(input, upper=False, *, out=None) = ca.linalg.inv(ca.matmul(adjoint(input), input) if upper else
    ca.matmul(input, adjoint(input)))
torch.cholesky_solve(B, L, upper=False, *, out=None) = by_factor(B, L, upper)
torch.linalg.householder_product(A, tau, *, out=None) = reflected(A, tau)[..., :, : A.shape[-1]]
torch.orgqr(input, tau) = reflected(input, tau)[..., :, : input.shape[-1]]
torch.linalg.matrix_norm(A, ord="fro", dim=(-2, -1), keepdim=False, *, dtype=None, out=None) = norm_of_matrices(A, ord, dim,
    keepdim, dtype)
torch.nuclear_norm(input, keepdim=False) = ca.linalg.matrix_norm(input, ord="nuc", keepdims=keepdim)
""")


def adjoint(x: ca.Array) -> ca.Array:
    """Return the conjugate transpose."""
    turned = ca.matrix_transpose(x)
    return ca.conj(turned) if category(x.dtype) == "c" else turned


def logdet(sign: ca.Array, logarithm: ca.Array) -> ca.Array:
    """Return the logarithm of a determinant, NaN for a negative one."""
    if category(sign.dtype) == "c":
        return logarithm + ca.log(sign)
    return ca.where(sign < 0, ca.asarray(ca.nan, dtype=logarithm.dtype), logarithm)


def symmetric(x: ca.Array, part: str) -> ca.Array:
    """Return the Hermitian matrix of which one triangle is given."""
    lower = ca.tril(x) if part == "L" else adjoint(ca.triu(x))
    return lower + adjoint(ca.tril(lower, k=-1))


def orthogonal(x: ca.Array, mode: str) -> tuple[ca.Array, ca.Array]:
    """Return Q and R; for mode "r" an empty Q."""
    q, r = ca.linalg.qr(x, mode="complete" if mode == "complete" else "reduced")
    return (ca.zeros((0,), dtype=x.dtype) if mode == "r" else q), r


def _relative(x: ca.Array, rtol: Any, atol: Any) -> Any:
    """Return the relative tolerance that stands for both."""
    if atol is None:
        return rtol
    largest = ca.max(ca.linalg.svdvals(x), axis=-1)
    relative = atol / largest
    return relative if rtol is None else ca.maximum(relative, rtol)


def pseudo_inverse(x: ca.Array, rtol: Any, atol: Any) -> ca.Array:
    """Return the pseudo-inverse with relative and absolute tolerance."""
    return ca.linalg.pinv(x, rtol=_relative(x, rtol, atol))


def rank(x: ca.Array, rtol: Any, atol: Any) -> ca.Array:
    """Return the rank with relative and absolute tolerance, in int64."""
    made: ca.Array = cast(ca.linalg.matrix_rank(x, rtol=_relative(x, rtol, atol)), ca.int64)
    return made


def tensor_solved(a: ca.Array, b: ca.Array, dims: Any) -> ca.Array:
    """Solve for a tensor: the axes of the solution are the last ones, those of `dims` if they are given."""
    if dims is not None:
        a = ca.moveaxis(a, tuple(dims), tuple(range(a.ndim - len(dims), a.ndim)))
    matrix = ca.reshape(a, (b.size, -1))
    return ca.reshape(ca.linalg.solve(matrix, ca.reshape(b, (-1, 1))), a.shape[b.ndim :])


def solved(a: ca.Array, b: ca.Array, left: bool) -> ca.Array:
    """Solve `a x = b`, or `x a = b`."""
    vector = b.ndim == 1 or (b.ndim == a.ndim - 1 and tuple(b.shape) == tuple(a.shape[:-1]))
    if vector:
        return ca.squeeze(ca.linalg.solve(a, ca.expand_dims(b, -1)), axis=-1)
    if left:
        return ca.linalg.solve(a, b)
    return ca.matrix_transpose(ca.linalg.solve(ca.matrix_transpose(a), ca.matrix_transpose(b)))


def triangular(a: ca.Array, b: ca.Array, upper: bool, left: bool, unit: bool) -> ca.Array:
    """Solve with a triangular matrix from the left or the right."""
    if not left:
        turned = triangular(ca.matrix_transpose(a), ca.matrix_transpose(b), not upper, True, unit)
        return ca.matrix_transpose(turned)
    shape = ca.broadcast_shapes(tuple(a.shape[:-2]), tuple(b.shape[:-2]))
    a, b = ca.broadcast_to(a, (*shape, *a.shape[-2:])), ca.broadcast_to(b, (*shape, *b.shape[-2:]))
    return ca.linalg.solve_triangular(a, b, lower=not upper, unit_diagonal=unit)


def by_factor(b: ca.Array, factor: ca.Array, upper: bool) -> ca.Array:
    """Solve with the Cholesky factor of a matrix."""
    lower = adjoint(factor) if upper else factor
    return triangular(adjoint(lower), triangular(lower, b, False, True, False), True, True, False)


def reflected(a: ca.Array, tau: ca.Array) -> ca.Array:
    """Return a product of Householder reflections."""
    rows = a.shape[-2]
    made = ca.eye(rows, dtype=a.dtype)
    for k in range(tau.shape[-1]):
        column = ca.tril(a, k=-1)[..., :, k : k + 1] + ca.reshape(ca.eye(rows, dtype=a.dtype)[:, k], (rows, 1))
        column = column if k == 0 else column * ca.reshape(ca.astype(ca.arange(rows) >= k, a.dtype), (rows, 1))
        factor = ca.reshape(tau[..., k], (*tau.shape[:-1], 1, 1))
        made = made - ca.matmul(ca.matmul(made, column) * factor, adjoint(column))
    return made


def norm_of_matrices(x: ca.Array, ord: Any, dim: Any, keepdim: bool, dtype: Any) -> ca.Array:
    """Return norms of the matrices along two axes."""
    x = cast(x, dtype_of(dtype))
    first, second = (i % x.ndim for i in dim)
    made: ca.Array = ca.linalg.matrix_norm(ca.moveaxis(x, (first, second), (-2, -1)), ord=ord, keepdims=False)
    if keepdim:
        for axis in sorted((first, second)):
            made = ca.expand_dims(made, axis)
    return made


@rule("torch.linalg.norm")
def norm(
    A: ca.Array, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Any = None
) -> Any:
    A = cast(A, dtype_of(dtype))
    if ord is None:
        return ca.linalg.vector_norm(A, axis=axes(dim, A), ord=2, keepdims=keepdim)
    pair = isinstance(dim, (list, tuple)) and len(dim) == 2
    if pair or (dim is None and A.ndim == 2):
        return norm_of_matrices(A, ord, dim or (-2, -1), keepdim, None)
    return ca.linalg.vector_norm(A, axis=axes(dim, A), ord=ord, keepdims=keepdim)


@rule("torch.svd")
def svd(input: ca.Array, some: bool = True, compute_uv: bool = True, *, out: Any = None) -> tuple[ca.Array, ...]:
    u, s, vh = ca.linalg.svd(input, full_matrices=not some)
    return u, s, adjoint(vh)


@rule("torch.linalg.lu_factor")
def lu_factor(A: ca.Array, *, pivot: bool = True, out: Any = None) -> tuple[ca.Array, ca.Array]:
    lu, pivots = ca.linalg.lu_factor(A)
    return lu, cast(pivots + 1, ca.int32)  # which torch counts from 1


@rule("torch.linalg.lu_solve")
def lu_solve(
    LU: ca.Array, pivots: ca.Array, B: ca.Array, *, left: bool = True, adjoint: bool = False, out: Any = None
) -> ca.Array:
    rows = cast(pivots, ca.int64) - 1
    if left:
        return _solved_by_lu(LU, rows, B, 2 if adjoint else 0)
    turned = ca.matrix_transpose(B)
    if adjoint:  # X A* = B, so that A X* = B*
        return ca.conj(ca.matrix_transpose(_solved_by_lu(LU, rows, ca.conj(turned), 0)))
    return ca.matrix_transpose(_solved_by_lu(LU, rows, turned, 1))


def _solved_by_lu(lu: ca.Array, rows: ca.Array, b: ca.Array, trans: int) -> ca.Array:
    shape = ca.broadcast_shapes(tuple(lu.shape[:-2]), tuple(b.shape[:-2]))
    lu = ca.broadcast_to(lu, (*shape, *lu.shape[-2:]))
    rows = ca.broadcast_to(rows, (*shape, rows.shape[-1]))
    return ca.linalg.lu_solve(lu, rows, ca.broadcast_to(b, (*shape, *b.shape[-2:])), trans=trans)


@rule("torch.lu_solve")
def old_lu_solve(b: ca.Array, LU_data: ca.Array, LU_pivots: ca.Array, *, out: Any = None) -> ca.Array:
    return _solved_by_lu(LU_data, cast(LU_pivots, ca.int64) - 1, b, 0)


@rule("torch.lu_unpack")
def lu_unpack(
    LU_data: ca.Array, LU_pivots: ca.Array, unpack_data: bool = True, unpack_pivots: bool = True, *, out: Any = None
) -> tuple[ca.Array, ...]:
    rows, columns = LU_data.shape[-2:]
    count = min(rows, columns)
    nothing = ca.zeros((0,), dtype=LU_data.dtype)
    lower = upper = permutation = nothing
    if unpack_data:
        lower = ca.tril(LU_data[..., :, :count], k=-1) + ca.eye(rows, count, dtype=LU_data.dtype)
        upper = ca.triu(LU_data[..., :count, :])
    if unpack_pivots:
        order = ca.broadcast_to(ca.arange(rows, dtype=ca.int64), (*LU_data.shape[:-2], rows))
        places = ca.arange(rows, dtype=ca.int64)
        for i in range(LU_pivots.shape[-1]):  # exchange row i with its pivot
            other = ca.expand_dims(cast(LU_pivots[..., i], ca.int64) - 1, -1)
            at, there = order[..., i : i + 1], ca.take_along_axis(order, other, axis=-1)
            order = ca.where(ca.equal(places, i), there, ca.where(ca.equal(places, other), at, order))
        permutation = cast(ca.equal(ca.expand_dims(places, -1), ca.expand_dims(order, -2)), LU_data.dtype)
    return permutation, lower, upper


@rule("torch.linalg.lu")
def lu(A: ca.Array, *, pivot: bool = True, out: Any = None) -> tuple[ca.Array, ...]:
    return lu_unpack(*lu_factor(A))


@rule("torch.functional.lu", "torch.lu")
def old_lu(A: ca.Array, pivot: bool = True, get_infos: bool = False, out: Any = None) -> tuple[ca.Array, ...]:
    found = lu_factor(A)
    return (*found, ca.zeros(A.shape[:-2], dtype=ca.int32)) if get_infos else found


@rule("torch.linalg.lstsq_v_1p9_and_above")
def lstsq(A: ca.Array, B: ca.Array, rcond: Any = None, *, driver: Any = None) -> tuple[ca.Array, ...]:
    vector = B.ndim == 1 or tuple(B.shape) == tuple(A.shape[:-1])
    right = ca.expand_dims(B, -1) if vector else B
    x = ca.matmul(ca.linalg.pinv(A, rtol=rcond), right)
    x = ca.squeeze(x, axis=-1) if vector else x
    nothing = ca.zeros((0,), dtype=A.dtype)
    singular = ca.linalg.svdvals(A) if driver in ("gelsd", "gelss") else nothing
    rank_of = cast(ca.linalg.matrix_rank(A, rtol=rcond) if driver != "gels" else nothing, ca.int64)
    rows, columns = A.shape[-2:]
    apart = nothing
    if rows > columns and driver != "gelsy":
        apart = ca.sum(ca.square(ca.abs(right - ca.matmul(A, ca.expand_dims(x, -1) if vector else x))), axis=-2)
    return x, apart, rank_of, singular


@rule("torch.symeig_v_1p13_and_below")
def symeig(
    input: ca.Array, eigenvectors: bool = False, upper: bool = True, *, out: Any = None
) -> tuple[ca.Array, ca.Array]:
    """Return eigenvalues and, if asked for, eigenvectors; torch 2.0 took this function out."""
    values, vectors = ca.linalg.eigh(symmetric(input, "U" if upper else "L"))
    return values, vectors if eigenvectors else ca.zeros((0,), dtype=input.dtype)


@rule("torch.eig_v_1p13_and_below")
def eig(input: ca.Array, eigenvectors: bool = False, *, out: Any = None) -> tuple[ca.Array, ca.Array]:
    """Return eigenvalues as pairs of real and imaginary part; torch 2.0 took this function out."""
    values = ca.linalg.eigvals(input)
    if eigenvectors:
        raise NotImplementedError("eigenvectors in the packed form of torch.eig; use torch.linalg.eig")
    return ca.stack([ca.real(values), ca.imag(values)], axis=-1), ca.zeros((0,), dtype=input.dtype)


@rule("torch.lstsq_v_1p13_and_below")
def old_lstsq(input: ca.Array, A: ca.Array, *, out: Any = None) -> tuple[ca.Array, ca.Array]:
    """Solve least squares with the right side first, as torch did before 2.0; the QR factors are those of `A`."""
    x = ca.matmul(ca.linalg.pinv(A), input)
    return x, ca.linalg.qr(A)[1]
