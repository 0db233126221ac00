"""Shapes, axes, joining, parts of arrays."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import corearray as ca
from corearray.frontend.numpy.data_types import strides_of
from corearray.frontend.numpy.described import rule, say
from corearray.frontend.numpy.promotion import are_whole_numbers, array, cast, common, surely, whole_numbers

__all__: list[str] = []

say("""
numpy.ndarray.T.__get__(x) = ca.permute_dims(x, tuple(reversed(range(x.ndim))))
numpy.ndarray.mT.__get__(x) = ca.matrix_transpose(x)
numpy.ndarray.__getitem__(x, key) = x[key]
numpy.ravel|numpy.ndarray.flatten(a, order="C") = _reshaped(array(a), (-1,), order)
numpy.transpose(a, axes=None) = ca.permute_dims(a, tuple(reversed(range(a.ndim))) if axes is None else tuple(axes))
numpy.permute_dims(a, axes=None) = ca.permute_dims(a, tuple(reversed(range(a.ndim))) if axes is None else tuple(axes))
numpy.swapaxes(a, axis1, axis2) = ca.swapaxes(a, axis1, axis2)
numpy.moveaxis(a, source, destination) = ca.moveaxis(a, source, destination)
numpy.matrix_transpose(x, /) = ca.matrix_transpose(x)
numpy.expand_dims(a, axis) = ca.expand_dims(a, axis=axis)
numpy.squeeze(a, axis=None) = _squeezed(array(a), axis)
numpy.broadcast_to|numpy.lib._stride_tricks_impl.broadcast_to(array_, shape, subok=False) = ca.broadcast_to(
    array(array_), (shape,) if isinstance(shape, int) else tuple(shape))
numpy.broadcast_arrays(*args, subok=False) = tuple(ca.broadcast_arrays(*map(array, args)))
numpy.concatenate|numpy.concat(arrays, axis=0, out=None, *, dtype=None, casting="same_kind") = _joined(arrays, axis, dtype)
numpy.stack(arrays, axis=0, out=None, *, dtype=None, casting="same_kind") = _stacked(
    lambda xs: ca.stack(xs, axis=axis), arrays, dtype, casting)
numpy.vstack(tup, *, dtype=None, casting="same_kind") = _stacked(ca.vstack, tup, dtype, casting)
numpy.hstack(tup, *, dtype=None, casting="same_kind") = _stacked(ca.hstack, tup, dtype, casting)
numpy.dstack(tup) = _stacked(ca.dstack, tup)
numpy.column_stack(tup) = _stacked(ca.column_stack, tup)
numpy.split(ary, indices_or_sections, axis=0) = _split(ary, indices_or_sections, axis, even=True)
numpy.array_split(ary, indices_or_sections, axis=0) = _split(ary, indices_or_sections, axis, even=False)
numpy.hsplit(ary, indices_or_sections) = _split(ary, indices_or_sections, int(_ranked(ary, 1).ndim > 1), even=True)
numpy.vsplit(ary, indices_or_sections) = _split(_ranked(ary, 2), indices_or_sections, 0, even=True)
numpy.repeat(a, repeats, axis=None) = _repeated(ca.reshape(a, (-1,)) if axis is None else a, repeats, axis or 0)
numpy.tile(A, reps) = ca.tile(array(A), (reps,) if isinstance(reps, int) else tuple(reps))
numpy.roll(a, shift, axis=None) = _rolled(array(a), shift, axis)
numpy.flip(m, axis=None) = ca.flip(m, axis=axis)
numpy.flipud(m) = ca.flip(m, axis=0)
numpy.fliplr(m) = ca.flip(m, axis=1)
numpy.rot90(m, k=1, axes=(0, 1)) = ca.rot90(m, k=k, axes=axes)
numpy.tril(m, k=0) = ca.tril(m, k=k)
numpy.triu(m, k=0) = ca.triu(m, k=k)
numpy.diag(v, k=0) = ca.diag(v, k=k)
numpy.diagonal(a, offset=0, axis1=0, axis2=1) = ca.linalg.diagonal(ca.moveaxis(a, (axis1, axis2), (-2, -1)), offset=offset)
numpy.atleast_1d(*arys) = _at_least(ca.atleast_1d, arys)
numpy.atleast_2d(*arys) = _at_least(ca.atleast_2d, arys)
numpy.atleast_3d(*arys) = _at_least(ca.atleast_3d, arys)
numpy.take(a, indices, axis=None, out=None, mode="raise") = _taken(array(a), array(indices), axis, mode)
numpy.take_along_axis(arr, indices, axis=-1) = ca.take_along_axis(arr, indices, axis=axis)
numpy.lib.stride_tricks.as_strided|numpy.lib._stride_tricks_impl.as_strided(x, shape=None, strides=None, subok=False, writeable=True) = (
    _strided(array(x), shape, strides))
numpy.lib.stride_tricks.sliding_window_view|numpy.lib._stride_tricks_impl.sliding_window_view(x, window_shape, axis=None, *, subok=False, writeable=False) = (
    ca.sliding_window(array(x), window_shape, axis=axis))
numpy.pad(array_, pad_width, mode="constant", **options) = ca.pad(array_, pad_width, mode=mode, **options)
""")


def _joined(arrays: Any, axis: int | None, dtype: Any) -> Any:
    given = list(common(*arrays))
    if not given:
        raise ValueError("need at least one array to concatenate")
    if any(not x.ndim for x in given) and axis is not None:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    if axis is None:
        given, axis = [ca.reshape(x, (-1,)) for x in given], 0
    return cast(ca.concat(given, axis=axis), dtype)


def _taken(x: ca.Array, indices: ca.Array, axis: int | None, mode: str) -> Any:
    if axis is None:
        x, axis = ca.reshape(x, (-1,)), 0
    if not -x.ndim <= axis < x.ndim:
        raise ca.AxisError(f"axis {axis} is out of bounds for array of dimension {x.ndim}")
    axis %= x.ndim
    size = x.shape[axis]
    if indices.size and indices.dtype.category not in ("signed integer", "unsigned integer", "bool"):
        raise TypeError(
            f"Cannot cast array data from dtype('{indices.dtype}') to dtype('int64') according to the rule 'safe'"
        )
    indices = cast(indices, ca.int64)
    if mode == "wrap" and size:
        indices = indices % size
    elif mode == "clip":
        indices = ca.clip(indices, 0, size - 1)
    elif mode not in ("raise", "wrap"):
        raise ValueError("clipmode must be one of 'clip', 'raise', or 'wrap'")
    if indices.size and not size:
        raise IndexError("cannot do a non-empty take from an empty axes.")
    if mode == "raise" and indices.size and surely(ca.any(ca.logical_or(indices < -size, indices >= size))):
        raise IndexError(f"index out of bounds for axis {axis} with size {size}")
    made = ca.take(x, ca.reshape(indices, (-1,)), axis=axis)
    return ca.reshape(made, (*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :]))


@rule("numpy.reshape", versions=">=2.4")
def _reshape(a: Any, *sizes: Any, shape: Any = None, order: str = "C", copy: Any = None) -> Any:
    if len(sizes) == 2 and isinstance(sizes[1], str):
        sizes, order = sizes[:1], sizes[1]
    given = sizes if shape is None else (shape,)
    return _reshaped(array(a), given[0] if len(given) == 1 else given, order)


@rule("numpy.reshape", versions="<2.4")
def _reshape_of_old(
    a: Any, *sizes: Any, shape: Any = None, newshape: Any = None, order: str = "C", copy: Any = None
) -> Any:
    return _reshape(a, *sizes, shape=shape if newshape is None else newshape, order=order, copy=copy)


def _repeated(x: Any, repeats: Any, axis: int) -> Any:
    if not are_whole_numbers(repeats) or isinstance(repeats, int):
        return ca.repeat(x, repeats, axis=axis)
    counts = [*repeats] * x.shape[axis] if len(repeats) == 1 else repeats
    if len(counts) != x.shape[axis] or min(counts, default=0) < 0:
        return ca.repeat(x, ca.asarray(counts, dtype=ca.int64), axis=axis)  # which says what is wrong
    places = [place for place, count in enumerate(counts) for _ in range(count)]
    return ca.take(x, ca.asarray(places, dtype=ca.int64), axis=axis)


def _rolled(x: Any, shift: Any, axis: Any) -> Any:
    """Roll by shifts of any size, unsigned ones and those beyond 64 bits included."""
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    shifts = whole_numbers(shift)
    if len(shifts) == 1 or len(axes) == 1:
        shifts, axes = shifts * len(axes), tuple(axes) * len(shifts)
    if len(shifts) != len(axes):
        raise ValueError("'shift' and 'axis' should be scalars or 1D sequences")
    sizes = [x.size if one is None else x.shape[one] for one in axes]
    steps = [step if abs(step) < size else step % max(size, 1) for step, size in zip(shifts, sizes, strict=True)]
    return ca.roll(x, steps[0], axis=axes[0]) if len(steps) == 1 else ca.roll(x, tuple(steps), axis=tuple(axes))


def _strided(x: Any, shape: Any, strides: Any) -> Any:
    """Return the elements at steps in bytes from the first one of an array, which lies in the order of C."""
    sizes = tuple(x.shape) if shape is None else tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    if strides is None:
        return ca.as_strided(x, sizes, [n // x.dtype.itemsize for n in strides_of(x)])
    steps = tuple(strides) if isinstance(strides, (tuple, list)) else (strides,)
    if any(step % x.dtype.itemsize for step in steps):
        raise ValueError(f"strides of whole elements are needed, got {steps} for elements of {x.dtype.itemsize} bytes")
    return ca.as_strided(x, sizes, [step // x.dtype.itemsize for step in steps])


def _reshaped(x: Any, shape: Any, order: str | None) -> Any:
    """Return elements in another shape, with `order="F"` read and written column by column."""
    sizes = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    if order is not None and order not in tuple("CFAKcfak"):
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
    if order not in ("F", "f") or (x.ndim <= 1 and len(sizes) <= 1):
        return ca.reshape(x, sizes)
    reverse = ca.reshape(ca.permute_dims(x, tuple(reversed(range(x.ndim)))), tuple(reversed(sizes)))
    return ca.permute_dims(reverse, tuple(reversed(range(reverse.ndim))))


@rule("numpy.ndarray.transpose")
def _transpose(x: ca.Array, *axes: Any) -> Any:
    order = axes[0] if len(axes) == 1 and isinstance(axes[0], (tuple, list)) else axes
    return ca.permute_dims(x, tuple(order) or tuple(reversed(range(x.ndim))))


@rule("numpy.ndarray.__setitem__")
def _setitem(x: ca.Array, key: Any, value: Any) -> None:
    x[key] = cast(value, x.dtype) if isinstance(value, ca.Array) else value


def _squeezed(a: Any, axis: Any) -> Any:
    axes = (
        tuple(i for i, n in enumerate(a.shape) if n == 1)
        if axis is None
        else (axis,)
        if isinstance(axis, int)
        else tuple(axis)
    )
    for one in axes:
        if a.ndim and not -a.ndim <= one < a.ndim:
            raise ca.AxisError(f"axis {one} is out of bounds for array of dimension {a.ndim}")
        if a.ndim and a.shape[one] != 1:
            raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    return ca.squeeze(a, axis=axes) if a.ndim else a


def _ranked(x: Any, least: int) -> Any:
    if x.ndim < least:
        raise ValueError(f"{'hsplit' if least == 1 else 'vsplit'} only works on arrays of {least} or more dimensions")
    return x


def _split(x: Any, parts: Any, axis: int, *, even: bool) -> list[Any]:
    """Return the parts of an axis, of equal sizes or between places."""
    if not -x.ndim <= axis < x.ndim:
        raise IndexError(f"axis {axis} is out of bounds for array of dimension {x.ndim}")
    size = x.shape[axis]
    if isinstance(parts, ca.Array):
        parts = parts.tolist()
    if hasattr(parts, "__len__"):
        edges = [0, *(int(place) for place in parts), size]
    else:
        count = int(parts)
        if count <= 0:
            raise ValueError("number sections must be larger than 0.")
        if even and size % count:
            raise ValueError("array split does not result in an equal division")
        edges = [0]
        for i in range(count):
            edges.append(edges[-1] + size // count + (i < size % count))
    key: list[Any] = [slice(None)] * x.ndim
    made = []
    for start, stop in pairwise(edges):
        key[axis] = slice(start, stop)
        made.append(x[tuple(key)])
    return made


def _at_least(function: Any, arrays: Any) -> Any:
    made = tuple(function(array(x)) for x in arrays)
    return made[0] if len(made) == 1 else made


def _stacked(function: Any, arrays: Any, dtype: Any = None, casting: str = "same_kind") -> Any:
    from corearray.frontend.numpy.data_types import can_cast

    if not hasattr(arrays, "__getitem__"):
        raise TypeError('arrays to stack must be passed as a "sequence" type such as list or tuple.')
    given = list(common(*(array(x) for x in arrays)))
    if not given:
        raise ValueError("need at least one array to stack")
    if dtype is not None and not can_cast(given[0].dtype, dtype, casting):
        raise TypeError(
            f"Cannot cast array data from dtype('{given[0].dtype}') to dtype('{dtype}') according to the rule '{casting}'"
        )
    return cast(function(given), dtype)


@rule("numpy.meshgrid")
def _meshgrid(*xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> Any:
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    rank = len(xi)
    order = list(range(rank))
    if indexing == "xy" and rank > 1:
        order[:2] = [1, 0]
    rows = [
        ca.reshape(array(x), tuple(-1 if i == place else 1 for i in range(rank)))
        for x, place in zip(xi, order, strict=True)
    ]
    return tuple(rows if sparse or not rows else [ca.asarray(x, copy=True) for x in ca.broadcast_arrays(*rows)])
