"""Elements by their indices along an axis. An index that lies outside is an error where its value is at hand."""

from __future__ import annotations

from typing import Any

from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax.keys import check_inside, on_host
from corearray_jax.native import INDEX, compiled


@compiled("axis", "inside")
def _take(x: Any, indices: Any, axis: int | None, inside: bool) -> Any:
    """Take; where somebody looks whether all indices lie inside, XLA need not, which would take a twentieth."""
    if axis is None and x.ndim != 1:
        raise ValueError(f"an array of shape {x.shape} does not have one axis; say along which one to take with axis=")
    if not jnp.issubdtype(indices.dtype, jnp.integer):
        raise TypeError(f"indices are integers, these have the dtype {indices.dtype}")
    axis = 0 if axis is None else axis
    if not inside:
        return jnp.take(x, indices, axis=axis)
    if jnp.issubdtype(indices.dtype, jnp.signedinteger):
        length = x.shape[axis]
        if indices.dtype.itemsize < 4 or length >= 2**31:
            indices = indices.astype(INDEX)
        indices = jnp.where(indices < 0, indices + length, indices)
    return jnp.take(x, indices, axis=axis, mode="clip")


@hookimpl
def take(x: Any, indices: Any, /, axis: int | None = None) -> Any:
    """Take; that the indices lie inside is looked at while XLA computes, which reads nothing where they do not."""
    place = 0 if axis is None else axis
    length = x.shape[place]
    found = _take(x, indices, axis, on_host(indices))
    check_inside(indices, length, place)
    return found


@compiled("axis")
def _take_along_axis(x: Any, indices: Any, axis: int) -> Any:
    return jnp.take_along_axis(x, indices, axis)


@hookimpl
def take_along_axis(x: Any, indices: Any, /, axis: int = -1) -> Any:
    length = x.shape[axis]
    found = _take_along_axis(x, indices, axis)
    check_inside(indices, length, axis)
    return found
