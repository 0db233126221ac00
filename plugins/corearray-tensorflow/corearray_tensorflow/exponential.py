"""Exponentials, logarithms, powers and roots. TensorFlow has logarithms to the base e only."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import tensorflow as tf

from corearray.plugin import hookimpl
from corearray_tensorflow.native import (
    COMPLEX,
    FLOATING,
    NUMBERS,
    PARTS,
    TRUTH_TO_INT8,
    at_hand,
    choose,
    complex_of,
    custom_gradient,
    elements,
    imag_part,
    may_be_derived,
    number,
    operand,
    raw_ops,
    real_part,
    with_sign,
)


@hookimpl(fast=raw_ops.Exp, trusts_framework=True)
def exp(x: Any, /) -> Any:
    return raw_ops.Exp(x=x)


@hookimpl(lacks=("complex floating",))
def expm1(x: Any, /) -> Any:
    return raw_ops.Expm1(x=x)


@hookimpl
def log(x: Any, /) -> Any:
    return _logarithm(x)


@hookimpl
def log10(x: Any, /) -> Any:
    return _logarithm_to_base(x, 10.0)


@hookimpl(lacks=("complex floating",))
def log1p(x: Any, /) -> Any:
    return raw_ops.Log1p(x=x)


@hookimpl
def log2(x: Any, /) -> Any:
    return _logarithm_to_base(x, 2.0)


@hookimpl(via={"float16": "float32", "bfloat16": "float32", "float32": "float64"})
def logaddexp(x1: Any, x2: Any, /) -> Any:
    """Choose the greater once, where extremes and the absolute gap would lose half of the derivative of equal numbers."""
    less = raw_ops.Less(x=x1, y=x2)
    large, small = choose(less, x2, x1), choose(less, x1, x2)
    gap = choose(raw_ops.IsInf(x=small), number(-math.inf, x1.dtype), raw_ops.Sub(x=small, y=large))
    if may_be_derived() and not (at_hand(x1) and np.isfinite(elements(x1)).all()):  # equal infinities share it too
        equal = raw_ops.LogicalAnd(x=raw_ops.Equal(x=x1, y=x2), y=raw_ops.IsInf(x=x1))
        large = choose(equal, raw_ops.Mul(x=raw_ops.AddV2(x=x1, y=x2), y=0.5), large)
    return raw_ops.AddV2(x=large, y=raw_ops.Log1p(x=raw_ops.Exp(x=gap)))


@hookimpl(scalars=True, via={"uint8": "int32", "uint16": "int32", "uint32": "int64"} | TRUTH_TO_INT8)
def pow(x1: Any, x2: Any, /) -> Any:
    """TensorFlow multiplies zero by infinity for derivatives of zero to the power of 0, 1 and 2."""
    if type(x2) in NUMBERS and x1.dtype in _INEXACT:
        small = _SMALL_POWERS.get(x2)
        return small(x1) if small else _power(x1, number(x2, x1.dtype))
    x1, x2 = operand(x1, x2), operand(x2, x1)
    if x1.dtype is tf.uint64:
        return _wrapped_power(x1, x2)
    if may_be_derived() and x1.dtype in _INEXACT and _may_divide_by_zero(x1, x2):
        shape = tf.broadcast_dynamic_shape(tf.shape(x1), tf.shape(x2))
        return _derived_power(raw_ops.BroadcastTo(input=x1, shape=shape), raw_ops.BroadcastTo(input=x2, shape=shape))
    return _power(x1, x2)


#: The powers of which TensorFlow's derivatives of some order are NaN at zero.
_SMALL_POWERS = {
    0: lambda x: raw_ops.OnesLike(x=x),
    1: lambda x: raw_ops.Identity(input=x),
    2: lambda x: raw_ops.Square(x=x),
}
_INEXACT = FLOATING | COMPLEX


@hookimpl(trusts_framework=True)
def sqrt(x: Any, /) -> Any:
    """TensorFlow's own loses the sign of an imaginary part of zero."""
    root = raw_ops.Sqrt(x=x)
    return root if root.dtype not in COMPLEX else complex_of(real_part(root), with_sign(imag_part(root), imag_part(x)))


@hookimpl(via=TRUTH_TO_INT8)
def square(x: Any, /) -> Any:
    return raw_ops.Square(x=x)


def _power(x1: Any, x2: Any) -> Any:
    power = raw_ops.Pow(x=x1, y=x2)
    if power.dtype not in COMPLEX:
        return power
    return choose(raw_ops.Equal(x=x2, y=0), raw_ops.OnesLike(x=power), power)


def _may_divide_by_zero(x1: Any, x2: Any) -> bool:
    """Whether an exponent may be 0, 1 or 2, where a base may be zero; complex exponents of 0 are taken for themselves."""
    if at_hand(x2):
        exponents = elements(x2)
        if not np.any((exponents == 0) | (exponents == 1) | (exponents == 2)):
            return False
    return x1.dtype in COMPLEX or not at_hand(x1) or not np.all(elements(x1))


@custom_gradient
def _derived_power(x1: Any, x2: Any) -> Any:
    def pull_back(cotangent: Any) -> tuple[Any, Any]:
        none = raw_ops.LogicalAnd(x=raw_ops.Equal(x=x1, y=0), y=raw_ops.Equal(x=x2, y=0))
        slope = x2 * _derived_power(x1, choose(none, tf.ones_like(x2), x2) - 1)
        # As TensorFlow has it, the derivative by the exponent of what has no real logarithm is 0.
        grows = raw_ops.NotEqual(x=x1, y=0) if x1.dtype in COMPLEX else raw_ops.Greater(x=x1, y=0)
        logarithm = _logarithm(choose(grows, x1, tf.ones_like(x1)))
        growth = _derived_power(x1, x2) * logarithm
        return cotangent * tf.math.conj(slope), cotangent * tf.math.conj(growth)

    return _power(raw_ops.StopGradient(input=x1), raw_ops.StopGradient(input=x2)), pull_back


def _logarithm(x: Any) -> Any:
    """Take the logarithm; TensorFlow's own squares the parts of a complex number, which overflow."""
    if x.dtype in COMPLEX:
        return complex_of(
            raw_ops.Log(x=raw_ops.ComplexAbs(x=x, Tout=PARTS[x.dtype])), raw_ops.Angle(input=x, Tout=PARTS[x.dtype])
        )
    return raw_ops.Log(x=x)


def _logarithm_to_base(x: Any, base: float) -> Any:
    """Take the logarithm to a base, exactly for powers of it, through which a gradient passes as anywhere."""
    scale = 1.0 / math.log(base)
    root = _logarithm(x)
    if x.dtype in COMPLEX:
        return complex_of(raw_ops.Mul(x=real_part(root), y=scale), raw_ops.Mul(x=imag_part(root), y=scale))
    rough = raw_ops.Mul(x=root, y=scale)
    whole = raw_ops.Round(x=rough)
    exact = raw_ops.Equal(x=raw_ops.Pow(x=number(base, x.dtype), y=whole), y=x)
    exact = raw_ops.LogicalAnd(x=exact, y=raw_ops.IsFinite(x=rough))
    missing = choose(exact, raw_ops.Sub(x=whole, y=rough), raw_ops.ZerosLike(x=rough))
    return raw_ops.AddV2(x=rough, y=raw_ops.StopGradient(input=missing))


def _wrapped_power(x1: Any, x2: Any) -> Any:
    """Raise 64-bit integers to powers, of which the bits are those of `int64`.

    From the 64th on, the powers of any number repeat after 2**62 in 64 bits: larger exponents are brought below 2**63.
    """
    period = 2**62
    large = raw_ops.GreaterEqual(x=x2, y=period)
    x2 = choose(large, raw_ops.BitwiseOr(x=raw_ops.BitwiseAnd(x=x2, y=period - 1), y=period), x2)
    base, exponent = (raw_ops.Bitcast(input=x, type=tf.int64) for x in (x1, x2))
    return raw_ops.Bitcast(input=raw_ops.Pow(x=base, y=exponent), type=tf.uint64)
