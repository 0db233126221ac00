"""Elementwise functions of NumPy beyond the standard. TensorFlow's `xlogy` of zero and NaN is zero."""

from __future__ import annotations

import math
from typing import Any

import tensorflow as tf

from corearray.plugin import Via, hookimpl
from corearray_tensorflow.native import PARTS, UNSIGNED, choose, ones_beside, raw_ops, with_sign

_WIDE: dict[str, str | Via] = {
    "bool": Via("int32", backward=lambda x: raw_ops.Cast(x=x, DstT=tf.int8)),
    "int8": "int32",
    "int16": "int32",
    "uint8": "int32",
    "uint16": "int32",
    "uint32": "int64",
}


#: What is no integer, which the composition refuses.
_NO_INTEGERS = ("bool", "real floating", "complex floating")


@hookimpl(lacks=("bool", "integral", "real floating"))
def angle(x: Any, /, deg: bool = False) -> Any:
    found = raw_ops.Angle(input=x, Tout=PARTS[x.dtype])
    return found * (180.0 / math.pi) if deg else found


def _floating_fmod(x1: Any, x2: Any) -> Any:
    """TensorFlow has derivatives of Python's remainder, which is the same for positive numbers."""
    one = tf.constant(1, x1.dtype)
    return with_sign(raw_ops.FloorMod(x=with_sign(x1, one), y=with_sign(x2, one)), x1)


@hookimpl(lacks=("uint64",), via=_WIDE | {"float16": "float32", "bfloat16": "float32"})
def fmod(x1: Any, x2: Any, /) -> Any:
    return raw_ops.TruncateMod(x=x1, y=x2) if x1.dtype.is_integer else _floating_fmod(x1, x2)


@hookimpl(lacks=_NO_INTEGERS)
def gcd(x1: Any, x2: Any, /) -> Any:
    """Run Euclid's algorithm until every remainder is zero."""
    x1, x2 = x1 + raw_ops.ZerosLike(x=x2), x2 + raw_ops.ZerosLike(x=x1)

    def step(large: Any, small: Any) -> Any:
        done = raw_ops.Equal(x=small, y=0)
        rest = raw_ops.FloorMod(x=large, y=choose(done, ones_beside(small), small))
        return choose(done, large, small), choose(done, small, rest)

    large, _ = tf.while_loop(lambda large, small: tf.reduce_any(small != 0), step, (x1, x2))
    return large if large.dtype in UNSIGNED else raw_ops.Abs(x=large)


def _is_known(weight: Any) -> bool:
    return weight.shape.rank == 0 and tf.get_static_value(weight) is not None


@hookimpl(when=_is_known, lacks=("integral",))
def lerp(start: Any, end: Any, weight: Any, /) -> Any:
    """Compute from the nearer end alone, where one number tells which it is."""
    way = end - start
    if abs(tf.get_static_value(weight)) < 0.5:
        return start + weight * way
    return end - way * (1.0 - weight)


@hookimpl(lacks=_NO_INTEGERS)
def trunc_divide(x1: Any, x2: Any, /) -> Any:
    return raw_ops.TruncateDiv(x=x1, y=x2)
