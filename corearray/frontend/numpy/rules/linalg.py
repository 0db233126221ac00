"""Products of arrays, linear algebra, Fourier transforms."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.frontend.numpy.described import rule, say
from corearray.frontend.numpy.promotion import array, common, floating

__all__: list[str] = []

say("""
numpy.matmul(x1, x2, /, out=None) = ca.matmul(*common(x1, x2))
numpy.vecdot(x1, x2, /, out=None, *, axis=-1) = ca.vecdot(*common(x1, x2), axis=axis)
numpy.tensordot(a, b, axes=2) = ca.tensordot(*common(a, b), axes=axes)
numpy.outer(a, b, out=None) = ca.linalg.outer(*(ca.reshape(x, (-1,)) for x in common(a, b)))
numpy.vdot(a, b, /) = ca.vecdot(*(ca.reshape(x, (-1,)) for x in common(a, b)))
numpy.kron(a, b) = ca.kron(*common(a, b))
numpy.einsum(equation, *operands, out=None, optimize=False) = ca.einsum(equation, *common(*operands))
numpy.cross(a, b, axis=-1) = ca.linalg.cross(*common(a, b), axis=axis)
numpy.linalg.inv(a) = ca.linalg.inv(floating(a, double=True))
numpy.linalg.det(a) = ca.linalg.det(floating(a, double=True))
numpy.linalg.slogdet(a) = ca.linalg.slogdet(floating(a, double=True))
numpy.linalg.pinv(a) = ca.linalg.pinv(floating(a, double=True))
numpy.linalg.cholesky(a, /, *, upper=False) = ca.linalg.cholesky(floating(a, double=True), upper=upper)
numpy.linalg.qr(a, mode="reduced") = ca.linalg.qr(floating(a, double=True), mode=mode)
numpy.linalg.svd(a, full_matrices=True) = ca.linalg.svd(floating(a, double=True), full_matrices=full_matrices)
numpy.linalg.svdvals(x, /) = ca.linalg.svdvals(floating(x, double=True))
numpy.linalg.eigh(a, UPLO="L") = ca.linalg.eigh(floating(a, double=True))
numpy.linalg.eigvalsh(a, UPLO="L") = ca.linalg.eigvalsh(floating(a, double=True))
numpy.linalg.matrix_power(a, n) = ca.linalg.matrix_power(a, n)
numpy.linalg.matrix_rank(A) = ca.linalg.matrix_rank(floating(A, double=True))
numpy.fft.fft(a, n=None, axis=-1, norm=None, out=None) = ca.fft.fft(floating(a, double=True), n=n, axis=axis,
    norm=norm or "backward")
numpy.fft.ifft(a, n=None, axis=-1, norm=None, out=None) = ca.fft.ifft(floating(a, double=True), n=n, axis=axis,
    norm=norm or "backward")
numpy.fft.rfft(a, n=None, axis=-1, norm=None, out=None) = ca.fft.rfft(floating(a, double=True), n=n, axis=axis,
    norm=norm or "backward")
numpy.fft.irfft(a, n=None, axis=-1, norm=None, out=None) = ca.fft.irfft(floating(a, double=True), n=n, axis=axis,
    norm=norm or "backward")
numpy.fft.fftshift(x, axes=None) = ca.fft.fftshift(x, axes=axes)
numpy.fft.ifftshift(x, axes=None) = ca.fft.ifftshift(x, axes=axes)
""")


@rule("numpy.dot")
def _dot(a: Any, b: Any, out: Any = None) -> Any:
    a, b = common(a, b)
    if not a.ndim or not b.ndim:
        return ca.multiply(a, b)
    return ca.tensordot(a, b, axes=((a.ndim - 1,), (max(b.ndim - 2, 0),)))


@rule("numpy.inner")
def _inner(a: Any, b: Any, /) -> Any:
    a, b = common(a, b)
    if not a.ndim or not b.ndim:
        return ca.multiply(a, b)
    return ca.tensordot(a, b, axes=((a.ndim - 1,), (b.ndim - 1,)))


@rule("numpy.trace")
def _trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None) -> Any:
    return ca.linalg.trace(ca.moveaxis(array(a), (axis1, axis2), (-2, -1)), offset=offset, dtype=dtype)


def _solve(a: Any, b: Any, *, single: bool) -> Any:
    a, b = common(floating(a, double=True), floating(b, double=True))
    return ca.linalg.solve(a, b[..., None])[..., 0] if single else ca.linalg.solve(a, b)


@rule("numpy.linalg.solve", versions=">=2.0")
def _solve_columns(a: Any, b: Any) -> Any:
    return _solve(a, b, single=b.ndim == 1)


@rule("numpy.linalg.solve", versions="<2.0")
def _solve_by_axes(a: Any, b: Any) -> Any:
    return _solve(a, b, single=b.ndim == a.ndim - 1)


@rule("numpy.linalg.norm")
def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    x = floating(x, double=True)
    if ord is None and axis is None:
        return ca.linalg.vector_norm(x, keepdims=keepdims)
    axes = tuple(range(x.ndim)) if axis is None else (axis,) if isinstance(axis, int) else tuple(axis)
    if len(axes) == 1 or ord is None:
        return ca.linalg.vector_norm(x, axis=axes, keepdims=keepdims, ord=2 if ord is None else ord)
    made = ca.linalg.matrix_norm(ca.moveaxis(x, axes, (-2, -1)), ord=ord, keepdims=keepdims)
    return ca.moveaxis(made, (-2, -1), axes) if keepdims else made
