"""Trigonometric and hyperbolic functions and their inverses, all of which TensorFlow has.

The hyperbolic tangent of complex numbers is composed, for its value at an infinite real part.
"""

from __future__ import annotations

from typing import Any

from corearray.plugin import hookimpl
from corearray_tensorflow.native import raw_ops


@hookimpl(fast=raw_ops.Acos, trusts_framework=True)
def acos(x: Any, /) -> Any:
    return raw_ops.Acos(x=x)


@hookimpl(fast=raw_ops.Acosh, trusts_framework=True)
def acosh(x: Any, /) -> Any:
    return raw_ops.Acosh(x=x)


@hookimpl(fast=raw_ops.Asin, trusts_framework=True)
def asin(x: Any, /) -> Any:
    return raw_ops.Asin(x=x)


@hookimpl(fast=raw_ops.Asinh, trusts_framework=True)
def asinh(x: Any, /) -> Any:
    return raw_ops.Asinh(x=x)


@hookimpl(fast=raw_ops.Atan, trusts_framework=True)
def atan(x: Any, /) -> Any:
    return raw_ops.Atan(x=x)


@hookimpl
def atan2(x1: Any, x2: Any, /) -> Any:
    return raw_ops.Atan2(y=x1, x=x2)


@hookimpl(fast=raw_ops.Atanh, trusts_framework=True)
def atanh(x: Any, /) -> Any:
    return raw_ops.Atanh(x=x)


@hookimpl(fast=raw_ops.Cos, trusts_framework=True)
def cos(x: Any, /) -> Any:
    return raw_ops.Cos(x=x)


@hookimpl(fast=raw_ops.Cosh, trusts_framework=True)
def cosh(x: Any, /) -> Any:
    return raw_ops.Cosh(x=x)


@hookimpl(fast=raw_ops.Sin, trusts_framework=True)
def sin(x: Any, /) -> Any:
    return raw_ops.Sin(x=x)


@hookimpl(fast=raw_ops.Sinh, trusts_framework=True)
def sinh(x: Any, /) -> Any:
    return raw_ops.Sinh(x=x)


@hookimpl(fast=raw_ops.Tan, trusts_framework=True)
def tan(x: Any, /) -> Any:
    return raw_ops.Tan(x=x)


@hookimpl(lacks=("complex floating",))
def tanh(x: Any, /) -> Any:
    return raw_ops.Tanh(x=x)
