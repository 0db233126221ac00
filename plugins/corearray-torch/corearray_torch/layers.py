"""Layers of `torch.nn.functional`."""

from __future__ import annotations

from typing import Any

from torch.nn import functional

from corearray.plugin import hookimpl


def _is_one_matrix(x: Any, weight: Any, bias: Any) -> bool:
    if (
        weight.ndim != 2
        or x.ndim == 0
        or x.shape[-1] != weight.shape[1]
        or not (x.is_floating_point() or x.is_complex())
    ):
        return False
    return bias is None or bias.shape == weight.shape[:1]


@hookimpl(native=functional.linear, when=_is_one_matrix)
def linear(x: Any, weight: Any, /, bias: Any = None) -> Any: ...
