"""Exponentials, logarithms, powers and roots; logarithms to other bases than e are composed."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from corearray.plugin import hookimpl
from corearray_tensorflow.native import (
    COMPLEX,
    PARTS,
    choose,
    complex_of,
    imag_part,
    is_real,
    raw_ops,
    real_part,
    with_sign,
)


@hookimpl
def exp(x: Any, /) -> Any:
    return raw_ops.Exp(x=x)


@hookimpl(when=is_real)
def expm1(x: Any, /) -> Any:
    return raw_ops.Expm1(x=x)


@hookimpl
def log(x: Any, /) -> Any:
    """TensorFlow's own squares the parts of a complex number, which overflow."""
    if x.dtype in COMPLEX:
        return complex_of(
            raw_ops.Log(x=raw_ops.ComplexAbs(x=x, Tout=PARTS[x.dtype])), raw_ops.Angle(input=x, Tout=PARTS[x.dtype])
        )
    return raw_ops.Log(x=x)


@hookimpl(when=is_real)
def log1p(x: Any, /) -> Any:
    return raw_ops.Log1p(x=x)


@hookimpl(via={"float16": "float32", "bfloat16": "float32", "float32": "float64"})
def logaddexp(x1: Any, x2: Any, /) -> Any:
    gap = raw_ops.Sub(x=x1, y=x2)
    gap = choose(raw_ops.Equal(x=x1, y=x2), raw_ops.ZerosLike(x=gap), gap)
    return raw_ops.Maximum(x=x1, y=x2) + raw_ops.Log1p(x=raw_ops.Exp(x=-raw_ops.Abs(x=gap)))


@hookimpl(via={"uint8": "int32", "uint16": "int32", "uint32": "int64"})
def pow(x1: Any, x2: Any, /) -> Any:
    if x1.dtype is tf.uint64:
        return _wrapped_power(x1, x2)
    power = raw_ops.Pow(x=x1, y=x2)
    if power.dtype not in COMPLEX:
        return power
    return choose(raw_ops.Equal(x=x2, y=0), raw_ops.OnesLike(x=power), power)


@hookimpl
def sqrt(x: Any, /) -> Any:
    """TensorFlow's own loses the sign of an imaginary part of zero."""
    root = raw_ops.Sqrt(x=x)
    return root if root.dtype not in COMPLEX else complex_of(real_part(root), with_sign(imag_part(root), imag_part(x)))


@hookimpl
def square(x: Any, /) -> Any:
    return raw_ops.Square(x=x)


def _wrapped_power(x1: Any, x2: Any) -> Any:
    """Raise 64-bit integers to powers, of which the bits are those of `int64`.

    From the 64th on, the powers of any number repeat after 2**62 in 64 bits: larger exponents are brought below 2**63.
    """
    period = 2**62
    large = raw_ops.GreaterEqual(x=x2, y=period)
    x2 = choose(large, raw_ops.BitwiseOr(x=raw_ops.BitwiseAnd(x=x2, y=period - 1), y=period), x2)
    base, exponent = (raw_ops.Bitcast(input=x, type=tf.int64) for x in (x1, x2))
    return raw_ops.Bitcast(input=raw_ops.Pow(x=base, y=exponent), type=tf.uint64)
