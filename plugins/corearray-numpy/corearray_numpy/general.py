"""Indexing, and the ways between NumPy and Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl


@hookimpl
def get_item(x: Any, key: Any, /) -> Any:
    return x[key]


@hookimpl
def set_item(x: Any, key: Any, value: Any) -> Any:
    """Write in place; what NumPy protects (broadcast arrays, other libraries' memory) is copied first."""
    if not x.flags.writeable:
        x = x.copy()
    x[key] = value
    return x


@hookimpl
def to_list(x: Any, /) -> Any:
    return x.tolist()


@hookimpl
def to_numpy(x: Any, /) -> Any:
    return np.asarray(x)
