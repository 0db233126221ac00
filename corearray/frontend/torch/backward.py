"""`backward`: the recorded calls are made once more, under the backend's own derivative."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import corearray as ca
from corearray.errors import CoreArrayNotImplementedError, CoreArrayRuntimeError
from corearray.frontend.table import Rule
from corearray.frontend.tape import Replay, key_of, recorded
from corearray.frontend.torch.grad_mode import no_grad

if TYPE_CHECKING:
    from corearray.frontend.torch.wrapper import Tensor

__all__ = ["backward", "grad", "gradients"]


def backward(x: Tensor, gradient: Any, *, create_graph: bool = False) -> None:
    """Add the gradients of a tensor up in the leaves that need them."""
    leaves, slopes = gradients([x], [gradient], None, create_graph=create_graph)
    for leaf, found in zip(leaves, slopes, strict=True):
        found = _hooked(leaf._hooks, found)
        if leaf.grad is None:  # elements of its own: `grad.zero_()` writes into them
            leaf.grad = found if create_graph else leaf._frontend.Tensor(ca.asarray(found.array, copy=True))
        else:
            leaf.grad = leaf.grad + found if create_graph else leaf._frontend.Tensor(leaf.grad.array + found.array)
        for hook in list(leaf._after_hooks.values()):
            hook(leaf)


def _hooked(hooks: dict[int, Any], found: Any) -> Any:
    """Call hooks with a gradient, and return it or what they return in its place."""
    for _, hook in sorted(hooks.items()):
        other = hook(found)
        found = found if other is None else other
    return found


def grad(
    outputs: Any, inputs: Any, grad_outputs: Any = None, retain_graph: bool | None = None, create_graph: bool = False,
    only_inputs: bool = True, allow_unused: bool | None = None, is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Any, ...]:  # fmt: skip
    """Return the gradients of the sum of tensors by others.

    Parameters
    ----------
    outputs, inputs
        Tensors, or sequences of them.
    grad_outputs
        Weights of the elements of each output; `None` for outputs of one element.
    retain_graph, only_inputs
        Without effect: the record of calls stays, and other tensors get no gradients.
    create_graph
        Whether the gradients can be differentiated in turn.
    is_grads_batched
        Refused; use `torch.func.vmap`.
    allow_unused, materialize_grads
        Whether inputs on which nothing depends give `None`, or zeros.

    Raises
    ------
    RuntimeError
        If an input is not used and neither option is given.
    """
    if is_grads_batched:
        raise CoreArrayNotImplementedError("is_grads_batched=True; map the gradients by torch.func.vmap")
    ends = list(outputs) if isinstance(outputs, (tuple, list)) else [outputs]
    starts = list(grad_outputs) if isinstance(grad_outputs, (tuple, list)) else [grad_outputs] * len(ends)
    wanted = list(inputs) if isinstance(inputs, (tuple, list)) else [inputs]
    used = {key_of(one) for x in recorded(ends) for one in x._node.inputs} | {key_of(x) for x in ends}
    unused = [key_of(x) not in used for x in wanted]
    if any(unused) and not (allow_unused or materialize_grads):
        raise CoreArrayRuntimeError(
            "One of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True if this is "
            "the desired behavior."
        )
    taken = [x for x, idle in zip(wanted, unused, strict=True) if not idle]
    found = iter(gradients(ends, starts, taken, create_graph=create_graph)[1] if taken else [])
    missing = [x.new_zeros(x.shape) if materialize_grads else None for x in wanted]
    return tuple(zero if idle else next(found) for zero, idle in zip(missing, unused, strict=True))


def gradients(
    ends: Sequence[Tensor], starts: Sequence[Any], wanted: list[Tensor] | None, *, create_graph: bool = False
) -> tuple[list[Tensor], list[Tensor]]:
    """Return tensors and the gradients by them; `wanted` names them, by default the leaves that need gradients.

    Raises
    ------
    RuntimeError
        If no recorded call leads to an end, or it has several elements and there is no gradient to begin with.
    """
    from corearray.frontend.torch.calling import called
    from corearray.frontend.torch.wrapper import is_tensor, stripped

    for x, start in zip(ends, starts, strict=True):
        if not x.requires_grad:
            raise CoreArrayRuntimeError("this tensor needs no gradients: no recorded call has made it")
        if start is None and x.array.size != 1:
            raise CoreArrayRuntimeError(f"a gradient is needed to begin with for a tensor of shape {tuple(x.shape)}")
    nodes = recorded(ends)
    hooked = [x for x in nodes if x._node.hooks][::-1]
    found = {id(one): one for tensor in nodes for one in tensor._node.inputs if one._node is None}
    found.update({id(x): x for x in ends if x._node is None})
    leaves = [one for one in found.values() if one.requires_grad]
    if hooked:
        ends, starts = _behind_hooks(ends, starts, nodes, hooked, leaves if create_graph else None)
    blocked = {key_of(x): x.array for x in hooked}
    wanted = leaves if wanted is None else wanted
    names = [key_of(x) for x in wanted]
    others = [x for x in (*leaves, *hooked) if key_of(x) not in names] if create_graph else []
    weights: list[Any] = [x for x in starts if is_tensor(x)] if create_graph else []
    count, moving = len(wanted), [*wanted, *others]
    keys = [*names, *map(key_of, others)]

    def slopes(*arrays: ca.Array) -> list[ca.Array]:
        given = iter(arrays[len(moving) :])
        begun = [(next(given) if weights and is_tensor(start) else getattr(start, "array", start)) for start in starts]

        def program(some: list[ca.Array]) -> ca.Array:
            known = blocked | dict(zip(keys, [*some, *arrays[count : len(moving)]], strict=True))
            replay = Replay(known, is_tensor, stripped)
            replay.run(nodes)
            values = [replay.made(x) if blocked else replay.value(x) for x in ends]
            return _total(values, begun)

        made: list[ca.Array] = ca.grad(program)(list(arrays[:count]))
        return made

    backend = ends[0].array.backend.name
    if not create_graph:
        with no_grad(), ca.backend_context(backend):
            return wanted, [
                x._frontend.Tensor(y) for x, y in zip(wanted, slopes(*[x.array for x in wanted]), strict=True)
            ]

    def without_record(*arrays: ca.Array) -> list[ca.Array]:
        with no_grad(), ca.backend_context(backend):
            return slopes(*arrays)

    rule = Rule("torch.autograd.grad", lambda: without_record)
    return wanted, called(ends[0]._frontend.Tensor, rule, (*moving, *weights), {})


def _total(values: Sequence[ca.Array], weights: Sequence[Any]) -> ca.Array:
    """Return the sum of all elements, each times its weight."""
    parts = [y if weight is None else y * weight for y, weight in zip(values, weights, strict=True)]
    total = ca.sum(parts[0])
    for part in parts[1:]:
        total = total + ca.sum(part)
    return total


def _behind_hooks(
    ends: Sequence[Any], starts: Sequence[Any], nodes: list[Any], hooked: list[Any], leaves: list[Any] | None
) -> tuple[list[Any], list[Any]]:
    """Return ends and gradients to begin with for which the hooks have been called.

    Results with hooks are taken from the last to the first. The gradient by each is that of the ends and of the results taken
    before it, each weighted by its gradient. Its hooks are called with it, and the result becomes an end itself. With
    `leaves`, the gradients are recorded: they depend on these, on the results with hooks, and on each other.
    """
    hooked_keys = {key_of(x) for x in hooked}
    given = list(zip(ends, starts, strict=True))
    reached = [(x, start) for x, start in given if key_of(x) not in hooked_keys]
    for x in hooked:
        direct = [start for end, start in given if key_of(end) == key_of(x)]
        others = [one for one in (*(leaves or ()), *hooked) if one is not x]
        with nullcontext() if leaves is not None else no_grad():
            slope = _slope_of(x, others, list(reached), direct, nodes)
        reached.append((x, _hooked(x._node.hooks, slope)))
    return [x for x, _ in reached], [start for _, start in reached]


def _slope_of(x: Any, others: list[Any], reached: list[Any], direct: list[Any], nodes: list[Any]) -> Any:
    """Return the gradient by a result: of ends with weights, and of itself with the weights `direct`."""
    from corearray.frontend.torch.calling import called
    from corearray.frontend.torch.wrapper import is_tensor, stripped

    weights = [*(start for _, start in reached), *direct]
    tensors = [weight for weight in weights if is_tensor(weight)]

    def slope(array: ca.Array, *arrays: ca.Array) -> ca.Array:
        known = {key_of(one): other for one, other in zip(others, arrays[: len(others)], strict=True)}
        given = iter(arrays[len(others) :])
        begun = [next(given) if is_tensor(weight) else weight for weight in weights]

        def program(some: list[ca.Array]) -> ca.Array:
            replay = Replay(known | {key_of(x): some[0]}, is_tensor, stripped)
            replay.run(nodes)
            return _total([*(replay.made(end) for end, _ in reached), *some * len(direct)], begun)

        with no_grad(), ca.backend_context(x.array.backend.name):
            (found,) = ca.grad(program)([array])
            made: ca.Array = found
            return made

    rule = Rule("torch.autograd.grad", lambda: slope)
    return called(x._frontend.Tensor, rule, (x, *others, *tensors), {})
