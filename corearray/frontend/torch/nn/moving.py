"""Methods of modules that change dtypes and devices of their tensors."""

from __future__ import annotations

from typing import Any, Self

import corearray as ca
from corearray.errors import CoreArrayTypeError
from corearray.frontend.torch.wrapper import Tensor

__all__ = ["Moves"]

_FLOATING = ("real floating", "complex floating")


class Moves:
    """Methods that move all parameters, buffers and gradients of a module."""

    def _tensors(self) -> list[Any]:
        module: Any = self
        tensors = [*module.parameters(), *module.buffers()]
        return [*tensors, *(x.grad for x in tensors if x.grad is not None)]

    def to(
        self, *args: Any, dtype: Any = None, device: Any = None, non_blocking: bool = False, memory_format: Any = None
    ) -> Self:
        """Move floating tensors to another dtype, and all to another device; a tensor stands for its dtype and device.

        Raises
        ------
        TypeError
            If the dtype is not floating.
        """
        for given in args:
            if isinstance(given, ca.DType):
                dtype = given
            elif isinstance(given, Tensor):
                dtype, device = given.dtype, given.device
            elif given is not None and not isinstance(given, bool):
                device = given
        if dtype is not None and dtype.category not in _FLOATING:
            raise CoreArrayTypeError(f"nn.Module.to takes floating and complex dtypes, got {dtype}; use module.type")
        for tensor in self._tensors():
            if dtype is not None and tensor.array.dtype.category == "real floating":
                tensor.array = ca.astype(tensor.array, dtype)
            if device is not None:
                tensor.array = tensor.array.to_device(str(device))
        return self

    def type(self, dst_type: Any) -> Self:
        """Move all tensors to another dtype."""
        for tensor in self._tensors():
            tensor.array = ca.astype(tensor.array, dst_type)
        return self

    def float(self) -> Self:
        """Move floating tensors to float32."""
        return self.to(ca.float32)

    def double(self) -> Self:
        """Move floating tensors to float64."""
        return self.to(ca.float64)

    def half(self) -> Self:
        """Move floating tensors to float16."""
        return self.to(ca.float16)

    def bfloat16(self) -> Self:
        """Move floating tensors to bfloat16."""
        return self.to(ca.bfloat16)

    def cpu(self) -> Self:
        """Move all tensors to the CPU."""
        return self.to(device="cpu")

    def cuda(self, device: Any = None) -> Self:
        """Move all tensors to a GPU, the first or one of a number."""
        return self.to(device=f"cuda:{device}" if isinstance(device, int) else device or "cuda")

    def to_empty(self, *, device: Any, recurse: bool = True) -> Self:
        """Give all tensors new elements on a device, which hold nothing in particular."""
        module: Any = self
        for tensor in [*module.parameters(recurse=recurse), *module.buffers(recurse=recurse)]:
            tensor.array = ca.zeros(tensor.array.shape, dtype=tensor.array.dtype).to_device(str(device))
        return self

    def share_memory(self) -> Self:
        """Return the module; processes have their own copies here."""
        return self
