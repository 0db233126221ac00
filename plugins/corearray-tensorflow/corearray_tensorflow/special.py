"""Special functions."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from corearray.plugin import hookimpl
from corearray_tensorflow.native import choose, may_be_derived, raw_ops


@hookimpl
def erf(x: Any, /) -> Any:
    """TensorFlow's own is NaN at infinities in float64."""
    if x.dtype is tf.float64:
        x = raw_ops.Maximum(x=raw_ops.Minimum(x=x, y=10.0), y=-10.0)
    return raw_ops.Erf(x=x)


@hookimpl
def erfc(x: Any, /) -> Any:
    return raw_ops.Erfc(x=x)


_HALF = {"float16": "float32", "bfloat16": "float32"}


@hookimpl(via=_HALF)
def digamma(x: Any, /) -> Any:
    """TensorFlow's own of zero is NaN."""
    zero = raw_ops.Equal(x=x, y=0)
    return choose(zero, raw_ops.Neg(x=raw_ops.Reciprocal(x=x)), raw_ops.Digamma(x=x))


@hookimpl(via=_HALF)
def i0(x: Any, /) -> Any:
    """TensorFlow divides two infinities for an infinite argument."""
    return choose(raw_ops.IsInf(x=x), raw_ops.Abs(x=x), raw_ops.BesselI0(x=x))


@hookimpl(via=_HALF)
def igamma(a: Any, x: Any, /) -> Any:
    return raw_ops.Igamma(a=a, x=x)


@hookimpl(via=_HALF)
def igammac(a: Any, x: Any, /) -> Any:
    return raw_ops.Igammac(a=a, x=x)


@hookimpl(via=_HALF)
def lgamma(x: Any, /) -> Any:
    return raw_ops.Lgamma(x=x)


def _is_plain(x: Any) -> bool:
    """TensorFlow takes the derivative by the exponent for zero."""
    return not may_be_derived()


@hookimpl(via=_HALF, when=_is_plain)
def zeta(x: Any, q: Any, /) -> Any:
    return raw_ops.Zeta(x=x, q=q)
