"""Sums, products, extremes and moments: the reductions of ufuncs, without the Python of `np.sum` and `np.mean`.

They take no `out`, because NumPy casts into it without asking. The means divide a NumPy scalar by a Python one, which
keeps its dtype since NumPy 2 only.
"""

from __future__ import annotations

import math
from operator import index
from typing import Any

import numpy as np

from corearray.plugin import hookimpl
from corearray_numpy import elementwise
from corearray_numpy.native import COMPLEX, HALF, reduction, with_axes


@hookimpl
def cummax(x: Any, /, axis: int | None = None) -> Any:
    return np.maximum.accumulate(x, _only_axis(x, axis))


@hookimpl
def cummin(x: Any, /, axis: int | None = None) -> Any:
    return np.minimum.accumulate(x, _only_axis(x, axis))


@hookimpl(via=HALF)
def cumulative_prod(x: Any, /, axis: int | None = None, dtype: Any = None, include_initial: bool = False) -> Any:
    return _accumulated(np.multiply, x, axis, dtype, include_initial)


@hookimpl(via=HALF)
def cumulative_sum(x: Any, /, axis: int | None = None, dtype: Any = None, include_initial: bool = False) -> Any:
    return _accumulated(np.add, x, axis, dtype, include_initial)


@hookimpl(fast=reduction(np.maximum))
def max(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return np.maximum.reduce(with_axes(x, axis), axis, None, None, keepdims)


@hookimpl(versions=">=2", via=HALF)
def mean(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    total = np.add.reduce(x, axis, None, None, keepdims)
    count = _count(x, axis) or math.nan
    if x.dtype in COMPLEX:  # part by part, or an infinite part makes the other one NaN
        return elementwise.complex(total.real / count, total.imag / count)
    return total / count


@hookimpl(specname="mean", versions="<2", via=HALF)
def mean_of_numpy_1(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return _kept(mean(x, axis, keepdims), x.dtype)


@hookimpl(fast=reduction(np.minimum))
def min(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return np.minimum.reduce(with_axes(x, axis), axis, None, None, keepdims)


@hookimpl(fast=reduction(np.multiply), via=HALF)
def prod(x: Any, /, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    return np.multiply.reduce(with_axes(x, axis), axis, dtype, None, keepdims)


@hookimpl(versions=">=2", via=HALF)
def std(x: Any, /, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Any:
    return np.sqrt(var(x, axis=axis, correction=correction, keepdims=keepdims))


@hookimpl(specname="std", versions="<2", via=HALF)
def std_of_numpy_1(x: Any, /, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Any:
    return _kept(std(x, axis, correction, keepdims), np.finfo(x.dtype).dtype)


@hookimpl(fast=reduction(np.add), via=HALF)
def sum(x: Any, /, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    return np.add.reduce(with_axes(x, axis), axis, dtype, None, keepdims)


@hookimpl(versions=">=2", via=HALF)
def var(x: Any, /, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Any:
    offset = x - mean(x, axis=axis, keepdims=True)
    if x.dtype in COMPLEX:
        squares = np.square(offset.real) + np.square(offset.imag)
    else:
        squares = np.square(offset, offset if type(offset) is np.ndarray else None)
    divisor = _count(x, axis) - correction
    return np.add.reduce(squares, axis, None, None, keepdims) / (divisor if divisor > 0 else math.nan)


@hookimpl(specname="var", versions="<2", via=HALF)
def var_of_numpy_1(x: Any, /, axis: Any = None, correction: float = 0.0, keepdims: bool = False) -> Any:
    return _kept(var(x, axis, correction, keepdims), np.finfo(x.dtype).dtype)


def _accumulated(ufunc: np.ufunc, x: Any, axis: int | None, dtype: Any, include_initial: bool) -> Any:
    """Accumulate; an initial value takes the first place of a longer array, the rest goes behind it."""
    axis = _only_axis(x, axis)
    if not include_initial:
        return ufunc.accumulate(x, axis, dtype)
    shape = list(x.shape)
    shape[axis] += 1
    result = np.empty(shape, dtype)
    before = (slice(None),) * (axis % x.ndim)
    result[(*before, 0)] = ufunc.identity
    ufunc.accumulate(x, axis, dtype, result[(*before, slice(1, None))])
    return result


def _only_axis(x: Any, axis: int | None) -> int:
    if axis is None and x.ndim != 1:
        raise ValueError(f"'axis' may be left out for arrays with one axis only, this one has the shape {x.shape}")
    return 0 if axis is None else index(axis)


def _kept(found: Any, dtype: Any) -> Any:
    """Return a result in its dtype, which NumPy 1 gives up where a scalar meets one of Python's."""
    return found if found.dtype == dtype else found.astype(dtype)


def _count(x: Any, axis: Any) -> int:
    """Count the elements that fall together in a reduction."""
    if axis is None:
        return x.size
    return math.prod([x.shape[i] for i in axis]) if isinstance(axis, tuple) else x.shape[axis]
