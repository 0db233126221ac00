"""Exponentials, logarithms and powers."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import BITS, WIDE


@hookimpl(native=torch.exp)
def exp(x: Any, /) -> Any: ...


@hookimpl(native=torch.expm1)
def expm1(x: Any, /) -> Any: ...


@hookimpl(native=torch.log)
def log(x: Any, /) -> Any: ...


@hookimpl(native=torch.log10)
def log10(x: Any, /) -> Any: ...


@hookimpl(native=torch.log1p)
def log1p(x: Any, /) -> Any: ...


@hookimpl(native=torch.log2)
def log2(x: Any, /) -> Any: ...


@hookimpl(native=torch.logaddexp)
def logaddexp(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=torch.pow, scalars=True, via=WIDE)
def pow(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=torch.sqrt)
def sqrt(x: Any, /) -> Any: ...


@hookimpl(native=torch.square, via=BITS)
def square(x: Any, /) -> Any: ...
