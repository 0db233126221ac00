"""Places that are marked."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import SIGNED, as_indices, extremes


def _are_classes(indices: Any, num_classes: int, on_value: Any, off_value: Any, axis: int) -> bool:
    """Guard for indices that torch writes to, each of which is a class: one that is none makes no mark."""
    if type(on_value) is not int or type(off_value) is not int or (on_value, off_value) != (1, 0):
        return False
    if axis != -1:
        return False
    found = extremes(indices)
    return found is not None and type(found[0]) is int and 0 <= found[0] <= found[1] < num_classes


@hookimpl(when=_are_classes)
def one_hot(
    indices: Any, num_classes: int, /, *, on_value: Any = 1, off_value: Any = 0, axis: int = -1, dtype: Any, device: Any
) -> Any:
    found = torch.zeros((*indices.shape, num_classes), dtype=SIGNED.get(dtype, dtype), device=device)
    return found.scatter_(-1, as_indices(indices).to(found.device).unsqueeze(-1), 1).view(dtype)
