"""The public names of torch, for `coverage.py`."""

from __future__ import annotations

import torch
from frontend.coverage import Coverage, has_path
from torch.overrides import get_overridable_functions, resolve_name

from corearray.frontend import get_frontend
from corearray.frontend.torch.nn.classes import NAMES
from corearray.frontend.torch.optim import __all__ as optimizers

#: Namespaces whose functions torch lets others override.
OVERRIDABLE = {"torch": torch, "torch.Tensor": torch.Tensor}

#: Namespaces whose functions are listed in `__all__`, or are built-in functions.
LISTED = {
    "torch.nn.functional": torch.nn.functional, "torch.linalg": torch.linalg, "torch.fft": torch.fft,
    "torch.special": torch.special, "torch.nn.init": torch.nn.init,
}  # fmt: skip


def functions(name: str) -> set[str]:
    """Return the public functions or classes of a namespace of torch."""
    if name in OVERRIDABLE:
        found = {resolve_name(function) or "" for function in get_overridable_functions()[OVERRIDABLE[name]]}
        names = {
            path.removesuffix(".__get__").removeprefix(name + ".") for path in found if path.startswith(name + ".")
        }
        return {one for one in names if not one.startswith("_") and "." not in one}
    if name == "torch.nn":
        return {one for one in dir(torch.nn) if isinstance(getattr(torch.nn, one), type)}
    if name == "torch.optim":
        return {one for one in dir(torch.optim) if isinstance(getattr(torch.optim, one), type)}
    if name == "torch.optim.lr_scheduler":
        return set(torch.optim.lr_scheduler.__all__)
    module = LISTED[name]
    listed = getattr(module, "__all__", None) or [one for one in dir(module) if callable(getattr(module, one))]
    return {
        one
        for one in listed
        if not one.startswith(("_", "has_torch_function", "assert_"))
        and (name != "torch.nn.init" or one.endswith("_") or one == "calculate_gain")  # others are names of before 0.4
        and callable(getattr(module, one, None))
        and not isinstance(getattr(module, one), type)
        and getattr(getattr(module, one), "__module__", "") not in ("torch.overrides", "typing", "torch._jit_internal")
    }


def has(namespace: str, name: str) -> bool:
    """Whether the frontend has a function or class."""
    frontend = get_frontend("torch")
    if namespace == "torch.nn":
        return name in NAMES
    if namespace == "torch.optim":
        return name in optimizers
    if namespace == "torch.Tensor":
        own = name in vars(frontend.Tensor.__mro__[1])
        return own or any(frontend.rule(f"torch.Tensor.{name}{end}") is not None for end in ("", ".__get__"))
    return has_path(frontend, f"{namespace}.{name}".split(".")[1:])


NAMESPACES = (*OVERRIDABLE, *LISTED, "torch.nn", "torch.optim", "torch.optim.lr_scheduler")


COVERAGE = Coverage("torch", torch.__version__, NAMESPACES, functions, has)
