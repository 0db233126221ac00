"""Operations on the bits of integers and on booleans, for which TensorFlow has operations of their own."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from corearray.plugin import hookimpl
from corearray_tensorflow.native import TRUTH_TO_INT8, UNSIGNED, choose, operand, raw_ops


@hookimpl(scalars=True)
def bitwise_and(x1: Any, x2: Any, /) -> Any:
    x1 = operand(x1, x2)
    return raw_ops.LogicalAnd(x=x1, y=x2) if x1.dtype is tf.bool else raw_ops.BitwiseAnd(x=x1, y=x2)


@hookimpl
def bitwise_invert(x: Any, /) -> Any:
    return raw_ops.LogicalNot(x=x) if x.dtype is tf.bool else raw_ops.Invert(x=x)


@hookimpl(scalars=True, via=TRUTH_TO_INT8)
def bitwise_left_shift(x1: Any, x2: Any, /) -> Any:
    x1 = operand(x1, x2)
    return _within(raw_ops.LeftShift(x=x1, y=x2), x1, x2)


@hookimpl(scalars=True)
def bitwise_or(x1: Any, x2: Any, /) -> Any:
    x1 = operand(x1, x2)
    return raw_ops.LogicalOr(x=x1, y=x2) if x1.dtype is tf.bool else raw_ops.BitwiseOr(x=x1, y=x2)


@hookimpl(scalars=True, via=TRUTH_TO_INT8)
def bitwise_right_shift(x1: Any, x2: Any, /) -> Any:
    x1 = operand(x1, x2)
    shifted = raw_ops.RightShift(x=x1, y=x2)
    return _within(shifted, x1, x2) if x1.dtype in UNSIGNED else shifted


@hookimpl(scalars=True)
def bitwise_xor(x1: Any, x2: Any, /) -> Any:
    x1 = operand(x1, x2)
    return raw_ops.NotEqual(x=x1, y=x2) if x1.dtype is tf.bool else raw_ops.BitwiseXor(x=x1, y=x2)


def _within(shifted: Any, x1: Any, x2: Any) -> Any:
    """Return zeros where all bits were moved out; TensorFlow moves fewer."""
    bits = 8 * x1.dtype.size
    if type(x2) is int:
        return shifted if x2 < bits else raw_ops.ZerosLike(x=shifted)
    return choose(raw_ops.Less(x=x2, y=bits), shifted, 0)
