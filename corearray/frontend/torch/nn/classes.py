"""The classes of `torch.nn` for one frontend, made when they are first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corearray.frontend.torch.nn import adaptive, attention, containers, linear_cross_entropy, older, transformer
from corearray.frontend.torch.nn.bases import BASES, RNNBase, RNNCellBase, SyncBatchNorm, base_of
from corearray.frontend.torch.nn.layers import LAYERS
from corearray.frontend.torch.nn.lazy import LAZY, LazyLayer, UninitializedBufferMark, UninitializedParameterMark
from corearray.frontend.torch.nn.losses import LOSSES, Loss
from corearray.frontend.torch.nn.module import BufferMark, Module, ParameterMark

if TYPE_CHECKING:
    from corearray.frontend.frontend import Frontend

__all__ = ["NAMES", "class_below", "class_of"]

#: The modules with classes that are derived for each frontend.
_DERIVED = (adaptive, attention, linear_cross_entropy, older, transformer)

#: Tensors that modules hold, by their marks.
_TENSORS = {
    "Parameter": ParameterMark, "Buffer": BufferMark, "UninitializedParameter": UninitializedParameterMark,
    "UninitializedBuffer": UninitializedBufferMark,
}  # fmt: skip

#: Classes that all frontends share.
_SHARED: dict[str, type[Module]] = {"Module": Module, "RNNBase": RNNBase, "RNNCellBase": RNNCellBase}

NAMES = frozenset(
    {
        "Module",
        *_TENSORS,
        *_SHARED,
        "SyncBatchNorm",
        *LAZY,
        *containers.__all__,
        *LAYERS,
        *LOSSES,
        *(name for module in _DERIVED for name in module.__all__),
    }
)


def class_of(frontend: Frontend, name: str) -> Any:
    """Return the class of a name."""
    if name in _SHARED:
        return _SHARED[name]
    if name in containers.__all__:
        return getattr(containers, name)
    scope: dict[str, Any] = {"_frontend": frontend, "__module__": "corearray.frontend.torch.nn"}
    if name in _TENSORS:
        known = name.removeprefix("Uninitialized")
        base = frontend.Tensor if known == name else getattr(frontend.nn, known)
        return type(name, (_TENSORS[name], base), {**scope, "__slots__": ("persistent",) if name == "Buffer" else ()})
    if name == "SyncBatchNorm":
        return type(name, (SyncBatchNorm,), scope)
    if name in LAZY:
        becomes, asks = LAZY[name]
        return type(name, (LazyLayer,), {**scope, "_becomes": becomes, "_asks": asks})
    for module in _DERIVED:
        if name in module.__all__:
            return type(name, (getattr(module, name),), scope)
    if name in LOSSES:
        function, count = LOSSES[name]
        return type(name, (Loss,), {**scope, "_function": function, "_count": count})
    return type(name, (base_of(name),), {**scope, "_kind": name})


def class_below(frontend: Frontend, module: str, name: str) -> Any:
    """Return the class of a name in a module of torch below `torch.nn`; `None` if there is none."""
    if module.startswith("modules") and name in BASES:
        return BASES[name]
    return getattr(frontend.nn, name) if name in NAMES else None
