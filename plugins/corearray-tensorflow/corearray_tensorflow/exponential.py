"""Exponentials, logarithms, powers and roots; logarithms to other bases than e are composed."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from corearray.plugin import Via, hookimpl
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


def _bits(x: Any) -> Any:
    return raw_ops.Bitcast(input=x, type=tf.int64)


def _unsigned(x: Any) -> Any:
    return raw_ops.Bitcast(input=x, type=tf.uint64)


@hookimpl(via={"uint8": "int32", "uint16": "int32", "uint32": "int64", "uint64": Via("int64", _bits, _unsigned)})
def pow(x1: Any, x2: Any, /) -> Any:
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
