"""Elements by their indices along an axis. An index that lies outside is an error where its value is at hand."""

from __future__ import annotations

from typing import Any

from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax.keys import check_inside
from corearray_jax.native import compiled, counting


@compiled("axis", "counted")
def _take(x: Any, indices: Any, axis: int, counted: bool) -> Any:
    """Take; indices that are known to lie inside and to count from the front need neither be compared nor turned round."""
    if not jnp.issubdtype(indices.dtype, jnp.integer):
        raise TypeError(f"indices are integers, these have the dtype {indices.dtype}")
    return jnp.take(x, counting(indices, x.shape), axis=axis, mode="clip" if counted else None)


@hookimpl
def take(x: Any, indices: Any, /, axis: int | None = None) -> Any:
    if axis is None:
        if x.ndim != 1:
            raise ValueError(
                f"an array of shape {x.shape} does not have one axis; say along which one to take with axis="
            )
        axis = 0
    return _take(x, indices, axis, check_inside(indices, x.shape[axis], axis))


@compiled("axis")
def _take_along_axis(x: Any, indices: Any, axis: int) -> Any:
    return jnp.take_along_axis(x, indices, axis)


@hookimpl
def take_along_axis(x: Any, indices: Any, /, axis: int = -1) -> Any:
    length = x.shape[axis]
    found = _take_along_axis(x, indices, axis)
    check_inside(indices, length, axis)
    return found
