"""Casts. TensorFlow's are C's, which leave two conversions open that NumPy defines."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from corearray.plugin import hookimpl
from corearray_tensorflow.native import COMPLEX, FLOATING, placed, raw_ops


@hookimpl
def astype(x: Any, dtype: Any, /, copy: bool = True, device: Any = None) -> Any:
    if x.dtype is dtype:
        result = raw_ops.Identity(input=x) if copy else x
    else:
        result = cast(x, dtype)
    return result if device is None else placed(result, device)


def cast(x: Any, dtype: Any) -> Any:
    """Return an array in another dtype. What is not zero is true; large floats fit into `uint64`."""
    if dtype is tf.bool:
        return raw_ops.NotEqual(x=x, y=0)
    if dtype is tf.uint64 and x.dtype in FLOATING:
        return _unsigned(x)
    if x.dtype in COMPLEX and dtype not in COMPLEX:
        raise TypeError(f"{x.dtype.name} is not cast to {dtype.name}; take the real part or the absolute value")
    return raw_ops.Cast(x=x, DstT=dtype)


def _unsigned(x: Any) -> Any:
    """Cast to `uint64` through `int64`, which holds only the lower half of its range."""
    large = raw_ops.GreaterEqual(x=x, y=2.0**63)
    small = raw_ops.SelectV2(condition=large, t=raw_ops.Sub(x=x, y=2.0**63), e=x)
    bits = raw_ops.Cast(x=raw_ops.Cast(x=small, DstT=tf.int64), DstT=tf.uint64)
    return raw_ops.SelectV2(condition=large, t=raw_ops.AddV2(x=bits, y=2**63), e=bits)
