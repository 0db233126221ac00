"""Modules of torch: the arrays that they hold by name, and what they return as plain trees."""

from __future__ import annotations

import dis
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from types import FunctionType, MethodType
from typing import Any

import torch
from torch.nn.parallel import DataParallel, DistributedDataParallel
from torch.utils import _pytree as pytree

from corearray.plugin import hookimpl
from corearray_torch import graph
from corearray_torch.scripts import Script, is_script


class _Holding:
    """A function with the modules that it holds; `__self__` is one module that has all of them."""

    def __init__(self, call: Any, name: str, owner: torch.nn.Module) -> None:
        self.__self__, self.__name__, self._call = owner, name, call

    def __call__(self, *args: Any, **options: Any) -> Any:
        return self._call(*args, **options)


@hookimpl
def program_of(held: Any) -> Any:
    if isinstance(held, torch.export.ExportedProgram):
        return held.module()
    if is_script(held):
        return Script(held)
    if isinstance(held, (DataParallel, DistributedDataParallel)):
        return program_of(held.module)
    if isinstance(held, torch.nn.Module):
        return program_of(held._orig_mod) if type(held).__name__ == "OptimizedModule" else held
    compiled = getattr(held, "__dict__", {}).get("_torchdynamo_orig_callable")
    if compiled is not None:  # of torch.compile
        return program_of(compiled)
    if isinstance(held, partial):
        return _of_partial(held)
    if isinstance(getattr(held, "__self__", None), torch.nn.Module):
        return held
    return _holding(held, getattr(held, "__name__", type(held).__name__), dict(_named(held)))


def _of_partial(held: partial[Any]) -> Any:
    inner = program_of(held.func)
    call = partial(inner, *held.args, **held.keywords)
    name = getattr(inner, "__name__", type(inner).__name__)
    owner = _module_of(inner)
    if owner is not None:
        return _Holding(call, name, owner)
    found = {name: x for name, x in enumerate(held.args) if isinstance(x, torch.nn.Module)}
    if len(found) == 1 and not any(isinstance(x, torch.nn.Module) for x in held.keywords.values()):
        return _Holding(call, name, *found.values())
    return _holding(call, name, {**{str(i): x for i, x in found.items()}, **held.keywords})


def _holding(call: Any, name: str, found: Mapping[str, Any]) -> Any:
    """Return a function with one module of all modules and parameters among these objects, under their names."""
    owner = torch.nn.Module()
    for key, x in found.items():  # not by register_module, which refuses names of attributes
        if isinstance(x, torch.nn.Module):
            owner._modules[key] = x
        elif isinstance(x, torch.nn.Parameter):
            owner._parameters[key] = x
    return _Holding(call, name, owner) if owner._modules or owner._parameters else call


def _named(held: Any) -> Iterator[tuple[str, Any]]:
    """Return what a function names, in what encloses it and in its module, or what an object has as attributes."""
    function = held.__func__ if isinstance(held, MethodType) else held
    if isinstance(held, MethodType) or not isinstance(function, FunctionType):
        yield from getattr(getattr(held, "__self__", held), "__dict__", {}).items()
    if not isinstance(function, FunctionType):
        function = getattr(type(held).__call__, "__wrapped__", type(held).__call__)
    if not isinstance(function, FunctionType):
        return
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:  # not filled yet
            continue
    for one in dis.get_instructions(function):
        if one.opname == "LOAD_GLOBAL" and one.argval in function.__globals__:
            yield one.argval, function.__globals__[one.argval]


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
