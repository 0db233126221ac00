"""The classes of `torch.nn` for one frontend, made when they are first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corearray.frontend.torch.nn import attention, containers, transformer
from corearray.frontend.torch.nn.layers import LAYERS, Layer
from corearray.frontend.torch.nn.losses import LOSSES, Loss
from corearray.frontend.torch.nn.module import Module, ParameterMark
from corearray.frontend.torch.nn.recurrent import RECURRENT, RecurrentLayer

if TYPE_CHECKING:
    from corearray.frontend.frontend import Frontend

__all__ = ["NAMES", "class_of"]

#: The modules with classes that are derived for each frontend.
_DERIVED = (attention, transformer)

NAMES = frozenset(
    {
        "Module",
        "Parameter",
        *containers.__all__,
        *LAYERS,
        *LOSSES,
        *(name for module in _DERIVED for name in module.__all__),
    }
)


def class_of(frontend: Frontend, name: str) -> Any:
    """Return the class of a name."""
    if name == "Module":
        return Module
    if name in containers.__all__:
        return getattr(containers, name)
    scope: dict[str, Any] = {"_frontend": frontend, "__module__": "corearray.frontend.torch.nn"}
    if name == "Parameter":
        kind = frontend.Tensor
        return type(name, (ParameterMark, kind), {**scope, "__slots__": ()})
    for module in _DERIVED:
        if name in module.__all__:
            return type(name, (getattr(module, name),), scope)
    if name in LOSSES:
        function, count = LOSSES[name]
        return type(name, (Loss,), {**scope, "_function": function, "_count": count})
    return type(name, (RecurrentLayer if name in RECURRENT else Layer,), {**scope, "_kind": name})
