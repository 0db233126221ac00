"""Weights as direction and length, and weights divided by their largest singular value."""

from __future__ import annotations

from typing import Any

import corearray as ca
from corearray.frontend.torch.grad_mode import no_grad
from corearray.frontend.torch.nn.module import Module
from corearray.frontend.torch.nn.utils.parametrize import register_parametrization
from corearray.frontend.torch.wrapper import Tensor

__all__ = ["spectral_norm", "weight_norm"]


class _WeightNorm(Module):
    def __init__(self, dim: int | None) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Tensor, weight_v: Tensor) -> Any:
        """Return the weight of its length and direction."""
        return weight_g._frontend._weight_norm(weight_v, weight_g, self.dim)

    def right_inverse(self, weight: Tensor) -> tuple[Any, Tensor]:
        """Return length and direction of a weight."""
        return weight._frontend.norm_except_dim(weight, 2, self.dim), weight


def weight_norm(module: Module, name: str = "weight", dim: int | None = 0) -> Module:
    """Compute a weight of its lengths along all axes but `dim` (`original0`), and of its directions (`original1`).

    Examples
    --------
    >>> import corearray.frontend.torch as torch
    >>> layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(3, 2))
    >>> sorted(layer.state_dict())
    ['bias', 'parametrizations.weight.original0', 'parametrizations.weight.original1']
    """
    return register_parametrization(module, name, _WeightNorm(dim))


class _SpectralNorm(Module):
    _u: Tensor
    _v: Tensor

    def __init__(self, weight: Tensor, n_power_iterations: int, dim: int, eps: float) -> None:
        super().__init__()
        self.dim, self.eps, self.n_power_iterations = dim % len(weight.shape), eps, n_power_iterations
        if len(weight.shape) > 1:
            rows, columns = self._matrix(weight).shape
            for key, size in (("_u", rows), ("_v", columns)):
                self.register_buffer(
                    key, weight._frontend.Tensor(ca.random.normal(shape=(size,), dtype=weight.array.dtype))
                )
            self._iterate(self._matrix(weight), 15)

    def _matrix(self, weight: Tensor) -> Any:
        return weight.movedim(self.dim, 0).flatten(1)

    def _iterate(self, matrix: Tensor, count: int) -> None:
        """Bring `_u` and `_v` nearer to the singular vectors."""
        normalize = matrix._frontend.nn.functional.normalize
        with no_grad():
            for _ in range(count):
                self._u = normalize(matrix @ self._v, dim=0, eps=self.eps)
                self._v = normalize(matrix.mH @ self._u, dim=0, eps=self.eps)

    def forward(self, weight: Tensor) -> Any:
        """Return the weight divided by its largest singular value."""
        if len(weight.shape) == 1:
            return weight._frontend.nn.functional.normalize(weight, dim=0, eps=self.eps)
        matrix = self._matrix(weight)
        if self.training:
            self._iterate(matrix, self.n_power_iterations)
        return weight / weight._frontend.vdot(self._u, matrix @ self._v)


def spectral_norm(
    module: Module, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Module:
    """Divide a weight by its largest singular value, which a step of the power method follows at each use in training mode."""
    weight = getattr(module, name)
    if dim is None:
        dim = 1 if type(module).__name__.startswith("ConvTranspose") else 0
    return register_parametrization(module, name, _SpectralNorm(weight, n_power_iterations, dim, eps))
