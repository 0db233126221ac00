"""Special functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from corearray.plugin import hookimpl
from corearray_tensorflow.data_type import cast
from corearray_tensorflow.native import (
    at_hand,
    choose,
    custom_gradient,
    elements,
    may_be_derived,
    raw_ops,
)


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
    """TensorFlow's own of zero is NaN, and its derivative of negative numbers is wrong."""
    if may_be_derived() and not (at_hand(x) and np.all(elements(x) > 0)):
        return _reflected_digamma(x)
    zero = raw_ops.Equal(x=x, y=0)
    return choose(zero, raw_ops.Neg(x=raw_ops.Reciprocal(x=x)), raw_ops.Digamma(x=x))


def _reflected_digamma(x: Any) -> Any:
    """Compute negative numbers by `digamma(1 - x) - pi * cot(pi * x)`, whose steps have right derivatives."""
    zero, negative = raw_ops.Equal(x=x, y=0), raw_ops.Less(x=x, y=0)
    place, one = raw_ops.Sub(x=x, y=raw_ops.Round(x=x)), raw_ops.OnesLike(x=x)
    pole = raw_ops.LogicalAnd(x=negative, y=raw_ops.Equal(x=place, y=0))
    positive = choose(negative, raw_ops.Sub(x=one, y=x), choose(zero, one, x))
    between = raw_ops.LogicalAnd(x=negative, y=raw_ops.LogicalNot(x=pole))
    angle = raw_ops.Mul(x=choose(between, place, raw_ops.Mul(x=one, y=0.25)), y=np.pi)
    found = raw_ops.Digamma(x=positive)
    cotangent = raw_ops.Div(x=raw_ops.Cos(x=angle), y=raw_ops.Sin(x=angle))
    found = choose(between, raw_ops.Sub(x=found, y=raw_ops.Mul(x=cotangent, y=np.pi)), found)
    found = choose(pole, raw_ops.Mul(x=choose(pole, x, one), y=np.nan), found)
    return choose(zero, raw_ops.Neg(x=raw_ops.Reciprocal(x=choose(zero, x, one))), found)


@hookimpl(via=_HALF)
def i0(x: Any, /) -> Any:
    """TensorFlow's own overflows before its result does, and divides two infinities for an infinite argument."""
    if may_be_derived():
        return _bessel_0(x)
    found = raw_ops.BesselI0(x=x)
    return found if at_hand(found) and np.isfinite(elements(found)).all() else _unscaled(raw_ops.BesselI0e, x)


def _unscaled(function: Any, x: Any) -> Any:
    """Take the exponential function, which a function is divided by, as a product that overflows where the result does."""
    x = raw_ops.ClipByValue(t=x, clip_value_min=-2000.0, clip_value_max=2000.0)
    half = raw_ops.Exp(x=raw_ops.Mul(x=raw_ops.Abs(x=x), y=0.5))
    return raw_ops.Mul(x=raw_ops.Mul(x=half, y=function(x=x)), y=half)


@custom_gradient
def _bessel_0(x: Any) -> Any:
    return _unscaled(raw_ops.BesselI0e, raw_ops.StopGradient(input=x)), lambda cotangent: cotangent * _bessel_1(x)


@custom_gradient
def _bessel_1(x: Any) -> Any:
    """TensorFlow's own has the derivative 1 at zero in place of 0.5."""
    found = _unscaled(raw_ops.BesselI1e, raw_ops.StopGradient(input=x))

    def pull_back(cotangent: Any) -> Any:
        small = tf.abs(x) < 0.01  # where the quotient of the function and its argument has a series
        ratio = _bessel_1(x) / choose(small, tf.ones_like(x), x)
        series = 0.5 + x * x * (1 / 16 + x * x * (1 / 384 + x * x / 18432))
        return cotangent * (_bessel_0(x) - choose(small, series, ratio))

    return found, pull_back


def _is_close(a: Any, x: Any) -> bool:
    """TensorFlow's incomplete gamma functions end before the sum of large `a` does, and have wrong derivatives at zero."""
    if not (at_hand(a) and at_hand(x) and np.max(elements(a), initial=0.0) <= 1e4):
        return False
    return not may_be_derived() or np.min(elements(x), initial=1.0) > 0.0


@hookimpl(via=_HALF, when=_is_close)
def igamma(a: Any, x: Any, /) -> Any:
    return _incomplete(raw_ops.Igamma, a, x)


@hookimpl(via=_HALF, when=_is_close)
def igammac(a: Any, x: Any, /) -> Any:
    return _incomplete(raw_ops.Igammac, a, x)


def _incomplete(function: Any, a: Any, x: Any) -> Any:
    """Call a function of TensorFlow, which in float32 loses digits where `a` is not small."""
    if a.dtype is tf.float32 and np.max(elements(a), initial=0.0) > 8.0:
        return cast(function(a=cast(a, tf.float64), x=cast(x, tf.float64)), tf.float32)
    return function(a=a, x=x)


@hookimpl(via=_HALF)
def lgamma(x: Any, /) -> Any:
    return raw_ops.Lgamma(x=x)


def _is_plain(x: Any) -> bool:
    """TensorFlow takes the derivative by the exponent for zero."""
    return not may_be_derived()


@hookimpl(via=_HALF, when=_is_plain)
def zeta(x: Any, q: Any, /) -> Any:
    return raw_ops.Zeta(x=x, q=q)
