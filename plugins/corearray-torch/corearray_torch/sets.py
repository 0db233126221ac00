"""Arrays as sets of their elements; complex numbers, which torch does not sort, are left to the composition."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import Via, hookimpl
from corearray_torch.native import BITS_IN, ORDER
from corearray_torch.sharding import whole

_ORDER: dict[Any, Any] = {getattr(torch, name): via for name, via in ORDER.items()}


@hookimpl(via={"bool": Via("uint8", back=False), **BITS_IN})
def isin(x1: Any, x2: Any, /, invert: bool = False) -> Any:
    if x1.is_complex():
        found = (x1.unsqueeze(-1) == x2.reshape(-1)).any(-1)
        return found.logical_not() if invert else found
    return torch.isin(x1, x2, invert=invert)


@hookimpl(lacks=("complex floating",))
def unique_all(x: Any, /) -> Any:
    values, inverse, counts = _unique(x, True, True)
    return values, _first_places(inverse, counts), inverse, counts


@hookimpl(lacks=("complex floating",))
def unique_counts(x: Any, /) -> Any:
    return _unique(x, False, True)


@hookimpl(lacks=("complex floating",))
def unique_inverse(x: Any, /) -> Any:
    return _unique(x, True, False)


@hookimpl(lacks=("complex floating",))
def unique_values(x: Any, /) -> Any:
    return _unique(x, False, False)


def _first_places(inverse: Any, counts: Any) -> Any:
    return torch.argsort(inverse.reshape(-1), stable=True)[counts.cumsum(0) - counts]


def _unique(x: Any, inverse: bool, counts: bool) -> Any:
    """Call `torch.unique`, by stand-ins for the values alone: indices and counts may have the same dtype."""
    x = whole(x)
    via = _ORDER.get(x.dtype)
    if via is None and x.requires_grad:  # of which torch has no derivative; those of a value go to where it is first
        found = torch.unique(x.detach(), return_inverse=True, return_counts=True)
        values = x.reshape(-1)[_first_places(*found[1:])]
        return (values, *found[1 : 2 + counts]) if inverse else (values, found[2]) if counts else values
    if via is None:
        return torch.unique(x, return_inverse=inverse, return_counts=counts)
    found = torch.unique(via.forward(x), return_inverse=inverse, return_counts=counts)
    return (via.backward(found[0]), *found[1:]) if inverse or counts else via.backward(found)
