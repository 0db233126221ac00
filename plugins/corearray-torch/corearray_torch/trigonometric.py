"""Circular and hyperbolic functions and their inverses.

torch's complex `acos`, `tan` and `tanh` miss the signs of zeros that the standard wants.
"""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import is_real


@hookimpl(native=torch.acos, when=is_real)
def acos(x: Any, /) -> Any: ...


@hookimpl(native=torch.acosh)
def acosh(x: Any, /) -> Any: ...


@hookimpl(native=torch.asin)
def asin(x: Any, /) -> Any: ...


@hookimpl(native=torch.asinh)
def asinh(x: Any, /) -> Any: ...


@hookimpl(native=torch.atan)
def atan(x: Any, /) -> Any: ...


@hookimpl(native=torch.atan2)
def atan2(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=torch.atanh)
def atanh(x: Any, /) -> Any: ...


@hookimpl(native=torch.cos)
def cos(x: Any, /) -> Any: ...


@hookimpl(native=torch.cosh)
def cosh(x: Any, /) -> Any: ...


@hookimpl(native=torch.sin)
def sin(x: Any, /) -> Any: ...


@hookimpl(native=torch.sinh)
def sinh(x: Any, /) -> Any: ...


@hookimpl(native=torch.tan, when=is_real)
def tan(x: Any, /) -> Any: ...


@hookimpl(native=torch.tanh, when=is_real)
def tanh(x: Any, /) -> Any: ...
