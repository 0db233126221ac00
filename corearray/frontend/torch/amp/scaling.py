"""`torch.amp.GradScaler`: losses are scaled so that gradients in half precision do not vanish."""

from __future__ import annotations

import warnings
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayRuntimeError
from corearray.frontend.torch.devices import accelerators
from corearray.frontend.torch.wrapper import Tensor

__all__ = ["GradScaler"]


class GradScaler:
    """A scale of losses that grows while gradients are finite, and shrinks when they are not.

    Parameters
    ----------
    device
        `"cuda"`, for which the scaler does nothing if there is none, as in torch, or `"cpu"`.
    init_scale, growth_factor, backoff_factor, growth_interval
        The scale, the factors by which it changes, and the number of steps after which it grows.
    enabled
        Whether it does anything.
    """

    def __init__(
        self, device: str = "cuda", init_scale: float = 2.0**16, growth_factor: float = 2.0, backoff_factor: float = 0.5,
        growth_interval: int = 2000, enabled: bool = True,
    ) -> None:  # fmt: skip
        if isinstance(device, bool | float):  # torch.cuda.amp.GradScaler begins with the scale
            device, init_scale = "cuda", float(device)
        if enabled and device == "cuda" and not accelerators():
            warnings.warn("torch.cuda.amp.GradScaler is enabled, but CUDA is not available. Disabling.", stacklevel=2)
            enabled = False
        self._enabled = enabled
        self._scale, self._growth_factor, self._backoff_factor = init_scale, growth_factor, backoff_factor
        self._growth_interval, self._tracker = growth_interval, 0
        self._found: dict[int, bool] = {}  # whether a gradient of an optimiser was infinite, where it was unscaled
        self._stepped: set[int] = set()

    def scale(self, outputs: Any) -> Any:
        """Return tensors times the scale."""
        if not self._enabled:
            return outputs
        if isinstance(outputs, Tensor):
            return outputs * self._scale
        return type(outputs)(map(self.scale, outputs))

    def unscale_(self, optimizer: Any) -> None:
        """Divide the gradients of an optimiser by the scale, once a step.

        Raises
        ------
        RuntimeError
            If it was called for this step.
        """
        if not self._enabled:
            return
        if id(optimizer) in self._found:
            raise CoreArrayRuntimeError("unscale_() has already been called on this optimizer since the last update().")
        self._found[id(optimizer)] = False
        for group in optimizer.param_groups:
            for tensor in group["params"]:
                if tensor.grad is not None:
                    slope = tensor.grad.array
                    if not bool(ca.all(ca.isfinite(slope))):
                        self._found[id(optimizer)] = True
                    tensor.grad = tensor._frontend.Tensor(ca.astype(slope * (1.0 / self._scale), slope.dtype))

    def step(self, optimizer: Any, *args: Any, **options: Any) -> Any:
        """Take a step of an optimiser, unless a gradient is infinite; returns what the step returns."""
        if not self._enabled:
            return optimizer.step(*args, **options)
        if id(optimizer) in self._stepped:
            raise CoreArrayRuntimeError("step() has already been called since the last update().")
        if id(optimizer) not in self._found:
            self.unscale_(optimizer)
        self._stepped.add(id(optimizer))
        return None if self._found[id(optimizer)] else optimizer.step(*args, **options)

    def update(self, new_scale: Any = None) -> None:
        """Change the scale after a step."""
        if not self._enabled:
            return
        if new_scale is not None:
            self._scale = float(new_scale)
        elif any(self._found.values()):
            self._scale, self._tracker = self._scale * self._backoff_factor, 0
        else:
            self._tracker += 1
            if self._tracker == self._growth_interval:
                self._scale, self._tracker = self._scale * self._growth_factor, 0
        self._found.clear()
        self._stepped.clear()

    def get_scale(self) -> float:
        """Return the scale, 1 if the scaler does nothing."""
        return self._scale if self._enabled else 1.0

    def is_enabled(self) -> bool:
        """Return whether the scaler does anything."""
        return self._enabled

    def get_growth_interval(self) -> int:
        """Return the number of steps after which the scale grows."""
        return self._growth_interval

    def state_dict(self) -> dict[str, Any]:
        """Return the scale and the options, as torch does; nothing if the scaler does nothing."""
        if not self._enabled:
            return {}
        return {
            "scale": self._scale, "growth_factor": self._growth_factor, "backoff_factor": self._backoff_factor,
            "growth_interval": self._growth_interval, "_growth_tracker": self._tracker,
        }  # fmt: skip

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` of torch or of this frontend returned."""
        if not self._enabled:
            return
        if not state_dict:
            raise CoreArrayRuntimeError(
                "The source state dict is empty, possibly because it was saved from a disabled GradScaler."
            )
        self._scale, self._tracker = float(state_dict["scale"]), int(state_dict["_growth_tracker"])
        self._growth_factor, self._backoff_factor = state_dict["growth_factor"], state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
