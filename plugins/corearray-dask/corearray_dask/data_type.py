"""Casts."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl


@hookimpl
def astype(x: Any, dtype: Any, /, copy: bool = True) -> Any:
    """Cast. A copy is another object of the same graph: tasks do not change their arguments."""
    if x.dtype.kind == "c" and np.dtype(dtype).kind not in "bc":
        raise TypeError(f"'{x.dtype}' is not cast to '{dtype}'; take the real part or the absolute value first")
    if x.dtype == dtype:
        return x.copy() if copy else x
    return x.astype(dtype)
