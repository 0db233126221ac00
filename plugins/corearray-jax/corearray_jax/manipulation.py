"""Shapes and arrangements. That a shape holds integers alone is seen in its product, which costs less than to look at each."""

from __future__ import annotations

from math import prod
from operator import index
from typing import Any

import numpy as np
from jax import numpy as jnp

from corearray.plugin import hookimpl
from corearray_jax.native import INDEX, compiled, is_floating, static

_broadcast_arrays = compiled()(lambda arrays: tuple(jnp.broadcast_arrays(*arrays)))


@hookimpl
def broadcast_arrays(*arrays: Any) -> tuple[Any, ...]:
    return _broadcast_arrays(arrays)


@compiled("shape")
def _broadcast_to(x: Any, shape: Any) -> Any:
    return jnp.broadcast_to(x, shape)


@hookimpl
def broadcast_to(x: Any, /, shape: Any) -> Any:
    return _broadcast_to(x, shape if type(shape) is tuple and type(prod(shape)) is int else static(shape))


@compiled("axis")
def _concat(arrays: Any, axis: int | None) -> Any:
    joined = jnp.concatenate(arrays, axis)
    if is_floating(joined) and not any(map(is_floating, arrays)):
        raise TypeError("int64 and uint64 have no common integer dtype")
    return joined


@hookimpl(trusts_framework=True)
def concat(arrays: Any, /, axis: int | None = 0) -> Any:
    return _concat(tuple(arrays), axis)


@compiled("axis")
def _expand_dims(x: Any, axis: Any) -> Any:
    axes = axis if isinstance(axis, tuple) else (axis,)
    ndim = x.ndim + len(axes)
    if not all(-ndim <= one < ndim for one in axes):
        raise IndexError(f"axis {axis} is out of bounds for an array that gets {ndim} axes")
    return jnp.expand_dims(x, axis)


@hookimpl
def expand_dims(x: Any, /, axis: Any) -> Any:
    return _expand_dims(x, static(axis))


@compiled("axis")
def _flip(x: Any, axis: Any) -> Any:
    return jnp.flip(x, axis)


@hookimpl
def flip(x: Any, /, axis: Any = None) -> Any:
    return _flip(x, static(axis))


@compiled("source", "destination")
def _moveaxis(x: Any, source: Any, destination: Any) -> Any:
    return jnp.moveaxis(x, source, destination)


@hookimpl
def moveaxis(x: Any, source: Any, destination: Any, /) -> Any:
    return _moveaxis(x, static(source), static(destination))


@compiled("axes")
def _permute_dims(x: Any, axes: Any) -> Any:
    return jnp.transpose(x, axes)


@hookimpl
def permute_dims(x: Any, /, axes: Any) -> Any:
    return _permute_dims(x, static(axes))


@compiled("axis", "total")
def _repeat(x: Any, repeats: Any, axis: int | None, total: int) -> Any:
    return jnp.repeat(x, repeats, axis, total_repeat_length=total)


@compiled("repeats", "axis")
def _repeat_alike(x: Any, repeats: int, axis: int | None) -> Any:
    if not x.ndim and axis is not None:  # in which JAX finds the axes 0 and -1
        raise IndexError("the array has no axes")
    return jnp.repeat(x, repeats, axis)


@hookimpl
def repeat(x: Any, repeats: Any, /, axis: int | None = None) -> Any:
    """Repeat elements; numbers in an array are needed now, since they say how long the result is."""
    if isinstance(repeats, int):
        return _repeat_alike(x, repeats, axis)
    if not jnp.issubdtype(repeats.dtype, jnp.integer):
        raise TypeError(f"the numbers of repetitions are integers, these have the dtype {repeats.dtype}")
    length = x.size if axis is None else x.shape[axis]
    numbers = np.broadcast_to(np.asarray(repeats).ravel(), (length,))
    if (numbers < 0).any():
        raise ValueError("the numbers of repetitions are at least 0")
    return _repeat(x, numbers.astype(INDEX), axis, int(numbers.sum()))


@compiled("shape")
def _reshape(x: Any, shape: Any) -> Any:
    return jnp.reshape(x, shape)


@hookimpl
def reshape(x: Any, /, shape: Any, *, copy: bool | None = None) -> Any:
    return _reshape(x, shape if type(shape) is tuple and type(prod(shape)) is int else static(shape))


@compiled("shift", "axis")
def _roll(x: Any, shift: Any, axis: Any) -> Any:
    return jnp.roll(x, shift, axis)


@hookimpl
def roll(x: Any, /, shift: Any, *, axis: Any = None) -> Any:
    if isinstance(shift, (list, tuple)):
        shift = tuple(map(index, shift))
        if axis is not None and len(shift) != (len(axis) if isinstance(axis, (list, tuple)) else 1):
            raise ValueError(f"there are {len(shift)} shifts for axis={axis}")
    else:
        shift = index(shift)
    return _roll(x, shift, static(axis))


@compiled("axis")
def _squeeze(x: Any, axis: Any) -> Any:
    return jnp.squeeze(x, axis)


@hookimpl
def squeeze(x: Any, /, axis: Any) -> Any:
    return _squeeze(x, static(axis))


@compiled("axis")
def _stack(arrays: Any, axis: int) -> Any:
    return jnp.stack(arrays, axis)


@hookimpl
def stack(arrays: Any, /, axis: int = 0) -> Any:
    return _stack(tuple(arrays), axis)


@compiled("repetitions")
def _tile(x: Any, repetitions: Any) -> Any:
    return jnp.tile(x, repetitions)


@hookimpl
def tile(x: Any, repetitions: Any, /) -> Any:
    return _tile(x, static(repetitions))


@compiled("axis")
def _unstack(x: Any, axis: int) -> tuple[Any, ...]:
    return tuple(jnp.moveaxis(x, axis, 0))


@hookimpl
def unstack(x: Any, /, *, axis: int = 0) -> tuple[Any, ...]:
    return _unstack(x, axis)
