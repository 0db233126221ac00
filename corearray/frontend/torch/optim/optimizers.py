"""Optimisers of tensors: groups of parameters, each with its options, and a state for each parameter."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

from corearray import optim
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.torch.wrapper import Tensor

__all__ = ["SGD", "Adadelta", "Adagrad", "Adam", "AdamW", "Adamax", "NAdam", "Optimizer", "RAdam", "RMSprop"]


class Optimizer:
    """An optimiser by torch's name: it reads `grad` of its parameters and replaces their arrays.

    Parameters
    ----------
    params
        Tensors, or dictionaries with `"params"` and options of their own.
    lr
        Learning rate, which `param_groups[i]["lr"]` changes between steps.
    options
        As those of torch, by keyword.

    Examples
    --------
    >>> import corearray as ca
    >>> import corearray.frontend.torch as torch
    >>> with ca.backend_context("torch"):
    ...     w = torch.nn.Parameter(torch.tensor([1.0, 2.0]))
    ...     optimizer = torch.optim.SGD([w], lr=0.5)
    ...     (w * w).sum().backward()
    ...     optimizer.step()
    ...     w.tolist()
    [0.0, 0.0]
    """

    def __init__(self, params: Iterable[Any], lr: Any = None, **options: Any) -> None:
        kind = getattr(optim, type(self).__name__, None)
        if kind is None or kind is optim.Optimizer:
            raise CoreArrayTypeError(f"'{type(self).__name__}' is no optimiser; use one such as SGD or AdamW")
        if isinstance(params, Tensor):
            raise CoreArrayTypeError(f"'{type(self).__name__}' takes several tensors, such as model.parameters()")
        self._kind: Callable[..., Any] = kind
        self.defaults = {"lr": inspect.signature(kind).parameters["lr"].default if lr is None else lr, **options}
        self.param_groups: list[dict[str, Any]] = []
        self._inner: dict[int, Any] = {}
        given = list(params)
        if not given:
            raise CoreArrayValueError(f"'{type(self).__name__}' got no parameters")
        for group in given if isinstance(given[0], dict) else [{"params": given}]:
            self.add_param_group(group)

    def add_param_group(self, group: dict[str, Any]) -> None:
        """Add tensors with options of their own."""
        tensors = [group["params"]] if isinstance(group["params"], Tensor) else list(group["params"])
        for tensor in tensors:
            if not isinstance(tensor, Tensor):
                raise CoreArrayTypeError(f"an optimiser takes tensors of this frontend, got {type(tensor).__name__}")
        made = {**self.defaults, **group, "params": tensors}
        options = {name: value for name, value in made.items() if name not in ("params", "lr")}
        for tensor in tensors:
            self._inner[id(tensor)] = self._kind([tensor.array], lr=made["lr"], **options)
        self.param_groups.append(made)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters, or set them to zero."""
        for group in self.param_groups:
            for tensor in group["params"]:
                if tensor.grad is not None:
                    tensor.grad = None if set_to_none else tensor.grad * 0

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Take a step; parameters without a gradient stay as they are.

        Parameters
        ----------
        closure
            Called first, to compute the loss and the gradients again.

        Returns
        -------
        What `closure` returns, or `None`.
        """
        value = None if closure is None else closure()
        for group in self.param_groups:
            for tensor in group["params"]:
                if tensor.grad is None:
                    continue
                inner = self._inner[id(tensor)]
                inner._target[0] = tensor.array
                inner.learning_rate = group["lr"]
                inner.step([tensor.grad.array])
                tensor.array = inner._target[0]
        return value

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self._inner)} parameters, {self.defaults})"


class SGD(Optimizer):
    """Stochastic gradient descent, with momentum."""


class Adam(Optimizer):
    """Adam."""


class AdamW(Optimizer):
    """Adam with decoupled weight decay."""


class RMSprop(Optimizer):
    """RMSprop."""


class Adagrad(Optimizer):
    """Adagrad."""


class Adadelta(Optimizer):
    """Adadelta."""


class Adamax(Optimizer):
    """Adamax."""


class NAdam(Optimizer):
    """Adam with Nesterov momentum."""


class RAdam(Optimizer):
    """Rectified Adam."""
