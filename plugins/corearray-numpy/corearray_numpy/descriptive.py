"""Counts of integers."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl


def _has_bincount(x: Any, weights: Any = None) -> bool:
    """NumPy takes no uint64, and adds weights up in float64, which does not hold all integers."""
    return x.dtype.kind in "iu" and x.dtype != np.uint64 and (weights is None or weights.dtype.kind == "f")


@hookimpl(when=_has_bincount)
def bincount(x: Any, /, weights: Any = None, minlength: int = 0) -> Any:
    found = np.bincount(x, weights, minlength)
    return found if weights is None else found.astype(weights.dtype, copy=False)
