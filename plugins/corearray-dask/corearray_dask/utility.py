"""Tests over axes."""

from __future__ import annotations

from typing import Any

import dask.array as da

from corearray.plugin import hookimpl
from corearray_dask.statistical import over_axes


@hookimpl
def all(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return over_axes(da.all, x.astype(bool), axis, keepdims)


@hookimpl
def any(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return over_axes(da.any, x.astype(bool), axis, keepdims)
