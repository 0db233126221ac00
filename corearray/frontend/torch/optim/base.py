"""`Optimizer`: groups of parameters, each with its options, and a state for each parameter."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from corearray.errors import CoreArrayNotImplementedError, CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.torch.grad_mode import enable_grad
from corearray.frontend.torch.wrapper import Tensor

__all__ = ["Optimizer", "loss_of"]


class Optimizer:
    """The base class of optimisers: derive from it and define `step`.

    Parameters
    ----------
    params
        Tensors, or dictionaries with `"params"` and options of their own.
    defaults
        Options of groups that have no own.

    Attributes
    ----------
    param_groups
        The groups, which `step` reads.
    state
        A dictionary for each parameter, which `step` fills.

    Examples
    --------
    >>> import corearray.frontend.torch as torch
    >>> class Signs(torch.optim.Optimizer):
    ...     def step(self):
    ...         with torch.no_grad():
    ...             for group in self.param_groups:
    ...                 for p in group["params"]:
    ...                     p.sub_(group["lr"] * p.grad.sign())
    >>> w = torch.nn.Parameter(torch.tensor([1.0, -2.0]))
    >>> optimizer = Signs([w], {"lr": 0.5})
    >>> w.grad = torch.tensor([2.0, -4.0])
    >>> optimizer.step()
    >>> w.tolist()
    [0.5, -1.5]
    """

    def __init__(self, params: Iterable[Any], defaults: dict[str, Any]) -> None:
        if isinstance(params, Tensor):
            raise CoreArrayTypeError(f"'{type(self).__name__}' takes several tensors, such as model.parameters()")
        self.defaults = defaults
        self.param_groups: list[dict[str, Any]] = []
        self.state: Any = defaultdict(dict)
        tensors = list(params)
        if not tensors:
            raise CoreArrayValueError(f"'{type(self).__name__}' got no parameters")
        for group in tensors if isinstance(tensors[0], dict) else [{"params": tensors}]:
            self.add_param_group(group)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add tensors with options of their own."""
        given = param_group["params"]
        tensors = [given] if isinstance(given, Tensor) else list(given)
        for tensor in tensors:
            if not isinstance(tensor, Tensor):
                raise CoreArrayTypeError(f"an optimiser takes tensors of this frontend, got {type(tensor).__name__}")
        self.param_groups.append({**self.defaults, **param_group, "params": tensors})

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters, or set them to zero."""
        for tensor in self._tensors():
            if tensor.grad is not None:
                tensor.grad = None if set_to_none else tensor.grad * 0

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Take a step; a derived class defines it."""
        raise CoreArrayNotImplementedError(f"'{type(self).__name__}' has no method 'step'")

    def _tensors(self) -> list[Any]:
        return [tensor for group in self.param_groups for tensor in group["params"]]

    def _gradients(self) -> Iterator[tuple[dict[str, Any], Any, Any]]:
        """Iterate over group, parameter and gradient, which is negative where the group maximises."""
        for group in self.param_groups:
            for tensor in group["params"]:
                if tensor.grad is not None:
                    yield group, tensor, -tensor.grad if group.get("maximize") else tensor.grad

    def state_dict(self) -> dict[str, Any]:
        """Return options and states by the numbers of parameters, for `load_state_dict` of the same optimiser."""
        place = {id(tensor): i for i, tensor in enumerate(self._tensors())}
        states = {place[id(tensor)]: dict(state) for tensor, state in self.state.items()}
        return {"state": states, "param_groups": self._saved_groups()}

    def _saved_groups(self) -> list[dict[str, Any]]:
        """Return the groups with the numbers of their tensors in place of these."""
        place = {id(tensor): i for i, tensor in enumerate(self._tensors())}
        return [{**group, "params": [place[id(x)] for x in group["params"]]} for group in self.param_groups]

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` of an optimiser with as many parameters returned, of this frontend or of torch.

        Raises
        ------
        ValueError
            If it is of other groups, or of another kind of optimiser.
        """
        self._load_groups(state_dict["param_groups"])
        tensors = self._tensors()
        states = {tensors[place]: dict(state) for place, state in state_dict["state"].items()}
        self.state = defaultdict(dict, states)

    def _load_groups(self, saved_groups: list[dict[str, Any]]) -> None:
        sizes = [len(group["params"]) for group in saved_groups]
        if sizes != [len(group["params"]) for group in self.param_groups]:
            raise CoreArrayValueError(f"the state is of groups of {sizes} parameters, and this optimiser has others")
        for group, saved in zip(self.param_groups, saved_groups, strict=True):
            group.update({name: value for name, value in saved.items() if name != "params"})

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self._tensors())} parameters, {self.defaults})"


def loss_of(closure: Callable[[], Any] | None) -> Any:
    """Return what a closure returns, called with gradients enabled."""
    if closure is None:
        return None
    with enable_grad():
        return closure()
