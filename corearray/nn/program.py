"""The program of a training step, as a pure function of lists of native arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from corearray.arrays.array import Array
from corearray.errors import CoreArrayValueError
from corearray.functional.nest import nested_map, nested_multi_map
from corearray.nn.guests import Guests, places_of_modules
from corearray.nn.precision import Precision, cast_floating
from corearray.optim.transform import Transformation
from corearray.transforms.derivatives import value_and_grad

if TYPE_CHECKING:
    from corearray.backends.backend import Backend
    from corearray.nn.places import Skeleton
    from corearray.transforms.tree import Tree

__all__ = ["Plan", "filled", "name_leaves", "pure_step", "read_leaves"]


class Plan(NamedTuple):
    """What a step computes: the arguments of `TrainStep`, with a skeleton in place of the model."""

    skeleton: Skeleton
    loss: Callable[..., Any]
    optimizer: Any
    precision: Precision | None
    parts: int
    has_aux: bool
    guests: Guests


def pure_step(
    plan: Plan,
    backend: Backend,
    batch_tree: Tree,
    places: Sequence[int],
    is_named: bool,
    state_tree: Tree,
    state_places: Sequence[int],
    count: Callable[[], None] | None,
) -> Callable[..., Any]:
    """Make the function of parameters, buffers, state, frozen parameters and batch, each a list of native arrays.

    Parameters
    ----------
    plan, backend
        What it computes, and where.
    batch_tree, places
        A batch, and which of its leaves are arrays.
    is_named
        Whether the batch is a pair of positional and named arguments.
    state_tree, state_places
        The state of the optimiser, and which of its leaves are arrays.
    count
        Called when the program runs or is traced.

    Returns
    -------
    Function that returns a list: the loss, and lists of new parameters, buffers and state; with `has_aux` also the rest.
    """
    skeleton, loss, optimizer, precision, parts, has_aux, guests = plan
    # Plain integers: torch 2.11 traces no list that is read at a number of another class.
    batch_places, state_at = (nested_map(int, tree.places) for tree in (batch_tree, state_tree))
    whole = places_of_modules(batch_places)
    names, wrap = skeleton.trainable.paths, backend.wrap

    def evaluate(parameters: Any, buffers: Any, frozen: Any, leaves: Any) -> Any:
        if precision is not None:
            parameters = [cast_floating(x, precision.compute) for x in parameters]
            frozen = [cast_floating(x, precision.compute) for x in frozen]
            leaves = [cast_floating(x, precision.compute) for x in leaves]
        skeleton.trainable.put(parameters)
        skeleton.frozen.put(frozen)
        skeleton.buffers.put(buffers)
        found = filled(batch_places, leaves)
        args, options = found if is_named else (found, {})
        args = [guests.closed(x) for x in args]
        value = loss(skeleton.model, *args, **{name: guests.closed(x) for name, x in options.items()})
        value, aux = value if has_aux else (value, None)
        if precision is not None:
            value = cast_floating(value, precision.output)
        after = skeleton.buffers.get()
        skeleton.clear()
        guests.clear()
        return value, (after, aux)

    both = value_and_grad(evaluate, has_aux=True)

    def step(parameters: Any, buffers: Any, state: Any, frozen: Any, batch: Any) -> Any:
        if count is not None:
            count()
        own = [wrap(x) for x in parameters]
        kept = [wrap(x) for x in buffers]
        fixed = [wrap(x) for x in frozen]
        leaves = list(batch_tree.leaves)
        for i, x in zip(places, batch, strict=True):
            leaves[i] = wrap(x)
        if parts == 1:
            (value, (kept, aux)), slopes = both(own, kept, fixed, leaves)
        else:
            value, slopes, aux = None, None, None
            for part in range(parts):
                some = [_part(x, part, parts) if i in places and i not in whole else x for i, x in enumerate(leaves)]
                (one, (kept, aux)), found = both(own, kept, fixed, some)
                value = one if value is None else value + one
                slopes = found if slopes is None else [a + b for a, b in zip(slopes, found, strict=True)]
            value, slopes = value / parts, [x / parts for x in slopes]
        old = list(state_tree.leaves)
        for i, x in zip(state_places, state, strict=True):
            old[i] = wrap(x)
        loss_of_step = {"value": value} if isinstance(optimizer, Transformation) else {}
        new, after = optimizer.update(
            dict(zip(names, slopes, strict=True)),
            filled(state_at, old),
            dict(zip(names, own, strict=True)),
            **loss_of_step,
        )
        kept_state = old
        read_leaves(state_at, after, kept_state)
        result = [
            value._native,
            [new[name]._native for name in names],
            [x._native for x in kept],
            [kept_state[i]._native for i in state_places],
        ]
        return [*result, aux] if has_aux else result

    return step


def _part(x: Any, part: int, parts: int) -> Any:
    if not isinstance(x, Array) or x.ndim == 0:
        return x
    length = x.shape[0]
    if length is not None and length % parts:
        raise CoreArrayValueError(f"a batch of {length} cannot be divided into 'accumulate={parts}' equal parts")
    size = length // parts
    return x[part * size : (part + 1) * size]


def filled(places: Any, leaves: list[Any]) -> Any:
    """Return a tree with the leaves that its numbers stand for. Plain code, which compilers that read code follow."""
    if isinstance(places, int):
        return leaves[places]
    if isinstance(places, dict):
        return {key: filled(value, leaves) for key, value in places.items()}
    if isinstance(places, (list, tuple)):
        found = [filled(value, leaves) for value in places]
        if hasattr(places, "_fields"):
            return type(places)(*found)
        return found if isinstance(places, list) else tuple(found)
    return nested_map(lambda place: leaves[place], places)


def read_leaves(places: Any, tree: Any, leaves: list[Any]) -> None:
    """Put the leaves of a tree into a list, each at its number."""
    if isinstance(places, int):
        leaves[places] = tree
    elif isinstance(places, dict):
        for key, value in places.items():
            read_leaves(value, tree[key], leaves)
    elif isinstance(places, (list, tuple)):
        for value, item in zip(places, tree, strict=True):
            read_leaves(value, item, leaves)
    else:
        nested_multi_map(lambda place, leaf: leaves.__setitem__(place, leaf), [places, tree])


def name_leaves(places: Any, name: str, names: dict[int, str]) -> None:
    """Note a name for each number of a tree: the way to it."""
    if isinstance(places, int):
        names[places] = name
    elif isinstance(places, Mapping):
        for key, value in places.items():
            name_leaves(value, f"{name}.{key}", names)
    elif isinstance(places, (list, tuple)):
        for i, value in enumerate(places):
            name_leaves(value, f"{name}.{i}", names)
