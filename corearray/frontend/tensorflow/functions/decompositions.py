"""`tf.linalg`: factors of matrices by elimination, and eigenvalues of tridiagonal matrices."""

from __future__ import annotations

from typing import Any, NamedTuple

import corearray as ca
from corearray.errors import CoreArrayValueError, FunctionNotImplementedError
from corearray.frontend.tensorflow.conversion import alike, integers, tensor
from corearray.frontend.tensorflow.data_types import dtype_of
from corearray.frontend.tensorflow.described import rule, say
from corearray.frontend.tensorflow.operations import allowed

__all__: list[str] = []

_FLOATING = frozenset("float16 float32 float64 complex64 complex128".split())

say("""
tensorflow.linalg.lu_solve(lower_upper, perm, rhs, validate_args=False, name=None) = (
    _solved(*alike("MatrixTriangularSolve", [lower_upper, rhs]), tensor(perm)))
tensorflow.linalg.lu_matrix_inverse(lower_upper, perm, validate_args=False, name=None) = (
    _inverse(tensor(lower_upper), tensor(perm)))
tensorflow.linalg.lu_reconstruct(lower_upper, perm, validate_args=False, name=None) = (
    _product(tensor(lower_upper), tensor(perm)))
tensorflow.linalg.banded_triangular_solve(bands, rhs, lower=True, adjoint=False, name=None) = (
    _banded(*alike("BandedTriangularSolve", [bands, rhs]), lower, adjoint))
""")


class _Lu(NamedTuple):
    lu: Any
    p: Any


_Lu.__name__ = _Lu.__qualname__ = "Lu"


@rule("tensorflow.linalg.lu", "tensorflow.raw_ops.Lu")
def lu(input: Any, output_idx_type: Any = ca.int32, name: Any = None) -> Any:
    """Return both factors in one matrix, and the rows of the original that they stand for."""
    x = tensor(input)
    allowed("Lu", x.dtype, _FLOATING)
    found, pivots = ca.linalg.lu_factor(x)
    line = ca.arange(x.shape[-1], dtype=ca.int64)
    rows = ca.broadcast_to(line, tuple(x.shape[:-1]))
    for place in range(pivots.shape[-1]):
        other = ca.astype(pivots[..., place : place + 1], ca.int64)
        here, there = rows[..., place : place + 1], ca.take_along_axis(rows, other, axis=-1)
        rows = ca.where(line == place, there, ca.where(line == other, here, rows))
    return _Lu(found, ca.astype(rows, dtype_of(output_idx_type)))


def _solved(lower_upper: ca.Array, rhs: ca.Array, perm: ca.Array) -> Any:
    rows = ca.expand_dims(ca.astype(perm, ca.int64), axis=-1)
    shape = (*ca.broadcast_shapes(tuple(lower_upper.shape[:-2]), tuple(rhs.shape[:-2])), *rhs.shape[-2:])
    turned = ca.take_along_axis(ca.broadcast_to(rhs, shape), ca.broadcast_to(rows, shape), axis=-2)
    half = ca.linalg.solve_triangular(_lower(lower_upper), turned, lower=True)
    return ca.linalg.solve_triangular(ca.triu(lower_upper), half, lower=False)


def _lower(lower_upper: ca.Array) -> ca.Array:
    size = lower_upper.shape[-1]
    return ca.tril(lower_upper, k=-1) + ca.eye(size, dtype=lower_upper.dtype)


def _inverse(lower_upper: ca.Array, perm: ca.Array) -> Any:
    identity = ca.broadcast_to(ca.eye(lower_upper.shape[-1], dtype=lower_upper.dtype), tuple(lower_upper.shape))
    return _solved(lower_upper, identity, perm)


def _product(lower_upper: ca.Array, perm: ca.Array) -> Any:
    made = ca.matmul(_lower(lower_upper), ca.triu(lower_upper))
    rows = ca.expand_dims(ca.argsort(perm, axis=-1), axis=-1)
    return ca.take_along_axis(made, ca.broadcast_to(rows, tuple(made.shape)), axis=-2)


def _banded(bands: ca.Array, rhs: ca.Array, lower: bool, adjoint: bool) -> Any:
    """Solve a banded triangular system. The rows of `bands` are diagonals, from the main one down, or from the top one."""
    allowed("BandedTriangularSolve", bands.dtype, _FLOATING)
    count, size = bands.shape[-2:]
    rows, columns = ca.arange(size)[:, None], ca.arange(size)[None, :]
    matrix: Any = ca.zeros((), dtype=bands.dtype)
    for place in range(count):
        band = bands[..., place, :]
        below = place if lower else place - (count - 1)
        line = ca.expand_dims(band, axis=-1)
        matrix = matrix + ca.where(rows - columns == below, line, ca.zeros((), dtype=bands.dtype))
    if adjoint:
        matrix = (
            ca.conj(ca.matrix_transpose(matrix))
            if bands.dtype.category == "complex floating"
            else ca.matrix_transpose(matrix)
        )
    shape = ca.broadcast_shapes(tuple(matrix.shape[:-2]), tuple(rhs.shape[:-2]))
    matrix, rhs = ca.broadcast_to(matrix, (*shape, size, size)), ca.broadcast_to(rhs, (*shape, *rhs.shape[-2:]))
    return ca.linalg.solve_triangular(matrix, rhs, lower=lower != adjoint)


@rule("tensorflow.linalg.eigh_tridiagonal")
def eigh_tridiagonal(
    alpha: Any,
    beta: Any,
    eigvals_only: bool = True,
    select: str = "a",
    select_range: Any = None,
    tol: Any = None,
    name: Any = None,
) -> Any:
    """Return the eigenvalues of a symmetric tridiagonal matrix in ascending order, and its eigenvectors if asked."""
    if select not in ("a", "i", "v"):
        raise CoreArrayValueError("'select must have a value in {'a', 'i', 'v'}.")
    if select == "v":
        raise FunctionNotImplementedError("eigenvalues within an interval have no rule; use select='i' or select='a'")
    diagonal, beside = alike("EighTridiagonal", [alpha, beta])
    allowed("EighTridiagonal", diagonal.dtype, _FLOATING)
    limits: Any = None if select == "a" else integers(select_range)
    if eigvals_only:  # phases of the elements beside the diagonal do not change eigenvalues
        return ca.linalg.eigvalsh_tridiagonal(ca.real(diagonal), ca.abs(beside), select=select, select_range=limits)
    if beside.dtype.category == "complex floating":
        raise FunctionNotImplementedError(
            "eigenvectors of complex tridiagonal matrices have no rule; use tf.linalg.eigh"
        )
    return tuple(ca.linalg.eigh_tridiagonal(diagonal, beside, select=select, select_range=limits))
