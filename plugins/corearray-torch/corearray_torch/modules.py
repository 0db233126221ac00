"""Modules of torch: the arrays that they hold by name, and what they return as plain trees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch.utils import _pytree as pytree

from corearray.plugin import hookimpl
from corearray_torch import graph


def _module_of(held: Any) -> torch.nn.Module | None:
    owner = getattr(held, "__self__", held)
    return owner if isinstance(owner, torch.nn.Module) else None


@hookimpl
def held_arrays(held: Any) -> Any:
    module = _module_of(held)
    if module is None:
        return None
    parameters = dict(module.named_parameters())
    frozen = frozenset(name for name, x in parameters.items() if not x.requires_grad)
    return parameters, dict(module.named_buffers()), frozen


@hookimpl
def with_buffers(held: Any, natives: Any, run: Any) -> Any:
    module = _module_of(held)
    if module is None:
        return run()
    paths = {id(one): name for name, one in module.named_modules()}
    stack: list[str] = []

    def enter(one: Any, _: Any) -> None:
        stack.append(paths.get(id(one), stack[-1] if stack else ""))

    def leave(one: Any, *_: Any) -> None:
        if stack:
            stack.pop()

    parameters = [(one, one.requires_grad) for one in module.parameters()]
    former = _swapped(module, natives)
    before = torch.nn.modules.module.register_module_forward_pre_hook(enter)
    after = torch.nn.modules.module.register_module_forward_hook(leave, always_call=True)
    tokens = (
        graph.modules.set(stack),
        graph.held.set({id(one): one for one, _ in parameters} | {id(b): b for b in module.buffers()}),
    )
    try:
        _require(one for one, needed in parameters if needed)
        return run()
    finally:
        graph.modules.reset(tokens[0])
        graph.held.reset(tokens[1])
        before.remove()
        after.remove()
        _require((one for one, needed in parameters if needed), True)
        _swapped(module, former)


def _require(parameters: Iterable[Any], gradients: bool = False) -> None:
    """Switch gradients of parameters on or off, which no graph is to show."""
    with torch._C.DisableTorchFunction():
        for one in parameters:
            one.requires_grad_(gradients)


def _swapped(module: torch.nn.Module, natives: Mapping[str, Any]) -> dict[str, Any]:
    """Give a module other buffers under their names; one that several modules share is changed in all of them."""
    places: dict[int, list[tuple[torch.nn.Module, str]]] = {}
    for one in module.modules():
        for name, buffer in one._buffers.items():
            if buffer is not None:
                places.setdefault(id(buffer), []).append((one, name))
    former = {name: buffer for name, buffer in module.named_buffers() if name in natives}
    for name, buffer in former.items():
        for owner, key in places[id(buffer)]:
            owner._buffers[key] = natives[name]
    return former


@hookimpl
def plain_tree(result: Any) -> Any:
    if isinstance(result, torch.Tensor) or result is None:
        return result
    if type(result) in (tuple, list):
        return type(result)(map(plain_tree, result))
    if isinstance(result, tuple):  # torch's named ones, and those of the user
        return tuple(map(plain_tree, result))
    if isinstance(result, Mapping):
        return {name: plain_tree(item) for name, item in result.items()}
    if type(result) in pytree.SUPPORTED_NODES:
        children, _ = pytree.SUPPORTED_NODES[type(result)].flatten_fn(result)
        return tuple(map(plain_tree, children))
    return result
