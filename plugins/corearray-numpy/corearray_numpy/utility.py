"""Truth of whole arrays, and differences. The reductions are the ufuncs' own, without the Python of `np.all`."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl
from corearray_numpy.native import reduction, with_axes


@hookimpl(fast=reduction(np.logical_and))
def all(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return np.logical_and.reduce(with_axes(x, axis), axis, None, None, keepdims)


@hookimpl(fast=reduction(np.logical_or))
def any(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return np.logical_or.reduce(with_axes(x, axis), axis, None, None, keepdims)


@hookimpl
def diff(x: Any, /, axis: int = -1, n: int = 1, prepend: Any = None, append: Any = None) -> Any:
    if prepend is not None or append is not None:
        x = np.concatenate([part for part in (prepend, x, append) if part is not None], axis)
    n = min([n, *x.shape[axis:][:1]])  # after as many nothing is left, and NumPy would go on
    return np.diff(x, n, axis) if n else x.copy()
