"""Adam for gradients of few rows.

Source: https://docs.pytorch.org/docs/stable/generated/torch.optim.SparseAdam.html
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from corearray.errors import CoreArrayValueError
from corearray.frontend.torch.grad_mode import no_grad
from corearray.frontend.torch.optim.base import Optimizer, loss_of
from corearray.frontend.torch.owner import torch_of

__all__ = ["SparseAdam"]


class SparseAdam(Optimizer):
    """Adam that leaves rows without a gradient, and their averages, as they are.

    Gradients are arrays of all elements here; a row whose gradient is zero is one that torch's gradient does not have.

    Parameters
    ----------
    params
        Tensors, or dictionaries with `"params"` and options of their own.
    lr
        Learning rate.
    betas
        Decay of the averages of the gradient and of its square.
    eps
        What is added to the root of the average of squares.
    maximize
        Whether steps go along the gradient.
    """

    def __init__(
        self, params: Iterable[Any], lr: Any = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
        maximize: bool = False,
    ) -> None:  # fmt: skip
        if not lr > 0 or not eps > 0 or not all(0 <= beta < 1 for beta in betas):
            raise CoreArrayValueError(
                f"SparseAdam takes lr > 0, eps > 0 and betas from 0 to below 1, got lr={lr}, eps={eps}, betas={betas}"
            )
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "maximize": maximize})

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Take a step; parameters without a gradient stay as they are."""
        value = loss_of(closure)
        with no_grad():
            for group, tensor, gradient in self._gradients():
                where, state = torch_of(tensor).where, self.state[tensor]
                if not state:
                    state.update(step=0, exp_avg=gradient * 0, exp_avg_sq=gradient * 0)
                state["step"] += 1
                one, two = group["betas"]
                moved = gradient != 0
                if gradient.dim() > 1:
                    moved = moved.flatten(1).any(1).reshape(-1, *[1] * (gradient.dim() - 1))
                mean = where(moved, state["exp_avg"] * one + gradient * (1 - one), state["exp_avg"])
                square = where(moved, state["exp_avg_sq"] * two + gradient**2 * (1 - two), state["exp_avg_sq"])
                size = group["lr"] * (1 - two ** state["step"]) ** 0.5 / (1 - one ** state["step"])
                tensor.array = where(moved, tensor - size * mean / (square.sqrt() + group["eps"]), tensor).array
                state.update(exp_avg=mean, exp_avg_sq=square)
        return value
