"""Elements by their indices along an axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl
from corearray_numpy.native import as_indices, with_axes
from corearray_numpy.tracer import seen


@hookimpl
def take(x: Any, indices: Any, /, axis: int | None = None) -> Any:
    if axis is None and x.ndim != 1:
        raise ValueError(f"'axis' may be left out for arrays with one axis only, this one has the shape {x.shape}")
    return seen(x if x.ndim else with_axes(x, axis), indices).take(as_indices(indices), axis)


@hookimpl(native=np.take_along_axis)
def take_along_axis(x: Any, indices: Any, /, *, axis: int = -1) -> Any: ...
