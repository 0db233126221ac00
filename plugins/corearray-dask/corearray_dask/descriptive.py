"""Counts: those of each chunk, added up."""

from __future__ import annotations

from typing import Any

import dask.array as da

from corearray.plugin import hookimpl


def _counted(x: Any, weights: Any = None, minlength: int = 0, length: int | None = None) -> bool:
    return length is None and (weights is None or weights.dtype.kind != "c")


@hookimpl(when=_counted)
def bincount(x: Any, /, weights: Any = None, *, minlength: int = 0, length: int | None = None) -> Any:
    """Count; the length is unknown, because it is one more than the greatest value."""
    counts = da.bincount(x, weights=weights, minlength=minlength)
    return counts if weights is None else counts.astype(weights.dtype)
