"""Sparse tensors, of which TensorFlow has lists of places only."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from corearray.plugin import hookimpl


@hookimpl
def sparse_array(indices: Any, values: Any, shape: Any, format: str) -> Any:
    if format != "coo":
        raise NotImplementedError("TensorFlow has sparse tensors of the format 'coo' only")
    return tf.sparse.SparseTensor(tf.transpose(tf.cast(indices, tf.int64)), values, shape)


@hookimpl
def sparse_parts(x: Any) -> Any:
    if not isinstance(x, tf.sparse.SparseTensor):
        return None
    return "coo", tf.transpose(x.indices), x.values, tuple(x.shape)
