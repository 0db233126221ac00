"""Casts."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl


@hookimpl
def astype(x: Any, dtype: Any, /, copy: bool = True, device: Any = None) -> Any:
    if x.is_complex() and not dtype.is_complex and dtype is not torch.bool:
        raise TypeError(f"a complex array cannot be cast to {dtype}; take its real part or its absolute value first")
    return x.to(device, dtype, False, copy)
