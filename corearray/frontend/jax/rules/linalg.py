"""Decompositions, triangular systems, Fourier transforms."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.errors import FunctionNotImplementedError
from corearray.frontend.jax.described import rule

__all__: list[str] = []


@rule("jax.lax.cholesky_p")
def cholesky(x: ca.Array, **_: Any) -> Any:
    """Factor symmetric matrices; the lower triangle is read and returned."""
    return ca.linalg.cholesky(x)


@rule("jax.lax.triangular_solve_p")
def triangular_solve(
    a: ca.Array,
    b: ca.Array,
    *,
    left_side: bool,
    lower: bool,
    transpose_a: bool,
    conjugate_a: bool = False,
    unit_diagonal: bool = False,
) -> Any:
    """Solve triangular systems from the left or from the right."""
    if conjugate_a:
        a = ca.conj(a)
    if left_side:
        return ca.linalg.solve_triangular(a, b, trans=int(transpose_a), lower=lower, unit_diagonal=unit_diagonal)
    turned = ca.matrix_transpose(b)
    made = ca.linalg.solve_triangular(a, turned, trans=int(not transpose_a), lower=lower, unit_diagonal=unit_diagonal)
    return ca.matrix_transpose(made)


@rule("jax.lax.lu_p")
def lu(x: ca.Array) -> Any:
    """Factor matrices with pivoting: factors, pivots, and the permutation of the rows."""
    factors, pivots = ca.linalg.lu_factor(x)
    return [factors, ca.astype(pivots, ca.int32), _permutation(pivots, x.shape[-2])]


def _permutation(pivots: ca.Array, size: int) -> Any:
    """Swap rows one after the other, as pivots say."""
    rows = ca.broadcast_to(ca.arange(size, dtype=ca.int32), (*pivots.shape[:-1], size))
    line = ca.arange(size)
    for place in range(pivots.shape[-1]):
        other = ca.expand_dims(pivots[..., place], axis=-1)
        here, there = rows[..., place : place + 1], ca.take_along_axis(rows, other, axis=-1)
        rows = ca.where(line == place, there, ca.where(line == other, here, rows))
    return rows


@rule("jax.lax.lu_pivots_to_permutation_p")
def lu_pivots_to_permutation(pivots: ca.Array, *, permutation_size: int) -> Any:
    """Return the permutation that swaps of rows make."""
    return _permutation(pivots, permutation_size)


@rule("jax.lax.qr_p")
def qr(x: ca.Array, *, full_matrices: bool, pivoting: bool = False, **_: Any) -> Any:
    """Factor matrices into orthogonal and triangular ones."""
    if pivoting:
        raise FunctionNotImplementedError("qr with pivoting has no rule")
    return list(ca.linalg.qr(x, mode="complete" if full_matrices else "reduced"))


@rule("jax.lax.eigh_p")
def eigh(x: ca.Array, *, lower: bool = True, subset_by_index: Any = None, **_: Any) -> Any:
    """Return the eigenvectors and eigenvalues of symmetric matrices."""
    if subset_by_index is not None:
        raise FunctionNotImplementedError("eigh of some eigenvalues has no rule; compute all and slice")
    values, vectors = ca.linalg.eigh(x if lower else ca.conj(ca.matrix_transpose(x)))
    return [vectors, values]


@rule("jax.lax.svd_p")
def svd(x: ca.Array, *, full_matrices: bool, compute_uv: bool, subset_by_index: Any = None, **_: Any) -> Any:
    """Return singular values and vectors."""
    if subset_by_index is not None:
        raise FunctionNotImplementedError("svd of some singular values has no rule; compute all and slice")
    if not compute_uv:
        return [ca.linalg.svdvals(x)]
    u, values, vh = ca.linalg.svd(x, full_matrices=full_matrices)
    return [values, u, vh]


@rule("jax.lax.eig_p")
def eig(x: ca.Array, *, compute_left_eigenvectors: bool, compute_right_eigenvectors: bool, **_: Any) -> Any:
    """Return eigenvalues and right eigenvectors."""
    if compute_left_eigenvectors:
        raise FunctionNotImplementedError("left eigenvectors have no rule")
    if not compute_right_eigenvectors:
        return [ca.linalg.eigvals(x)]
    return list(ca.linalg.eig(x))


@rule("jax.lax.tridiagonal_solve_p")
def tridiagonal_solve(lower: ca.Array, middle: ca.Array, upper: ca.Array, b: ca.Array, **_: Any) -> Any:
    """Solve systems with three diagonals, by Thomas's algorithm over the rows."""
    lower, middle, upper = (ca.moveaxis(x, -1, 0) for x in (lower, middle, upper))
    rows = ca.moveaxis(b, -2, 0)
    zero = ca.zeros_like(middle[0])

    def forward(state: Any, part: Any) -> Any:
        c, d = state
        a, m, u, right = part
        scale = 1.0 / (m - a * c)
        made = u * scale, (right - a[..., None] * d) * scale[..., None]
        return made, made

    _, (c, d) = ca.scan(forward, (zero, ca.zeros_like(rows[0])), (lower, middle, upper, rows))

    def backward(x: Any, part: Any) -> Any:
        c, d = part
        made = d - c[..., None] * x
        return made, made

    _, found = ca.scan(backward, ca.zeros_like(rows[0]), (c, d), reverse=True)
    return ca.moveaxis(found, 0, -2)


@rule("jax.lax.householder_product_p")
def householder_product(a: ca.Array, taus: ca.Array) -> Any:
    """Multiply elementary reflectors, which stand below the diagonal."""
    rows, columns = a.shape[-2:]
    made = ca.broadcast_to(ca.eye(rows, columns, dtype=a.dtype), tuple(a.shape))
    line = ca.arange(rows)
    for place in reversed(range(taus.shape[-1])):
        vector = ca.where(line > place, a[..., place], ca.astype(line == place, a.dtype))[..., None]
        weight = taus[..., place][..., None, None]
        made = made - weight * (vector @ (ca.conj(ca.matrix_transpose(vector)) @ made))
    return made


@rule("jax.lax.fft_p")
def fft(x: ca.Array, *, fft_type: Any, fft_lengths: Any) -> Any:
    """Transform the last axes: forwards, backwards, from real numbers, to real numbers."""
    kind = str(fft_type).rpartition(".")[2].lower()
    kind = {"0": "fft", "1": "ifft", "2": "rfft", "3": "irfft"}.get(kind, kind)
    axes = tuple(range(-len(fft_lengths), 0))
    transforms = {"fft": ca.fft.fftn, "ifft": ca.fft.ifftn, "rfft": ca.fft.rfftn, "irfft": ca.fft.irfftn}
    return transforms[kind](x, s=tuple(fft_lengths), axes=axes)
