"""Truth of arrays (JAX itself looks at the real part of complex numbers only), and differences between neighbours."""

from __future__ import annotations

from typing import Any

from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax.native import compiled, static


@compiled("axis", "keepdims")
def _all(x: Any, axis: Any, keepdims: bool) -> Any:
    return jnp.all(x != 0, axis=axis, keepdims=keepdims)


@hookimpl
def all(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return _all(x, static(axis), keepdims)


@compiled("axis", "keepdims")
def _any(x: Any, axis: Any, keepdims: bool) -> Any:
    return jnp.any(x != 0, axis=axis, keepdims=keepdims)


@hookimpl
def any(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return _any(x, static(axis), keepdims)


@compiled("axis", "n")
def _diff(x: Any, axis: int, n: int, prepend: Any, append: Any) -> Any:
    return jnp.diff(x, n=n, axis=axis, prepend=prepend, append=append)


@hookimpl(when=lambda n: n > 0)  # of no differences jnp.diff forgets what stands before and behind
def diff(x: Any, /, *, axis: int = -1, n: int = 1, prepend: Any = None, append: Any = None) -> Any:
    length = sum(sum(part.shape[axis:][:1]) for part in (prepend, x, append) if part is not None)
    return _diff(x, axis, min(n, max(1, length)), prepend, append)  # after as many nothing is left, and JAX would go on
