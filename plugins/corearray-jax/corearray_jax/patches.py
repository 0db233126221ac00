"""Windows gathered by one compiled function."""

from __future__ import annotations

from typing import Any

import numpy as np
from jax import numpy as jnp

from corearray.plugin import hookimpl, read_windows
from corearray_jax.native import compiled


@compiled("axes", "windows")
def _gathered(x: Any, axes: Any, windows: Any) -> Any:
    """Take along one axis after the other; the new axis goes to the end."""
    for place, size, stride, gap, number in zip(
        axes, windows.kernel, windows.strides, windows.dilations, windows.lengths, strict=True
    ):
        indices = np.arange(number)[:, None] * stride + np.arange(size) * gap
        x = jnp.moveaxis(jnp.take(x, indices, axis=place), place + 1, -1)
    return x


def _different(x: Any, axis: Any) -> bool:
    axes = axis if isinstance(axis, (tuple, list)) else (0 if axis is None else axis,)
    return all(-x.ndim <= i < x.ndim for i in axes) and len({i % x.ndim for i in axes}) == len(axes)


@hookimpl(when=_different)
def sliding_window(x: Any, window_shape: Any, /, *, axis: Any = None, strides: Any = 1, dilations: Any = 1) -> Any:
    axes = range(x.ndim) if axis is None else axis if isinstance(axis, (tuple, list)) else (axis,)
    windows = read_windows("sliding_window", [x.shape[i] for i in axes], window_shape, strides, "valid", dilations)
    return _gathered(x, tuple(i % x.ndim for i in axes), windows)
