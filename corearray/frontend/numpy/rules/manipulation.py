"""Shapes, axes, joining, parts of arrays."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.frontend.numpy.described import rule, say
from corearray.frontend.numpy.promotion import array, cast, common

__all__: list[str] = []

say("""
numpy.ndarray.T.__get__(x) = ca.permute_dims(x, tuple(reversed(range(x.ndim))))
numpy.ndarray.mT.__get__(x) = ca.matrix_transpose(x)
numpy.ndarray.__getitem__(x, key) = x[key]
numpy.ravel|numpy.ndarray.flatten(a, order="C") = ca.reshape(array(a), (-1,))
numpy.transpose(a, axes=None) = ca.permute_dims(a, tuple(reversed(range(a.ndim))) if axes is None else tuple(axes))
numpy.permute_dims(a, axes=None) = ca.permute_dims(a, tuple(reversed(range(a.ndim))) if axes is None else tuple(axes))
numpy.swapaxes(a, axis1, axis2) = ca.swapaxes(a, axis1, axis2)
numpy.moveaxis(a, source, destination) = ca.moveaxis(a, source, destination)
numpy.matrix_transpose(x, /) = ca.matrix_transpose(x)
numpy.expand_dims(a, axis) = ca.expand_dims(a, axis=axis)
numpy.squeeze(a, axis=None) = ca.squeeze(a, axis=tuple(i for i, n in enumerate(a.shape) if n == 1) if axis is None else axis)
numpy.broadcast_to|numpy.lib._stride_tricks_impl.broadcast_to(array_, shape, subok=False) = ca.broadcast_to(
    array(array_), (shape,) if isinstance(shape, int) else tuple(shape))
numpy.broadcast_arrays(*args, subok=False) = tuple(ca.broadcast_arrays(*map(array, args)))
numpy.concatenate|numpy.concat(arrays, axis=0, out=None, *, dtype=None, casting="same_kind") = _joined(arrays, axis, dtype)
numpy.stack(arrays, axis=0, out=None, *, dtype=None, casting="same_kind") = cast(ca.stack(list(common(*arrays)), axis=axis),
    dtype)
numpy.vstack(tup, *, dtype=None, casting="same_kind") = ca.vstack(list(common(*tup)))
numpy.hstack(tup, *, dtype=None, casting="same_kind") = ca.hstack(list(common(*tup)))
numpy.dstack(tup) = ca.dstack(list(common(*tup)))
numpy.column_stack(tup) = ca.column_stack(list(common(*tup)))
numpy.split|numpy.array_split(ary, indices_or_sections, axis=0) = ca.array_split(ary, indices_or_sections, axis=axis)
numpy.hsplit(ary, indices_or_sections) = ca.hsplit(ary, indices_or_sections)
numpy.vsplit(ary, indices_or_sections) = ca.vsplit(ary, indices_or_sections)
numpy.repeat(a, repeats, axis=None) = ca.repeat(ca.reshape(a, (-1,)) if axis is None else a, repeats, axis=axis or 0)
numpy.tile(A, reps) = ca.tile(array(A), (reps,) if isinstance(reps, int) else tuple(reps))
numpy.roll(a, shift, axis=None) = ca.roll(a, shift, axis=axis)
numpy.flip(m, axis=None) = ca.flip(m, axis=axis)
numpy.flipud(m) = ca.flip(m, axis=0)
numpy.fliplr(m) = ca.flip(m, axis=1)
numpy.rot90(m, k=1, axes=(0, 1)) = ca.rot90(m, k=k, axes=axes)
numpy.tril(m, k=0) = ca.tril(m, k=k)
numpy.triu(m, k=0) = ca.triu(m, k=k)
numpy.diag(v, k=0) = ca.diag(v, k=k)
numpy.diagonal(a, offset=0, axis1=0, axis2=1) = ca.linalg.diagonal(ca.moveaxis(a, (axis1, axis2), (-2, -1)), offset=offset)
numpy.meshgrid(*xi, copy=True, sparse=False, indexing="xy") = tuple(ca.meshgrid(*map(array, xi), indexing=indexing))
numpy.atleast_1d(x) = ca.atleast_1d(array(x))
numpy.atleast_2d(x) = ca.atleast_2d(array(x))
numpy.take(a, indices, axis=None, out=None, mode="raise") = _taken(a, array(indices), axis)
numpy.take_along_axis(arr, indices, axis=-1) = ca.take_along_axis(arr, indices, axis=axis)
numpy.pad(array_, pad_width, mode="constant", **options) = ca.pad(array_, pad_width, mode=mode, **options)
""")


def _joined(arrays: Any, axis: int | None, dtype: Any) -> Any:
    given = list(common(*arrays))
    if axis is None:
        given, axis = [ca.reshape(x, (-1,)) for x in given], 0
    return cast(ca.concat(given, axis=axis), dtype)


def _taken(x: ca.Array, indices: ca.Array, axis: int | None) -> Any:
    if axis is None:
        x, axis = ca.reshape(x, (-1,)), 0
    axis %= x.ndim
    made = ca.take(x, ca.reshape(indices, (-1,)), axis=axis)
    return ca.reshape(made, (*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :]))


@rule("numpy.reshape")
def _reshape(a: Any, *shape: Any, order: str = "C", copy: Any = None) -> Any:
    sizes = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
    return ca.reshape(array(a), tuple(sizes))


@rule("numpy.ndarray.transpose")
def _transpose(x: ca.Array, *axes: Any) -> Any:
    order = axes[0] if len(axes) == 1 and isinstance(axes[0], (tuple, list)) else axes
    return ca.permute_dims(x, tuple(order) or tuple(reversed(range(x.ndim))))


@rule("numpy.ndarray.__setitem__")
def _setitem(x: ca.Array, key: Any, value: Any) -> None:
    x[key] = cast(value, x.dtype) if isinstance(value, ca.Array) else value
