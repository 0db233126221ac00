"""Decompositions, solutions of equations, and Fourier transforms."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.frontend.tensorflow.described import rule, say

__all__: list[str] = []

say("""
tensorflow.raw_ops.Cholesky(input) = ca.linalg.cholesky(input)
tensorflow.raw_ops.MatrixInverse(input, adjoint=False) = ca.linalg.inv(_adjoint(input) if adjoint else input)
tensorflow.raw_ops.MatrixDeterminant(input) = ca.linalg.det(input)
tensorflow.raw_ops.LogMatrixDeterminant(input) = list(ca.linalg.slogdet(input))
tensorflow.raw_ops.MatrixSolve(matrix, rhs, adjoint=False) = ca.linalg.solve(_adjoint(matrix) if adjoint else matrix, rhs)
tensorflow.raw_ops.MatrixExponential(input) = ca.linalg.matrix_exp(input)
tensorflow.raw_ops.SelfAdjointEigV2(input, compute_v=True) = (
    list(ca.linalg.eigh(input)) if compute_v else [ca.linalg.eigvalsh(input), ca.zeros((0,), dtype=input.dtype)])
tensorflow.raw_ops.Eig(input, compute_v=True, Tout=None) = (
    list(ca.linalg.eig(input)) if compute_v else [ca.linalg.eigvals(input), ca.zeros((0,), dtype=input.dtype)])
tensorflow.raw_ops.FFT(input) = ca.fft.fft(input)
tensorflow.raw_ops.IFFT(input) = ca.fft.ifft(input)
tensorflow.raw_ops.FFT2D(input) = ca.fft.fftn(input, axes=(-2, -1))
tensorflow.raw_ops.IFFT2D(input) = ca.fft.ifftn(input, axes=(-2, -1))
tensorflow.raw_ops.FFT3D(input) = ca.fft.fftn(input, axes=(-3, -2, -1))
tensorflow.raw_ops.IFFT3D(input) = ca.fft.ifftn(input, axes=(-3, -2, -1))
tensorflow.raw_ops.RFFT(input, fft_length, Tcomplex=None) = ca.fft.rfft(input, n=int(fft_length[0]))
tensorflow.raw_ops.IRFFT(input, fft_length, Treal=None) = ca.fft.irfft(input, n=int(fft_length[0]))
tensorflow.raw_ops.RFFT2D(input, fft_length, Tcomplex=None) = ca.fft.rfftn(input, s=_lengths(fft_length), axes=(-2, -1))
tensorflow.raw_ops.RFFT3D(input, fft_length, Tcomplex=None) = ca.fft.rfftn(input, s=_lengths(fft_length), axes=(-3, -2, -1))
tensorflow.raw_ops.IRFFT3D(input, fft_length, Treal=None) = ca.fft.irfftn(input, s=_lengths(fft_length), axes=(-3, -2, -1))
tensorflow.raw_ops.IRFFT2D(input, fft_length, Treal=None) = ca.fft.irfftn(input, s=_lengths(fft_length), axes=(-2, -1))
""")


def _lengths(lengths: Any) -> tuple[int, ...]:
    return tuple(int(n) for n in lengths)


def _adjoint(x: ca.Array) -> Any:
    made = ca.matrix_transpose(x)
    return ca.conj(made) if x.dtype.category == "complex floating" else made


@rule("tensorflow.raw_ops.MatrixTriangularSolve")
def triangular_solve(matrix: ca.Array, rhs: ca.Array, lower: bool = True, adjoint: bool = False) -> Any:
    """Solve equations of a triangular matrix."""
    return ca.linalg.solve_triangular(_adjoint(matrix) if adjoint else matrix, rhs, lower=lower != adjoint)


@rule("tensorflow.raw_ops.Qr")
def qr(input: ca.Array, full_matrices: bool = False) -> Any:
    """Divide a matrix into an orthogonal and an upper triangular one."""
    return list(ca.linalg.qr(input, mode="complete" if full_matrices else "reduced"))


@rule("tensorflow.raw_ops.Svd")
def svd(input: ca.Array, compute_uv: bool = True, full_matrices: bool = False) -> Any:
    """Return singular values, and the left and right singular vectors as columns."""
    if not compute_uv:
        nothing = ca.zeros((0,), dtype=input.dtype)
        return [ca.linalg.svdvals(input), nothing, nothing]
    u, s, vh = ca.linalg.svd(input, full_matrices=full_matrices)
    return [s, u, _adjoint(vh)]
