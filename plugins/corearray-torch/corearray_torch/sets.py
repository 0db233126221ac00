"""Arrays as sets of their elements; complex numbers, which torch does not sort, are left to the composition."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import BITS_IN, ORDER, Via, is_real


@hookimpl(via={"bool": Via("uint8", back=False), **BITS_IN})
def isin(x1: Any, x2: Any, /, *, invert: bool = False) -> Any:
    if x1.is_complex():
        found = (x1.unsqueeze(-1) == x2.reshape(-1)).any(-1)
        return found.logical_not() if invert else found
    return torch.isin(x1, x2, invert=invert)


@hookimpl(when=is_real, via=ORDER)
def unique_all(x: Any, /) -> Any:
    values, inverse, counts = torch.unique(x, return_inverse=True, return_counts=True)
    order = torch.argsort(inverse.reshape(-1), stable=True)
    return values, order[counts.cumsum(0) - counts], inverse, counts


@hookimpl(when=is_real, via=ORDER)
def unique_counts(x: Any, /) -> Any:
    return torch.unique(x, return_counts=True)


@hookimpl(when=is_real, via=ORDER)
def unique_inverse(x: Any, /) -> Any:
    return torch.unique(x, return_inverse=True)


@hookimpl(when=is_real, via=ORDER)
def unique_values(x: Any, /) -> Any:
    return torch.unique(x)
