"""Places that are marked."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from corearray.plugin import hookimpl
from corearray_tensorflow.native import placed, raw_ops, zero_or_one

_INDICES = frozenset((tf.uint8, tf.int8, tf.int32, tf.int64))


def _are_marked(indices: Any, num_classes: int, on_value: Any, off_value: Any, axis: int) -> bool:
    """Guard for indices of dtypes that TensorFlow takes, and an axis that is there."""
    if type(on_value) is not int or type(off_value) is not int or (on_value, off_value) != (1, 0):
        return False
    if indices.dtype not in _INDICES or num_classes < 0:
        return False
    rank = indices.shape.rank
    return rank is not None and -rank - 1 <= axis <= rank


@hookimpl(when=_are_marked)
def one_hot(
    indices: Any, num_classes: int, /, *, on_value: Any = 1, off_value: Any = 0, axis: int = -1, dtype: Any, device: Any
) -> Any:
    on, off = zero_or_one(1, dtype), zero_or_one(0, dtype)
    axis = axis if axis >= -1 else axis + indices.shape.rank + 1
    return placed(raw_ops.OneHot(indices=indices, depth=num_classes, on_value=on, off_value=off, axis=axis), device)
