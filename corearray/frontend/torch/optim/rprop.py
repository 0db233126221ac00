"""Resilient backpropagation.

Source: Riedmiller, Braun, "A direct adaptive method for faster backpropagation learning: the RPROP algorithm", 1993.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from corearray.frontend.torch.grad_mode import no_grad
from corearray.frontend.torch.optim.base import Optimizer, loss_of
from corearray.frontend.torch.owner import torch_of

__all__ = ["Rprop"]


class Rprop(Optimizer):
    """Resilient backpropagation: each element has a step size, which grows while its gradient keeps its sign.

    Parameters
    ----------
    params
        Tensors, or dictionaries with `"params"` and options of their own.
    lr
        The first step size.
    etas
        The factors by which a step size shrinks and grows.
    step_sizes
        The smallest and the largest step size.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50.0),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        super().__init__(params, {"lr": lr, "etas": etas, "step_sizes": step_sizes, "maximize": maximize})

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Take a step; parameters without a gradient stay as they are."""
        value = loss_of(closure)
        with no_grad():
            for group, tensor, gradient in self._gradients():
                where = torch_of(tensor).where
                state = self.state[tensor]
                if not state:
                    state.update(step=0, prev=gradient * 0, step_size=gradient * 0 + group["lr"])
                shrink, grow = group["etas"]
                agreement = gradient * state["prev"]
                factor = where(agreement > 0, grow, where(agreement < 0, shrink, 1.0)).to(gradient.dtype)
                size = (state["step_size"] * factor).clamp(*group["step_sizes"])
                gradient = where(agreement < 0, gradient * 0, gradient)
                tensor.array = (tensor - gradient.sign() * size).array
                state.update(step=state["step"] + 1, prev=gradient, step_size=size)
        return value
