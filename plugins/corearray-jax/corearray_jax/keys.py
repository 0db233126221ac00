"""What stands between the brackets of `x[...]`: what JAX compiles for, and what it is told at each call.

Indexing in JAX costs 20 to 170 µs, and Python integers that lie outside are clamped in silence. Here the lengths of
slices are what a function is compiled for, and the places where they begin are arguments: `x[i]` for many `i` compiles
once.
"""

from __future__ import annotations

import operator
from functools import lru_cache
from typing import Any

import jax
import numpy as np
from jax import lax
from jax import numpy as jnp

from corearray_jax.native import beside, compiled, counting, elements, is_traced, like, spans_processes

#: By the dtype of indices, the one of the same size without a sign, and its own greatest number.
_UNSIGNED = {np.dtype(f"{sign}{size}"): np.dtype(f"u{size}") for sign in "iu" for size in (1, 2, 4, 8)}
_GREATEST = {dtype: int(np.iinfo(dtype).max) for dtype in _UNSIGNED}

#: Starts and spans of the block, steps within it, axes to reverse, shape of the result.
Block = tuple[np.ndarray, tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]


def block(key: Any, shape: tuple[int, ...]) -> Block | None:
    """Return the block that a key of integers, slices, `None` and `...` selects; `None` if arrays stand in the key."""
    parts = key if type(key) is tuple else (key,)
    consumed = ellipses = 0
    for part in parts:
        if type(part) is int or type(part) is slice:
            consumed += 1
        elif part is Ellipsis:
            ellipses += 1
        elif part is not None:
            return None
    if ellipses > 1 or consumed > len(shape):
        raise IndexError(f"the key {key!r} has too many parts for an array of shape {shape}")
    rest = len(shape) - consumed
    starts, spans, steps, reverse, result = [], [], [], [], []
    for part in parts if ellipses else (*parts, Ellipsis):
        axis = len(starts)
        if part is None:
            result.append(1)
        elif part is Ellipsis:
            starts += [0] * rest
            spans += shape[axis : axis + rest]
            steps += [1] * rest
            result += shape[axis : axis + rest]
        elif type(part) is int:
            starts.append(_inside(part, shape[axis], axis))
            spans.append(1)
            steps.append(1)
        else:
            start, stop, step = part.indices(shape[axis])
            count = len(range(start, stop, step))
            span = (count - 1) * abs(step) + 1 if count else 0
            if step < 0:
                start -= span - 1
                reverse.append(axis)
            starts.append(start if count else 0)
            spans.append(span)
            steps.append(abs(step))
            result.append(count)
    return np.array(starts, np.int64), tuple(spans), tuple(steps), tuple(reverse), tuple(result)


def _inside(index: int, length: int, axis: int) -> int:
    if not -length <= index < length:
        raise IndexError(f"index {index} is out of bounds for axis {axis} of length {length}")
    return index + length if index < 0 else index


@compiled("spans", "steps", "reverse", "result")
def taken_block(x: Any, starts: Any, spans: Any, steps: Any, reverse: Any, result: Any) -> Any:
    """Read a block."""
    if spans != x.shape:
        x = lax.dynamic_slice(x, starts, spans)
    if any(step != 1 for step in steps):
        x = lax.slice(x, (0,) * x.ndim, spans, steps)
    return lax.reshape(lax.rev(x, reverse), result)


@compiled("spans", "steps", "reverse", "result")
def with_block(x: Any, value: Any, starts: Any, spans: Any, steps: Any, reverse: Any, result: Any) -> Any:
    """Replace a block."""
    counts = tuple(-(-span // step) for span, step in zip(spans, steps, strict=True))
    value = lax.rev(lax.reshape(_fitted(value, result), counts), reverse)
    if spans == x.shape and counts == spans:
        return value
    if counts != spans:
        old = lax.dynamic_slice(x, starts, spans)
        value = old.at[tuple(slice(None, None, step) for step in steps)].set(value)
    return lax.dynamic_update_slice(x, value, starts)


def _fitted(value: Any, shape: tuple[int, ...]) -> Any:
    """Broadcast to a shape; axes of length one in front of it may go, as in NumPy's assignment."""
    extra = value.ndim - len(shape)
    if extra > 0 and value.shape[:extra] == (1,) * extra:
        value = lax.reshape(value, value.shape[extra:])
    return jnp.broadcast_to(value, shape)


def gathered(x: Any, key: Any) -> Any:
    """Read at a key with arrays in it."""
    if not isinstance(key, tuple):
        key = (key,)
    _check(x, key)
    if any(_is_mask(part) for part in key):
        if not _by_values(x, *key):
            return x[_counting(key, x.shape)]
        return beside(x, elements(x)[_host_key(key)])
    frame, arrays = _framed(key)
    return _gathered(x, arrays, frame)


def scattered(x: Any, key: Any, value: Any) -> Any:
    """Replace at a key with arrays in it."""
    if not isinstance(key, tuple):
        key = (key,)
    _check(x, key)
    if any(_is_mask(part) for part in key):
        if (
            len(key) == 1
            and hasattr(key[0], "shape")
            and key[0].shape == x.shape[: key[0].ndim]
            and value.ndim <= x.ndim - key[0].ndim
        ):
            return _with_masked(x, key[0], value)
        if not _by_values(x, value, *key):
            return x.at[_counting(key, x.shape)].set(value)
        result = np.array(elements(x))
        result[_host_key(key)] = elements(value)
        return like(beside(x, result), x, None)
    frame, arrays = _framed(key)
    return _scattered(x, value, arrays, frame)


@compiled("frame")
def _gathered(x: Any, arrays: Any, frame: Any) -> Any:
    return x[_counting(_refilled(frame, arrays), x.shape)]


@compiled("frame")
def _scattered(x: Any, value: Any, arrays: Any, frame: Any) -> Any:
    key = _counting(_refilled(frame, arrays), x.shape)
    if any(part.size == 0 for part in arrays):  # then JAX takes a value of any shape
        value = _fitted(value, x[key].shape)
    return x.at[key].set(value)


@compiled()
def _with_masked(x: Any, mask: Any, value: Any) -> Any:
    return jnp.where(lax.expand_dims(mask, range(mask.ndim, x.ndim)), value, x)


def _is_mask(part: Any) -> bool:
    return isinstance(part, bool) or (hasattr(part, "dtype") and part.dtype == bool)


def _width(part: Any) -> int:
    """Return how many axes a part of a key stands for."""
    if part is None or part is Ellipsis or isinstance(part, bool):
        return 0
    return part.ndim if _is_mask(part) else 1


def _check(x: Any, key: tuple[Any, ...]) -> None:
    """Look that indices lie inside and that masks fit."""
    widths = [_width(part) for part in key]
    rest = x.ndim - sum(widths)
    if rest < 0:
        raise IndexError(f"there are more indices than an array of shape {x.shape} has axes")
    axis = 0
    for part, width in zip(key, widths, strict=True):
        lengths = x.shape[axis : axis + width]
        if part is Ellipsis:
            axis += rest
        elif _is_mask(part):
            if width and any(size not in (0, length) for size, length in zip(part.shape, lengths, strict=True)):
                raise IndexError(
                    f"a mask of shape {part.shape} does not fit the axes from {axis} of an array of shape {x.shape}"
                )
        elif isinstance(part, int):
            _inside(part, lengths[0], axis)
        elif width and not isinstance(part, slice):
            check_inside(part, lengths[0], axis)
        axis += width


def check_inside(indices: Any, length: int, axis: int) -> bool:
    """Look that indices lie inside, where their values are at hand: neither traced nor on another device than a CPU.

    Return whether they are known to count from the front, too. One look tells both of most: read without a sign, a negative
    index is greater than all others of its dtype.
    """
    if indices.size == 0 or not on_host(indices):
        return False
    return _values_inside(np.asarray(indices), length, axis)


def check_inside_axes(indices: Any, shape: tuple[int, ...]) -> None:
    """Look that indices of several axes, which lie along the last one, lie inside, as `check_inside` does."""
    if indices.size and on_host(indices):
        values = np.asarray(indices)
        for axis in range(values.shape[-1]):
            _values_inside(np.ascontiguousarray(values[..., axis]), shape[axis], axis)


def _values_inside(values: Any, length: int, axis: int) -> bool:
    unsigned = _UNSIGNED.get(values.dtype)
    if unsigned is not None:
        greatest = int(np.maximum.reduce(values.view(unsigned), axis=None))
        if greatest < length:
            return greatest <= _GREATEST[values.dtype]
    elif not jnp.issubdtype(values.dtype, jnp.integer):
        return False  # what calls this refuses it
    for index in (values.min(), values.max()):
        _inside(int(index), length, axis)
    return False


def _framed(key: tuple[Any, ...]) -> tuple[Any, Any]:
    """Split a key into what is static, hashable, and the arrays; integers count as arrays, as in NumPy."""
    frame: list[Any] = []
    arrays: list[Any] = []
    for part in key:
        if part is None or part is Ellipsis:
            frame.append(part)
        elif isinstance(part, slice):
            frame.append(
                tuple(None if one is None else operator.index(one) for one in (part.start, part.stop, part.step))
            )
        else:
            frame.append(len(arrays))
            arrays.append(part)
    return tuple(frame), arrays


def _refilled(frame: Any, arrays: Any) -> tuple[Any, ...]:
    return tuple(
        arrays[part] if isinstance(part, int) else slice(*part) if isinstance(part, tuple) else part for part in frame
    )


def _counting(key: tuple[Any, ...], shape: tuple[int, ...]) -> tuple[Any, ...]:
    """Return a key whose arrays can count the elements of an axis."""
    return tuple(counting(part, shape) if hasattr(part, "dtype") else part for part in key)


def on_host(*parts: Any) -> bool:
    """Whether NumPy can do what depends on values; JAX would compile a mask anew for each number of hits."""
    if _has_cpus_alone():
        return not any(map(is_traced, parts))
    for part in parts:
        if is_traced(part) or (isinstance(part, jax.Array) and any(d.platform != "cpu" for d in part.devices())):
            return False
        if spans_processes(part):
            return False
    return True


def _by_values(*parts: Any) -> bool:
    """Whether NumPy computes what a mask selects: on the host, or of elements that other processes hold."""
    return on_host(*parts) or (any(map(spans_processes, parts)) and not any(map(is_traced, parts)))


@lru_cache
def _has_cpus_alone() -> bool:
    """Whether JAX can put no array elsewhere, so that none has to be asked, which takes a microsecond.

    The devices are those of the first platform alone, which is a CPU only if there is no other, or if it was asked for.
    """
    if jax.process_count() > 1:
        return False
    return "," not in (jax.config.jax_platforms or "") and all(device.platform == "cpu" for device in jax.devices())


def _host_key(key: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the key for NumPy, with the places of the hits for masks: NumPy refuses those without elements."""
    found: list[Any] = []
    for part in key:
        if _is_mask(part) and np.ndim(part) > 0:
            found += np.nonzero(elements(part))
        else:
            found.append(elements(part) if hasattr(part, "dtype") else part)
    return tuple(found)
