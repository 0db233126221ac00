"""Indexing, and the ways to Python and NumPy."""

import mlx.core as mx
import numpy

from corearray.plugin import hookimpl


@hookimpl
def get_item(x, key, /):
    x, key = _with_axis(x, key)
    return x[_key(x, key)]


@hookimpl
def set_item(x, key, value):
    """Write into a copy: views of MLX share no memory, so that corearray keeps them itself."""
    written, key = _with_axis(mx.array(x), key)
    written[_key(written, key)] = value
    return written if written.ndim == x.ndim else written[0]


@hookimpl
def to_list(x, /):
    return x.tolist()


@hookimpl
def to_numpy(x, /):
    return numpy.array(x.astype(mx.float32) if x.dtype == mx.bfloat16 else x)


def _key(x, key):
    """Refuse integers beyond the axes, which MLX reads from foreign memory, and put integers for booleans."""
    parts = key if isinstance(key, tuple) else (key,)
    used = sum(part.ndim if _is_mask(part) else part is not None and part is not Ellipsis for part in parts)
    if used > x.ndim:
        raise IndexError(f"the key has {used} parts for the {x.ndim} axes of the array")
    found, axis = [], 0
    for part in parts:
        if part is Ellipsis:
            axis = x.ndim - (used - axis)
        elif _is_mask(part):
            if part.shape != x.shape[axis : axis + part.ndim]:
                raise IndexError(f"a mask of shape {part.shape} does not fit the array's shape {x.shape}")
            found += [mx.array(place) for place in numpy.nonzero(numpy.array(part))]
            axis += part.ndim
            continue
        elif isinstance(part, int) and not -x.shape[axis] <= part < x.shape[axis]:
            raise IndexError(f"index {part} is out of bounds for axis {axis} with size {x.shape[axis]}")
        elif isinstance(part, mx.array):
            require_within(part, x.shape[axis])
        axis += part is not None and part is not Ellipsis
        found.append(part)
    return tuple(found) if isinstance(key, tuple) or len(found) > 1 else found[0]


def require_within(indices, size):
    """Refuse indices beyond an axis, which MLX reads from foreign memory; while it transforms, they have no values yet."""
    if not indices.size:
        return
    indices = indices.astype(mx.int64)
    try:
        outside = mx.any((indices < -size) | (indices >= size)).item()
    except (RuntimeError, ValueError):
        return
    if outside:
        raise IndexError(f"an index is out of bounds for an axis with size {size}")


def _with_axis(x, key):
    """Return an array with a new axis for a mask without axes, and the indices along it that the mask stands for."""
    if _is_mask(key) and not key.ndim:
        return x[None], mx.zeros(int(key.item()), mx.int64)
    return x, key


def _is_mask(part):
    return isinstance(part, mx.array) and part.dtype == mx.bool_
