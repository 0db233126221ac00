"""Matrices with a diagonal."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from corearray.plugin import hookimpl


@hookimpl(when=lambda x: x.shape.rank == 1 and 0 not in x.shape)  # the diagonal of a matrix is a view
def diag(x: Any, /, *, k: int = 0) -> Any:
    return tf.linalg.diag(x, k=k)
