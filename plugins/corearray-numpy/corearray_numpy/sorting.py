"""Sorting. NumPy only ascends: for a stable descent the array is turned round before and after."""

from __future__ import annotations

from typing import Any

import numpy as np

from corearray.plugin import hookimpl


@hookimpl
def argsort(x: Any, /, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    kind = "stable" if stable else "quicksort"
    last = x.shape[axis] - 1
    if not descending:
        return x.argsort(axis, kind)
    return last - np.flip(np.flip(x, axis).argsort(axis, kind), axis)


@hookimpl
def sort(x: Any, /, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    if axis is None:
        raise TypeError("arrays are sorted along an axis")
    kind = "stable" if stable else "quicksort"
    if not descending:
        return np.sort(x, axis, kind)
    return np.flip(np.sort(np.flip(x, axis), axis, kind), axis)


@hookimpl
def lexsort(keys: Any, /, *, axis: int = -1) -> Any:
    if len({key.shape for key in keys}) != 1:
        raise ValueError("the keys are not of one shape")
    if not keys[0].ndim:
        raise IndexError("keys without axes are not sorted")
    return np.lexsort(tuple(keys), axis)
