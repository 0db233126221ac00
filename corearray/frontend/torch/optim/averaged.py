"""Averaged stochastic gradient descent.

Source: Polyak, Juditsky, "Acceleration of stochastic approximation by averaging", 1992.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from corearray.frontend.torch.grad_mode import no_grad
from corearray.frontend.torch.optim.base import Optimizer, loss_of

__all__ = ["ASGD"]


class ASGD(Optimizer):
    """Averaged stochastic gradient descent: `state[p]["ax"]` is the average of a parameter.

    Parameters
    ----------
    params
        Tensors, or dictionaries with `"params"` and options of their own.
    lr
        Learning rate.
    lambd
        Decay of parameters and of the learning rate.
    alpha
        Power of the decay of the learning rate.
    t0
        The step at which averaging starts.
    weight_decay
        Weight of the parameters in the gradient.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        super().__init__(
            params,
            {"lr": lr, "lambd": lambd, "alpha": alpha, "t0": t0, "weight_decay": weight_decay, "maximize": maximize},
        )

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Take a step; parameters without a gradient stay as they are."""
        value = loss_of(closure)
        with no_grad():
            for group, tensor, gradient in self._gradients():
                state = self.state[tensor]
                if not state:
                    state.update(step=0, eta=float(group["lr"]), mu=1.0, ax=tensor.detach() * 0)
                state["step"] += 1
                if group["weight_decay"]:
                    gradient = gradient + group["weight_decay"] * tensor
                eta = state["eta"]
                moved = tensor * (1 - group["lambd"] * eta) - eta * gradient
                tensor.array = moved.array
                ax = state["ax"]
                state["ax"] = moved.detach().clone() if state["mu"] == 1 else ax + (moved - ax) * state["mu"]
                state["eta"] = group["lr"] / (1 + group["lambd"] * group["lr"] * state["step"]) ** group["alpha"]
                state["mu"] = 1 / max(1, state["step"] - group["t0"])
        return value
