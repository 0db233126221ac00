"""Rounding to integral values, and functions that look at the representation of a floating-point number."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import BITS, TRUTH_AS_NUMBERS


@hookimpl(native=torch.ceil, via=BITS | TRUTH_AS_NUMBERS)
def ceil(x: Any, /) -> Any: ...


@hookimpl(native=torch.copysign)
def copysign(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(native=torch.floor, via=BITS | TRUTH_AS_NUMBERS)
def floor(x: Any, /) -> Any: ...


@hookimpl(native=torch.nextafter)
def nextafter(x1: Any, x2: Any, /) -> Any: ...


@hookimpl(via=BITS | TRUTH_AS_NUMBERS)
def round(x: Any, /) -> Any:
    return torch.complex(x.real.round(), x.resolve_conj().imag.round()) if x.is_complex() else x.round()


@hookimpl(native=torch.signbit)
def signbit(x: Any, /) -> Any: ...


@hookimpl(native=torch.trunc, via=BITS | TRUTH_AS_NUMBERS)
def trunc(x: Any, /) -> Any: ...
