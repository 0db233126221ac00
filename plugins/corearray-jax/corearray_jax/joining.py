"""Arrays side by side."""

from __future__ import annotations

from typing import Any

from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax.native import compiled

_column_stack = compiled()(jnp.column_stack)
_dstack = compiled()(jnp.dstack)
_hstack = compiled()(jnp.hstack)
_vstack = compiled()(jnp.vstack)


@hookimpl
def column_stack(arrays: Any, /) -> Any:
    return _column_stack(tuple(arrays))


@hookimpl
def dstack(arrays: Any, /) -> Any:
    return _dstack(tuple(arrays))


@hookimpl
def hstack(arrays: Any, /) -> Any:
    if not arrays:
        raise ValueError("there is no array to join; give at least one")
    return _hstack(tuple(arrays))


@hookimpl
def vstack(arrays: Any, /) -> Any:
    return _vstack(tuple(arrays))
