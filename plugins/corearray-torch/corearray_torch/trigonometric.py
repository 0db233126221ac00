"""Circular and hyperbolic functions and their inverses.

torch's complex `acos`, `tan` and `tanh` miss the signs of zeros that the standard wants.
"""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl


@hookimpl(native=torch.acos, lacks=("complex floating",))
def acos(x: Any, /) -> Any: ...


@hookimpl(native=torch.acosh, tries=True)
def acosh(x: Any, /) -> Any: ...


@hookimpl(native=torch.asin, tries=True)
def asin(x: Any, /) -> Any: ...


@hookimpl(native=torch.asinh, tries=True)
def asinh(x: Any, /) -> Any: ...


@hookimpl(native=torch.atan, tries=True)
def atan(x: Any, /) -> Any: ...


@hookimpl(native=torch.atan2)
def atan2(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=torch.atanh, tries=True)
def atanh(x: Any, /) -> Any: ...


@hookimpl(native=torch.cos, tries=True)
def cos(x: Any, /) -> Any: ...


@hookimpl(native=torch.cosh, tries=True)
def cosh(x: Any, /) -> Any: ...


@hookimpl(native=torch.sin, tries=True)
def sin(x: Any, /) -> Any: ...


@hookimpl(native=torch.sinh, tries=True)
def sinh(x: Any, /) -> Any: ...


@hookimpl(native=torch.tan, lacks=("complex floating",))
def tan(x: Any, /) -> Any: ...


@hookimpl(native=torch.tanh, lacks=("complex floating",))
def tanh(x: Any, /) -> Any: ...
