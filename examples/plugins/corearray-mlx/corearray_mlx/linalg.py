"""Linear algebra, which MLX computes on the CPU, and for complex numbers not at all: those NumPy computes."""

import mlx.core as mx
import numpy

from corearray.plugin import hookimpl


@hookimpl
def cholesky(x, /, *, upper=False):
    if x.dtype == mx.complex64:
        return _by_numpy(numpy.linalg.cholesky, x, upper=upper)
    return mx.linalg.cholesky(x, upper=upper, stream=mx.cpu)


@hookimpl
def det(x, /):
    if x.dtype == mx.complex64:
        return _by_numpy(numpy.linalg.det, x)
    return mx.linalg.det(x, stream=mx.cpu)


@hookimpl
def eig(x, /):
    return mx.linalg.eig(x, stream=mx.cpu)


@hookimpl
def eigh(x, /):
    return mx.linalg.eigh(x, stream=mx.cpu)


@hookimpl
def matmul(x1, x2, /):
    """MLX multiplies matrices of floating numbers only; those of integers are exact sums of products."""
    if mx.issubdtype(x1.dtype, mx.inexact):
        return mx.matmul(x1, x2)
    rows, columns = x1[None] if x1.ndim == 1 else x1, x2[:, None] if x2.ndim == 1 else x2
    if rows.shape[-1] != columns.shape[-2]:
        raise ValueError(f"matrices of the shapes {x1.shape} and {x2.shape} cannot be multiplied")
    result = mx.sum(rows[..., :, :, None] * columns[..., None, :, :], -2).astype(x1.dtype)
    return result.reshape([*result.shape[:-2], *x1.shape[-2:-1], *(x2.shape[-1:] if x2.ndim > 1 else ())])


@hookimpl
def qr(x, /, *, mode="reduced"):
    """MLX has the reduced factors only."""
    if mode == "reduced" and x.dtype != mx.complex64:
        return mx.linalg.qr(x, stream=mx.cpu)
    return _by_numpy(numpy.linalg.qr, x, mode=mode)


@hookimpl
def solve(x1, x2, /):
    if x1.dtype == mx.complex64:
        return _by_numpy(numpy.linalg.solve, x1, x2)
    if 1 < x2.ndim < x1.ndim:
        x2 = mx.broadcast_to(x2, (*x1.shape[:-2], *x2.shape[-2:]))
    return mx.linalg.solve(x1, x2, stream=mx.cpu)


@hookimpl
def svd(x, /, *, full_matrices=True):
    u, s, vh = mx.linalg.svd(x, stream=mx.cpu)
    return (u, s, vh) if full_matrices else (u[..., : s.shape[-1]], s, vh[..., : s.shape[-1], :])


def _by_numpy(function, *arrays, **options):
    found = function(*map(numpy.array, arrays), **options)
    return tuple(map(mx.array, found)) if isinstance(found, tuple) else mx.array(numpy.asarray(found))
