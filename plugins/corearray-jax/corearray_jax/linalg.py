"""Linear algebra on the last two axes. LAPACK has no floating-point numbers of 16 bits; float32 stands in for them."""

from __future__ import annotations

import math
from typing import Any

import jax
from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax.elementwise import magnitude
from corearray_jax.native import HALF, compiled, is_complex, root, static


@compiled("upper")
def _cholesky(x: Any, upper: bool) -> Any:
    _require_square(x)
    x, finite = _finite(x)
    return _spoiled(jnp.linalg.cholesky(x, upper=upper), finite)


@hookimpl(via=HALF)
def cholesky(x: Any, /, upper: bool = False) -> Any:
    return _cholesky(x, upper)


@compiled("axis")
def _cross(x1: Any, x2: Any, axis: int) -> Any:
    _require_shared(x1, x2, axis)
    if x1.shape[axis] != 3:
        raise ValueError(f"vectors have 3 elements along the axis, these have {x1.shape[axis]}")
    return jnp.cross(x1, x2, axis=axis)


@hookimpl
def cross(x1: Any, x2: Any, /, axis: int = -1) -> Any:
    return _cross(x1, x2, axis)


@compiled()
def _det(x: Any) -> Any:
    _require_square(x)
    if not x.shape[-1]:  # whose derivative JAX lacks
        return jnp.ones(x.shape[:-2], x.dtype)
    x, finite = _finite(x)
    return _spoiled(jnp.linalg.det(x), finite)


@hookimpl(native=_det, via=HALF)
def det(x: Any, /) -> Any: ...


@compiled("offset")
def _diagonal(x: Any, offset: int) -> Any:
    _require_matrices(x)
    return jnp.diagonal(x, offset, -2, -1)


@hookimpl
def diagonal(x: Any, /, offset: int = 0) -> Any:
    return _diagonal(x, offset)


@compiled()
def _eig(x: Any) -> Any:
    _require_square(x)
    x, finite = _finite(x)
    return tuple(_spoiled(part, finite) for part in jnp.linalg.eig(x))


@hookimpl(native=_eig, via=HALF)
def eig(x: Any, /) -> Any: ...


@compiled()
def _eigh(x: Any) -> Any:
    _require_square(x)
    x, finite = _finite(x)
    return tuple(_spoiled(part, finite) for part in jnp.linalg.eigh(x))


@hookimpl(native=_eigh, via=HALF)
def eigh(x: Any, /) -> Any: ...


@compiled()
def _eigvals(x: Any) -> Any:
    _require_square(x)
    x, finite = _finite(x)
    return _spoiled(jnp.linalg.eigvals(x), finite)


@hookimpl(native=_eigvals, via=HALF)
def eigvals(x: Any, /) -> Any: ...


@compiled()
def _eigvalsh(x: Any) -> Any:
    _require_square(x)
    x, finite = _finite(x)
    return _spoiled(jnp.linalg.eigvalsh(x), finite)


@hookimpl(native=_eigvalsh, via=HALF)
def eigvalsh(x: Any, /) -> Any: ...


@compiled()
def _inv(x: Any) -> Any:
    _require_square(x)
    x, finite = _finite(x)
    return _spoiled(jnp.linalg.inv(x), finite)


@hookimpl(native=_inv, via=HALF)
def inv(x: Any, /) -> Any: ...


@compiled()
def _matmul(x1: Any, x2: Any) -> Any:
    return jnp.matmul(x1, x2)


@hookimpl(native=_matmul)
def matmul(x1: Any, x2: Any, /) -> Any: ...


@compiled("keepdims", "ord")
def _matrix_norm(x: Any, keepdims: bool, ord: Any) -> Any:
    _require_matrices(x)
    if ord == "fro":
        return root(jnp.sum(jnp.real(x * jnp.conj(x)), axis=(-2, -1), keepdims=keepdims))
    if ord in (1, -1, math.inf, -math.inf) and not is_complex(x):
        x = magnitude(x)
    if ord not in (2, -2, "nuc"):
        return jnp.linalg.norm(x, ord=ord, axis=(-2, -1), keepdims=keepdims)
    x, finite = _finite(x)
    return _spoiled(jnp.linalg.norm(x, ord=ord, axis=(-2, -1), keepdims=keepdims), finite)


@hookimpl(via=HALF)
def matrix_norm(x: Any, /, keepdims: bool = False, ord: Any = "fro") -> Any:
    return _matrix_norm(x, keepdims, ord)


@compiled("n")
def _matrix_power(x: Any, n: int) -> Any:
    _require_square(x)
    return jnp.linalg.matrix_power(x, n) if n >= 0 else jnp.linalg.matrix_power(_inv(x), -n)


@hookimpl(native=_matrix_power, via=HALF)
def matrix_power(x: Any, n: int, /) -> Any: ...


@compiled()
def _matrix_rank(x: Any, rtol: Any) -> Any:
    """Compare with a share of the largest singular value; JAX compares with the tolerance itself."""
    _require_matrices(x)
    x, finite = _finite(x)
    if rtol is None:
        rank = jnp.linalg.matrix_rank(x)
    else:
        values = jnp.linalg.svd(x, compute_uv=False)
        rank = jnp.sum(values > values[..., :1] * jnp.expand_dims(rtol, -1), axis=-1)
    return jnp.where(finite, rank, 0)


@hookimpl(via=HALF, when=lambda x, rtol=None: 0 not in x.shape)  # JAX knows no greatest of nothing
def matrix_rank(x: Any, /, rtol: Any = None) -> Any:
    return _matrix_rank(x, rtol)


@compiled()
def _matrix_transpose(x: Any) -> Any:
    _require_matrices(x)
    return jnp.matrix_transpose(x)


@hookimpl(native=_matrix_transpose)
def matrix_transpose(x: Any, /) -> Any: ...


@compiled()
def _outer(x1: Any, x2: Any) -> Any:
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(f"an outer product is that of two vectors, these have the shapes {x1.shape} and {x2.shape}")
    return x1[:, None] * x2


@hookimpl(native=_outer)
def outer(x1: Any, x2: Any, /) -> Any: ...


@compiled()
def _pinv(x: Any, rtol: Any) -> Any:
    _require_matrices(x)
    x, finite = _finite(x)
    if rtol is None:  # where JAX leaves out ten times as much
        return _spoiled(jnp.linalg.pinv(x, rtol=max(x.shape[-2:]) * float(jnp.finfo(x.dtype).eps)), finite)
    return _spoiled(_pinv_within(x, rtol), finite)


@jax.custom_jvp
def _pinv_within(x: Any, rtol: Any) -> Any:
    """Leave out small singular values. `jnp.linalg.pinv` has no derivative beside a tolerance that is an array."""
    left, values, right = jnp.linalg.svd(x, full_matrices=False)
    limit = jnp.asarray(rtol)[..., None] * jnp.max(values, axis=-1, keepdims=True, initial=0.0)
    inverse = jnp.where(values > limit, 1 / values, 0).astype(x.dtype)
    return (jnp.conj(right).mT * inverse[..., None, :]) @ jnp.conj(left).mT


@_pinv_within.defjvp
def _(primals: Any, tangents: Any) -> Any:
    """Differentiate by the matrix, whose rank does not change (Golub and Pereyra, SIAM J. Numer. Anal. 10, 413, 1973)."""
    (x, rtol), (slope, _) = primals, tangents
    found = _pinv_within(x, rtol)
    inverse, turned = (jnp.conj(jnp.matrix_transpose(part)) for part in (found, slope))
    outside = turned - turned @ x @ found  # what is not in the range of the matrix, nor of its transpose
    inside = turned - found @ x @ turned
    return found, found @ inverse @ outside + inside @ inverse @ found - found @ slope @ found


@hookimpl(via=HALF)
def pinv(x: Any, /, rtol: Any = None) -> Any:
    return _pinv(x, rtol)


@compiled("mode")
def _qr(x: Any, mode: str) -> Any:
    _require_matrices(x)
    x, finite = _finite(x)
    return tuple([_spoiled(part, finite) for part in jnp.linalg.qr(x, mode=mode)])


@hookimpl(via=HALF)
def qr(x: Any, /, mode: str = "reduced") -> Any:
    return _qr(x, mode)


@compiled()
def _slogdet(x: Any) -> Any:
    _require_square(x)
    x, finite = _finite(x)
    return tuple(_spoiled(part, finite) for part in jnp.linalg.slogdet(x))


@hookimpl(native=_slogdet, via=HALF)
def slogdet(x: Any, /) -> Any: ...


@compiled()
def _solve(x1: Any, x2: Any) -> Any:
    """Older versions take a second argument with one axis less than the first for vectors; a matrix is one here."""
    _require_square(x1)
    columns = x2[:, None] if x2.ndim == 1 else x2
    x1, finite = _finite(x1)
    result = jnp.linalg.solve(x1, columns.reshape((1,) * (x1.ndim - columns.ndim) + columns.shape))
    result = jnp.where(finite[..., None, None], result, jnp.nan)
    return result[..., 0] if x2.ndim == 1 else result


@hookimpl(native=_solve, via=HALF)
def solve(x1: Any, x2: Any, /) -> Any: ...


@compiled("full_matrices")
def _svd(x: Any, full_matrices: bool) -> Any:
    _require_matrices(x)
    x, finite = _finite(x)
    full = full_matrices and x.shape[-2] != x.shape[-1]
    return tuple(_spoiled(part, finite) for part in (_full_svd(x) if full else jnp.linalg.svd(x, full_matrices=False)))


@jax.custom_jvp
def _full_svd(x: Any) -> Any:
    """Decompose matrices that are not square. JAX has no derivative of their full decomposition."""
    return tuple(jnp.linalg.svd(x, full_matrices=True))


@_full_svd.defjvp
def _full_svd_jvp(primals: Any, tangents: Any) -> Any:
    def of_reduced(x: Any) -> Any:
        u, s, vh = jnp.linalg.svd(x, full_matrices=False)
        if x.shape[-2] > x.shape[-1]:
            return jnp.concatenate([u, _complement(u)], -1), s, vh
        return u, s, jnp.concatenate([vh, _adjoint(_complement(_adjoint(vh)))], -2)

    return jax.jvp(of_reduced, primals, tangents)


@jax.custom_jvp
def _complement(x: Any) -> Any:
    """Complete orthonormal columns to a basis and return the added columns."""
    return jnp.linalg.qr(x, mode="complete")[0][..., x.shape[-1] :]


@_complement.defjvp
def _complement_jvp(primals: Any, tangents: Any) -> Any:
    """Follow the given columns without a rotation of the added ones among themselves, which is arbitrary."""
    (x,), (change,) = primals, tangents
    added = _complement(x)
    return added, -x @ (_adjoint(change) @ added)


def _adjoint(x: Any) -> Any:
    return jnp.conj(jnp.swapaxes(x, -1, -2))


def _finite(x: Any) -> tuple[Any, Any]:
    """Return the matrices, with identities for those that hold NaN or an infinity, and which are finite.

    For others LAPACK returns arbitrary numbers, or its loop never ends (SciPy's OpenBLAS, numpy/numpy#32591; no fixed version
    is known).
    """
    finite = jnp.isfinite(x).all((-2, -1))
    return jnp.where(finite[..., None, None], x, jnp.eye(*x.shape[-2:], dtype=x.dtype)), finite


def _spoiled(x: Any, finite: Any) -> Any:
    """Put NaN where a matrix was not finite."""
    return jnp.where(finite.reshape(finite.shape + (1,) * (x.ndim - finite.ndim)), x, jnp.nan)


@hookimpl(via=HALF)
def svd(x: Any, /, full_matrices: bool = True) -> Any:
    return _svd(x, full_matrices)


@compiled()
def _svdvals(x: Any) -> Any:
    _require_matrices(x)
    x, finite = _finite(x)
    return _spoiled(jnp.linalg.svd(x, compute_uv=False), finite)


@hookimpl(native=_svdvals, via=HALF)
def svdvals(x: Any, /) -> Any: ...


@compiled("axes")
def _tensordot(x1: Any, x2: Any, axes: Any) -> Any:
    return jnp.tensordot(x1, x2, axes)


@hookimpl
def tensordot(x1: Any, x2: Any, /, axes: Any = 2) -> Any:
    if isinstance(axes, int):
        if axes < 0:
            raise ValueError(f"the number of axes is {axes}")
    else:
        axes = tuple((part,) if isinstance(part, int) else static(part) for part in axes)
    return _tensordot(x1, x2, axes)


@compiled("offset", "dtype")
def _trace(x: Any, offset: int, dtype: Any) -> Any:
    _require_matrices(x)
    return jnp.trace(x, offset, -2, -1, dtype=dtype)


@hookimpl
def trace(x: Any, /, offset: int = 0, dtype: Any = None) -> Any:
    return _trace(x, offset, dtype)


@compiled("axis")
def _vecdot(x1: Any, x2: Any, axis: int) -> Any:
    _require_shared(x1, x2, axis)
    return jnp.vecdot(x1, x2, axis=axis)


@hookimpl
def vecdot(x1: Any, x2: Any, /, axis: int = -1) -> Any:
    return _vecdot(x1, x2, axis)


@compiled("axis", "keepdims", "ord")
def _vector_norm(x: Any, axis: Any, keepdims: bool, ord: Any) -> Any:
    if ord == 2:
        return root(jnp.sum(jnp.real(x * jnp.conj(x)), axis=axis, keepdims=keepdims))
    if ord in (0, 1, math.inf, -math.inf):
        x = x if is_complex(x) else magnitude(x)
        return jnp.linalg.vector_norm(x, axis=axis, keepdims=keepdims, ord=ord)
    sizes = jnp.abs(x)
    zero = sizes == 0  # where the derivative is 0, and that of powers may be infinite
    total = jnp.sum(jnp.where(zero, 0, jnp.where(zero, 1, sizes) ** ord), axis=axis, keepdims=keepdims)
    none = total == 0 if ord > 0 else jnp.any(zero, axis=axis, keepdims=keepdims)
    return jnp.where(none, 0, jnp.where(none, 1, total) ** (1 / ord))


@hookimpl(via=HALF)
def vector_norm(x: Any, /, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    return _vector_norm(x, axis, keepdims, ord)


def _require_matrices(x: Any) -> None:
    if x.ndim < 2:
        raise ValueError(f"a matrix has two axes, this array has the shape {x.shape}")


def _require_shared(x1: Any, x2: Any, axis: int) -> None:
    """JAX would broadcast an axis of length one here, which the standard rules out."""
    if not -min(x1.ndim, x2.ndim) <= axis < (x1.ndim if x1.ndim == x2.ndim else 0):
        raise IndexError(f"axis {axis} is out of bounds for arrays of the shapes {x1.shape} and {x2.shape}")
    if x1.shape[axis] != x2.shape[axis]:
        raise ValueError(f"arrays of the shapes {x1.shape} and {x2.shape} differ in length along axis {axis}")


def _require_square(x: Any) -> None:
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError(f"a square matrix is needed, this array has the shape {x.shape}")
