"""Truth of whole arrays. The names `all` and `any` stand for the public functions in this file."""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_tensorflow.comparison import truth
from corearray_tensorflow.native import raw_ops, reduced


@hookimpl
def all(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return raw_ops.All(input=truth(x), axis=reduced(x, axis), keep_dims=keepdims)


@hookimpl
def any(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return raw_ops.Any(input=truth(x), axis=reduced(x, axis), keep_dims=keepdims)
