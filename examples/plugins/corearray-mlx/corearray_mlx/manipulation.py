"""Shapes and places."""

import mlx.core as mx

from corearray.plugin import hookimpl


@hookimpl
def broadcast_to(x, /, shape):
    return mx.broadcast_to(x, shape)


@hookimpl
def concat(arrays, /, *, axis=0):
    return mx.concatenate(arrays, axis)


@hookimpl
def permute_dims(x, /, axes):
    return mx.transpose(x, axes)


@hookimpl
def reshape(x, /, shape, *, copy=None):
    return mx.reshape(x, shape)
