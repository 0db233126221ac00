"""`jax.scipy.linalg`: solutions from factors, polar, Hessenberg and tridiagonal forms, and derivatives of exponentials."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayNotImplementedError, CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.jax.members_of.lax_elementwise import primitive
from corearray.frontend.jax.members_of.scipy_linalg import adjoint, given
from corearray.frontend.jax.wrapper import Array, converted

__all__ = [
    "FUNCTIONS", "eigh_tridiagonal", "expm_frechet", "hessenberg", "lu_factor", "lu_solve", "polar", "qr_multiply",
    "solve_sylvester",
]  # fmt: skip


def lu_factor(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Any, Any]:
    """Return both triangular factors in one array, and the pivots."""
    (x,) = given(a)
    factors, pivots, _ = primitive("lu")(x)
    return Array(factors), Array(pivots)


def lu_solve(lu_and_piv: Any, b: Any, trans: int = 0, overwrite_b: bool = False, check_finite: bool = True) -> Any:
    """Solve a system from the factors of `lu_factor`, or with `trans` the transposed (1) or adjoint (2) one.

    Raises
    ------
    ValueError
        If `trans` is something else, or the shapes do not match.
    """
    factors, right = given(lu_and_piv[0], b)
    pivots = converted(lu_and_piv[1])[0]
    if trans not in (0, 1, 2):
        raise CoreArrayValueError(f"'trans' value must be 0, 1, or 2, got {trans}")
    line = right.ndim == 1 or (factors.ndim == right.ndim + 1 and factors.shape[-1] == right.shape[-1])
    if line and right.ndim > 1:
        warnings.warn(
            "jax.scipy.linalg.lu_solve: batched 1D solves with b.ndim > 1 are deprecated, and in the future will be treated "
            "as a batched 2D solve. Use lu_solve(lu_and_piv, b[..., None]).squeeze(-1) to avoid this warning.",
            FutureWarning,
            stacklevel=2,
        )
    made = ca.linalg.lu_solve(factors, pivots, right[..., None] if line else right, trans=trans)
    return Array(made[..., 0] if line else made)


def polar(
    a: Any, side: str = "right", *, method: str = "qdwh", eps: float | None = None, max_iterations: int | None = None
) -> tuple[Any, Any]:
    """Return a unitary and a positive semidefinite factor, the second one on the right or on the left.

    Both methods compute a singular value decomposition.

    Raises
    ------
    ValueError
        If the array is no matrix, or there is no such side or method.
    NotImplementedError
        With `method="qdwh"`, for a wide matrix with `side="right"` or a matrix that is not wide with `side="left"`.
    """
    (x,) = given(a)
    if x.ndim < 2:
        raise CoreArrayValueError("The input `a` must be at least a 2-D array.")
    if side not in ("right", "left"):
        raise CoreArrayValueError("The argument `side` must be either 'right' or 'left'.")
    if method not in ("qdwh", "svd"):
        raise CoreArrayValueError(f"Unknown polar decomposition method {method}.")
    rows, columns = x.shape[-2:]
    if method == "qdwh" and (rows < columns) != (side == "left"):
        raise CoreArrayNotImplementedError(
            "method='qdwh' only supports mxn matrices where m < n where side='right' and m >= n side='left', got "
            f"{(rows, columns)} with side={side!r}"
        )
    u, values, vh = ca.linalg.svd(x, full_matrices=False)
    values = ca.astype(values, u.dtype)[..., None, :]
    positive = ca.matmul(adjoint(vh) * values, vh) if side == "right" else ca.matmul(u * values, adjoint(u))
    return Array(ca.matmul(u, vh)), Array(positive)


def eigh_tridiagonal(
    d: Any, e: Any, *, eigvals_only: bool = False, select: str = "a", select_range: Any = None, tol: Any = None,
    key: Any = None,
) -> Any:  # fmt: skip
    """Return eigenvalues and eigenvectors of a symmetric or Hermitian matrix with three diagonals.

    Raises
    ------
    TypeError
        If the dtypes of the diagonals differ, or are not floating.
    ValueError
        If there is no such selection, or its range is empty.
    NotImplementedError
        With `select="v"`.
    """
    middle, beside = converted(d)[0], converted(e)[0]
    if middle.dtype != beside.dtype:
        raise CoreArrayTypeError(
            f"diagonal and off-diagonal values must have same dtype, got {middle.dtype} and {beside.dtype}"
        )
    if middle.dtype not in (ca.float32, ca.float64, ca.complex64, ca.complex128):
        raise CoreArrayTypeError(
            "Only float32 and float64 inputs are supported as inputs to jax.scipy.linalg.eigh_tridiagonal, got "
            f"{middle.dtype} and {beside.dtype}"
        )
    n = middle.shape[0]
    low, high = (0, n - 1) if select == "a" else (select_range or (0, 0))
    if n > 1:
        low, high = _selected(select, select_range, n)
    whole = _diagonal(middle, 0) + _diagonal(beside, -1) + adjoint(_diagonal(beside, -1))
    if eigvals_only:
        return Array(ca.linalg.eigvalsh(whole)[low : high + 1])
    values, vectors = ca.linalg.eigh(whole)
    return Array(values[low : high + 1]), Array(vectors[:, low : high + 1])


def _diagonal(x: ca.Array, k: int) -> Any:
    return ca.diag(x, k=k)


def _selected(select: str, bounds: Any, n: int) -> tuple[int, int]:
    if select == "a":
        return 0, n - 1
    if select == "v":
        raise CoreArrayNotImplementedError("eigh_tridiagonal(..., select='v') is not implemented")
    if select != "i":
        raise CoreArrayValueError("'select must have a value in {'a', 'i', 'v'}.")
    if bounds is None:
        raise CoreArrayValueError("for select='i', select_range must be specified.")
    low, high = map(operator.index, bounds)
    if low > high:
        raise CoreArrayValueError("Got empty index range in select_range.")
    return low, high


def expm_frechet(A: Any, E: Any, *, method: str | None = None, compute_expm: bool = True) -> Any:
    """Return the exponential of a matrix and its derivative in the direction `E`, or the derivative alone.

    Both are blocks of the exponential of a matrix of twice the size (N. J. Higham, "Functions of Matrices", 2008, 3.6).

    Raises
    ------
    ValueError
        If the matrices are not square, or of different shapes.
    """
    x, direction = given(A, E)
    for name, one in (("A", x), ("E", direction)):
        if one.ndim < 2 or one.shape[-1] != one.shape[-2]:
            raise CoreArrayValueError(
                f"expected {name} to be a (batched) square matrix, got {name}.shape={tuple(one.shape)}"
            )
    if x.shape != direction.shape:
        raise CoreArrayValueError(
            f"expected A and E to be the same shape, got A.shape={tuple(x.shape)} E.shape={tuple(direction.shape)}"
        )
    n = x.shape[-1]
    above, below = ca.concat([x, direction], axis=-1), ca.concat([ca.zeros_like(x), x], axis=-1)
    made = ca.linalg.matrix_exp(ca.concat([above, below], axis=-2))
    slope = Array(made[..., :n, n:])
    return (Array(made[..., :n, :n]), slope) if compute_expm else slope


def hessenberg(a: Any, *, calc_q: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """Return a matrix of Hessenberg form with the same eigenvalues, and the unitary matrix that turns it back.

    The reflections are LAPACK's (`gehrd`), so that signs are too.
    """
    (x,) = given(a)
    n = x.shape[-1]
    line, turned = ca.arange(n), ca.broadcast_to(ca.eye(n, dtype=x.dtype), tuple(x.shape))
    for place in range(n - 1 if _is_complex(x) else n - 2):  # the last one makes an element real
        column = x[..., place]
        head = column[..., place + 1 : place + 2]
        tail = ca.where(line > place + 1, column, ca.zeros_like(column))
        rest = ca.sum(ca.square(ca.abs(tail)), axis=-1, keepdims=True)
        flat = ca.logical_and(rest == 0, ca.imag(head) == 0) if _is_complex(x) else rest == 0
        size = ca.sqrt(ca.square(ca.abs(head)) + rest)
        goal = ca.where(ca.real(head) >= 0, -size, size) if _is_complex(x) else ca.where(head >= 0, -size, size)
        divisor = ca.where(flat, ca.ones_like(head), head - goal)
        vector = ca.where(line > place + 1, tail / divisor, ca.astype(line == place + 1, x.dtype))[..., :, None]
        weight = ca.where(flat, ca.zeros_like(head), (goal - head) / ca.where(flat, ca.ones_like(goal), goal))
        weight = weight[..., None]
        x = x - ca.conj(weight) * ca.matmul(vector, ca.matmul(adjoint(vector), x))
        x = x - weight * ca.matmul(ca.matmul(x, vector), adjoint(vector))
        turned = turned - weight * ca.matmul(ca.matmul(turned, vector), adjoint(vector))
    form = Array(ca.triu(x, k=-1))
    return (form, Array(turned)) if calc_q else form


def _is_complex(x: ca.Array) -> bool:
    return x.dtype.category == "complex floating"


def qr_multiply(
    a: Any, c: Any, mode: str = "right", pivoting: bool = False, conjugate: bool = False, overwrite_a: bool = False,
    overwrite_c: bool = False,
) -> tuple[Any, Any]:  # fmt: skip
    """Return the product of the orthogonal factor of a matrix with another one, and the triangular factor.

    Raises
    ------
    ValueError
        If there is no such mode, or the shapes do not match.
    NotImplementedError
        With `pivoting`.
    """
    x, other = given(a, c)
    if pivoting:
        raise CoreArrayNotImplementedError("jax.scipy.linalg.qr_multiply has no pivoting here")
    if mode not in ("right", "left"):
        raise CoreArrayValueError(f"mode must be 'right' or 'left', got {mode!r}")
    line = other.ndim == 1
    if line:
        other = other[:, None] if mode == "left" else other[None, :]
    rows, columns = x.shape[-2:]
    found, wanted = (other.shape[-2], min(rows, columns)) if mode == "left" else (other.shape[-1], rows)
    if found != wanted:
        what = f"c has {found} {'rows' if mode == 'left' else 'columns'} (expected {wanted})"
        raise CoreArrayValueError(f"Array shapes are not compatible: a has shape {tuple(x.shape)}, but {what}.")
    q, r = ca.linalg.qr(x)
    q = ca.conj(q) if conjugate and _is_complex(q) else q
    made = ca.matmul(q, other) if mode == "left" else ca.matmul(other, q)
    return Array(ca.reshape(made, (-1,)) if line else made), Array(r)


def solve_sylvester(A: Any, B: Any, C: Any, *, method: str = "schur", tol: float = 1e-8) -> Any:
    """Solve `A @ X + X @ B = C`. The result is NaN where a sum of eigenvalues of `A` and `B` is smaller than `tol`.

    Raises
    ------
    ValueError
        If the shapes do not match, or there is no such method.
    """
    left, right, wanted = given(A, B, C)
    m, n = wanted.shape[-2:]
    if tuple(left.shape[-2:]) != (m, m) or tuple(right.shape[-2:]) != (n, n):
        raise CoreArrayValueError(
            f"Incompatible shapes for Sylvester equation:\nA: {tuple(left.shape)}\nB: {tuple(right.shape)}\n"
            f"C: {tuple(wanted.shape)}"
        )
    if method not in ("schur", "eigen"):
        raise CoreArrayValueError(f'Unrecognized method {method}. The two valid methods are either "schur" or "eigen".')
    first, second = ca.linalg.eigvals(left), ca.linalg.eigvals(right)
    close = ca.any(ca.abs(first[..., :, None] + second[..., None, :]) < tol, axis=(-2, -1))[..., None, None]
    # a singular system is solved with other matrices, because some backends refuse it
    safe = ca.where(close, ca.eye(m, dtype=left.dtype), left), ca.where(close, ca.eye(n, dtype=right.dtype), right)
    return Array(ca.where(close, ca.nan, ca.linalg.solve_sylvester(*safe, wanted)))


FUNCTIONS: dict[str, Callable[..., Any]] = {
    f"scipy.linalg.{one.__name__}": one
    for one in (
        eigh_tridiagonal, expm_frechet, hessenberg, lu_factor, lu_solve, polar, qr_multiply, solve_sylvester,
    )
}  # fmt: skip
