"""Operations on the bits of integers and on booleans."""

from __future__ import annotations

from typing import Any

from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax.native import compiled

_and = compiled()(jnp.bitwise_and)
_invert = compiled()(jnp.bitwise_not)
_left_shift = compiled()(jnp.left_shift)
_or = compiled()(jnp.bitwise_or)
_right_shift = compiled()(jnp.right_shift)
_xor = compiled()(jnp.bitwise_xor)


@hookimpl(scalars=True)
def bitwise_and(x1: Any, x2: Any, /) -> Any:
    return _and(x1, x2)


@hookimpl
def bitwise_invert(x: Any, /) -> Any:
    return _invert(x)


@hookimpl(scalars=True)
def bitwise_left_shift(x1: Any, x2: Any, /) -> Any:
    return _left_shift(x1, x2)


@hookimpl(scalars=True)
def bitwise_or(x1: Any, x2: Any, /) -> Any:
    return _or(x1, x2)


@hookimpl(scalars=True)
def bitwise_right_shift(x1: Any, x2: Any, /) -> Any:
    return _right_shift(x1, x2)


@hookimpl(scalars=True)
def bitwise_xor(x1: Any, x2: Any, /) -> Any:
    return _xor(x1, x2)
