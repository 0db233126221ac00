"""Modules that older programs of torch use: `Container`, `CrossMapLRN2d` and `DataParallel`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corearray.errors import CoreArrayValueError
from corearray.frontend.torch.nn.module import Module

if TYPE_CHECKING:
    from corearray.frontend.frontend import Frontend

__all__ = ["Container", "CrossMapLRN2d", "DataParallel"]


class Container(Module):
    """A module with others as attributes."""

    _frontend: Frontend

    def __init__(self, **modules: Any) -> None:
        super().__init__()
        for name, module in modules.items():
            self.add_module(name, module)


class CrossMapLRN2d(Module):
    """Division by the root of the sum of squares over neighbouring channels, with the windows of Lua's torch.

    A window has as many channels before the middle as behind it. The square of the first channel leaves no window.
    """

    _frontend: Frontend

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1) -> None:
        super().__init__()
        if size < 1:
            raise CoreArrayValueError(f"'CrossMapLRN2d' takes a size of at least 1, got {size}")
        self.size, self.alpha, self.beta, self.k = size, alpha, beta, k

    def forward(self, input: Any) -> Any:
        """Divide images of the shape `(N, C, H, W)`."""
        if input.dim() != 4:
            raise CoreArrayValueError(f"CrossMapLRN2d: Expected input to be 4D, got {input.dim()}D instead.")
        torch, count, half = self._frontend, input.shape[1], (self.size + 1) // 2
        squares = input**2
        channels = torch.arange(count)
        apart = channels.unsqueeze(1) - channels
        taken = (apart < half) & (apart > -half) | (channels == 0) & (apart >= half)
        sums = torch.einsum("cd,ndhw->nchw", taken.to(input.dtype), squares)
        return input * (self.k + self.alpha / self.size * sums) ** -self.beta

    def extra_repr(self) -> str:
        """Return the configuration of the layer."""
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"


class DataParallel(Module):
    """A module that torch runs on several devices; here it runs on one, and is the attribute `module`."""

    _frontend: Frontend

    def __init__(self, module: Module, device_ids: Any = None, output_device: Any = None, dim: int = 0) -> None:
        super().__init__()
        self.module, self.dim = module, dim

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Call the module."""
        return self.module(*inputs, **kwargs)
