"""Writes into tensors whose gradients are recorded: into the tensor, what it is a view of, and the other views of that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayRuntimeError
from corearray.frontend.tape import Node
from corearray.frontend.torch.families import View, before_write, family_of
from corearray.frontend.torch.wrapper import Tensor

__all__ = ["node_of", "recorded_write"]


def node_of(
    function: Callable[..., Any], args: Any, options: Any, inputs: list[Tensor], place: Any, drawn: Any = None
) -> Node:
    """Return the record of a call; its arguments are tensors in which later writes do not show."""
    return Node(function, _as_now(args), _as_now(options), _as_now(inputs), place, drawn=drawn)


def _as_now(x: Any) -> Any:
    """Return arguments in which later writes do not show: tensors that are no leaves are replaced by twins."""
    if isinstance(x, Tensor):
        if x._node is None and x._requires_grad:
            return x
        made = _twin(x)
        if x._node is None:
            family_of(x).kept.add(made)
        return made
    if isinstance(x, (tuple, list)):
        return (list if isinstance(x, list) else tuple)(map(_as_now, x))
    return {name: _as_now(item) for name, item in x.items()} if type(x) is dict else x


def _twin(x: Tensor) -> Tensor:
    made = type(x)._frontend.Tensor(x.array, x._requires_grad)
    made._node, made._strides, made._family = x._node, x._strides, x._family
    return made  # type: ignore[no-any-return]  # the class is made for each version, so that mypy knows no type of it


def _before(x: Tensor) -> Tensor:
    """Return a tensor that stands for another one before a write."""
    if x._node is None and x._requires_grad:
        raise CoreArrayRuntimeError(
            "a leaf that requires gradients cannot be changed in place; write under torch.no_grad()"
        )
    family_of(x)
    return _twin(x)


def _put_back(view: View) -> Callable[[ca.Array, ca.Array], ca.Array]:
    """Return the function of an array and new elements of its view that returns the array with these elements."""

    def put_back(array: ca.Array, elements: ca.Array) -> ca.Array:
        made = ca.asarray(array, copy=True)
        part = view.array(made)
        part[...] = ca.astype(elements, part.dtype)
        return made

    return put_back


def recorded_write(
    x: Tensor, function: Callable[..., Any], others: tuple[Any, ...], options: dict[str, Any], inputs: list[Tensor],
    made: ca.Array,
) -> None:  # fmt: skip
    """Write elements into a tensor, and record where they come from in all tensors that show them.

    Parameters
    ----------
    x
        The tensor.
    function, others, options
        What computes the new elements of the old ones, with its further arguments.
    inputs
        The tensors among the arguments that need gradients.
    made
        The new elements.

    Raises
    ------
    RuntimeError
        If the tensor is a leaf that needs gradients, or a view of one.
    """
    before = _before(x)
    flowing = [before if one is x else one for one in inputs]
    nodes = [(x, node_of(function, (before, *others), options, flowing, None))]
    while nodes[-1][0]._view is not None:
        child, node = nodes[-1]
        view = child._view
        assert view is not None
        now, before = _after(child, node), _before(view.of)
        flowing = [one for one in (before, now) if one._requires_grad]
        nodes.append((view.of, node_of(_put_back(view), (before, now), {}, flowing, None)))
    before_write(x)
    x.array[...] = ca.astype(made, x.array.dtype)
    for tensor, node in nodes:
        tensor._node, tensor._requires_grad = node, True
    changed = {id(tensor) for tensor, _ in nodes}
    for _, tensor in sorted(family_of(x).views.items()):
        view = tensor._view
        if view is not None and id(view.of) in changed and id(tensor) not in changed:
            tensor._node = node_of(view.function, (view.of,), {}, [view.of], view.place)
            tensor._requires_grad = True
            changed.add(id(tensor))


def _after(x: Tensor, node: Node) -> Tensor:
    made = _twin(x)
    made._node, made._requires_grad = node, True
    return made
