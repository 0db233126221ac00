"""Indexing, and the ways between NumPy and Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl
from corearray_numpy.native import as_array, owner


@hookimpl
def get_item(x: Any, key: Any, /) -> Any:
    """Index; one element is a scalar in NumPy and a view without axes here."""
    result = x[key]
    return result if type(result) is np.ndarray else _element(x, key, result)


def _element(x: Any, key: Any, scalar: Any) -> Any:
    parts = key if type(key) is tuple else (key,)
    return x[*parts, ...] if all(type(part) is int for part in parts) else as_array(scalar)


@hookimpl
def set_item(x: Any, key: Any, value: Any) -> Any:
    """Write in place; the memory of other libraries, if NumPy protects it, is copied first."""
    if not x.flags.writeable:
        if owner(x).flags.writeable:
            raise ValueError(
                "the array repeats the elements of another one and is read-only; write into that one, or into a copy: "
                "corearray.asarray(x, copy=True)"
            )
        x = x.copy()
    x[key] = value
    return x


@hookimpl
def to_list(x: Any, /) -> Any:
    return x.tolist()


@hookimpl
def to_numpy(x: Any, /) -> Any:
    return np.asarray(x)
