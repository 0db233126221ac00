"""Reductions of segments; JAX drops what belongs to none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax.native import INDEX, compiled


@compiled("function", "count")
def _joined(function: Callable[..., Any], x: Any, ids: Any, count: int) -> Any:
    if x.dtype == bool or not jnp.issubdtype(ids.dtype, jnp.integer):
        raise TypeError(f"elements of {x.dtype} are not joined by segments of {ids.dtype}; give numbers and integers")
    if count < 0 or x.shape[: ids.ndim] != ids.shape:
        raise ValueError(f"an array of shape {x.shape} has no {count} segments by ids of shape {ids.shape}")
    rest = x.shape[ids.ndim :]
    rows = jnp.reshape(x, (ids.size, *rest))
    return function(rows, jnp.reshape(ids, (-1,)).astype(INDEX), count)


@hookimpl
def unsorted_segment_max(x: Any, segment_ids: Any, num_segments: int, /) -> Any:
    return _joined(jax.ops.segment_max, x, segment_ids, num_segments)


@hookimpl
def unsorted_segment_min(x: Any, segment_ids: Any, num_segments: int, /) -> Any:
    return _joined(jax.ops.segment_min, x, segment_ids, num_segments)


@hookimpl
def unsorted_segment_prod(x: Any, segment_ids: Any, num_segments: int, /) -> Any:
    return _joined(jax.ops.segment_prod, x, segment_ids, num_segments)


@hookimpl
def unsorted_segment_sum(x: Any, segment_ids: Any, num_segments: int, /) -> Any:
    return _joined(jax.ops.segment_sum, x, segment_ids, num_segments)
