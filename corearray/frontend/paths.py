"""Keys of arguments, and trees of arrays by their dotted names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from corearray.calls.dispatch import advice_about
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.holding import Tree
from corearray.frontend.ragged_arguments import arrays_in, is_ragged

__all__ = ["at_path", "hashable", "nested", "structure"]


def hashable(leaf: Any) -> Any:
    """Return a key of an argument that is no array."""
    try:
        hash(leaf)
    except TypeError:
        advice = advice_about(leaf)
        raise CoreArrayTypeError(
            f"an argument that is no array is kept in the program and must be hashable, got {type(leaf).__name__}"
            + (f"; {advice}" if advice else "")
        ) from None
    return repr(leaf) if isinstance(leaf, float) else leaf


def structure(tree: Tree) -> str:
    """Return a key of a tree without its leaves; ragged ones have the number of their arrays."""
    return repr(tree.of([len(arrays_in(leaf)) if is_ragged(leaf) else None for leaf in tree.leaves]))


def nested(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Return dictionaries in each other for arrays by dotted names."""
    made: dict[str, Any] = {}
    for name, value in flat.items():
        *path, last = name.split(".")
        node = made
        for part in path:
            node = node.setdefault(part, {})
        node[last] = value
    return made


def at_path(tree: Mapping[str, Any], name: str, what: str) -> Any:
    """Return the leaf of a dotted name; `what` names it in the error if there is none."""
    node: Any = tree
    for part in name.split("."):
        if not isinstance(node, Mapping) or part not in node:
            raise CoreArrayValueError(f"there is no {what} '{name}' in what was given")
        node = node[part]
    return node
