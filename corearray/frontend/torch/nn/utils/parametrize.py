"""torch.nn.utils.parametrize: parameters that are computed from others at each use."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from corearray.errors import CoreArrayValueError
from corearray.frontend.torch.grad_mode import no_grad
from corearray.frontend.torch.nn.containers import ModuleDict, ModuleList
from corearray.frontend.torch.nn.module import Module
from corearray.frontend.torch.wrapper import Tensor

__all__ = [
    "ParametrizationList", "cached", "is_parametrized", "register_parametrization", "remove_parametrizations",
    "type_before_parametrizations",
]  # fmt: skip


class ParametrizationList(ModuleList):
    """The modules that compute a parameter, with its origin: the parameter `original`, or `original0` and so on."""

    def __init__(self, modules: Any, original: Tensor) -> None:
        super().__init__(modules)
        self._names: tuple[str, ...] = ()
        try:
            origin = self._origin(original)
        except NotImplementedError:  # a module whose result cannot be chosen begins with the parameter as its origin
            origin = original.detach()
        self._keep(origin, original)

    def set(self, value: Tensor) -> None:
        """Choose the original parameters so that `value` is computed, by the `right_inverse` of the modules."""
        self._keep(self._origin(value), value)

    def _origin(self, value: Tensor) -> Any:
        with no_grad():
            found: Any = value.detach()
            for module in reversed(list(self)):
                if hasattr(module, "right_inverse"):
                    found = module.right_inverse(found)
            return found

    def _keep(self, found: Any, value: Tensor) -> None:
        several = isinstance(found, (tuple, list))
        parts = list(found) if several else [found]
        names = tuple(f"original{i}" for i in range(len(parts))) if several else ("original",)
        for name, part in zip(names, parts, strict=True):
            if name in self._names:
                self._parameters[name].array = part.array
            else:
                self.register_parameter(name, value._frontend.nn.Parameter(part.clone().array, value.requires_grad))
        self._names = names

    def forward(self) -> Any:
        """Compute the parameter."""
        first, *others = list(self)
        found = first(*(self._parameters[name] for name in self._names))
        for module in others:
            found = module(found)
        return found


def register_parametrization(
    module: Module, tensor_name: str, parametrization: Module, *, unsafe: bool = False
) -> Module:
    """Compute a parameter of a module by another module, whose `right_inverse`, if it has one, gives the parameter's origin.

    Raises
    ------
    ValueError
        If the module has no parameter of that name.

    Examples
    --------
    >>> import corearray.frontend.torch as torch
    >>> class Symmetric(torch.nn.Module):
    ...     def forward(self, x):
    ...         return x.triu() + x.triu(1).T
    >>> layer = torch.nn.Linear(3, 3)
    >>> layer = torch.nn.utils.parametrize.register_parametrization(layer, "weight", Symmetric())
    >>> bool((layer.weight == layer.weight.T).all())
    True
    """
    if is_parametrized(module, tensor_name):
        known = module.parametrizations[tensor_name]
        known.append(parametrization)
        return module
    group = module._parameters if tensor_name in module._parameters else module._buffers
    original = group.get(tensor_name)
    if original is None:
        raise CoreArrayValueError(
            f"'{type(module).__name__}' has no parameter, parametrization or buffer '{tensor_name}'"
        )
    if "parametrizations" not in module._modules:
        module.add_module("parametrizations", ModuleDict())
    held = ParametrizationList([parametrization], original)
    parametrization.train(module.training)
    del group[tensor_name]
    module.parametrizations[tensor_name] = held
    return module


def is_parametrized(module: Module, tensor_name: str | None = None) -> bool:
    """Return true if a parameter of a module is computed from others: the named one, or any."""
    known = module._modules.get("parametrizations")
    return isinstance(known, ModuleDict) and (len(known) > 0 if tensor_name is None else tensor_name in known)


def remove_parametrizations(module: Module, tensor_name: str, leave_parametrized: bool = True) -> Module:
    """Make a parameter of what is computed now, or of its origin if `leave_parametrized` is false.

    Raises
    ------
    ValueError
        If the parameter is not computed from others, or there are several origins.
    """
    if not is_parametrized(module, tensor_name):
        raise CoreArrayValueError(f"'{type(module).__name__}' has no parametrization of '{tensor_name}'")
    held = module.parametrizations[tensor_name]
    if not leave_parametrized and "original" not in held._parameters:
        raise CoreArrayValueError("leave_parametrized=False needs a parametrization of one tensor")
    with no_grad():
        value = held() if leave_parametrized else held.original
    del module.parametrizations._modules[tensor_name]
    if not len(module.parametrizations):
        del module._modules["parametrizations"]
    module.register_parameter(tensor_name, value._frontend.nn.Parameter(value.array))
    return module


def cached() -> Any:
    """Return a block in which torch computes each parameter once; here each use computes it."""
    return nullcontext()


def type_before_parametrizations(module: Module) -> type[Module]:
    """Return the class of a module, which parametrizations do not change here."""
    return type(module)
