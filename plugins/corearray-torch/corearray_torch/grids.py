"""Places that are marked."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl
from corearray_torch.native import SIGNED, as_indices, at_hand

#: Of how many indices torch writes one number faster than an array of it.
_FEW = 1024


def _are_ones(on_value: Any, off_value: Any, axis: int) -> bool:
    return type(on_value) is int and type(off_value) is int and on_value == 1 and off_value == 0 and axis == -1


@hookimpl(when=_are_ones, lacks=("bool", "real floating", "complex floating"))
def one_hot(
    indices: Any, num_classes: int, /, *, on_value: Any = 1, off_value: Any = 0, axis: int = -1, dtype: Any, device: Any
) -> Any:
    """Write ones at the indices; one that is no class makes no mark, which torch refuses on CPUs before it writes."""
    places = as_indices(indices).to(device).unsqueeze(-1)
    signed = SIGNED.get(dtype, dtype)
    if at_hand(places):
        try:
            ones = 1 if places.numel() < _FEW else torch.ones_like(places, dtype=signed)
            return torch.zeros((*indices.shape, num_classes), dtype=signed).scatter_(-1, places, ones).view(dtype)
        except RuntimeError:  # one is no class
            pass
    return (places == torch.arange(num_classes, device=device)).to(signed).view(dtype)
