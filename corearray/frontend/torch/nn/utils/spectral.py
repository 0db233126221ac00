"""Weights divided by their largest singular value by a hook before each call, as in torch before parametrizations."""

from __future__ import annotations

from typing import Any

from corearray.errors import CoreArrayRuntimeError, CoreArrayValueError
from corearray.frontend.torch.grad_mode import no_grad
from corearray.frontend.torch.nn.module import Module

__all__ = ["remove_spectral_norm", "spectral_norm"]


class _SpectralNorm:
    """A hook that computes a weight of its origin (`weight_orig`) and singular vectors (`weight_u` and `weight_v`)."""

    def __init__(self, name: str, n_power_iterations: int, dim: int, eps: float) -> None:
        self.name, self.n_power_iterations, self.dim, self.eps = name, n_power_iterations, dim, eps
        self.handle: Any = None

    def matrix(self, weight: Any) -> Any:
        return weight.movedim(self.dim, 0).flatten(1)

    def unit(self, vector: Any) -> Any:
        return vector._frontend.nn.functional.normalize(vector, dim=0, eps=self.eps)

    def weight(self, module: Module, improves: bool) -> Any:
        original = module._parameters[f"{self.name}_orig"]
        torch, matrix = original._frontend, self.matrix(original)
        u, v = (module._buffers[f"{self.name}_{part}"] for part in "uv")
        if improves:
            with no_grad():
                for _ in range(self.n_power_iterations):
                    v = self.unit(torch.mv(matrix.t(), u))
                    u = self.unit(torch.mv(matrix, v))
            module._buffers.update({f"{self.name}_u": u, f"{self.name}_v": v})
        return original / torch.dot(u, torch.mv(matrix, v))

    def __call__(self, module: Module, args: Any) -> None:
        vars(module)[self.name] = self.weight(module, module.training)


def _hook(module: Module, name: str) -> Any:
    """Return the hook of a weight."""
    hooks = [hook for hook in module._before.values() if isinstance(hook, _SpectralNorm) and hook.name == name]
    return hooks[0] if hooks else None


def spectral_norm(
    module: Module, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Module:
    """Divide a weight by its largest singular value, which steps of the power method follow at each call in training mode.

    Raises
    ------
    RuntimeError
        If the weight has such a norm already.
    ValueError
        If there is no such parameter.
    """
    if _hook(module, name) is not None:
        raise CoreArrayRuntimeError(f"Cannot register two spectral_norm hooks on the same parameter {name}")
    weight = module._parameters.get(name)
    if weight is None:
        raise CoreArrayValueError(f"'{type(module).__name__}' has no parameter '{name}'")
    if dim is None:
        dim = 1 if type(module).__name__.startswith("ConvTranspose") else 0
    hook = _SpectralNorm(name, n_power_iterations, dim, eps)
    del module._parameters[name]
    module.register_parameter(f"{name}_orig", weight)
    with no_grad():
        for part, size in zip("uv", hook.matrix(weight).shape, strict=True):
            module.register_buffer(f"{name}_{part}", hook.unit(weight._frontend.randn(size, dtype=weight.dtype)))
    vars(module)[name] = weight.detach()
    hook.handle = module.register_forward_pre_hook(hook)
    return module


def remove_spectral_norm(module: Module, name: str = "weight") -> Module:
    """Make a parameter of a weight that `spectral_norm` computes.

    Raises
    ------
    ValueError
        If the weight is not computed so.
    """
    hook = _hook(module, name)
    if hook is None:
        raise CoreArrayValueError(f"spectral_norm of '{name}' not found in '{type(module).__name__}'")
    with no_grad():
        weight = hook.weight(module, False)
    hook.handle.remove()
    vars(module).pop(name, None)
    for group, parts in ((module._parameters, ("orig",)), (module._buffers, ("u", "v"))):
        for part in parts:
            del group[f"{name}_{part}"]
    module.register_parameter(name, weight._frontend.nn.Parameter(weight.array))
    return module
