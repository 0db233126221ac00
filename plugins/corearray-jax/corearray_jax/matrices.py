"""Linear algebra beyond the standard's; what does not match is left to the compositions, which say so."""

from __future__ import annotations

from typing import Any

import jax
from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax.keys import check_inside
from corearray_jax.native import HALF, compiled

#: How often the exponential is squared at most.
_SQUARINGS = 32
_TRANSPOSITIONS = {0: 0, 1: 1, 2: 2, "N": 0, "T": 1, "C": 2}


def _is_square(x: Any) -> bool:
    return x.ndim >= 2 and x.shape[-1] == x.shape[-2]


def _match(x1: Any, x2: Any, trans: Any) -> bool:
    return (
        trans in _TRANSPOSITIONS
        and _is_square(x1)
        and x1.shape[-1] > 0
        and x2.ndim > 0
        and x2.shape[0 if x2.ndim == 1 else -2] == x1.shape[-1]
    )


def _spread(x1: Any, x2: Any) -> tuple[Any, Any]:
    """Return matrices and sides as two stacks of one shape."""
    sides = x2[:, None] if x2.ndim == 1 else x2
    batch = jnp.broadcast_shapes(x1.shape[:-2], sides.shape[:-2])
    return jnp.broadcast_to(x1, (*batch, *x1.shape[-2:])), jnp.broadcast_to(sides, (*batch, *sides.shape[-2:]))


@compiled()
def _lu_factor(x: Any) -> Any:
    found, pivots, _ = jax.lax.linalg.lu(x)
    return found, pivots.astype(int)


@hookimpl(native=_lu_factor, via=HALF, when=lambda x: x.ndim >= 2 and x.size > 0)
def lu_factor(x: Any, /) -> Any: ...


@compiled("trans")
def _lu_solve(lu: Any, pivots: Any, b: Any, trans: int) -> Any:
    lu, sides = _spread(lu, b)
    pivots = jnp.where(pivots < 0, pivots + lu.shape[-1], pivots)
    pivots = jnp.broadcast_to(pivots.astype(jnp.int32), lu.shape[:-1])
    found = jax.scipy.linalg.lu_solve((lu, pivots), sides, trans)
    return found[..., 0] if b.ndim == 1 else found


@hookimpl(
    via=HALF,
    when=lambda lu, pivots, b, trans: (
        _match(lu, b, trans) and pivots.shape == lu.shape[:-1] and jnp.issubdtype(pivots.dtype, jnp.integer)
    ),
)
def lu_solve(lu: Any, pivots: Any, b: Any, /, *, trans: Any = 0) -> Any:
    check_inside(pivots, lu.shape[-1], -1)
    return _lu_solve(lu, pivots, b, _TRANSPOSITIONS[trans])


@compiled()
def _matrix_exp(x: Any) -> Any:
    """Scale and square here: JAX scales by half of what its approximant needs, at the cost of several digits."""
    most = 3.925 if jnp.finfo(x.dtype).bits == 32 else 5.371
    norm = jnp.abs(x).sum(-2, keepdims=True).max(-1, keepdims=True)
    useful = norm <= most * 2.0**_SQUARINGS
    x, norm = jnp.where(useful, x, 0), jnp.where(useful, norm, 0)
    count = jnp.ceil(jnp.log2(jnp.maximum(norm / most, 1)))
    identity = jnp.eye(x.shape[-1], dtype=x.dtype)

    def squared(number: Any, found: Any) -> Any:
        root = jnp.where(number < count, found, identity)
        return jnp.where(number < count, root @ root, found)

    scaled = jax.scipy.linalg.expm(x * 2.0**-count, max_squarings=1)
    return jnp.where(useful, jax.lax.fori_loop(0, _SQUARINGS, squared, scaled), jnp.nan)


@hookimpl(native=_matrix_exp, via=HALF, when=lambda x: _is_square(x) and x.size > 0)
def matrix_exp(x: Any, /) -> Any: ...


@compiled("trans", "lower", "unit_diagonal")
def _solve_triangular(x1: Any, x2: Any, trans: int, lower: bool, unit_diagonal: bool) -> Any:
    matrices, sides = _spread(x1, x2)
    found = jax.lax.linalg.triangular_solve(
        matrices,
        sides,
        left_side=True,
        lower=lower,
        transpose_a=trans > 0,
        conjugate_a=trans == 2,
        unit_diagonal=unit_diagonal,
    )
    return found[..., 0] if x2.ndim == 1 else found


@hookimpl(via=HALF, when=lambda x1, x2, trans: _match(x1, x2, trans))
def solve_triangular(x1: Any, x2: Any, /, *, trans: Any = 0, lower: bool = False, unit_diagonal: bool = False) -> Any:
    return _solve_triangular(x1, x2, _TRANSPOSITIONS[trans], bool(lower), bool(unit_diagonal))
