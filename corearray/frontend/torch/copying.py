"""Copies and pickles of tensors: leaves keep their gradients in deep copies, and views show the copy of their owner."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from corearray.errors import CoreArrayRuntimeError
from corearray.frontend.torch.families import View, family_of

if TYPE_CHECKING:
    from corearray.frontend.frontend import Frontend
    from corearray.frontend.torch.wrapper import Tensor

__all__ = ["deep_copied", "reduced"]

#: What a new tensor has, but for its array.
_NEW: dict[str, Any] = {
    "_requires_grad": False, "_node": None, "_strides": None, "_family": None, "_view": None, "grad": None,
}  # fmt: skip


def deep_copied(x: Tensor, memo: dict[int, Any]) -> Tensor:
    """Return a tensor of its own elements.

    Raises
    ------
    RuntimeError
        If a recorded call has made the tensor: a copy would have no gradients.
    """
    if x._node is not None:
        raise CoreArrayRuntimeError(
            "only tensors that no recorded call has made (leaves) can be deep-copied; call x.detach() or x.clone() first"
        )
    view = x._view
    if view is None:
        array, owner = copy.deepcopy(getattr(x, "array", None), memo), None
    else:
        owner = copy.deepcopy(view.of.detach() if view.of._node is not None else view.of, memo)
        array = view.array(owner.array)
    made = _made(type(x), array, x._requires_grad, x._strides, copy.deepcopy(_further(x), memo))
    memo[id(x)] = made
    if view is not None and owner is not None:
        made._family = family_of(owner)
        made._family.add(made, View(owner, view.function, view.place))
    made.grad = copy.deepcopy(x.grad, memo)
    return made


def reduced(x: Tensor) -> tuple[Any, ...]:
    """Return what `pickle` keeps of a tensor: as in torch its elements and `requires_grad`, and no gradient."""
    kind = type(x)
    known: Any = kind
    if kind is x._frontend.Tensor:
        known = "Tensor"
    elif kind.__module__ == "corearray.frontend.torch.nn":
        known = f"nn.{kind.__name__}"
    array = getattr(x, "array", None)
    return _rebuilt, (x._frontend, known, array, x._requires_grad, x._strides, _further(x))


def _further(x: Tensor) -> dict[str, Any]:
    """Return the attributes that derived classes add."""
    own = {"persistent": x.persistent} if hasattr(type(x), "persistent") else {}
    return {**getattr(x, "__dict__", {}), **own}


def _rebuilt(frontend: Frontend, kind: Any, array: Any, requires_grad: bool, strides: Any, further: Any) -> Tensor:
    found = kind
    if isinstance(kind, str):
        found = frontend
        for part in kind.split("."):
            found = getattr(found, part)
    return _made(found, array, requires_grad, strides, further)


def _made(kind: type[Tensor], array: Any, requires_grad: bool, strides: Any, further: dict[str, Any]) -> Tensor:
    made = kind.__new__(kind)
    own = {**_NEW, "_hooks": {}, "_after_hooks": {}, "_requires_grad": requires_grad, "_strides": strides, **further}
    if array is not None:
        made.array = array
    for name, value in own.items():
        setattr(made, name, value)
    return made
