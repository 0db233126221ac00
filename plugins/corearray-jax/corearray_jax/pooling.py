"""Pooling of real numbers; means that do not count all of a window are composed of sums."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from jax import lax
from jax import numpy as jnp

from corearray.plugin import hookimpl, is_one, read_adaptive, read_pooling
from corearray_jax.native import HALF, compiled, is_complex, is_floating


def _supported(
    x: Any, mode: str, dilations: Any, ceil_mode: bool, count_include_pad: bool, divisor_override: Any
) -> bool:
    """Tell what JAX also differentiates: elements are not chosen with gaps between them."""
    if is_complex(x) or x.dtype == bool or 0 in x.shape:
        return False
    if mode == "avg":
        return is_floating(x) and count_include_pad and not ceil_mode and divisor_override is None
    return mode == "sum" or (mode in ("max", "min") and is_one(dilations))


@compiled("windows", "mode", "first")
def _pooled(x: Any, windows: Any, mode: str, first: int) -> Any:
    join = {"max": lax.max, "min": lax.min}.get(mode, lax.add)
    if mode in ("avg", "sum"):
        start: Any = 0
    elif jnp.issubdtype(x.dtype, jnp.integer):
        start = getattr(jnp.iinfo(x.dtype), {"max": "min", "min": "max"}[mode])
    else:
        start = -np.inf if mode == "max" else np.inf
    beyond = windows.beyond(x.shape[first:])
    padding = [(before, after + more) for (before, after), more in zip(windows.padding, beyond, strict=True)]
    ahead, behind = first, x.ndim - first - len(padding)

    def spread(values: Any, other: Any) -> Any:
        return (*[other] * ahead, *values, *[other] * behind)

    result = lax.reduce_window(
        x,
        np.asarray(start, x.dtype),
        join,
        spread(windows.kernel, 1),
        spread(windows.strides, 1),
        spread(padding, (0, 0)),
        window_dilation=spread(windows.dilations, 1),
    )
    return result / math.prod(windows.kernel) if mode == "avg" else result


@hookimpl(when=_supported, via=HALF)
def pool(
    x: Any,
    window_shape: Any,
    /,
    *,
    mode: str = "max",
    strides: Any = None,
    padding: Any = "valid",
    dilations: Any = 1,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: Any = None,
    data_format: str = "channels_first",
) -> Any:
    windows = read_pooling("pool", x.shape, window_shape, strides, padding, dilations, ceil_mode, data_format)
    return _pooled(x, windows, mode, 2 if data_format == "channels_first" else 1)


@compiled("sizes", "mode", "first")
def _adapted(x: Any, sizes: Any, mode: str, first: int) -> Any:
    """Reduce one axis after the other; a window that is shorter than the longest meets its last element again."""
    for place, size in enumerate(sizes, first):
        length = x.shape[place]
        starts = np.arange(size) * length // size
        ends = -(-np.arange(1, size + 1) * length // size)
        most = int((ends - starts).max())
        indices = starts[:, None] + np.arange(most)
        parts = jnp.take(x, np.minimum(indices, ends[:, None] - 1), axis=place)
        if mode == "max":
            x = jnp.max(parts, axis=place + 1)
        else:
            shape = (size, most, *[1] * (x.ndim - place - 1))
            inside = (indices < ends[:, None]).reshape(shape)
            counts = (ends - starts).astype(x.dtype).reshape(size, *shape[2:])
            x = jnp.sum(parts, axis=place + 1, where=inside) / counts
    return x


@hookimpl(when=lambda x, mode: is_floating(x) and (mode == "avg" or (mode == "max" and not is_complex(x))), via=HALF)
def adaptive_pool(x: Any, output_size: Any, /, *, mode: str = "avg", data_format: str = "channels_first") -> Any:
    sizes = read_adaptive("adaptive_pool", x.shape, output_size, data_format)
    return _adapted(x, sizes, mode, 2 if data_format == "channels_first" else 1)
