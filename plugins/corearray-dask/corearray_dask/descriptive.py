"""Counts. The length of the result is unknown, because it is one more than the greatest value."""

from __future__ import annotations

from typing import Any

import dask.array as da

from corearray.plugin import hookimpl
from corearray_dask.blocks import whole


@hookimpl(when=lambda x, weights=None, minlength=0, length=None: length is None)
def bincount(x: Any, /, weights: Any = None, *, minlength: int = 0, length: int | None = None) -> Any:
    """Add the counts of each chunk up; integer and complex weights, which Dask adds in double precision, come whole."""
    if weights is not None and weights.dtype.kind != "f":
        return whole("bincount", x, weights, minlength=minlength, unknown=((0,),))
    counts = da.bincount(x, weights=weights, minlength=minlength)
    return counts if weights is None else counts.astype(weights.dtype)
