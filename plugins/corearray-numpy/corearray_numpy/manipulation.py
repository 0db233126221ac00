"""Shapes and arrangements. Methods of the array are several times as fast as NumPy's functions of the same names."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from corearray.plugin import hookimpl
from corearray_numpy.native import as_indices


@hookimpl(native=np.broadcast_to)
def broadcast_to(x: Any, /, shape: Any) -> Any: ...


@hookimpl(native=np.concatenate, native_out=True, versions=">=2.3")
def concat(arrays: Any, /, *, axis: int | None = 0, out: Any = None) -> Any: ...


@hookimpl
def concat_v_2p2_and_below(arrays: Any, /, axis: int | None = 0) -> Any:
    """Without an axis `out` would be cast to from any dtype, and for NumPy 1 an axis from 32 on means none."""
    if axis is not None and axis >= arrays[0].ndim:
        raise np.exceptions.AxisError(axis, arrays[0].ndim)
    return np.concatenate(arrays, axis)


@hookimpl
def expand_dims(x: Any, /, axis: Any) -> Any:
    return x[_new_axis(axis)] if isinstance(axis, int) else np.expand_dims(x, axis)


@hookimpl(native=np.flip)
def flip(x: Any, /, *, axis: Any = None) -> Any: ...


@hookimpl(native=np.moveaxis)
def moveaxis(x: Any, source: Any, destination: Any, /) -> Any: ...


@hookimpl
def permute_dims(x: Any, /, axes: Any) -> Any:
    return x.transpose(axes)


@hookimpl
def repeat(x: Any, repeats: Any, /, axis: int | None = None) -> Any:
    return x.repeat(repeats if isinstance(repeats, int) else as_indices(repeats), axis)


@hookimpl
def reshape(x: Any, /, shape: Any, *, copy: bool | None = None) -> Any:
    result = x.reshape(shape)
    if copy is None:
        return result
    shared = result.size == 0 or np.may_share_memory(x, result)
    if copy:
        return result.copy() if shared else result
    if not shared:
        raise ValueError(f"an array of shape {x.shape} with these strides has no view of shape {shape}; allow a copy")
    return result


@hookimpl(native=np.roll)
def roll(x: Any, /, shift: Any, *, axis: Any = None) -> Any: ...


@hookimpl
def squeeze(x: Any, /, axis: Any) -> Any:
    return x.squeeze(axis if isinstance(axis, int) else tuple(axis))


@hookimpl(native_out=True)
def stack(arrays: Any, /, *, axis: int = 0, out: Any = None) -> Any:
    key = _new_axis(axis)
    return np.concatenate([x[key] for x in arrays], axis, out)


@hookimpl(native=np.tile)
def tile(x: Any, repetitions: Any, /) -> Any: ...


@hookimpl
def unstack(x: Any, /, *, axis: int = 0) -> tuple[Any, ...]:
    return tuple(np.moveaxis(x, axis, 0))


@lru_cache
def _new_axis(axis: int) -> tuple[Any, ...]:
    """Return the key that puts a new axis at a place; NumPy itself finds out whether the place exists."""
    if axis < 0:
        return (..., None, *(slice(None),) * (-1 - axis))
    return (*(slice(None),) * axis, None)
