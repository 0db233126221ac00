"""`backward`: the recorded calls are made once more, under the backend's own derivative."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import corearray as ca
from corearray.errors import CoreArrayRuntimeError
from corearray.frontend.torch.grad_mode import no_grad
from corearray.random.context import drawing_from

if TYPE_CHECKING:
    from corearray.frontend.torch.wrapper import Tensor

__all__ = ["backward", "gradients"]


def backward(x: Tensor, gradient: Any) -> None:
    """Add the gradients of a tensor up in the leaves that need them."""
    leaves, slopes = gradients(x, gradient, None)
    for leaf, slope in zip(leaves, slopes, strict=True):
        found = type(leaf)(slope)
        for hook in leaf._hooks:
            other = hook(found)
            found = found if other is None else other
        leaf.grad = found if leaf.grad is None else type(leaf)(leaf.grad.array + found.array)


def gradients(x: Tensor, gradient: Any, wanted: list[Tensor] | None) -> tuple[list[Tensor], list[ca.Array]]:
    """Return leaves and the gradients by them; `wanted` names the tensors by which is differentiated.

    Raises
    ------
    RuntimeError
        If no recorded call leads to `x`, or it has several elements and there is no gradient to begin with.
    """
    if not x.requires_grad:
        raise CoreArrayRuntimeError("this tensor needs no gradients: no recorded call has made it")
    if gradient is None and x.array.size != 1:
        raise CoreArrayRuntimeError(f"a gradient is needed to begin with for a tensor of shape {tuple(x.shape)}")
    nodes = _recorded(x)
    if wanted is None:
        found = {id(one): one for tensor in nodes for one in tensor._node.inputs if one._node is None}  # type: ignore[union-attr]
        wanted = [one for one in found.values() if one.requires_grad]
        if x._node is None:
            wanted = [x]

    def program(arrays: list[ca.Array]) -> ca.Array:
        known: dict[Any, ca.Array] = {_key(tensor): array for tensor, array in zip(wanted, arrays, strict=True)}
        made: dict[int, Any] = {}

        def array_of(value: Any) -> Any:
            from corearray.frontend.torch.wrapper import Tensor, _stripped

            if isinstance(value, Tensor):
                if _key(value) in known:
                    return known[_key(value)]
                node = value._node
                return made[node.number] if node is not None and node.number in made else value.array
            if type(value) in (tuple, list):
                return type(value)(map(array_of, value))
            return _stripped(value)

        for tensor in nodes:
            node = tensor._node
            assert node is not None
            if node.number in made:
                continue
            arguments, options = map(array_of, node.arguments), {k: array_of(v) for k, v in node.options.items()}
            with nullcontext() if node.drawn is None else drawing_from(_generator(node.drawn)):
                result = node.function(*arguments, **options)
            made[node.number] = result if node.place is None else result[node.place]
        end = array_of(x)
        weight = ca.ones_like(end) if gradient is None else getattr(gradient, "array", gradient)
        return ca.sum(end * weight)

    with no_grad(), ca.backend_context(x.array.backend.name):
        slopes = ca.grad(program)([tensor.array for tensor in wanted])
    return wanted, slopes


def _key(tensor: Tensor) -> Any:
    """Return what tells a tensor from others at the time of a call: itself if it is a leaf, else the call that made it."""
    return ("leaf", id(tensor)) if tensor._node is None else ("call", tensor._node.number)


def _generator(state: Any) -> Any:
    """Return a generator that draws the numbers that the recorded call has drawn."""
    made = ca.random.Generator(0)
    made.__setstate__(state)
    return made


def _recorded(x: Tensor) -> list[Tensor]:
    """Return the tensors that lead to one, in the order in which they were made."""
    found: dict[int, Tensor] = {}
    waiting = [x]
    while waiting:
        tensor = waiting.pop()
        node = tensor._node
        if node is None or node.number in found:
            continue
        found[node.number] = tensor
        waiting += node.inputs
    return [found[number] for number in sorted(found)]
