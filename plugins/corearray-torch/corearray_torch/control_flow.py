"""Branches and loops on conditions that `torch.func.vmap` maps, which differ from element to element of the mapped axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from corearray.plugin import hookimpl

_functorch = torch._C._functorch
tree_leaves, tree_map = torch.utils._pytree.tree_leaves, torch.utils._pytree.tree_map


@hookimpl
def truth(x: Any) -> bool | None:
    return None if not torch.compiler.is_compiling() and _is_mapped(x) else bool(x)


@hookimpl
def branched(condition: Any, true: Any, false: Any) -> Any:
    """Compute both branches, and take of each what its elements are for."""
    pairs = zip(_computed(condition, true), _computed(~condition, false), strict=True)
    return [torch.where(condition, x, y) for x, y in pairs]


@hookimpl
def looped(condition: Any, body: Any, natives: Any) -> Any:
    """Loop as long as the condition holds for one element, and keep the states of the others."""
    while bool(_unmapped(goes_on := condition(natives)).any()):
        after = _computed(goes_on, body, natives)
        natives = [torch.where(goes_on, new, old) for new, old in zip(after, natives, strict=True)]
    return natives


def _computed(condition: Any, function: Callable[..., Any], *args: Any) -> Any:
    """Call a branch so that elements for which it is not taken get no derivatives from it, as in JAX.

    These would be NaN where the branch has none: that of `log` at 0 is infinite, and infinity times 0 is NaN.
    """
    with _Taken(condition):
        return function(*args)


class _Taken(TorchFunctionMode):
    """A mode in which tensors from outside are constants for the elements for which a condition is false."""

    def __init__(self, condition: Any) -> None:
        self._condition = condition
        self._made: dict[int, Any] = {}  # what functions return here, kept alive, so that no other has its number
        self._masked: dict[int, tuple[Any, Any]] = {}

    def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if function.__name__ == "__get__":
            found = function(*args, **kwargs)
            if not isinstance(found, torch.Tensor):
                return found
        found = function(*tree_map(self._of, args), **tree_map(self._of, kwargs))
        for x in tree_leaves(found):
            if isinstance(x, torch.Tensor):
                self._made[id(x)] = x
        return found

    def _of(self, x: Any) -> Any:
        if not isinstance(x, torch.Tensor) or id(x) in self._made or not _has_derivatives(x):
            return x
        if id(x) not in self._masked:
            self._masked[id(x)] = x, torch.where(self._condition, x, x.detach())
        return self._masked[id(x)][1]


def _has_derivatives(x: Any) -> bool:
    """Return whether a transform or autograd differentiates with respect to a floating tensor."""
    if not (x.is_floating_point() or x.is_complex()):
        return False
    while _functorch.is_functorch_wrapped_tensor(x):
        if _functorch.is_gradtrackingtensor(x):
            return True
        x = _functorch.get_unwrapped(x)
    return bool(x.requires_grad)


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
