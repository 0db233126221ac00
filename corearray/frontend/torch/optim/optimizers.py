"""Optimisers of tensors: groups of parameters, each with its options, and a state for each parameter."""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from corearray import optim
from corearray.errors import CoreArrayTypeError
from corearray.frontend.torch.optim.base import Optimizer, loss_of
from corearray.frontend.torch.optim.states import load_named_state, named_state
from corearray.frontend.torch.wrapper import Tensor

__all__ = ["SGD", "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "Muon", "NAdam", "RAdam", "RMSprop"]

#: Options of torch that change the speed of a step and nothing of its result.
_SPEED = frozenset(("foreach", "fused", "capturable", "differentiable"))


class _Wrapped(Optimizer):
    """An optimiser of `corearray.optim` by torch's name: it reads `grad` of its parameters and replaces their arrays.

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
        name = next(kind.__name__ for kind in type(self).__mro__ if kind.__name__ in __all__)
        kind = getattr(optim, name)
        self._kind: Callable[..., Any] = kind
        self._name = name
        known = inspect.signature(getattr(optim, name.lower())).parameters
        self._options = [name for name in known if name not in ("learning_rate", "mask")]
        given = {name: value for name, value in options.items() if name not in _SPEED}
        for name in [name for name in given if name not in (*self._options, "maximize")]:
            raise CoreArrayTypeError(
                f"'{type(self).__name__}' has no option '{name}'; it has lr, {', '.join(self._options)}, maximize"
            )
        defaults = {
            "lr": inspect.signature(kind).parameters["lr"].default if lr is None else lr,
            **{name: known[name].default for name in self._options}, "maximize": False,
            **{name: x for name, x in given.items() if x is not None or known[name].default is None},
        }  # fmt: skip
        self._inner: dict[int, Any] = {}
        self._made_with: dict[int, dict[str, Any]] = {}
        super().__init__(params, defaults)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add tensors with options of their own."""
        super().add_param_group(param_group)
        for tensor in self.param_groups[-1]["params"]:
            self._prepare(tensor, self.param_groups[-1])

    def _prepare(self, tensor: Tensor, group: dict[str, Any]) -> Any:
        """Return the optimiser of a tensor; a new one with the old state if options of its group have changed."""
        key, options = id(tensor), {name: group[name] for name in self._options}
        options["shape"] = tuple(tensor.array.shape)
        before = self._made_with.get(key)
        if before != options:
            made = self._kind([tensor.array], lr=group["lr"], **{name: group[name] for name in self._options})
            fits = before is not None and before["shape"] == options["shape"]
            if fits and len(made.state_dict()) == len(self._inner[key].state_dict()):
                made.load_state_dict(self._inner[key].state_dict())
            self._inner[key], self._made_with[key] = made, options
        return self._inner[key]

    def _load_groups(self, saved_groups: list[dict[str, Any]]) -> None:
        """Take over the options of groups; where torch has `None` for its default, that of here stays."""
        pairs = [(saved, group) for saved, group in zip(saved_groups, self.param_groups, strict=False)]
        super()._load_groups(
            [
                {name: x for name, x in saved.items() if x is not None or group.get(name) is None}
                for saved, group in pairs
            ]
            + saved_groups[len(pairs) :]
        )

    @property
    def state(self) -> Any:
        """The state of each parameter that has taken a step: tensors by torch's names, such as `exp_avg`."""
        found: Any = defaultdict(dict)
        for tensor in self._tensors():
            state = named_state(self._name, self._inner[id(tensor)], tensor._frontend)
            if state:
                found[tensor] = state
        return found

    @state.setter
    def state(self, states: Any) -> None:
        self._made_with.clear()
        self._inner.clear()
        for group in self.param_groups:
            for tensor in group["params"]:
                inner = self._prepare(tensor, group)
                if tensor in states:
                    load_named_state(self._name, inner, tensor._frontend, states[tensor])

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
        value = loss_of(closure)
        for group in self.param_groups:
            for tensor in group["params"]:
                if tensor.grad is None:
                    continue
                inner = self._prepare(tensor, group)
                inner._target[0] = tensor.array
                inner.learning_rate = group["lr"]
                inner.step([-tensor.grad.array if group["maximize"] else tensor.grad.array])
                tensor.array = inner._target[0]
        return value


class SGD(_Wrapped):
    """Stochastic gradient descent, with momentum."""


class Adam(_Wrapped):
    """Adam."""


class AdamW(_Wrapped):
    """Adam with decoupled weight decay."""


class RMSprop(_Wrapped):
    """RMSprop."""


class Adagrad(_Wrapped):
    """Adagrad."""


class Adadelta(_Wrapped):
    """Adadelta."""


class Adamax(_Wrapped):
    """Adamax."""


class NAdam(_Wrapped):
    """Adam with Nesterov momentum."""


class RAdam(_Wrapped):
    """Rectified Adam."""


class Adafactor(_Wrapped):
    """Adafactor, whose state has the sizes of rows and columns."""


class Muon(_Wrapped):
    """Momentum that is made orthogonal, for matrices."""
