"""Modules of torch made of corearray's, and the other way round."""

from __future__ import annotations

import inspect
from typing import Any

import torch

import corearray as ca
from corearray.plugin import hookimpl


@hookimpl
def framework_modules() -> Any:
    return {"to_torch": Converted, "from_torch": converted}


class Converted(torch.nn.Module):
    """A module of corearray's as one of torch: parameters and buffers under the same names."""

    def __init__(self, pure: Any) -> None:
        super().__init__()
        self._pure = pure
        self._places = [
            self._register(arrays, is_buffer, trainable)
            for arrays, is_buffer, trainable in (
                (pure.parameters, False, True), (pure.frozen, False, False), (pure.buffers, True, False),
            )
        ]  # fmt: skip
        self.train(pure.training)

    def _register(self, arrays: Any, is_buffer: bool, trainable: bool) -> list[tuple[torch.nn.Module, str]]:
        places = []
        for path, x in arrays.items():
            *way, name = path.split(".")
            owner: torch.nn.Module = self
            for part in way:
                if part not in owner._modules:
                    owner.add_module(part, torch.nn.Module())
                owner = owner._modules[part]  # type: ignore[assignment]
            x = x.detach()
            if is_buffer:
                owner.register_buffer(name, x)
            else:
                owner.register_parameter(name, torch.nn.Parameter(x, requires_grad=trainable))
            places.append((owner, name))
        return places

    def forward(self, *args: Any, **named: Any) -> Any:
        groups = [[getattr(owner, name) for owner, name in places] for places in self._places]
        value, after = self._pure(*groups, self.training, args, named)
        with torch.no_grad():
            for old, new in zip(groups[2], after, strict=True):
                if new is not old:
                    old.copy_(new)
        return value

    def extra_repr(self) -> str:
        return str(self._pure.name)


def converted(module: Any) -> Any:
    """Make a module of corearray's classes of the same names, with the weights."""
    if not isinstance(module, torch.nn.Module):
        raise TypeError(f"'from_torch' takes a torch.nn.Module, got {type(module).__name__}")
    made = _structure(module, "")
    made.load_state_dict({name: x.detach().cpu() for name, x in module.state_dict().items()})
    return made.train(module.training)


def _structure(module: Any, path: str) -> Any:
    name = type(module).__name__
    known = type(module).__module__.startswith("torch.nn.")
    if known and name in ("Sequential", "ModuleList", "ModuleDict"):
        children = {key: _structure(child, f"{path}.{key}" if path else key) for key, child in module.named_children()}
        if name == "Sequential":
            return ca.nn.Sequential(children)
        return ca.nn.ModuleList(children.values()) if name == "ModuleList" else ca.nn.ModuleDict(children)
    kind = getattr(ca.nn, name, None)
    if not known or not inspect.isclass(kind):
        raise TypeError(
            f"'from_torch' does not know the class '{name}'{f' of {path!r}' if path else ''}; convert the module with "
            "corearray.transpile, or write it with the layers of corearray.nn"
        )
    given = {}
    for parameter in inspect.signature(kind.__init__).parameters.values():
        if parameter.name in ("self", "generator", "dtype", "device") or parameter.kind is parameter.VAR_POSITIONAL:
            continue
        if parameter.kind is parameter.VAR_KEYWORD:
            continue
        if parameter.name == "bias":
            names = ("bias", "in_proj_bias")
            found = [getattr(module, one, None) for one in names]
            given["bias"] = any(x is not None and x is not False for x in found)
        elif hasattr(module, parameter.name):
            given[parameter.name] = getattr(module, parameter.name)
        elif parameter.default is parameter.empty and parameter.name not in ("init",):
            raise TypeError(
                f"'from_torch' cannot read '{parameter.name}' of '{name}'; convert it with corearray.transpile"
            )
    signature = inspect.signature(kind.__init__).parameters
    places = [signature[key].kind is inspect.Parameter.POSITIONAL_ONLY for key in given]
    args = [x for x, place in zip(given.values(), places, strict=True) if place]
    return kind(*args, **{key: x for (key, x), place in zip(given.items(), places, strict=True) if not place})
