"""Functions of `jax.numpy.linalg` and `jax.numpy.fft` with JAX's signatures and result types."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.errors import CoreArrayIndexError, CoreArrayValueError
from corearray.frontend.jax.described import say
from corearray.frontend.jax.promotion import canonical, cast, requested

__all__: list[str] = []

say("""
jax.numpy.linalg.cholesky(a, *, upper=False, symmetrize_input=True) = ca.linalg.cholesky(_symmetric(a, symmetrize_input), upper=upper)
jax.numpy.linalg.svd(a, full_matrices=True, compute_uv=True, hermitian=False, subset_by_index=None) = (
    ca.linalg.svd(a, full_matrices=full_matrices) if compute_uv else ca.linalg.svdvals(a))
jax.numpy.linalg.qr(a, mode="reduced") = ca.linalg.qr(a, mode="reduced").R if mode == "r" else ca.linalg.qr(a, mode=mode)
jax.numpy.linalg.eig(a) = ca.linalg.eig(_square("eig", a))
jax.numpy.linalg.eigvals(a) = ca.linalg.eigvals(_square("eigvals", a))
jax.numpy.fft.rfft(a, n=None, axis=-1, norm=None) = _real_transform("rfft", a, n, axis, norm)
jax.numpy.fft.rfft2(a, s=None, axes=(-2, -1), norm=None) = _real_transform("rfft2", a, s, axes, norm)
jax.numpy.fft.rfftn(a, s=None, axes=None, norm=None) = _real_transform("rfftn", a, s, axes, norm)
jax.numpy.matmul(a, b, *, precision=None, preferred_element_type=None, out_sharding=None) = _matmul(a, b, preferred_element_type)
jax.numpy.roots(p, *, strip_zeros=True) = _roots(p)
""")


def _square(name: str, x: ca.Array) -> ca.Array:
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise CoreArrayValueError(f"Argument to {name} must have shape [..., n, n], got {tuple(x.shape)}.")
    return x


def _real_transform(name: str, x: ca.Array, size: Any, axes: Any, norm: Any) -> Any:
    from corearray.frontend.frontend import get_frontend

    if x.dtype.category == "complex floating":
        raise CoreArrayValueError(f"only real valued inputs supported for {name}")
    return get_frontend("numpy").function(f"numpy.fft.{name}")(x, size, axes, norm)


def _matmul(x: ca.Array, y: ca.Array, dtype: Any) -> Any:
    for place, one in enumerate((x, y)):
        if not one.ndim:
            raise CoreArrayIndexError(f"matmul input operand {place} must have ndim at least 1, but it has ndim 0")
    return cast(ca.matmul(x, y), None if dtype is None else requested(dtype))


def _symmetric(x: ca.Array, symmetrizes: bool) -> Any:
    _square("cholesky", x)
    return (x + ca.conj(ca.matrix_transpose(x))) / 2 if symmetrizes else x


def _roots(p: ca.Array) -> Any:
    from corearray.frontend.frontend import get_frontend

    made = get_frontend("numpy").roots(p).array
    return cast(made, canonical(ca.complex64 if p.dtype == ca.float32 else ca.complex128))
