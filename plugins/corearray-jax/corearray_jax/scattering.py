"""Elements written to indices, and reductions of segments; JAX drops what belongs to none."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import index
from typing import Any

import jax
from jax import numpy as jnp

from corearray.plugin import hookimpl, shape_along
from corearray_jax.gathering import as_key, is_key
from corearray_jax.keys import on_host
from corearray_jax.native import HALF, INDEX, compiled, counting


@compiled("function", "count")
def _joined(function: Callable[..., Any], x: Any, ids: Any, count: int) -> Any:
    if x.dtype == bool or not jnp.issubdtype(ids.dtype, jnp.integer):
        raise TypeError(f"elements of {x.dtype} are not joined by segments of {ids.dtype}; give numbers and integers")
    if count < 0 or x.shape[: ids.ndim] != ids.shape:
        raise ValueError(f"an array of shape {x.shape} has no {count} segments by ids of shape {ids.shape}")
    rest = x.shape[ids.ndim :]
    rows = jnp.reshape(x, (ids.size, *rest))
    return function(rows, jnp.reshape(ids, (-1,)).astype(INDEX), count)


@partial(jax.custom_jvp, nondiff_argnums=(2,))
def _product(rows: Any, ids: Any, count: int) -> Any:
    """Multiply rows of one index, with the derivative that JAX does not have: by an element, the product of the others."""
    return jax.ops.segment_prod(rows, ids, count)


@_product.defjvp
def _(count: int, primals: Any, tangents: Any) -> Any:
    """Take zeros out of the products, and put them back as what is differentiated once and twice more, but not above."""
    (rows, ids), (slopes, _) = primals, tangents
    zero = rows == 0
    whole, zeros = jnp.where(zero, 1, rows), jnp.where(zero, rows, 0)
    place = jnp.clip(ids, 0, max(count - 1, 0))

    def beside(x: Any) -> Any:
        return jax.ops.segment_sum(x, ids, count).take(place, 0, mode="clip") - x

    one, missing = beside(zeros), beside(zero.astype(INDEX))
    two = (one * one - beside(zeros * zeros)) / 2
    among_zeros = jnp.where(missing == 0, 1, jnp.where(missing == 1, one, jnp.where(missing == 2, two, 0)))
    others = among_zeros * _product(whole, ids, count).take(place, 0, mode="clip") / whole
    return _product(rows, ids, count), jax.ops.segment_sum(slopes * others, ids, count)


def _is_one_scatter(x: Any, indices: Any, values: Any, axis: int, reduction: str) -> bool:
    """Whether it is written at once on a CPU, where the last one of several stays; for others XLA leaves that open."""
    if reduction != "replace" or indices.dtype.kind not in "iu" or not on_host(x, indices, values):
        return False
    return x.size > 0 and shape_along(x.shape, axis, indices.shape, values.shape) is not None


@compiled("axis")
def _scatter_along_axis(x: Any, indices: Any, values: Any, axis: int) -> Any:
    target = shape_along(x.shape, axis, indices.shape) or ()
    places = [jnp.arange(size).reshape(-1, *[1] * (x.ndim - i - 1)) for i, size in enumerate(target)]
    places[axis] = counting(indices, x.shape)
    return x.at[tuple(places)].set(jnp.broadcast_to(values, target))


@hookimpl(when=_is_one_scatter)
def scatter_along_axis(x: Any, indices: Any, values: Any, /, *, axis: int = -1, reduction: str = "replace") -> Any:
    return _scatter_along_axis(x, indices, values, axis)


def _is_one_sum(indices: Any, updates: Any, shape: Any, base: Any, reduction: str) -> bool:
    if reduction != "sum" or (shape is None) == (base is None) or updates.dtype == bool:
        return False
    if isinstance(shape, int):  # which the composition reads
        return False
    whole = tuple(shape) if base is None else base.shape
    return is_key(indices, whole) and updates.shape == (*indices.shape[:-1], *whole[indices.shape[-1] :])


@compiled("shape")
def _added(indices: Any, updates: Any, shape: Any, base: Any) -> Any:
    onto = jnp.zeros(shape, updates.dtype) if base is None else base
    return onto.at[as_key(indices, onto.shape)].add(updates)


@hookimpl(when=_is_one_sum, via=HALF)
def scatter_nd(indices: Any, updates: Any, /, shape: Any = None, *, base: Any = None, reduction: str = "sum") -> Any:
    return _added(indices, updates, None if shape is None else tuple(map(index, shape)), base)


@hookimpl(via=HALF)
def unsorted_segment_max(x: Any, segment_ids: Any, num_segments: int, /) -> Any:
    return _joined(jax.ops.segment_max, x, segment_ids, num_segments)


@hookimpl(via=HALF)
def unsorted_segment_min(x: Any, segment_ids: Any, num_segments: int, /) -> Any:
    return _joined(jax.ops.segment_min, x, segment_ids, num_segments)


@hookimpl(via=HALF)
def unsorted_segment_prod(x: Any, segment_ids: Any, num_segments: int, /) -> Any:
    return _joined(_product, x, segment_ids, num_segments)


@hookimpl(via=HALF)
def unsorted_segment_sum(x: Any, segment_ids: Any, num_segments: int, /) -> Any:
    return _joined(jax.ops.segment_sum, x, segment_ids, num_segments)
