"""Shapes and arrangements. Methods of the array are several times as fast as NumPy's functions of the same names."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from corearray.plugin import hookimpl


@hookimpl
def broadcast_to(x: Any, /, shape: Any) -> Any:
    return np.broadcast_to(x, shape)


@hookimpl
def concat(arrays: Any, /, *, axis: int | None = 0) -> Any:
    return np.concatenate(arrays, axis)


@hookimpl
def expand_dims(x: Any, /, axis: Any) -> Any:
    return x[_new_axis(axis)] if isinstance(axis, int) else np.expand_dims(x, axis)


@hookimpl
def flip(x: Any, /, *, axis: Any = None) -> Any:
    return np.flip(x, axis)


@hookimpl
def moveaxis(x: Any, source: Any, destination: Any, /) -> Any:
    return np.moveaxis(x, source, destination)


@hookimpl
def permute_dims(x: Any, /, axes: Any) -> Any:
    return x.transpose(axes)


@hookimpl
def repeat(x: Any, repeats: Any, /, *, axis: int | None = None) -> Any:
    return x.repeat(repeats, axis)


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


@hookimpl
def roll(x: Any, /, shift: Any, *, axis: Any = None) -> Any:
    return np.roll(x, shift, axis)


@hookimpl
def squeeze(x: Any, /, axis: Any) -> Any:
    return x.squeeze(axis)


@hookimpl
def stack(arrays: Any, /, *, axis: int = 0) -> Any:
    key = _new_axis(axis)
    return np.concatenate([x[key] for x in arrays], axis)


@hookimpl
def tile(x: Any, repetitions: Any, /) -> Any:
    return np.tile(x, repetitions)


@hookimpl
def unstack(x: Any, /, *, axis: int = 0) -> tuple[Any, ...]:
    return tuple(np.moveaxis(x, axis, 0))


@lru_cache
def _new_axis(axis: int) -> tuple[Any, ...]:
    """Return the key that puts a new axis at a place; NumPy itself finds out whether the place exists."""
    if axis < 0:
        return (..., None, *(slice(None),) * (-1 - axis))
    return (*(slice(None),) * axis, None)
