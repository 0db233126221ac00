"""Sorting along an axis; torch puts NaN behind every number, as the declarations say."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import ORDER, ORDER_IN, with_axes


@hookimpl(via=ORDER_IN)
def argsort(x: Any, /, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    return torch.argsort(with_axes(x), stable=stable, dim=axis, descending=descending)


@hookimpl(via=ORDER)
def sort(x: Any, /, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    return torch.sort(with_axes(x), stable=stable, dim=axis, descending=descending).values


@hookimpl(lacks=("bool", "unsigned integer", "complex floating"))
def top_k(x: Any, k: int, /, *, axis: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    """Find elements as torch does, which leaves the order of equal ones open: where there are some, all are sorted."""
    length = x.shape[axis]
    if not 0 <= k <= length:
        raise ValueError(f"k={k} elements of {length}")
    if not sorted:
        return tuple(torch.topk(x, k, axis, largest, sorted=False))
    if not torch.compiler.is_compiling():
        count = min(k + 1, length)
        values, order = torch.topk(x, count, axis, largest)
        pairs = max(count - 1, 0)
        one, other = values.narrow(axis, 0, pairs), values.narrow(axis, count - pairs, pairs)
        try:
            if (one > other if largest else one < other).all().item():  # no neighbours are equal or NaN
                return (one, order.narrow(axis, 0, k)) if k == pairs else (values, order)
        except (RuntimeError, TypeError):  # elements are not known, in a transform
            pass
    ordered = torch.sort(x, stable=True, dim=axis, descending=largest)
    return tuple(part.narrow(axis, 0, k) for part in ordered)
