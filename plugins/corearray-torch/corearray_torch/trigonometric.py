"""Circular and hyperbolic functions and their inverses.

torch's complex `acos`, `tan` and `tanh` miss the signs of zeros that the standard wants.
"""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import HALF


@hookimpl(native=torch.acos, lacks=("complex floating",))
def acos(x: Any, /) -> Any: ...


@hookimpl(native=torch.acosh, trusts_framework=True, via=HALF)
def acosh(x: Any, /) -> Any: ...


@hookimpl(native=torch.asin, trusts_framework=True)
def asin(x: Any, /) -> Any: ...


@hookimpl(native=torch.asinh, trusts_framework=True, via=HALF)
def asinh(x: Any, /) -> Any: ...


@hookimpl(native=torch.atan, trusts_framework=True)
def atan(x: Any, /) -> Any: ...


@hookimpl(native=torch.atan2)
def atan2(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=torch.atanh, trusts_framework=True)
def atanh(x: Any, /) -> Any: ...


@hookimpl(native=torch.cos, trusts_framework=True)
def cos(x: Any, /) -> Any: ...


@hookimpl(native=torch.cosh, trusts_framework=True)
def cosh(x: Any, /) -> Any: ...


@hookimpl(native=torch.sin, trusts_framework=True)
def sin(x: Any, /) -> Any: ...


@hookimpl(native=torch.sinh, trusts_framework=True)
def sinh(x: Any, /) -> Any: ...


@hookimpl(native=torch.tan, lacks=("complex floating",))
def tan(x: Any, /) -> Any: ...


@hookimpl(native=torch.tanh, lacks=("complex floating",))
def tanh(x: Any, /) -> Any: ...
