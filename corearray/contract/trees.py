"""Trees of arrays as flat lists, for frameworks whose own trees cannot be taught new classes."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, NamedTuple

from corearray.arrays.array import Array
from corearray.errors import CoreArrayValueError

__all__ = ["flatten", "rebuild"]


class _Node(NamedTuple):
    """A node of a structure: its class, what it needs beside its children, and the children."""

    kind: type
    keys: Hashable
    children: tuple[Hashable, ...]


class _Leaf(NamedTuple):
    """A native array, with the class of the `Array` that held it, or `None` if none did."""

    kind: type | None


class _Constant(NamedTuple):
    """Anything else; the type is part of it, so that `1` and `True` differ."""

    kind: type
    value: Hashable


def flatten(tree: Any, array_types: tuple[type, ...]) -> tuple[list[Any], Hashable]:
    """Return the native arrays of a tree and its structure.

    Parameters
    ----------
    tree
        Tuples, lists, dictionaries, named tuples, Containers and other classes with `tree_flatten`, with any leaves.
    array_types
        The framework's array types. `Array` and native arrays are leaves of the list; any other leaf is a constant of the
        structure, and must be hashable.

    Returns
    -------
    List of native arrays, in order, and a structure that is hashable and equal for trees alike. Use it as the key of compiled
    programs, and give it to `rebuild`.

    Examples
    --------
    >>> import corearray as ca
    >>> x = ca.asarray([1.0])
    >>> natives, structure = flatten({"x": x, "rate": 0.5, "more": [x.native]}, (type(x.native),))
    >>> len(natives), rebuild(structure, [native + 1 for native in natives])["x"].tolist()
    (2, [2.0])
    """
    natives: list[Any] = []

    def taken(node: Any) -> Hashable:
        kind = type(node)
        if isinstance(node, Array):
            natives.append(node._native)
            return _Leaf(kind)
        if isinstance(node, array_types):
            natives.append(node)
            return _Leaf(None)
        if kind is dict:
            return _Node(kind, tuple(node), tuple(map(taken, node.values())))
        if kind in (list, tuple) or (isinstance(node, tuple) and hasattr(node, "_fields")):
            return _Node(kind, None, tuple(map(taken, node)))
        if hasattr(kind, "tree_flatten"):
            values, keys = node.tree_flatten()
            return _Node(kind, keys, tuple(map(taken, values)))
        return _Constant(kind, node)

    return natives, taken(tree)


def rebuild(structure: Hashable, natives: Iterable[Any]) -> Any:
    """Return the tree of a structure from `flatten` with other native arrays, such as tracers or results.

    Raises
    ------
    CoreArrayValueError
        If there are more or fewer arrays than the structure has.

    Examples
    --------
    >>> natives, structure = flatten((1, [2]), ())
    >>> rebuild(structure, natives)
    (1, [2])
    """
    natives = list(natives)
    count = _count(structure)
    if len(natives) != count:
        raise CoreArrayValueError(
            f"a structure of {count} arrays got {len(natives)}; give one for each that 'flatten' returned"
        )
    following = iter(natives)

    def made(node: Any) -> Any:
        if type(node) is _Leaf:
            native = next(following)
            return native if node.kind is None else node.kind._backend.wrap(native)  # type: ignore[attr-defined]
        if type(node) is _Constant:
            return node.value
        children = [made(child) for child in node.children]
        if node.kind is dict:
            return dict(zip(node.keys, children, strict=True))
        if hasattr(node.kind, "_fields"):
            return node.kind(*children)
        if hasattr(node.kind, "tree_unflatten"):
            return node.kind.tree_unflatten(node.keys, children)
        return node.kind(children)

    return made(structure)


def _count(node: Any) -> int:
    return sum(map(_count, node.children)) if type(node) is _Node else type(node) is _Leaf
