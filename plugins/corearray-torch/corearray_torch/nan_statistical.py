"""Reductions of the elements that are not NaN. To torch an empty tuple of axes means all axes, to NumPy none."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import HALF


def _is_reduced(x: Any, axis: Any) -> bool:
    return x.is_floating_point() and axis != ()


@hookimpl(when=_is_reduced, via=HALF)
def nanmean(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return torch.nanmean(x, axis, keepdims)


@hookimpl(when=_is_reduced)
def nansum(x: Any, /, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    return torch.nansum(x, axis, keepdims, dtype=dtype)
