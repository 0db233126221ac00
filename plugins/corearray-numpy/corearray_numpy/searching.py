"""Places of elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import Fast, hookimpl
from corearray_numpy.native import WEAK_SCALARS, as_indices, with_axes
from corearray_numpy.tracer import Tracer


@hookimpl
def argmax(x: Any, /, axis: int | None = None, keepdims: bool = False) -> Any:
    if x.ndim and not keepdims:
        return x.argmax(axis)
    return with_axes(x, axis).argmax(axis, keepdims=keepdims)


@hookimpl
def argmin(x: Any, /, axis: int | None = None, keepdims: bool = False) -> Any:
    if x.ndim and not keepdims:
        return x.argmin(axis)
    return with_axes(x, axis).argmin(axis, keepdims=keepdims)


@hookimpl
def count_nonzero(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    if axis is None and type(x) is Tracer:  # of all axes older NumPy counts into an integer of Python's
        axis = tuple(range(x.ndim))
    return np.asarray(np.count_nonzero(with_axes(x, axis), axis, keepdims=keepdims), np.intp)


@hookimpl
def nonzero(x: Any, /) -> tuple[Any, ...]:
    if not x.ndim:  # which older NumPy warns of
        raise ValueError("an array without axes has no indices")
    return x.nonzero()


@hookimpl
def searchsorted(x1: Any, x2: Any, /, side: str = "left", sorter: Any = None) -> Any:
    return x1.searchsorted(x2, side, None if sorter is None else as_indices(sorter))


@hookimpl(native=np.where, fast=Fast(np.where), scalars=WEAK_SCALARS)
def where(condition: Any, x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=np.argwhere)
def argwhere(x: Any, /) -> Any: ...
