"""Attention by `jax.nn`, without masks: it gives the mean of all values where a mask leaves no key.

On CPUs it refuses `float16`, and `float64` is rounded to `float32` on the way.
"""

from __future__ import annotations

from typing import Any

import jax
from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax.native import compiled


def _fits(query: Any, key: Any, value: Any, mask: Any, enable_gqa: bool, dropout_p: float, generator: Any) -> bool:
    if generator is not None or mask is not None or enable_gqa or dropout_p != 0.0:
        return False
    if query.ndim < 2 or query.dtype == "float64":
        return False
    if key.shape[:-2] != query.shape[:-2] or key.shape[:-1] != value.shape[:-1] or query.shape[-1] != key.shape[-1]:
        return False
    return bool(query.size and key.size and value.size) and value.shape[-1] == key.shape[-1]


@compiled("is_causal", "scale")
def _attention(query: Any, key: Any, value: Any, is_causal: bool, scale: float | None) -> Any:
    """Attend; the axes in front of the heads are one batch, and JAX wants the heads behind the places."""
    heads = query.shape[-3] if query.ndim > 2 else 1
    batch = [jnp.swapaxes(x.reshape(-1, heads, *x.shape[-2:]), 1, 2) for x in (query, key, value)]
    if not is_causal:
        found = jax.nn.dot_product_attention(*batch, scale=scale)
        return jnp.swapaxes(found, 1, 2).reshape(query.shape)
    # The kernel multiplies hidden values by zero, and so do its derivatives: zero times NaN is NaN.
    finite = jnp.isfinite(value)
    batch[1:] = [jnp.where(jnp.isfinite(x), x, 0) for x in batch[1:]]
    found = jax.nn.dot_product_attention(*batch, scale=scale, is_causal=True)
    found = jnp.swapaxes(found, 1, 2).reshape(query.shape)
    queries, places = (jnp.arange(x.shape[-2])[:, None] for x in (query, value))
    for number in (jnp.inf, -jnp.inf):
        hidden = ~finite & (value != -number)
        first = jnp.min(jnp.where(hidden, places, max(query.shape[-2], value.shape[-2])), axis=-2, keepdims=True)
        found = found + jnp.where(queries >= first, number, 0).astype(found.dtype)
    hidden = ~jnp.isfinite(key).all(-1, keepdims=True)
    first = jnp.min(jnp.where(hidden, places, max(query.shape[-2], value.shape[-2])), axis=-2, keepdims=True)
    return jnp.where(queries >= first, jnp.nan, found)


@hookimpl(when=_fits, via={"float16": "float32"})
def scaled_dot_product_attention(
    query: Any,
    key: Any,
    value: Any,
    /,
    *,
    mask: Any = None,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
    dropout_p: float = 0.0,
    generator: Any = None,
) -> Any:
    return _attention(query, key, value, is_causal, scale)
