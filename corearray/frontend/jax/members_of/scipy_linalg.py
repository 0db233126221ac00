"""`jax.scipy.linalg`: factorisations, solutions and functions of matrices."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.errors import CoreArrayNotImplementedError, CoreArrayValueError
from corearray.frontend.jax.members_of.lax_elementwise import primitive
from corearray.frontend.jax.promotion import cast, inexact, promoted
from corearray.frontend.jax.wrapper import Array, converted, numpy_function

__all__ = [
    "FUNCTIONS", "adjoint", "block_diag", "cho_factor", "cho_solve", "cholesky", "det", "eigh", "expm", "given", "inv",
    "lu", "qr", "solve", "solve_triangular", "sqrtm", "svd",
]  # fmt: skip


def given(*xs: Any) -> list[Any]:
    """Return arrays of one floating dtype."""
    pairs = [converted(x) for x in xs]
    own = inexact(promoted([(x.dtype, weak) for x, weak in pairs])[0])
    return [cast(x, own) for x, _ in pairs]


def adjoint(x: ca.Array) -> Any:
    """Return the conjugate transposes of matrices."""
    turned = ca.matrix_transpose(x)
    return ca.conj(turned) if turned.dtype.category == "complex floating" else turned


def cholesky(a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """Return the Cholesky factor, the upper one by default."""
    (x,) = given(a)
    factor = ca.linalg.cholesky((x + adjoint(x)) / 2)
    return Array(factor if lower else adjoint(factor))


def cho_factor(a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Any, bool]:
    """Return the Cholesky factor and whether it is the lower one."""
    return cholesky(a, lower), lower


def cho_solve(c_and_lower: Any, b: Any, overwrite_b: bool = False, check_finite: bool = True) -> Any:
    """Solve a system whose matrix has a Cholesky factor."""
    factor, lower = c_and_lower
    first = solve_triangular(factor, b, trans=0 if lower else 2, lower=lower)
    return solve_triangular(factor, first, trans=2 if lower else 0, lower=lower)


def solve_triangular(
    a: Any, b: Any, trans: Any = 0, lower: bool = False, unit_diagonal: bool = False, overwrite_b: bool = False,
    debug: Any = None, check_finite: bool = True,
) -> Any:  # fmt: skip
    """Solve a triangular system, or with `trans` the transposed (1, "T") or adjoint (2, "C") one."""
    matrix, right = given(a, b)
    if trans not in (0, 1, 2, "N", "T", "C"):
        raise CoreArrayValueError(f"Invalid 'trans' value {trans}")
    columns = right if right.ndim == matrix.ndim else right[..., None]
    made = ca.linalg.solve_triangular(matrix, columns, trans=trans, lower=lower, unit_diagonal=unit_diagonal)
    return Array(made if right.ndim == matrix.ndim else made[..., 0])


def solve(
    a: Any, b: Any, lower: bool = False, overwrite_a: bool = False, overwrite_b: bool = False, debug: bool = False,
    check_finite: bool = True, assume_a: str = "gen",
) -> Any:  # fmt: skip
    """Solve a system of linear equations."""
    if assume_a not in ("gen", "sym", "her", "pos"):
        raise CoreArrayValueError(f"Expected assume_a to be one of 'gen', 'sym', 'her', 'pos'; got {assume_a!r}")
    if assume_a == "pos":
        return cho_solve(cho_factor(a, lower), b)
    return numpy_function("linalg.solve")(a, b)


def qr(
    a: Any, overwrite_a: bool = False, lwork: Any = None, mode: str = "full", pivoting: bool = False,
    check_finite: bool = True,
) -> Any:  # fmt: skip
    """Return an orthogonal and an upper triangular factor, or with `mode="r"` a tuple of the second alone."""
    if pivoting:
        raise CoreArrayNotImplementedError("jax.scipy.linalg.qr has no pivoting here")
    if mode not in ("full", "r", "economic"):
        raise CoreArrayValueError(f"Unsupported QR decomposition mode '{mode}'")
    (x,) = given(a)
    q, r = ca.linalg.qr(x, mode="complete" if mode == "full" else "reduced")
    return (Array(r),) if mode == "r" else (Array(q), Array(r))


def svd(
    a: Any, full_matrices: bool = True, compute_uv: bool = True, overwrite_a: bool = False, check_finite: bool = True,
    lapack_driver: str = "gesdd",
) -> Any:  # fmt: skip
    """Return the singular value decomposition, or with `compute_uv=False` the singular values."""
    return numpy_function("linalg.svd")(a, full_matrices=full_matrices, compute_uv=compute_uv)


def eigh(
    a: Any, b: Any = None, lower: bool = True, eigvals_only: bool = False, overwrite_a: bool = False,
    overwrite_b: bool = False, turbo: bool = True, eigvals: Any = None, type: int = 1, check_finite: bool = True,
) -> Any:  # fmt: skip
    """Return eigenvalues and eigenvectors of a symmetric matrix."""
    if b is not None or eigvals is not None or type != 1:
        raise CoreArrayNotImplementedError("Only the b=None, eigvals=None and type=1 case of eigh is implemented")
    (x,) = given(a)
    triangle = ca.tril(x) if lower else adjoint(ca.triu(x))
    whole = triangle + adjoint(ca.tril(triangle, k=-1))
    if eigvals_only:
        return Array(ca.linalg.eigvalsh(whole))
    values, vectors = ca.linalg.eigh(whole)
    return Array(values), Array(vectors)


def lu(a: Any, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """Return a permutation, a lower and an upper triangular factor; with `permute_l` the product of the first two."""
    (x,) = given(a)
    packed, _, order = primitive("lu")(x)
    rows, columns = x.shape[-2:]
    count = min(rows, columns)
    lower = ca.tril(packed[..., :, :count], k=-1) + ca.eye(rows, count, dtype=x.dtype)
    upper = ca.triu(packed[..., :count, :])
    places = ca.arange(rows, dtype=order.dtype)
    turned = ca.astype(ca.matrix_transpose(order[..., :, None] == places), x.dtype)
    return (Array(ca.matmul(turned, lower)), Array(upper)) if permute_l else (Array(turned), Array(lower), Array(upper))


def expm(A: Any, *, upper_triangular: bool = False, max_squarings: int = 16) -> Any:
    """Return the exponential of a matrix."""
    (x,) = given(A)
    return Array(ca.linalg.matrix_exp(x))


def sqrtm(A: Any, blocksize: int = 1) -> Any:
    """Return the square root of a matrix, which is complex."""
    if blocksize > 1:
        raise CoreArrayNotImplementedError("Blocked version is not implemented yet.")
    (x,) = given(A)
    wide = ca.complex128 if x.dtype in (ca.float64, ca.complex128) else ca.complex64
    return Array(ca.linalg.sqrtm(ca.astype(x, wide)))


def block_diag(*arrs: Any) -> Any:
    """Return a matrix with matrices on its diagonal."""
    pairs = [converted(x) for x in arrs] or [(ca.zeros((1, 0)), False)]
    own, _ = promoted([(x.dtype, weak) for x, weak in pairs])
    parts = [cast(x, own) for x, _ in pairs]
    if any(x.ndim > 2 for x in parts):
        raise CoreArrayValueError("Arguments to jax.scipy.linalg.block_diag must have at most 2 dimensions")
    parts = [ca.reshape(x, (1,) * (2 - x.ndim) + tuple(x.shape)) for x in parts]
    width, before, rows = sum(x.shape[1] for x in parts), 0, []
    for x in parts:
        rows.append(ca.pad(x, ((0, 0), (before, width - before - x.shape[1]))))
        before += x.shape[1]
    return Array(ca.concat(rows, axis=0))


def det(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """Return the determinant of a matrix."""
    return numpy_function("linalg.det")(a)


def inv(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """Return the inverse of a matrix."""
    return numpy_function("linalg.inv")(a)


FUNCTIONS: dict[str, Any] = {
    f"scipy.linalg.{one.__name__}": one
    for one in (
        cholesky, cho_factor, cho_solve, solve_triangular, solve, qr, svd, eigh, lu, expm, sqrtm, block_diag, det,
        inv,
    )
}  # fmt: skip
