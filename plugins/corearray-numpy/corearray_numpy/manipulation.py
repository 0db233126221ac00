"""Shapes and arrangements. Methods of the array are several times as fast as NumPy's functions of the same names.

Joining has no `out` here: NumPy would read arguments that lie in `out` after they were written over.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import index
from typing import Any

import numpy as np

from corearray.plugin import Fast, FastPathMiss, hookimpl, matches
from corearray_numpy.native import as_indices, with_axes
from corearray_numpy.tracer import Tracer

#: Whether `reshape` takes `copy=False`.
_REFUSES_COPIES = matches(np.__version__, ">=2.1")

#: The most common place of a new axis: one object, which no other number is.
_FIRST = 0

_expanded = np.expand_dims


@hookimpl
def broadcast_to(x: Any, /, shape: Any) -> Any:
    """NumPy makes its view read-only; where no element is repeated, it need not be."""
    result = np.broadcast_to(x, shape)
    return x.reshape(result.shape) if result.size == x.size else result


@hookimpl(native=np.concatenate, fast=Fast(np.concatenate), versions=">=2.3")
def concat(arrays: Any, /, *, axis: int | None = 0) -> Any: ...


@hookimpl
def concat_v_2p2_and_below(arrays: Any, /, axis: int | None = 0) -> Any:
    """For NumPy 1 an axis from 32 on means none."""
    if axis is not None and axis >= arrays[0].ndim:
        raise np.exceptions.AxisError(axis, arrays[0].ndim)
    return np.concatenate(arrays, axis)


def _with_axis(x: Any, axis: Any) -> Any:
    return x[None] if axis is _FIRST else x[_new_axis(axis)] if type(axis) is int else _expanded(x, axis)


@hookimpl(fast=Fast(_with_axis))
def expand_dims(x: Any, /, axis: Any) -> Any:
    return x[_new_axis(axis)] if isinstance(axis, int) else np.expand_dims(x, axis)


@hookimpl
def flip(x: Any, /, *, axis: Any = None) -> Any:
    result = np.flip(x, axis)
    return result if isinstance(result, np.ndarray) else x[...]  # of an array without axes, a scalar


@hookimpl(native=np.moveaxis)
def moveaxis(x: Any, source: Any, destination: Any, /) -> Any: ...


@hookimpl
def permute_dims(x: Any, /, axes: Any) -> Any:
    if axes is None or type(axes) is int:
        raise TypeError("the axes are named, one for each")
    return x.transpose(axes)


@hookimpl
def repeat(x: Any, repeats: Any, /, axis: int | None = None) -> Any:
    return with_axes(x, axis).repeat(repeats if isinstance(repeats, int) else as_indices(repeats), axis)


def _reshaped(x: Any, shape: Any) -> Any:
    """Return a view; where NumPy may have to copy, corearray must know of it."""
    if x.flags.c_contiguous:
        result = x.reshape(shape)
        return result if result.shape == shape else _known(result, shape)
    raise FastPathMiss


@hookimpl(fast=Fast(_reshaped, view=True))
def reshape(x: Any, /, shape: Any, *, copy: bool | None = None) -> Any:
    """Return a view, or an array that owns its memory, so that it lives as long as its own views."""
    if not copy:
        try:
            result = _view(x, shape)
        except (ValueError, AttributeError):
            if copy is False:
                raise ValueError(
                    f"an array of shape {x.shape} with these strides has no view of shape {shape}; allow a copy"
                ) from None
        else:
            return result if result.shape == shape else _known(result, shape)
    _known(x, shape)
    wanted = np.broadcast_to(x.dtype.type(0), x.shape).reshape(shape).shape
    result = np.empty(wanted, x.dtype)
    result.reshape(x.shape)[...] = x
    return result


def _known(result: Any, shape: Any) -> Any:
    """Refuse sizes below -1, which NumPy takes for unknown ones."""
    if min(shape if isinstance(shape, (tuple, list)) else (shape,)) < -1:
        raise ValueError(f"the shape {shape}")
    return result


def _view(x: Any, shape: Any) -> Any:
    if _REFUSES_COPIES:
        return x.reshape(shape, copy=False)
    view = (x._array if type(x) is Tracer else x).view()
    view.shape = shape
    return x.reshape(shape) if type(x) is Tracer else view


@hookimpl
def roll(x: Any, /, shift: Any, *, axis: Any = None) -> Any:
    """Roll by one shift or one for each axis; NumPy would repeat the axes, too."""
    if isinstance(shift, (tuple, list)):
        axes = axis if isinstance(axis, (tuple, list)) else (axis,)
        if len(shift) != len(axes):
            raise ValueError(f"there are {len(shift)} shifts for {len(axes)} axes")
        return np.roll(x, tuple(map(index, shift)), axis)
    return np.roll(x, index(shift), axis)


@hookimpl
def squeeze(x: Any, /, axis: Any) -> Any:
    if not x.ndim and axis != ():
        raise IndexError("an array without axes has none to squeeze")
    return x.squeeze(tuple(axis) if isinstance(axis, Sequence) else index(axis))


@hookimpl
def strides(x: Any, /) -> tuple[int, ...]:
    return x.strides


@hookimpl
def stack(arrays: Any, /, *, axis: int = 0) -> Any:
    key = _new_axis(axis)
    return np.concatenate([x[key] for x in arrays], axis)


@hookimpl
def tile(x: Any, repetitions: Any, /) -> Any:
    many = isinstance(repetitions, (tuple, list))
    return np.tile(x, tuple(map(index, repetitions)) if many else index(repetitions))


@hookimpl
def unstack(x: Any, /, *, axis: int = 0) -> tuple[Any, ...]:
    moved = np.moveaxis(x, axis, 0)
    return tuple(moved[i, ...] for i in range(len(moved)))


@lru_cache(typed=True)  # in which 0.0 is not 0
def _new_axis(axis: int) -> tuple[Any, ...]:
    """Return the key that puts a new axis at a place; NumPy itself finds out whether the place exists."""
    if axis < 0:
        return (..., None, *(slice(None),) * (-1 - axis))
    return (*(slice(None),) * axis, None)
