"""Trigonometric and hyperbolic functions and their inverses, all of which TensorFlow has.

The hyperbolic tangent of complex numbers is composed, for its value at an infinite real part.
"""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_tensorflow.native import raw_ops


@hookimpl(short=raw_ops.Acos, tries=True)
def acos(x: Any, /) -> Any:
    return raw_ops.Acos(x=x)


@hookimpl(short=raw_ops.Acosh, tries=True)
def acosh(x: Any, /) -> Any:
    return raw_ops.Acosh(x=x)


@hookimpl(short=raw_ops.Asin, tries=True)
def asin(x: Any, /) -> Any:
    return raw_ops.Asin(x=x)


@hookimpl(short=raw_ops.Asinh, tries=True)
def asinh(x: Any, /) -> Any:
    return raw_ops.Asinh(x=x)


@hookimpl(short=raw_ops.Atan, tries=True)
def atan(x: Any, /) -> Any:
    return raw_ops.Atan(x=x)


@hookimpl
def atan2(x1: Any, x2: Any, /) -> Any:
    return raw_ops.Atan2(y=x1, x=x2)


@hookimpl(short=raw_ops.Atanh, tries=True)
def atanh(x: Any, /) -> Any:
    return raw_ops.Atanh(x=x)


@hookimpl(short=raw_ops.Cos, tries=True)
def cos(x: Any, /) -> Any:
    return raw_ops.Cos(x=x)


@hookimpl(short=raw_ops.Cosh, tries=True)
def cosh(x: Any, /) -> Any:
    return raw_ops.Cosh(x=x)


@hookimpl(short=raw_ops.Sin, tries=True)
def sin(x: Any, /) -> Any:
    return raw_ops.Sin(x=x)


@hookimpl(short=raw_ops.Sinh, tries=True)
def sinh(x: Any, /) -> Any:
    return raw_ops.Sinh(x=x)


@hookimpl(short=raw_ops.Tan, tries=True)
def tan(x: Any, /) -> Any:
    return raw_ops.Tan(x=x)


@hookimpl(lacks=("complex floating",))
def tanh(x: Any, /) -> Any:
    return raw_ops.Tanh(x=x)
