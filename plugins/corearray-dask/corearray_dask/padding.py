"""Margins around arrays."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_dask.blocks import whole


@hookimpl
def trim_zeros(x: Any, /, *, trim: str = "fb", axis: Any = None) -> Any:
    axes = range(x.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
    return whole("trim_zeros", x, trim=trim, axis=axis, unknown=(tuple(at % x.ndim for at in axes),))
