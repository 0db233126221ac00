"""`backward`: the recorded calls are made once more, under the backend's own derivative."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import corearray as ca
from corearray.errors import CoreArrayRuntimeError
from corearray.frontend.tape import Replay, key_of, recorded
from corearray.frontend.torch.grad_mode import no_grad

if TYPE_CHECKING:
    from corearray.frontend.torch.wrapper import Tensor

__all__ = ["backward", "gradients"]


def backward(x: Tensor, gradient: Any) -> None:
    """Add the gradients of a tensor up in the leaves that need them."""
    leaves, slopes = gradients(x, gradient, None)
    for leaf, slope in zip(leaves, slopes, strict=True):
        found = leaf._frontend.Tensor(slope)
        for hook in leaf._hooks:
            other = hook(found)
            found = found if other is None else other
        leaf.grad = found if leaf.grad is None else leaf._frontend.Tensor(leaf.grad.array + found.array)


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
    from corearray.frontend.torch.wrapper import is_tensor, stripped

    nodes = recorded([x])
    if wanted is None:
        found = {id(one): one for tensor in nodes for one in tensor._node.inputs if one._node is None}
        wanted = [one for one in found.values() if one.requires_grad]
        if x._node is None:
            wanted = [x]

    def program(arrays: list[ca.Array]) -> ca.Array:
        known = {key_of(tensor): array for tensor, array in zip(wanted, arrays, strict=True)}
        replay = Replay(known, is_tensor, stripped)
        replay.run(nodes)
        end = replay.value(x)
        weight = ca.ones_like(end) if gradient is None else getattr(gradient, "array", gradient)
        return ca.sum(end * weight)

    with no_grad(), ca.backend_context(x.array.backend.name):
        slopes = ca.grad(program)([tensor.array for tensor in wanted])
    return wanted, slopes
