"""The structure of Containers: parallel traversal and differences."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from corearray.calls.dispatch import backend_of
from corearray.errors import CoreArrayTypeError, CoreArrayValueError

if TYPE_CHECKING:
    from corearray.container.tree import Tree

__all__ = [
    "SEPARATOR",
    "difference",
    "differences",
    "joined",
    "parts_of",
    "require_same_structure",
    "same_leaf",
    "zipped",
]

#: Between the keys of a key chain.
SEPARATOR = "/"

_MISSING = object()

_T = TypeVar("_T", bound="Tree")


def parts_of(key: object) -> list[str]:
    """Split a key chain into its keys.

    Examples
    --------
    >>> parts_of("encoder/weight")
    ['encoder', 'weight']
    """
    if not isinstance(key, str):
        raise CoreArrayTypeError(f"a key of a Container is a string, got {key!r} ({type(key).__name__})")
    parts = key.split(SEPARATOR)
    if "" in parts:
        raise CoreArrayValueError(f"'{key}' is no key chain; keys are not empty and stand between single '{SEPARATOR}'")
    return parts


def joined(chain: str, key: str) -> str:
    """Append a key to a key chain, which is empty at the root."""
    return f"{chain}{SEPARATOR}{key}" if chain else key


def zipped(containers: Sequence[_T], fn: Callable[[str, list[Any]], Any], chain: str = "") -> _T:
    """Call `fn(key_chain, leaves)` for corresponding leaves of Containers with one structure, in the key order of
    the first.
    """
    first = containers[0]
    kind = type(first)
    made: dict[str, Any] = {}
    for key, value in first._items.items():
        values = [container._items[key] for container in containers]
        here = joined(chain, key)
        if type(value) is kind:
            made[key] = zipped(values, fn, here)
        else:
            result = fn(here, values)
            made[key] = kind(result) if isinstance(result, Mapping) and type(result) is not kind else result
    return kind._made(made)


def difference(first: Tree, other: Tree, chain: str = "") -> tuple[str, str, str] | None:
    """Return the first key chain at which two structures differ with both values, or `None`."""
    if first is other:
        return None
    kind = type(first)
    for key, one in first._items.items():
        two = other._items.get(key, _MISSING)
        if type(one) is kind and type(two) is kind:
            found = difference(one, two, joined(chain, key))
            if found is not None:
                return found
        elif two is _MISSING or type(one) is kind or type(two) is kind:
            return joined(chain, key), _what(one, kind), _what(two, kind)
    for key, two in other._items.items():
        if key not in first._items:
            return joined(chain, key), _what(_MISSING, kind), _what(two, kind)
    return None


def _what(value: object, kind: type) -> str:
    if value is _MISSING:
        return "nothing"
    return "a Container" if type(value) is kind else "a leaf"


def require_same_structure(containers: Sequence[Tree], names: Sequence[str], where: str) -> None:
    """Raise an error that names the differing key chain unless all Containers have one structure.

    Parameters
    ----------
    containers
        At least one.
    names
        How the text calls each.
    where
        What they are, for the text: `"arguments of 'add'"`.
    """
    for name, other in zip(names[1:], containers[1:], strict=True):
        found = difference(containers[0], other)
        if found is not None:
            chain, one, two = found
            raise CoreArrayValueError(
                f"the {where} differ in structure: at the key chain '{chain}' {names[0]} has {one} and {name} has "
                f"{two}; Containers that are used together have the same keys (c1.diff(c2) lists what differs)"
            )


def differences(nodes: Sequence[Any], kind: type[_T]) -> _T | None:
    """Return the differences between nodes of several trees, each by the index of its tree, or `None`."""
    if all(type(node) is kind for node in nodes):
        keys = dict.fromkeys(key for node in nodes for key in node._items)
        found = {key: differences([node._items.get(key, _MISSING) for node in nodes], kind) for key in keys}
        found = {key: value for key, value in found.items() if value is not None}
        return kind._made(found) if found else None
    if all(node is not _MISSING and same_leaf(nodes[0], node) for node in nodes[1:]) and nodes[0] is not _MISSING:
        return None
    return kind._made({str(place): node for place, node in enumerate(nodes) if node is not _MISSING})


def same_leaf(one: Any, two: Any) -> bool:
    """Return whether two leaves are the same: type, and for arrays backend, dtype, shape and elements (NaN equals NaN).

    Examples
    --------
    >>> same_leaf([1, 2.0], [1, 2.0]), same_leaf(1, 1.0)
    (True, False)
    """
    if one is two:
        return True
    if type(one) is not type(two):
        return False
    if isinstance(one, (list, tuple)):
        return len(one) == len(two) and all(map(same_leaf, one, two))
    if hasattr(one, "ragged_rank"):
        return bool(one.equals(two))
    backend = backend_of(one)
    if backend is not None:
        if one.dtype != two.dtype or tuple(one.shape) != tuple(two.shape):
            return False
        both_nan = backend.logical_and(backend.not_equal(one, one), backend.not_equal(two, two))
        return bool(backend.all(backend.logical_or(backend.equal(one, two), both_nan)))
    try:
        return bool(one == two) or bool(one != one and two != two)
    except Exception:  # leaves that cannot be compared are the same only if they are one
        return False
