"""Products of arrays, linear algebra, Fourier transforms."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.frontend.numpy.data_types import can_cast
from corearray.frontend.numpy.described import rule, say
from corearray.frontend.numpy.promotion import array, cast, common, floating, surely

__all__: list[str] = []

say("""
numpy.matmul(x1, x2, /, out=None) = ca.matmul(*common(x1, x2))
numpy.vecdot(x1, x2, /, out=None, *, axis=-1) = ca.vecdot(*common(x1, x2), axis=axis)
numpy.tensordot(a, b, axes=2) = ca.tensordot(*common(a, b), axes=axes)
numpy.outer(a, b, out=None) = ca.linalg.outer(*(ca.reshape(x, (-1,)) for x in common(a, b)))
numpy.vdot(a, b, /) = ca.vecdot(*(ca.reshape(x, (-1,)) for x in common(a, b)))
numpy.kron(a, b) = ca.kron(*common(a, b))
numpy.linalg.inv(a) = ca.linalg.inv(_squared(a))
numpy.linalg.det(a) = ca.linalg.det(_squared(a))
numpy.linalg.slogdet(a) = ca.linalg.slogdet(_squared(a))
numpy.linalg.cholesky(a, /, *, upper=False) = ca.linalg.cholesky(_squared(a), upper=upper)
numpy.linalg.svdvals(x, /) = ca.linalg.svdvals(floating(x, double=True))
numpy.linalg.eigh(a, UPLO="L") = ca.linalg.eigh(_triangle(_squared(a), UPLO))
numpy.linalg.eigvalsh(a, UPLO="L") = ca.linalg.eigvalsh(_triangle(_squared(a), UPLO))
numpy.linalg.matrix_power(a, n) = ca.linalg.matrix_power(a, n)
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
    a, b = common(_squared(a), floating(b, double=True))
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


@rule("numpy.linalg.lstsq")
def _lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    a, b = common(floating(a, double=True), floating(b, double=True))
    single = b.ndim == 1
    if a.ndim != 2 or b.ndim > 2:
        raise ca.LinAlgError(
            f"{a.ndim if a.ndim != 2 else b.ndim}-dimensional array given. Array must be two-dimensional"
        )
    right = b[:, None] if single else b
    if a.shape[0] != right.shape[0]:
        raise ca.LinAlgError("Incompatible dimensions")
    m, n = a.shape
    real = ca.float32 if a.dtype in (ca.float32, ca.complex64) else ca.float64
    eps = 2.0**-23 if real == ca.float32 else 2.0**-52
    limit = eps * max(m, n) if rcond is None else eps if rcond == -1 else rcond
    if not m or not n or not right.shape[1]:
        x = ca.zeros((n, right.shape[1]), dtype=a.dtype)
        values = ca.zeros((min(m, n),), dtype=real)
        rank = ca.asarray(0, dtype=ca.int32)
        if m and n:
            values = ca.linalg.svdvals(a)
            rank = cast(ca.count_nonzero(values > limit * values[0]), ca.int32)
    else:
        u, values, vh = ca.linalg.svd(a, full_matrices=False)
        kept = values > limit * values[0]
        rank = cast(ca.count_nonzero(kept), ca.int32)
        inverse = cast(ca.where(kept, 1.0 / ca.where(kept, values, 1.0), 0.0), a.dtype)
        x = ca.matmul(ca.adjoint(vh), inverse[:, None] * ca.matmul(ca.adjoint(u), right))
    residuals = ca.zeros((0,), dtype=real)
    if m > n and not surely(rank < n):
        rest = ca.abs(ca.matmul(a, x) - right)
        residuals = ca.sum(rest * rest, axis=0)
    return (x[:, 0] if single else x), residuals, rank, values


@rule("numpy.linalg.cond")
def _cond(x: Any, p: Any = None) -> Any:
    x = floating(x, double=True)
    if not x.ndim or x.size == 0:
        raise ca.LinAlgError("cond is not defined on empty arrays")
    if p in (None, 2, -2):
        values = ca.linalg.svdvals(x)
        made = values[..., -1] / values[..., 0] if p == -2 else values[..., 0] / values[..., -1]
    else:
        if x.shape[-1] != x.shape[-2]:
            raise ca.LinAlgError("Last 2 dimensions of the array must be square")
        single = ca.linalg.det(x) == 0
        safe = ca.where(single[..., None, None], ca.eye(x.shape[-1], dtype=x.dtype), x)
        made = ca.linalg.matrix_norm(x, ord=p) * ca.linalg.matrix_norm(ca.linalg.inv(safe), ord=p)
        made = ca.where(single, ca.inf, made)
    bad = ca.any(ca.isnan(ca.abs(x)), axis=(-2, -1))
    return ca.where(ca.logical_and(ca.isnan(made), ca.logical_not(bad)), ca.inf, made)


@rule("numpy.linalg.multi_dot")
def _multi_dot(arrays: Any, *, out: Any = None) -> Any:
    given = list(common(*arrays))
    if len(given) < 2:
        raise ValueError("Expecting at least two arrays.")
    first, last = given[0].ndim == 1, given[-1].ndim == 1
    if first:
        given[0] = given[0][None, :]
    if last:
        given[-1] = given[-1][:, None]
    for one in given:
        if one.ndim != 2:
            raise ca.LinAlgError(f"{one.ndim}-dimensional array given. Array must be two-dimensional")
    made = ca.multi_dot(given) if len(given) > 2 else ca.matmul(*given)
    made = made[0] if first else made
    return made[..., 0] if last else made


@rule("numpy.linalg.tensorsolve")
def _tensorsolve(a: Any, b: Any, axes: Any = None) -> Any:
    a, b = common(floating(a, double=True), floating(b, double=True))
    if axes is not None:
        order = [i for i in range(a.ndim) if i not in tuple(axes)]
        a = ca.permute_dims(a, (*order, *axes))
    shape = tuple(a.shape[b.ndim :])
    size = 1
    for n in shape:
        size *= n
    if a.size != size**2:
        raise ca.LinAlgError(
            "Input arrays must satisfy the requirement prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim])"
        )
    return ca.reshape(ca.linalg.solve(ca.reshape(a, (size, size)), ca.reshape(b, (-1, 1))), shape)


@rule("numpy.linalg.tensorinv")
def _tensorinv(a: Any, ind: int = 2) -> Any:
    if ind <= 0:
        raise ValueError("Invalid ind argument.")
    a = floating(a, double=True)
    size = 1
    for n in a.shape[ind:]:
        size *= n
    return ca.reshape(ca.linalg.inv(ca.reshape(a, (size, -1))), (*a.shape[ind:], *a.shape[:ind]))


@rule("numpy.linalg.cross")
def _cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    x1, x2 = common(x1, x2)
    if x1.shape[axis] != 3 or x2.shape[axis] != 3:
        raise ValueError(
            f"Both input arrays must be (arrays of) 3-dimensional vectors, but they are {x1.shape[axis]} and {x2.shape[axis]} dimensional instead."
        )
    return ca.linalg.cross(x1, x2, axis=axis)


@rule("numpy.linalg.outer")
def _outer(x1: Any, x2: Any, /) -> Any:
    x1, x2 = common(x1, x2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(f"Input arrays must be one-dimensional, but they are x1.ndim={x1.ndim} and x2.ndim={x2.ndim}.")
    return ca.linalg.outer(x1, x2)


say("""
numpy.linalg.eig(a) = _real_pair(ca.linalg.eig(_square(a)), a)
numpy.linalg.eigvals(a) = _real_values(ca.linalg.eigvals(_square(a)), a)
numpy.linalg.trace(x, /, *, offset=0, dtype=None) = ca.linalg.trace(array(x), offset=offset, dtype=dtype)
numpy.linalg.diagonal(x, /, *, offset=0) = ca.linalg.diagonal(array(x), offset=offset)
numpy.linalg.matmul(x1, x2, /) = ca.matmul(*common(x1, x2))
numpy.linalg.matrix_transpose(x, /) = ca.matrix_transpose(array(x))
numpy.linalg.tensordot(a, b, /, *, axes=2) = ca.tensordot(*common(a, b), axes=axes)
numpy.linalg.vecdot(x1, x2, /, *, axis=-1) = ca.vecdot(*common(x1, x2), axis=axis)
numpy.linalg.vector_norm(x, /, *, axis=None, keepdims=False, ord=2) = ca.linalg.vector_norm(floating(x, double=True), axis=axis,
    keepdims=keepdims, ord=ord)
numpy.linalg.matrix_norm(x, /, *, keepdims=False, ord="fro") = ca.linalg.matrix_norm(floating(x, double=True), keepdims=keepdims,
    ord=ord)
numpy.fft.hfft(a, n=None, axis=-1, norm=None, out=None) = ca.fft.hfft(_widened(a), n=_length(n), axis=axis, norm=norm or "backward")
numpy.fft.ihfft(a, n=None, axis=-1, norm=None, out=None) = ca.fft.ihfft(_widened(a), n=_length(n), axis=axis, norm=norm or "backward")
numpy.fft.fftn(a, s=None, axes=None, norm=None, out=None) = ca.fft.fftn(_widened(a), s=s, axes=_last(s, axes), norm=norm or "backward")
numpy.fft.ifftn(a, s=None, axes=None, norm=None, out=None) = ca.fft.ifftn(_widened(a), s=s, axes=_last(s, axes), norm=norm or "backward")
numpy.fft.rfftn(a, s=None, axes=None, norm=None, out=None) = ca.fft.rfftn(_widened(a), s=s, axes=_last(s, axes), norm=norm or "backward")
numpy.fft.irfftn(a, s=None, axes=None, norm=None, out=None) = ca.fft.irfftn(_widened(a), s=s, axes=_last(s, axes), norm=norm or "backward")
numpy.fft.fft2(a, s=None, axes=(-2, -1), norm=None, out=None) = ca.fft.fftn(_widened(a), s=s, axes=axes, norm=norm or "backward")
numpy.fft.ifft2(a, s=None, axes=(-2, -1), norm=None, out=None) = ca.fft.ifftn(_widened(a), s=s, axes=axes, norm=norm or "backward")
numpy.fft.rfft2(a, s=None, axes=(-2, -1), norm=None, out=None) = ca.fft.rfftn(_widened(a), s=s, axes=axes, norm=norm or "backward")
numpy.fft.irfft2(a, s=None, axes=(-2, -1), norm=None, out=None) = ca.fft.irfftn(_widened(a), s=s, axes=axes, norm=norm or "backward")
numpy.fft.fftfreq(n, d=1.0, device=None) = ca.fft.fftfreq(_length(n), d=d, dtype=ca.float64)
numpy.fft.rfftfreq(n, d=1.0, device=None) = ca.fft.rfftfreq(_length(n), d=d, dtype=ca.float64)
""")


def _squared(a: Any) -> Any:
    a = floating(a, double=True)
    if a.dtype == ca.float16:
        raise TypeError("array type float16 is unsupported in linalg")
    if a.ndim < 2:
        raise ca.LinAlgError(f"{a.ndim}-dimensional array given. Array must be at least two-dimensional")
    if a.shape[-1] != a.shape[-2]:
        raise ca.LinAlgError("Last 2 dimensions of the array must be square")
    return a


def _square(a: Any) -> Any:
    a = _squared(a)
    if a.size and surely(ca.any(ca.logical_not(ca.isfinite(a)))):
        raise ca.LinAlgError("Array must not contain infs or NaNs")
    return a


def _triangle(a: Any, half: str) -> Any:
    """Return a Hermitian matrix by one of its triangles."""
    if half not in ("L", "U", "l", "u"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    lower = ca.tril(a, k=-1) if half in "Ll" else ca.adjoint(ca.triu(a, k=1))
    middle = ca.linalg.diagonal(a)
    middle = ca.astype(ca.real(middle), a.dtype) if a.dtype.category == "complex floating" else middle
    middle = middle[..., None] * ca.eye(a.shape[-1], dtype=a.dtype)
    return lower + ca.adjoint(lower) + middle


def _real_values(values: Any, a: Any) -> Any:
    if floating(a, double=True).dtype.category == "real floating" and surely(ca.all(ca.imag(values) == 0)):
        return ca.real(values)
    return values


def _real_pair(made: Any, a: Any) -> Any:
    values, vectors = made
    narrow = _real_values(values, a)
    return type(made)(narrow, ca.real(vectors) if narrow.dtype.category == "real floating" else vectors)


def _widened(a: Any) -> Any:
    a = floating(a, double=True)
    return ca.astype(a, ca.float32) if a.dtype == ca.float16 else a


def _last(s: Any, axes: Any) -> Any:
    """Return axes, by default the last ones for which there are lengths."""
    return tuple(range(-len(s), 0)) if axes is None and s is not None else axes


def _length(n: Any) -> Any:
    if n is not None and not hasattr(n, "__index__"):
        raise ValueError("n should be an integer")
    return n


@rule("numpy.einsum")
def _einsum(
    *operands: Any, out: Any = None, dtype: Any = None, order: str = "K", casting: str = "safe", optimize: Any = False
) -> Any:
    if not operands:
        raise ValueError(
            "must specify the einstein sum subscripts string and at least one operand, or at least one operand and its subscripts"
        )
    equation, *arrays = operands
    if not isinstance(equation, str):
        equation, arrays = _equation(operands)
    arrays = [array(x) for x in arrays]
    if dtype is not None and not all(can_cast(x.dtype, dtype, casting) for x in arrays):
        raise TypeError(f"Cannot cast the operands of 'einsum' to dtype('{dtype}') according to the rule '{casting}'")
    arrays = list(common(*arrays) if dtype is None else (cast(x, dtype) for x in arrays))
    truth = arrays and arrays[0].dtype == ca.bool
    made = ca.einsum(equation, *([cast(x, ca.int64) for x in arrays] if truth else arrays))
    return cast(made, ca.bool) if truth else made


def _equation(operands: Any) -> tuple[str, list[Any]]:
    """Return the equation of operands that are followed by lists of axes, and the operands."""
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

    def text(axes: Any) -> str:
        made = ""
        for axis in axes.tolist() if isinstance(axes, ca.Array) else axes:
            if axis is Ellipsis:
                made += "..."
            elif not hasattr(axis, "__index__"):
                raise TypeError("each subscript must be either an integer or an ellipsis")
            elif not 0 <= axis < len(letters):
                raise ValueError(f"subscript {axis} is not within the valid range [0, {len(letters)})")
            else:
                made += letters[axis]
        return made

    arrays = list(operands[: len(operands) // 2 * 2 : 2])
    equation = ",".join(text(axes) for axes in operands[1::2])
    return (f"{equation}->{text(operands[-1])}" if len(operands) % 2 else equation), arrays
