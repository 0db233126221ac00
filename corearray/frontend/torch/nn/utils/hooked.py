"""Weights that a hook before each call computes, as in torch before parametrizations."""

from __future__ import annotations

from typing import Any

from corearray.errors import CoreArrayValueError
from corearray.frontend.torch.grad_mode import no_grad
from corearray.frontend.torch.nn.module import Module

__all__ = ["remove_weight_norm", "weight_norm"]


class _WeightNorm:
    """A hook that computes a weight of its lengths (`weight_g`) and directions (`weight_v`)."""

    def __init__(self, name: str, dim: int) -> None:
        self.name, self.dim = name, dim
        self.handle: Any = None

    def weight(self, module: Module) -> Any:
        g, v = (module._parameters[f"{self.name}_{part}"] for part in "gv")
        return v._frontend._weight_norm(v, g, self.dim)

    def __call__(self, module: Module, args: Any) -> None:
        vars(module)[self.name] = self.weight(module)


def weight_norm(module: Module, name: str = "weight", dim: int | None = 0) -> Module:
    """Compute a weight of its lengths along all axes but `dim` (`weight_g`) and its directions (`weight_v`)."""
    weight = module._parameters.pop(name)
    frontend, axis = weight._frontend, -1 if dim is None else dim
    with no_grad():
        lengths = frontend.norm_except_dim(weight, 2, axis)
    module.register_parameter(f"{name}_g", frontend.nn.Parameter(lengths.array))
    module.register_parameter(f"{name}_v", frontend.nn.Parameter(weight.clone().array))
    hook = _WeightNorm(name, axis)
    hook(module, ())
    hook.handle = module.register_forward_pre_hook(hook)
    return module


def remove_weight_norm(module: Module, name: str = "weight") -> Module:
    """Make a parameter of a weight that `weight_norm` computes.

    Raises
    ------
    ValueError
        If the weight is not computed so.
    """
    for hook in list(module._before.values()):
        if isinstance(hook, _WeightNorm) and hook.name == name:
            with no_grad():
                weight = hook.weight(module)
            hook.handle.remove()
            vars(module).pop(name, None)
            for part in "gv":
                del module._parameters[f"{name}_{part}"]
            module.register_parameter(name, weight._frontend.nn.Parameter(weight.array))
            return module
    raise CoreArrayValueError(f"weight_norm of '{name}' is not in '{type(module).__name__}'")
