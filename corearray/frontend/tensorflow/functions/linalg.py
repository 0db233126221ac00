"""`tf.linalg` and products of matrices."""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import corearray as ca
from corearray.errors import CoreArrayValueError
from corearray.frontend.operands import is_complex
from corearray.frontend.tensorflow.conversion import alike, axes_list, holds, integers, tensor
from corearray.frontend.tensorflow.data_types import dtype_of
from corearray.frontend.tensorflow.described import rule, say
from corearray.frontend.tensorflow.exceptions import InvalidArgumentError
from corearray.frontend.tensorflow.operations import allowed, raw

__all__: list[str] = []

_FLOATING = frozenset("float16 float32 float64 complex64 complex128".split())

say("""
tensorflow.einsum|tensorflow.linalg.einsum(equation, *inputs, optimize="greedy", name=None) = (
    raw.Einsum(list(inputs), equation))
tensorflow.linalg.adjoint(matrix, name=None) = _adjoint(tensor(matrix))
tensorflow.linalg.matrix_transpose(a, name="matrix_transpose", conjugate=False) = _turned(tensor(a), conjugate)
tensorflow.linalg.band_part(input, num_lower, num_upper, name=None) = (
    raw.MatrixBandPart(input, integers(num_lower)[0], integers(num_upper)[0]))
tensorflow.linalg.cholesky(input, name=None) = raw.Cholesky(input)
tensorflow.linalg.cholesky_solve(chol, rhs, name=None) = _by_cholesky(*alike("CholeskySolve", [chol, rhs]))
tensorflow.linalg.cross(a, b, name=None) = raw.Cross(a, b)
tensorflow.linalg.det(input, name=None) = raw.MatrixDeterminant(input)
tensorflow.linalg.slogdet(input, name=None) = _SlogDet(*raw.LogMatrixDeterminant(input))
tensorflow.linalg.logdet(matrix, name=None) = 2.0 * ca.sum(ca.log(ca.real(ca.diagonal(raw.Cholesky(matrix)))), axis=-1)
tensorflow.linalg.diag(diagonal, name="diag", k=0, num_rows=-1, num_cols=-1, padding_value=0, align="RIGHT_LEFT") = (
    _of_diagonal(tensor(diagonal), k, num_rows, num_cols, padding_value, align))
tensorflow.linalg.diag_part(input, name="diag_part", k=0, padding_value=0, align="RIGHT_LEFT") = (
    _diagonal_of(tensor(input), k, padding_value, align))
tensorflow.linalg.set_diag(input, diagonal, name="set_diag", k=0, align="RIGHT_LEFT") = (
    raw.MatrixSetDiagV3(input, diagonal, _band(k), align))
tensorflow.linalg.tensor_diag(diagonal, name=None) = _of_tensor(tensor(diagonal))
tensorflow.linalg.tensor_diag_part(input, name=None) = _part_of(tensor(input))
tensorflow.linalg.expm(input, name=None) = raw.MatrixExponential(input)
tensorflow.linalg.inv(input, adjoint=False, name=None) = _inverse(tensor(input), adjoint)
tensorflow.linalg.solve(matrix, rhs, adjoint=False, name=None) = raw.MatrixSolve(matrix, rhs, adjoint)
tensorflow.linalg.triangular_solve(matrix, rhs, lower=True, adjoint=False, name=None) = (
    raw.MatrixTriangularSolve(matrix, rhs, lower, adjoint))
tensorflow.linalg.eigh(tensor, name=None) = _EigH(*raw.SelfAdjointEigV2(tensor))
tensorflow.linalg.eigvalsh(tensor, name=None) = raw.SelfAdjointEigV2(tensor, compute_v=False)[0]
tensorflow.linalg.eig|tensorflow.eig(tensor, name=None) = _Eig(*ca.linalg.eig(_checked("Eig", tensor)))
tensorflow.linalg.eigvals|tensorflow.eigvals(tensor, name=None) = ca.linalg.eigvals(_checked("Eig", tensor))
tensorflow.linalg.qr(input, full_matrices=False, name=None) = _Qr(*raw.Qr(input, full_matrices))
tensorflow.linalg.svd(tensor, full_matrices=False, compute_uv=True, name=None) = (
    tuple(raw.Svd(tensor, True, full_matrices)) if compute_uv else raw.Svd(tensor, False)[0])
tensorflow.linalg.sqrtm|tensorflow.matrix_square_root(input, name=None) = ca.linalg.sqrtm(_checked("MatrixSquareRoot", input))
tensorflow.linalg.logm(input, name=None) = ca.linalg.logm(_checked("MatrixLogarithm", input))
tensorflow.linalg.trace(x, name=None) = raw.Sum(ca.diagonal(tensor(x)), [-1])
tensorflow.linalg.matvec(a, b, transpose_a=False, adjoint_a=False, a_is_sparse=False, b_is_sparse=False, name=None) = (
    ca.squeeze(matmul(a, ca.expand_dims(tensor(b), axis=-1), transpose_a=transpose_a, adjoint_a=adjoint_a), axis=-1))
tensorflow.linalg.matrix_rank(a, tol=None, validate_args=False, name=None) = _rank(tensor(a), tol)
tensorflow.linalg.pinv(a, rcond=None, validate_args=False, name=None) = _pseudo_inverse(tensor(a), rcond)
tensorflow.linalg.lstsq(matrix, rhs, l2_regularizer=0.0, fast=True, name=None) = (
    _least_squares(*alike("MatrixSolveLs", [matrix, rhs]), l2_regularizer, fast))
tensorflow.linalg.tridiagonal_matmul(diagonals, rhs, diagonals_format="compact", name=None) = (
    ca.matmul(_tridiagonal(diagonals, diagonals_format), tensor(rhs)))
tensorflow.linalg.tridiagonal_solve(diagonals, rhs, diagonals_format="compact", transpose_rhs=False, conjugate_rhs=False,
    name=None, partial_pivoting=True, perturb_singular=False) = (
    _solved(_tridiagonal(diagonals, diagonals_format), tensor(rhs), transpose_rhs, conjugate_rhs))
tensorflow.raw_ops.TridiagonalSolve(diagonals, rhs, partial_pivoting=True, perturb_singular=False) = (
    _solved(_tridiagonal(diagonals, "compact"), rhs, False, False))
tensorflow.raw_ops.TridiagonalMatMul(superdiag, maindiag, subdiag, rhs) = (
    ca.matmul(_tridiagonal([x[..., 0, :] for x in (superdiag, maindiag, subdiag)], "sequence"), rhs))
tensorflow.raw_ops.MatrixSolveLs(matrix, rhs, l2_regularizer, fast=True) = _least_squares(matrix, rhs, l2_regularizer, fast)
tensorflow.raw_ops.MatrixLogarithm(input) = ca.linalg.logm(input)
tensorflow.raw_ops.MatrixSquareRoot(input) = ca.linalg.sqrtm(input)
""")


class _SlogDet(NamedTuple):
    sign: Any
    log_abs_determinant: Any


class _EigH(NamedTuple):
    e: Any
    v: Any


class _Eig(NamedTuple):
    e: Any
    v: Any


class _Qr(NamedTuple):
    q: Any
    r: Any


for _named, _name in ((_SlogDet, "LogMatrixDeterminant"), (_EigH, "SelfAdjointEigV2"), (_Eig, "Eig"), (_Qr, "Qr")):
    _named.__name__ = _named.__qualname__ = _name


def _checked(name: str, x: Any, dtypes: frozenset[str] = _FLOATING) -> ca.Array:
    made = tensor(x)
    allowed(name, made.dtype, dtypes)
    return made


def _adjoint(x: ca.Array) -> Any:
    return _turned(x, True)


def _turned(x: ca.Array, conjugate: bool) -> Any:
    if x.ndim < 2:
        raise CoreArrayValueError(
            f"Argument `a` should be a (batch) matrix with rank >= 2. Received `a` of rank {x.ndim}"
        )
    made = ca.matrix_transpose(x)
    return ca.conj(made) if conjugate and is_complex(x.dtype) else made


@rule("tensorflow.matmul", "tensorflow.linalg.matmul")
def matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    output_type: Any = None,
    grad_a: bool = False,
    grad_b: bool = False,
    name: Any = None,
) -> Any:
    """Multiply matrices, or batches of them."""
    if (transpose_a and adjoint_a) or (transpose_b and adjoint_b):
        raise CoreArrayValueError("only one of `transpose` and `adjoint` can be true for a matrix")
    left, right = alike("MatMul", [a, b])
    if output_type is not None:
        left, right = (ca.astype(x, dtype_of(output_type)) for x in (left, right))
    for x in (left, right):
        if x.ndim < 2:
            raise InvalidArgumentError(f"In[0] and In[1] ndims must be >= 2: got {left.ndim} and {right.ndim} axes")
    left = _turned(left, adjoint_a) if transpose_a or adjoint_a else left
    right = _turned(right, adjoint_b) if transpose_b or adjoint_b else right
    return raw.MatMul(left, right) if left.ndim == right.ndim == 2 else raw.BatchMatMulV2(left, right)


def _by_cholesky(factor: ca.Array, rhs: ca.Array) -> Any:
    return raw.MatrixTriangularSolve(factor, raw.MatrixTriangularSolve(factor, rhs), True, True)


def _band(k: Any) -> Any:
    found = integers(k)
    return found[0] if len(found) == 1 else found


def _of_diagonal(x: ca.Array, k: Any, rows: Any, columns: Any, padding: Any, align: str) -> Any:
    return raw.MatrixDiagV3(x, _band(k), integers(rows)[0], integers(columns)[0], _filler(padding, x.dtype), align)


def _diagonal_of(x: ca.Array, k: Any, padding: Any, align: str) -> Any:
    return raw.MatrixDiagPartV3(x, _band(k), _filler(padding, x.dtype), align)


def _filler(padding: Any, dtype: ca.DType) -> ca.Array:
    """Return the element outside of diagonals; its default, the integer zero, stands for false."""
    return ca.asarray(bool(padding)) if dtype == ca.bool else tensor(padding, dtype=dtype)


def _of_tensor(x: ca.Array) -> Any:
    return ca.reshape(ca.diag(ca.reshape(x, (-1,))), (*x.shape, *x.shape))


def _part_of(x: ca.Array) -> Any:
    shape = tuple(x.shape[: x.ndim // 2])
    if tuple(x.shape[x.ndim // 2 :]) != shape:
        raise InvalidArgumentError(f"axes of a tensor of shape {tuple(x.shape)} do not come in pairs of one size")
    count = prod(shape)
    return ca.reshape(ca.diagonal(ca.reshape(x, (count, count))), shape)


def _inverse(x: ca.Array, adjoint: bool) -> Any:
    made = raw.MatrixInverse(x, adjoint)
    if holds(ca.all(ca.isfinite(made))) is False and holds(ca.all(ca.isfinite(x))):
        raise InvalidArgumentError("Input is not invertible.")
    return made


def _rank(x: ca.Array, tol: Any) -> Any:
    s = ca.linalg.svdvals(x)
    limit = (
        ca.finfo(x.dtype).eps * max(x.shape[-2:]) * ca.max(s, axis=-1, keepdims=True)
        if tol is None
        else ca.expand_dims(tensor(tol, hint=s.dtype), axis=-1)
    )
    return ca.sum(ca.astype(s > limit, ca.int32), axis=-1, dtype=ca.int32)


def _pseudo_inverse(x: ca.Array, rcond: Any) -> Any:
    s, u, v = raw.Svd(x)
    share = 10.0 * max(x.shape[-2:]) * ca.finfo(x.dtype).eps if rcond is None else tensor(rcond, hint=s.dtype)
    limit = (
        ca.expand_dims(share * ca.max(s, axis=-1), axis=-1)
        if isinstance(share, ca.Array)
        else share * ca.max(s, axis=-1, keepdims=True)
    )
    inverse = ca.where(s > limit, 1.0 / ca.where(s > limit, s, ca.ones_like(s)), ca.zeros_like(s))
    return ca.matmul(v * ca.expand_dims(ca.astype(inverse, x.dtype), axis=-2), _adjoint(u))


def _least_squares(matrix: ca.Array, rhs: ca.Array, l2_regularizer: float, fast: bool) -> Any:
    if not fast and not l2_regularizer:
        return ca.matmul(_pseudo_inverse(matrix, None), rhs)
    rows, columns = matrix.shape[-2:]
    turned = _adjoint(matrix)
    if rows >= columns:
        square = ca.matmul(turned, matrix) + l2_regularizer * ca.eye(columns, dtype=matrix.dtype)
        return _by_cholesky(raw.Cholesky(square), ca.matmul(turned, rhs))
    square = ca.matmul(matrix, turned) + l2_regularizer * ca.eye(rows, dtype=matrix.dtype)
    return ca.matmul(turned, _by_cholesky(raw.Cholesky(square), rhs))


def _tridiagonal(diagonals: Any, layout: str) -> Any:
    """Return the matrices of three diagonals: one above the main one, that, and one below it."""
    if layout == "matrix":
        return tensor(diagonals)
    if layout == "compact":
        made = tensor(diagonals)
        above, main, below = made[..., 0, :-1], made[..., 1, :], made[..., 2, 1:]
    elif layout == "sequence":
        above, main, below = alike("TridiagonalMatMul", diagonals)
        size = main.shape[-1]
        above = above[..., : size - 1]
        below = below[..., 1:] if below.shape[-1] == size else below
    else:
        raise CoreArrayValueError(
            f"Expected diagonals_format to be one of 'matrix', 'sequence', 'compact', got '{layout}'"
        )
    size = main.shape[-1]
    return (
        raw.MatrixDiagV3(main, 0, size, size, 0, "RIGHT_LEFT")
        + raw.MatrixDiagV3(above, 1, size, size, 0, "RIGHT_LEFT")
        + raw.MatrixDiagV3(below, -1, size, size, 0, "RIGHT_LEFT")
    )


def _solved(matrix: ca.Array, rhs: ca.Array, turn: bool, conjugate: bool) -> Any:
    flat = rhs.ndim == matrix.ndim - 1
    right = ca.expand_dims(rhs, axis=-1) if flat else _turned(rhs, False) if turn else rhs
    made = raw.MatrixSolve(matrix, ca.conj(right) if conjugate and is_complex(right.dtype) else right)
    return ca.squeeze(made, axis=-1) if flat else made


@rule("tensorflow.tensordot", "tensorflow.linalg.tensordot")
def tensordot(a: Any, b: Any, axes: Any, name: Any = None) -> Any:
    """Sum products over pairs of axes."""
    x, y = alike("MatMul", [a, b])
    pairs: Any = axes
    if isinstance(axes, ca.Array):
        pairs = axes.tolist()
    if isinstance(pairs, (list, tuple)):
        pairs = tuple(integers(part) for part in pairs)
    made = ca.tensordot(x, y, axes=pairs)
    return ca.astype(made, x.dtype)


@rule("tensorflow.norm", "tensorflow.linalg.norm")
def norm(tensor: Any, ord: Any = "euclidean", axis: Any = None, keepdims: Any = None, name: Any = None) -> Any:
    """Return norms of vectors, or of matrices for two axes; without an axis the norm of all elements."""
    x = _checked("Norm", tensor, _FLOATING | {"bfloat16"})
    keep = bool(keepdims)
    if axis is None:
        axes = list(range(x.ndim))
        matrices = False
    else:
        axes = axes_list(axis, x.ndim)
        matrices = isinstance(axis, (list, tuple)) and len(axes) == 2
    size = ca.abs(x)
    if ord in ("euclidean", "fro", 2, 2.0) and (not matrices or ord in ("euclidean", "fro")):
        if ord == "fro" and not matrices and axis is not None:
            raise CoreArrayValueError("'ord' must be a supported vector norm, got 'fro'")
        total = ca.real(x * ca.conj(x)) if is_complex(x.dtype) else ca.square(x)
        return ca.sqrt(raw.Sum(total, axes, keep_dims=keep))
    if matrices:
        if ord in (1, ca.inf):
            first = axes[0 if ord == 1 else 1]
            return raw.Max(raw.Sum(size, [first], keep_dims=True), axes, keep_dims=keep)
        if ord == 2:
            return ca.linalg.matrix_norm(ca.moveaxis(x, tuple(axes), (-2, -1)), ord=2, keepdims=keep)
        raise CoreArrayValueError(
            f"'ord' must be a supported matrix norm in ['euclidean', 'fro', 1, 2, inf], got {ord!r}"
        )
    if ord == ca.inf:
        return raw.Max(size, axes, keep_dims=keep)
    if ord == 1:
        return raw.Sum(size, axes, keep_dims=keep)
    if isinstance(ord, str) or ord <= 0:
        raise CoreArrayValueError(f"'ord' must be a supported vector norm, got {ord!r}")
    return raw.Sum(size**ord, axes, keep_dims=keep) ** (1.0 / ord)


def _array(x: Any) -> ca.Array:
    return tensor(x)


@rule("tensorflow.linalg.normalize")
def normalize(tensor: Any, ord: Any = "euclidean", axis: Any = None, name: Any = None) -> Any:
    """Divide by a norm; return the quotient and the norm."""
    x = _array(tensor)
    size = norm(x, ord, axis, keepdims=True) if axis is not None or x.ndim else norm(x, ord)
    return x / ca.astype(size, x.dtype), size
