"""Operations on the bits of integers and on booleans."""

from __future__ import annotations

from typing import Any

from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax.native import compiled, counts_truth

_and = compiled()(jnp.bitwise_and)
_invert = compiled()(jnp.bitwise_not)
_left_shift = compiled()(counts_truth(jnp.left_shift))
_or = compiled()(jnp.bitwise_or)
_right_shift = compiled()(counts_truth(jnp.right_shift))
_xor = compiled()(jnp.bitwise_xor)


@hookimpl(native=_and, scalars=True)
def bitwise_and(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=_invert)
def bitwise_invert(x: Any, /) -> Any: ...


@hookimpl(native=_left_shift, scalars=True)
def bitwise_left_shift(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=_or, scalars=True)
def bitwise_or(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=_right_shift, scalars=True)
def bitwise_right_shift(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=_xor, scalars=True)
def bitwise_xor(x1: Any, x2: Any, /) -> Any: ...
