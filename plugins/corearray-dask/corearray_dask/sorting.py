"""Orders along an axis, which comes in one chunk."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_dask.blocks import along, together


@hookimpl
def argpartition(x: Any, kth: Any, /, *, axis: int = -1) -> Any:
    return along("argpartition", axis, x, kth, axis=axis)


@hookimpl
def argsort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    return along("argsort", axis, x, axis=axis, descending=descending, stable=stable)


@hookimpl
def lexsort(keys: Any, /, *, axis: int = -1) -> Any:
    return together("lexsort", axis, list(keys), axis=axis)


@hookimpl
def partition(x: Any, kth: Any, /, *, axis: int = -1) -> Any:
    return along("partition", axis, x, kth, axis=axis)


@hookimpl
def sort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    return along("sort", axis, x, axis=axis, descending=descending, stable=stable)


@hookimpl
def top_k(x: Any, k: int, /, *, axis: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    return along("top_k", axis, x, k, axis=axis, largest=largest, sorted=sorted)
