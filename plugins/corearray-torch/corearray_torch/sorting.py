"""Sorting along an axis; torch puts NaN behind every number, as the declarations say."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import ORDER, ORDER_IN


@hookimpl(via=ORDER_IN)
def argsort(x: Any, /, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    return torch.argsort(x, stable=stable, dim=axis, descending=descending)


@hookimpl(via=ORDER)
def sort(x: Any, /, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    return torch.sort(x, stable=stable, dim=axis, descending=descending).values
