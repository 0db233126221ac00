"""Maps over the leaves of trees of parameters; a leaf `None` stands for nothing to do and stays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from corearray.arrays.array import Array
from corearray.calls.dispatch import backend_of
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.transforms.tree import Tree, leaf_names

__all__ = ["mapped", "require_at_least_zero", "require_floating", "require_shapes", "scalar_like", "stepped"]


def mapped(function: Callable[..., Any], tree: Any, /, *others: Any) -> Any:
    """Return a tree like the first of `function(leaf, *leaves of the others)`, with `None` where its leaf is `None`.

    Raises
    ------
    ValueError
        If the trees differ in structure.
    """
    first = Tree(tree)
    columns = [first.leaves, *(first.like(other, _ALIKE) for other in others)]
    return first.of([None if leaves[0] is None else function(*leaves) for leaves in zip(*columns, strict=True)])


def stepped(function: Callable[..., Any], updates: Any, /, *states: Any, parameters: Any = None) -> tuple[Any, ...]:
    """Map a step of one parameter over trees.

    Parameters
    ----------
    function
        Takes the leaf of `updates`, those of `states`, and that of `parameters` if it is given; returns a new leaf of the
        updates and of each state.
    updates, states, parameters
        Trees of one structure.

    Returns
    -------
    The new updates and states. Where the update is `None`, it remains so and the states remain.
    """
    first = Tree(updates)
    kept = [first.like(state, _ALIKE) for state in states]
    columns = kept if parameters is None else [*kept, first.like(parameters, _ALIKE)]
    rows = [
        (None, *rest[: len(states)]) if update is None else function(update, *rest)
        for update, *rest in zip(first.leaves, *columns, strict=True)
    ]
    return tuple(first.of(list(column)) for column in zip(*rows, strict=True)) if rows else (updates, *states)


def scalar_like(tree: Any, value: float, dtype: Any) -> Any:
    """Return an array without axes, on the backend and device of the first array of a tree."""
    for leaf in Tree(tree).leaves:
        if leaf is None:
            continue
        backend = backend_of(leaf)
        if backend is None:
            raise CoreArrayTypeError(f"parameters are trees of arrays, got a leaf of type {type(leaf).__name__}")
        return backend.asarray(value, dtype=dtype, device=backend.asarray(leaf).device)
    raise CoreArrayValueError("there are no parameters to optimise; give a tree with at least one array")


_ALIKE = "gradients, parameters and the optimiser's state are trees of one structure"


def require_floating(parameters: Any) -> None:
    """Refuse parameters that are no floating arrays, by name."""
    tree = Tree(parameters)
    for i, leaf in enumerate(tree.leaves):
        if leaf is None:
            continue
        backend = backend_of(leaf)
        if backend is None:
            raise CoreArrayTypeError(f"parameters are trees of arrays, got a leaf of type {type(leaf).__name__}")
        dtype = leaf.dtype if isinstance(leaf, Array) else backend.dtype_of(leaf)
        if "floating" not in dtype.category:
            raise CoreArrayTypeError(
                f"parameters are floating arrays, and {_named(tree, i)} is of the dtype '{dtype}'; leave it out, of a Module "
                "by 'model.parameters(trainable=True)'"
            )


def require_shapes(gradients: Any, parameters: Any) -> None:
    """Refuse gradients of other shapes than their parameters, by name."""
    tree = Tree(parameters)
    for i, (p, g) in enumerate(zip(tree.leaves, tree.like(gradients, _ALIKE), strict=True)):
        if p is None or g is None or p.shape == g.shape:
            continue
        one, other = tuple(g.shape), tuple(p.shape)
        if one != other and None not in (*one, *other):
            raise CoreArrayValueError(
                f"the gradient of {_named(tree, i)} has the shape {one}, and the parameter {other}"
            )


def require_at_least_zero(name: str, **values: Any) -> None:
    """Refuse options of an optimiser that are negative or no numbers."""
    for option, value in values.items():
        if not isinstance(value, (int, float)):
            raise CoreArrayTypeError(f"'{name}' got {option}={value!r}; it is a number")
        if not value >= 0:
            raise CoreArrayValueError(f"'{name}' got {option}={value!r}; it is at least 0")


def _named(tree: Tree, place: int) -> str:
    """Return the name of a leaf in quotation marks, as `'blocks.0.weight'`."""
    return f"'{leaf_names(tree.of(tree.leaves))[place]}'"
