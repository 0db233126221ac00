"""Functions of matrices: a loop that XLA compiles once, where the composition's steps would each be compiled."""

from __future__ import annotations

from typing import Any

import jax
from jax import lax
from jax import numpy as jnp
from jax.scipy import linalg

from corearray.plugin import hookimpl
from corearray_jax.native import HALF, compiled

#: As in the composition.
_STEPS = 12


@compiled()
def _sqrtm(x: Any) -> Any:
    dtype, wide = x.dtype, jnp.complex128 if jnp.iscomplexobj(x) else jnp.float64
    x = x.astype(jax.dtypes.canonicalize_dtype(wide))
    identity = jnp.eye(x.shape[-1], dtype=x.dtype)
    finite = _all(jnp.isfinite(x))
    x = jnp.where(finite, x, identity)
    symmetric = _all(x == x.conj().mT)
    root, converged = _root(jnp.where(symmetric, identity, x), identity)
    symmetric_root, positive = _symmetric_root(jnp.where(symmetric, x, identity))
    found = jnp.where(symmetric, symmetric_root, root)
    return jnp.where(finite & jnp.where(symmetric, positive, converged), found, jnp.nan).astype(dtype)


@hookimpl(native=_sqrtm, via=HALF, when=lambda x: x.ndim >= 2 and x.shape[-1] == x.shape[-2] > 0)
def sqrtm(x: Any, /) -> Any: ...


def _all(condition: Any) -> Any:
    return condition.all((-2, -1), keepdims=True)


def _root(x: Any, identity: Any) -> tuple[Any, Any]:
    """Compute square roots by the iteration of Denman and Beavers in its product form, scaled by determinants."""
    solve = linalg.lu_solve
    for _ in range(x.ndim - 2):
        solve = jax.vmap(solve, ((0, 0), None))

    def step(_: int, found: Any) -> Any:
        product, root = found
        lu, pivots = linalg.lu_factor(product)
        sizes = jnp.log(jnp.abs(lax.stop_gradient(jnp.diagonal(lu, 0, -2, -1))))
        size = sizes.mean(-1)[..., None, None]
        regular = jnp.isfinite(size)
        inverse = solve((lu, pivots), identity)
        factor = jnp.exp(jnp.where(regular, -0.5 * size, 0)).astype(x.dtype)
        scaled = jnp.where(regular, inverse, 0) / (factor * factor)
        root = jnp.where(regular, 0.5 * factor * (root @ (identity + scaled)), jnp.nan)
        product = 0.5 * identity + 0.25 * (factor * factor * product + scaled)
        return jnp.where(regular, product, identity), root

    _, root = lax.fori_loop(0, _STEPS, step, (x, x))
    gap = jnp.abs(lax.stop_gradient(root @ root - x)).max((-2, -1), keepdims=True)
    largest = jnp.abs(lax.stop_gradient(root)).max((-2, -1), keepdims=True)
    converged = gap <= jnp.finfo(gap.dtype).eps ** 0.5 * x.shape[-1] * largest * largest
    return jnp.where(converged, root, identity), converged


def _symmetric_root(x: Any) -> tuple[Any, Any]:
    """Compute square roots by eigenvalues, with derivatives where eigenvalues are equal, as the composition does."""
    values, vectors = jnp.linalg.eigh(lax.stop_gradient(x))
    least = -x.shape[-1] * jnp.finfo(values.dtype).eps * jnp.abs(values).max(-1, keepdims=True)
    positive = (values >= least).all(-1)[..., None, None]
    if jnp.iscomplexobj(x):
        roots = jnp.sqrt(jnp.where(values >= least, jnp.maximum(values, 0), values).astype(x.dtype))
        positive = jnp.ones_like(positive)
    else:
        roots = jnp.sqrt(jnp.maximum(values, 0))
    across = vectors.conj().mT
    root = (vectors * roots[..., None, :]) @ across
    sums = roots[..., :, None] + roots[..., None, :]
    share = jnp.where(sums == 0, 0, 1 / jnp.where(sums == 0, 1, sums))
    for _ in range(3):
        rest = x - root @ root
        rest = rest - lax.stop_gradient(rest)
        root = root + vectors @ ((across @ rest @ vectors) * share) @ across
    return root, positive
