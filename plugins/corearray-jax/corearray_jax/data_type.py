"""Casts."""

from __future__ import annotations

from typing import Any

from jax import lax
from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax.native import compiled, elsewhere, is_complex, placed


@compiled("dtype")
def cast(x: Any, dtype: Any) -> Any:
    """Cast an array; the result is never weak, not even that of an array which has the dtype already."""
    if is_complex(x) and not jnp.issubdtype(dtype, jnp.complexfloating):
        if dtype != jnp.bool_:
            raise TypeError(f"an array of dtype {x.dtype} is not cast to dtype {dtype}; take its real part first")
        return x != 0
    return lax.convert_element_type(x, dtype)


@compiled()
def copied(x: Any) -> Any:
    """Copy an array."""
    return jnp.array(x, copy=True)


@hookimpl
def astype(x: Any, dtype: Any, /, copy: bool = True, device: Any = None) -> Any:
    if x.dtype != dtype:
        x = cast(x, dtype)
    elif copy:
        x = copied(x)
    return placed(x, device) if elsewhere(x, device) else x
