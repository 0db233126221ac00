"""`jax.lax.linalg`, and Schur's form in `jax.scipy.linalg`: decompositions by JAX's primitives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayNotImplementedError, CoreArrayValueError
from corearray.frontend.jax.members_of.lax_elementwise import primitive
from corearray.frontend.jax.members_of.scipy_linalg import adjoint, given
from corearray.frontend.jax.promotion import cast
from corearray.frontend.jax.wrapper import Array, converted

__all__ = ["FUNCTIONS", "funm", "rsf2csf", "schur"]


def _up(made: Any) -> Any:
    return [Array(x) for x in made] if isinstance(made, (list, tuple)) else Array(made)


def _symmetric(x: ca.Array, asked: bool) -> ca.Array:
    return (x + adjoint(x)) / 2 if asked else x


def _cholesky(x: Any, *, symmetrize_input: bool = True) -> Any:
    return Array(primitive("cholesky")(_symmetric(converted(x)[0], symmetrize_input)))


def _eigh(
    x: Any, *, lower: bool = True, symmetrize_input: bool = True, sort_eigenvalues: bool = True, subset_by_index: Any = None,
    implementation: Any = None,
) -> Any:  # fmt: skip
    found = primitive("eigh")(
        _symmetric(converted(x)[0], symmetrize_input), lower=lower, subset_by_index=subset_by_index
    )
    return tuple(_up(found))


def _eig(
    x: Any, *, compute_left_eigenvectors: bool = True, compute_right_eigenvectors: bool = True,
    enable_eigvec_derivs: bool = False, implementation: Any = None, use_magma: Any = None,
) -> Any:  # fmt: skip
    return _up(
        primitive("eig")(
            converted(x)[0], compute_left_eigenvectors=compute_left_eigenvectors,
            compute_right_eigenvectors=compute_right_eigenvectors,
        )
    )  # fmt: skip


def _lu(x: Any) -> Any:
    return _up(list(primitive("lu")(converted(x)[0])))


def _permutation(pivots: Any, permutation_size: int) -> Any:
    return Array(primitive("lu_pivots_to_permutation")(converted(pivots)[0], permutation_size=permutation_size))


def _qr(x: Any, *, pivoting: bool = False, full_matrices: bool = True, use_magma: Any = None) -> Any:
    return tuple(_up(primitive("qr")(converted(x)[0], full_matrices=full_matrices, pivoting=pivoting)))


def _svd(
    x: Any, *, full_matrices: bool = True, compute_uv: bool = True, subset_by_index: Any = None, algorithm: Any = None
) -> Any:
    s, *rest = primitive("svd")(
        converted(x)[0], full_matrices=full_matrices, compute_uv=compute_uv, subset_by_index=subset_by_index
    )
    return (Array(rest[0]), Array(s), Array(rest[1])) if compute_uv else Array(s)


def _triangular_solve(
    a: Any, b: Any, *, left_side: bool = False, lower: bool = False, transpose_a: bool = False, conjugate_a: bool = False,
    unit_diagonal: bool = False,
) -> Any:  # fmt: skip
    matrix, right = converted(a)[0], converted(b)[0]
    line = right.ndim == matrix.ndim - 1
    columns = (right[..., None] if left_side else right[..., None, :]) if line else right
    made = primitive("triangular_solve")(
        matrix, columns, left_side=left_side, lower=lower, transpose_a=transpose_a, conjugate_a=conjugate_a,
        unit_diagonal=unit_diagonal,
    )  # fmt: skip
    return Array((made[..., 0] if left_side else made[..., 0, :]) if line else made)


def _by_primitive(name: str) -> Callable[..., Any]:
    def function(*args: Any) -> Any:
        return Array(primitive(name)(*(converted(x)[0] for x in args)))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Compute what `jax.lax.linalg.{name}` computes."
    return function


def _tridiagonal_solve(dl: Any, d: Any, du: Any, b: Any, *, perturb_singular: bool = False) -> Any:
    if perturb_singular:
        raise CoreArrayNotImplementedError("tridiagonal_solve perturbs no singular systems here")
    return Array(primitive("tridiagonal_solve")(*(converted(x)[0] for x in (dl, d, du, b))))


def _symmetric_product(
    a_matrix: Any, c_matrix: Any, *, alpha: float = 1.0, beta: float = 0.0, symmetrize_output: bool = False
) -> Any:
    a, c = converted(a_matrix)[0], converted(c_matrix)[0]
    made = alpha * ca.matmul(a, ca.matrix_transpose(a)) + beta * c
    if symmetrize_output:
        lower = ca.tril(made, k=-1)
        made = ca.tril(made) + ca.matrix_transpose(lower)
    return Array(made)


def _complex(x: ca.Array) -> ca.Array:
    """Return an array in the complex dtype of its precision."""
    wide = x.dtype in (ca.float64, ca.complex128)
    made: ca.Array = cast(x, ca.complex128 if wide else ca.complex64)
    return made


def schur(a: Any, output: str = "real") -> Any:
    """Return Schur's form of matrices, upper triangular, and the unitary matrices that turn it into them.

    The real form of real matrices has a block of two rows on the diagonal for each pair of complex eigenvalues. Order and signs
    may differ from LAPACK's.

    Raises
    ------
    ValueError
        If `output` is neither "real" nor "complex".
    """
    if output not in ("real", "complex"):
        raise CoreArrayValueError(f"Expected 'output' to be either 'real' or 'complex', got {output=}.")
    (x,) = given(a)
    return tuple(_up(primitive("schur")(_complex(x) if output == "complex" else x)))


def rsf2csf(T: Any, Z: Any, check_finite: bool = True) -> Any:
    """Return the complex form of Schur for a real one.

    Raises
    ------
    ValueError
        If a matrix is not square, or the shapes differ.
    """
    triangular, vectors = (_complex(x) for x in given(T, Z))
    for name, x in (("T", triangular), ("Z", vectors)):
        if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
            raise CoreArrayValueError(f"Input '{name}' must be square.")
    if triangular.shape[-1] != vectors.shape[-1]:
        raise CoreArrayValueError(
            f"Input array shapes must match: Z: {tuple(vectors.shape)} vs. T: {tuple(triangular.shape)}"
        )
    made, turn = primitive("schur")(triangular)
    return Array(made), Array(ca.matmul(vectors, turn))


def funm(A: Any, func: Callable[[Any], Any], disp: bool = True) -> Any:
    """Return a function of a matrix, by Schur's form and Parlett's recurrence (Golub & Van Loan, 9.1.4).

    Raises
    ------
    ValueError
        If it is no square matrix.
    """
    (x,) = given(A)
    if x.ndim != 2 or x.shape[0] != x.shape[1]:
        raise CoreArrayValueError("expected square array_like input")
    triangular, vectors = primitive("schur")(_complex(x))
    size, own = x.shape[0], triangular.dtype
    diagonal = ca.linalg.diagonal(triangular)
    values = cast(converted(func(Array(diagonal)))[0], own)
    rows = {(i, i): values[i] for i in range(size)}
    least = ca.abs(triangular[0, 0])
    for p in range(1, size):
        for i in range(size - p):
            j = i + p
            total = triangular[i, j] * (rows[j, j] - rows[i, i])
            for k in range(i + 1, j):
                total = total + triangular[i, k] * rows[k, j] - rows[i, k] * triangular[k, j]
            gap = diagonal[j] - diagonal[i]
            rows[i, j] = ca.where(gap != 0, total / ca.where(gap != 0, gap, 1), total)
            least = ca.minimum(least, ca.abs(gap))
    nothing = ca.zeros((), dtype=own)
    made = ca.stack([ca.stack([rows.get((i, j), nothing) for j in range(size)]) for i in range(size)])
    made = vectors @ made @ adjoint(vectors)
    if disp:
        return Array(made)
    eps = float(ca.finfo(ca.float64 if own == ca.complex128 else ca.float32).eps)
    least = ca.where(least == 0, eps, least)
    above = ca.triu(triangular, k=1)
    norm = ca.max(ca.sum(ca.abs(above), axis=0))
    infinite = ca.any(ca.isinf(made))
    return Array(made), Array(ca.where(infinite, ca.inf, ca.clip(eps / least * norm, eps, 1.0)))


FUNCTIONS: dict[str, Any] = {
    "lax.linalg.cholesky": _cholesky, "lax.linalg.eigh": _eigh, "lax.linalg.eig": _eig, "lax.linalg.lu": _lu,
    "lax.linalg.lu_pivots_to_permutation": _permutation, "lax.linalg.qr": _qr, "lax.linalg.svd": _svd,
    "lax.linalg.triangular_solve": _triangular_solve, "lax.linalg.tridiagonal_solve": _tridiagonal_solve,
    "lax.linalg.householder_product": _by_primitive("householder_product"),
    "lax.linalg.symmetric_product": _symmetric_product,
    "lax.linalg.schur": lambda x, *, compute_schur_vectors=True, sort_eig_vals=False, select_callable=None: _up(
        primitive("schur")(converted(x)[0], compute_schur_vectors=compute_schur_vectors)
    ),
    "scipy.linalg.schur": schur, "scipy.linalg.rsf2csf": rsf2csf, "scipy.linalg.funm": funm,
}  # fmt: skip
