"""Gathering along an axis. TensorFlow counts from the front only, so negative indices are counted on."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from corearray.plugin import hookimpl
from corearray_tensorflow.keys import by_places, places
from corearray_tensorflow.native import checked_axis, constant, raw_ops, to_last


@hookimpl
def take(x: Any, indices: Any, /, axis: int | None = None) -> Any:
    if axis is None:
        if x.shape.rank != 1:
            raise ValueError(f"an array with {x.shape.rank} axes is not taken from without 'axis'; give the one meant")
        axis = 0
    axis = checked_axis(axis, x.shape.rank)
    return by_places(lambda chosen: raw_ops.GatherV2(params=x, indices=chosen, axis=axis), indices, x, axis)


@hookimpl
def take_along_axis(x: Any, indices: Any, /, axis: int = -1) -> Any:
    ndim = x.shape.rank
    if indices.shape.rank != ndim:
        raise ValueError(f"the indices have {indices.shape.rank} axes; they must have as many as the array, {ndim}")
    indices = places(indices, x, axis)
    swap = to_last(axis, ndim)
    if swap is not None:
        x, indices = raw_ops.Transpose(x=x, perm=swap), raw_ops.Transpose(x=indices, perm=swap)
    rows, wanted = x.shape.as_list(), indices.shape.as_list()
    if rows[:-1] != wanted[:-1]:
        shape = tf.broadcast_static_shape(x.shape[:-1], indices.shape[:-1]).as_list()
        x = raw_ops.BroadcastTo(input=x, shape=constant((*shape, rows[-1])))
        indices = raw_ops.BroadcastTo(input=indices, shape=constant((*shape, wanted[-1])))
    taken = raw_ops.GatherV2(params=x, indices=indices, axis=ndim - 1, batch_dims=ndim - 1)
    return taken if swap is None else raw_ops.Transpose(x=taken, perm=swap)
