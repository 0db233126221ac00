"""Indexing, and the ways to Python and NumPy."""

import mlx.core as mx
import numpy

from corearray.plugin import hookimpl


@hookimpl
def get_item(x, key, /):
    axes, key = _truths(x, key)
    x = mx.expand_dims(x, axes)
    return x[_key(x, key)]


@hookimpl
def set_item(x, key, value):
    """Write into a copy: views of MLX share no memory, so that corearray keeps them itself."""
    axes, key = _truths(x, key)
    written = mx.expand_dims(mx.array(x), axes)
    key = _key(written, key)
    chosen = written[key].shape
    if 0 in chosen:  # MLX divides by the number of elements
        mx.broadcast_to(value, chosen)  # which refuses what does not fit
        return x
    written[key] = value
    return mx.squeeze(written, axes) if axes else written


@hookimpl
def to_list(x, /):
    return x.tolist()


@hookimpl
def to_numpy(x, /):
    return numpy.array(x.astype(mx.float32) if x.dtype == mx.bfloat16 else x)


def _key(x, key):
    """Refuse integers beyond the axes, which MLX reads from foreign memory, and put integers for booleans."""
    parts = key if isinstance(key, tuple) else (key,)
    used = sum(map(_axes_of, parts))
    beside_arrays = any(isinstance(part, mx.array) for part in parts)
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
        elif isinstance(part, int) and beside_arrays:
            part = mx.array(part)  # MLX writes as NumPy if it is an array too
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


def _truths(x, key):
    """Return where new axes stand for truths and masks without axes, and the key with the indices along these."""
    parts = key if isinstance(key, tuple) else (key,)
    axes, found, axis = [], [], 0
    for place, part in enumerate(parts):
        if isinstance(part, bool) or (_is_mask(part) and not part.ndim):
            axes.append(axis)
            axis += 1
            part = mx.zeros(int(part if isinstance(part, bool) else part.item()), mx.int64)
        elif part is Ellipsis:
            axis = x.ndim + len(axes) - sum(map(_axes_of, parts[place + 1 :]))
        else:
            axis += _axes_of(part)
        found.append(part)
    return axes, tuple(found) if isinstance(key, tuple) else found[0]


def _axes_of(part):
    """Return how many axes of an array a part of a key takes."""
    if part is None or part is Ellipsis or isinstance(part, bool):
        return 0
    return part.ndim if _is_mask(part) else 1


def _is_mask(part):
    return isinstance(part, mx.array) and part.dtype == mx.bool_
