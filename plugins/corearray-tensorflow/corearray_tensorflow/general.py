"""Indexing, and the ways to Python and NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from corearray.plugin import hookimpl
from corearray_tensorflow import keys


@hookimpl
def get_item(x: Any, key: Any, /) -> Any:
    return keys.get(x, key)


@hookimpl
def set_item(x: Any, key: Any, value: Any) -> Any:
    return keys.put(x, key, value)


@hookimpl
def to_list(x: Any, /) -> Any:
    return _elements(x).tolist()


@hookimpl
def to_numpy(x: Any, /) -> Any:
    return np.asarray(_elements(x))


def _elements(x: Any) -> Any:
    try:
        return x.numpy()
    except AttributeError:
        raise tf.errors.OperatorNotAllowedInGraphError("a tensor has no elements while tf.function traces") from None
