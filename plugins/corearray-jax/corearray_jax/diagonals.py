"""Matrices with a diagonal."""

from __future__ import annotations

from typing import Any

from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax.native import compiled


@compiled("k")
def _diag(x: Any, k: int) -> Any:
    return jnp.diag(x, k)


@hookimpl(when=lambda x: x.ndim == 1)  # the diagonal of a matrix is a view
def diag(x: Any, /, *, k: int = 0) -> Any:
    return _diag(x, k)
