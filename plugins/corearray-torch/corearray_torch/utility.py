"""Truth of whole arrays, and differences."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import Via, hookimpl
from corearray_torch.native import BITS, TRUTH, with_axes
from corearray_torch.sharding import summed

#: Of `uint8`, and only of it, torch returns `uint8`.
_TRUTH = {"uint8": Via("bool", back=False), **TRUTH}


@hookimpl(via=_TRUTH)
def all(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return x.bool() if axis == () else summed(torch.all(x if x.ndim else with_axes(x, axis), axis, keepdims))


@hookimpl(via=_TRUTH)
def any(x: Any, /, axis: Any = None, keepdims: bool = False) -> Any:
    return x.bool() if axis == () else summed(torch.any(x if x.ndim else with_axes(x, axis), axis, keepdims))


@hookimpl(via=BITS)
def diff(x: Any, /, axis: int = -1, n: int = 1, prepend: Any = None, append: Any = None) -> Any:
    if x.is_complex():  # which torch subtracts as a whole, an infinity times 1+0j
        if not -x.ndim <= axis < x.ndim:
            raise IndexError(f"axis {axis} of an array with {x.ndim} axes")
        x, prepend, append = (part if part is None else torch.view_as_real(part) for part in (x, prepend, append))
        return torch.view_as_complex(diff(x, axis if axis >= 0 else axis - 1, n, prepend, append))
    parts = [part for part in (prepend, x, append) if part is not None]
    if n == 0:
        return torch.cat(parts, axis)
    n = min(n, max(1, sum(sum(part.shape[axis:][:1]) for part in parts)))  # after as many nothing is left
    return torch.diff(x, n, axis, prepend, append)
