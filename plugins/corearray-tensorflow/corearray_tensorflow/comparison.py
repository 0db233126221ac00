"""Comparisons, tests for special values, and logic.

TensorFlow tests for special values in real numbers only, and its logic knows booleans only.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from corearray.plugin import hookimpl
from corearray_tensorflow.native import (
    COMPLEX,
    FLOATING,
    TRUTH_AS_NUMBERS,
    imag_part,
    operand,
    raw_ops,
    real_part,
    shape_of,
)


@hookimpl(fast=raw_ops.Equal, scalars=True, trusts_framework=True)
def equal(x1: Any, x2: Any, /) -> Any:
    return raw_ops.Equal(x=operand(x1, x2), y=x2)


@hookimpl(fast=raw_ops.Greater, scalars=True, trusts_framework=True, via=TRUTH_AS_NUMBERS)
def greater(x1: Any, x2: Any, /) -> Any:
    return raw_ops.Greater(x=operand(x1, x2), y=x2)


@hookimpl(fast=raw_ops.GreaterEqual, scalars=True, trusts_framework=True, via=TRUTH_AS_NUMBERS)
def greater_equal(x1: Any, x2: Any, /) -> Any:
    return raw_ops.GreaterEqual(x=operand(x1, x2), y=x2)


@hookimpl
def isfinite(x: Any, /) -> Any:
    if x.dtype in FLOATING:
        return raw_ops.IsFinite(x=x)
    if x.dtype in COMPLEX:
        return raw_ops.LogicalAnd(x=raw_ops.IsFinite(x=real_part(x)), y=raw_ops.IsFinite(x=imag_part(x)))
    return raw_ops.Fill(dims=shape_of(x), value=True)


@hookimpl
def isinf(x: Any, /) -> Any:
    if x.dtype in FLOATING:
        return raw_ops.IsInf(x=x)
    if x.dtype in COMPLEX:
        return raw_ops.LogicalOr(x=raw_ops.IsInf(x=real_part(x)), y=raw_ops.IsInf(x=imag_part(x)))
    return raw_ops.Fill(dims=shape_of(x), value=False)


@hookimpl
def isnan(x: Any, /) -> Any:
    return raw_ops.NotEqual(x=x, y=x)


@hookimpl(fast=raw_ops.Less, scalars=True, trusts_framework=True, via=TRUTH_AS_NUMBERS)
def less(x1: Any, x2: Any, /) -> Any:
    return raw_ops.Less(x=operand(x1, x2), y=x2)


@hookimpl(fast=raw_ops.LessEqual, scalars=True, trusts_framework=True, via=TRUTH_AS_NUMBERS)
def less_equal(x1: Any, x2: Any, /) -> Any:
    return raw_ops.LessEqual(x=operand(x1, x2), y=x2)


@hookimpl
def logical_and(x1: Any, x2: Any, /) -> Any:
    return raw_ops.LogicalAnd(x=truth(x1), y=truth(x2))


@hookimpl
def logical_not(x: Any, /) -> Any:
    return raw_ops.LogicalNot(x=x) if x.dtype is tf.bool else raw_ops.Equal(x=x, y=0)


@hookimpl
def logical_or(x1: Any, x2: Any, /) -> Any:
    return raw_ops.LogicalOr(x=truth(x1), y=truth(x2))


@hookimpl
def logical_xor(x1: Any, x2: Any, /) -> Any:
    return raw_ops.NotEqual(x=truth(x1), y=truth(x2))


@hookimpl(fast=raw_ops.NotEqual, scalars=True, trusts_framework=True)
def not_equal(x1: Any, x2: Any, /) -> Any:
    return raw_ops.NotEqual(x=operand(x1, x2), y=x2)


def truth(x: Any) -> Any:
    """Return booleans: whether each element is not zero."""
    return x if x.dtype is tf.bool else raw_ops.NotEqual(x=x, y=0)
