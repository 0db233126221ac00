"""Truth of whole arrays, and differences."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import Via, hookimpl
from corearray_torch.native import BITS, TRUTH, with_axes

#: Of `uint8`, and only of it, torch returns `uint8`.
_TRUTH = {"uint8": Via("bool", back=False), **TRUTH}


@hookimpl(via=_TRUTH)
def all(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return x.bool() if axis == () else torch.all(x if x.ndim else with_axes(x, axis), axis, keepdims)


@hookimpl(via=_TRUTH)
def any(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return x.bool() if axis == () else torch.any(x if x.ndim else with_axes(x, axis), axis, keepdims)


@hookimpl(via=BITS)
def diff(x: Any, /, axis: int = -1, n: int = 1, prepend: Any = None, append: Any = None) -> Any:
    if n == 0:
        return torch.cat([part for part in (prepend, x, append) if part is not None], axis)
    return torch.diff(x, n, axis, prepend, append)
