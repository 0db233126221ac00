"""Branches and loops on conditions that `torch.func.vmap` maps, which differ from element to element of the mapped axis."""

from __future__ import annotations

from typing import Any

import torch

from corearray.plugin import hookimpl

_functorch = torch._C._functorch


@hookimpl
def truth(x: Any) -> bool | None:
    return None if not torch.compiler.is_compiling() and _is_mapped(x) else bool(x)


@hookimpl
def branched(condition: Any, true: Any, false: Any) -> Any:
    """Compute both branches, and take of each what its elements are for."""
    return [torch.where(condition, x, y) for x, y in zip(true(), false(), strict=True)]


@hookimpl
def looped(condition: Any, body: Any, natives: Any) -> Any:
    """Loop as long as the condition holds for one element, and keep the states of the others."""
    while bool(_unmapped(goes_on := condition(natives)).any()):
        natives = [torch.where(goes_on, new, old) for new, old in zip(body(natives), natives, strict=True)]
    return natives


def _is_mapped(x: Any) -> bool:
    while _functorch.is_functorch_wrapped_tensor(x):
        if _functorch.is_batchedtensor(x):
            return True
        x = _functorch.get_unwrapped(x)
    return False


def _unmapped(x: Any) -> Any:
    """Return the tensor of all elements."""
    while _functorch.is_functorch_wrapped_tensor(x):
        x = _functorch.get_unwrapped(x)
    return x
