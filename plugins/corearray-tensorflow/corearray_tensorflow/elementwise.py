"""Arithmetic, signs, extremes of two, and the parts of complex numbers."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from corearray.plugin import hookimpl
from corearray_tensorflow.native import (
    COMPLEX,
    FLOATING,
    HALF,
    PARTS,
    TRUTH_AS_NUMBERS,
    TRUTH_TO_INT8,
    UNSIGNED,
    choose,
    complex_of,
    custom_gradient,
    imag_part,
    may_be_derived,
    operand,
    raw_ops,
    real_part,
)


@hookimpl(via=TRUTH_AS_NUMBERS)
def abs(x: Any, /) -> Any:
    dtype = x.dtype
    if dtype in UNSIGNED:
        return raw_ops.Identity(input=x)
    return raw_ops.ComplexAbs(x=x, Tout=PARTS[dtype]) if dtype in PARTS else raw_ops.Abs(x=x)


@hookimpl(fast=raw_ops.AddV2, scalars=True, trusts_framework=True, via=TRUTH_AS_NUMBERS)
def add(x1: Any, x2: Any, /) -> Any:
    return raw_ops.AddV2(x=operand(x1, x2), y=operand(x2, x1))


@hookimpl(scalars=True, via={"bool": "uint8"})
def clip(x: Any, /, min: Any = None, max: Any = None) -> Any:
    if min is None and max is None:
        return raw_ops.Identity(input=x)
    if min is not None:
        x = raw_ops.Maximum(x=x, y=min)
    return x if max is None else raw_ops.Minimum(x=x, y=max)


@hookimpl(via=HALF)
def complex(real: Any, imag: Any, /) -> Any:
    return complex_of(real, imag)


@hookimpl
def conj(x: Any, /) -> Any:
    return raw_ops.Conj(input=x) if x.dtype in COMPLEX else raw_ops.Identity(input=x)


@hookimpl(scalars=True)
def divide(x1: Any, x2: Any, /) -> Any:
    x1, x2 = operand(x1, x2), operand(x2, x1)
    return _complex_quotient(x1, x2) if x1.dtype in COMPLEX else raw_ops.RealDiv(x=x1, y=x2)


@hookimpl(via={"float16": "float32", "bfloat16": "float32"} | TRUTH_TO_INT8)
def floor_divide(x1: Any, x2: Any, /) -> Any:
    return _floored_quotient(x1, x2) if x1.dtype in FLOATING else raw_ops.FloorDiv(x=x1, y=x2)


@hookimpl(via={"float16": "float32", "bfloat16": "float32"})
def hypot(x1: Any, x2: Any, /) -> Any:
    return raw_ops.ComplexAbs(x=complex_of(x1, x2), Tout=x1.dtype)


@hookimpl
def imag(x: Any, /) -> Any:
    return imag_part(x) if x.dtype in COMPLEX else raw_ops.ZerosLike(x=x)


@hookimpl(fast=raw_ops.Maximum, scalars=True, trusts_framework=True, via={"bool": "uint8"})
def maximum(x1: Any, x2: Any, /) -> Any:
    return raw_ops.Maximum(x=operand(x1, x2), y=x2)


@hookimpl(fast=raw_ops.Minimum, scalars=True, trusts_framework=True, via={"bool": "uint8"})
def minimum(x1: Any, x2: Any, /) -> Any:
    return raw_ops.Minimum(x=operand(x1, x2), y=x2)


@hookimpl(fast=raw_ops.Mul, scalars=True, trusts_framework=True, via=TRUTH_AS_NUMBERS)
def multiply(x1: Any, x2: Any, /) -> Any:
    return raw_ops.Mul(x=operand(x1, x2), y=operand(x2, x1))


@hookimpl
def negative(x: Any, /) -> Any:
    return raw_ops.AddV2(x=raw_ops.Invert(x=x), y=1) if x.dtype in UNSIGNED else raw_ops.Neg(x=x)


@hookimpl
def positive(x: Any, /) -> Any:
    return raw_ops.Identity(input=x)


@hookimpl
def real(x: Any, /) -> Any:
    return real_part(x) if x.dtype in COMPLEX else raw_ops.Identity(input=x)


@hookimpl
def reciprocal(x: Any, /) -> Any:
    return _complex_quotient(raw_ops.OnesLike(x=x), x) if x.dtype in COMPLEX else raw_ops.Reciprocal(x=x)


@hookimpl(via=TRUTH_TO_INT8)
def remainder(x1: Any, x2: Any, /) -> Any:
    rest = raw_ops.FloorMod(x=x1, y=x2)
    if rest.dtype not in FLOATING:
        return rest
    return _with_sign_of_divisor(rest, x2) if may_be_derived() else _signed(rest, x2)


@hookimpl(via=TRUTH_AS_NUMBERS)
def sign(x: Any, /) -> Any:
    """TensorFlow has the derivative 0, as if complex signs did not turn."""
    if x.dtype in UNSIGNED:
        return raw_ops.Minimum(x=x, y=1)
    if x.dtype in COMPLEX and may_be_derived():
        size = raw_ops.ComplexAbs(x=x, Tout=PARTS[x.dtype])
        return complex_of(raw_ops.DivNoNan(x=real_part(x), y=size), raw_ops.DivNoNan(x=imag_part(x), y=size))
    return raw_ops.Sign(x=x)


@hookimpl(fast=raw_ops.Sub, scalars=True, trusts_framework=True)
def subtract(x1: Any, x2: Any, /) -> Any:
    return raw_ops.Sub(x=operand(x1, x2), y=operand(x2, x1))


def _signed(rest: Any, x2: Any) -> Any:
    """Give a remainder of zero the sign of the divisor."""
    zero = raw_ops.RealDiv(x=raw_ops.Abs(x=rest), y=x2)
    return choose(raw_ops.Equal(x=rest, y=0), zero, rest)


@custom_gradient
def _with_sign_of_divisor(rest: Any, x2: Any) -> Any:
    """Do so without a change of the derivative."""
    return _signed(raw_ops.StopGradient(input=rest), x2), lambda cotangent: (cotangent, tf.zeros_like(x2))


def _complex_quotient(x1: Any, x2: Any) -> Any:
    """Divide by the larger part first, after Smith, where TensorFlow's own squares both parts, which overflow early."""
    a, b, c, d = real_part(x1), imag_part(x1), real_part(x2), imag_part(x2)
    steep = raw_ops.Less(x=raw_ops.Abs(x=c), y=raw_ops.Abs(x=d))
    large, small = choose(steep, d, c), choose(steep, c, d)
    along, across = choose(steep, b, a), choose(steep, a, b)
    ratio = raw_ops.RealDiv(x=small, y=large)
    ratio = choose(raw_ops.Equal(x=large, y=0), raw_ops.ZerosLike(x=ratio), ratio)
    divisor = large + small * ratio
    swing = (across - along * ratio) / divisor
    return complex_of((along + across * ratio) / divisor, choose(steep, -swing, swing))


def _floored_quotient(x1: Any, x2: Any) -> Any:
    """Divide as Python does, so that `quotient * x2 + remainder` is `x1`; infinities and zeros as `floor(x1 / x2)`."""
    rest = raw_ops.TruncateMod(x=x1, y=x2)
    whole = raw_ops.Round(x=(x1 - rest) / x2)
    apart = raw_ops.NotEqual(x=raw_ops.Less(x=rest, y=0), y=raw_ops.Less(x=x2, y=0))
    below = raw_ops.LogicalAnd(x=apart, y=raw_ops.NotEqual(x=rest, y=0))
    whole = whole - raw_ops.Cast(x=below, DstT=whole.dtype)
    plain = raw_ops.FloorDiv(x=x1, y=x2)
    sure = raw_ops.LogicalAnd(x=raw_ops.Greater(x=raw_ops.Abs(x=whole), y=0), y=raw_ops.IsFinite(x=x2))
    return choose(sure, whole, plain)
