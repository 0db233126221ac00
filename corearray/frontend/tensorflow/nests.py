"""`tf.nest`: functions of nested lists, tuples and dictionaries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from corearray.errors import CoreArrayTypeError, CoreArrayValueError

__all__ = ["FUNCTIONS", "like", "parts_of"]


def parts_of(x: Any) -> list[tuple[Any, Any]] | None:
    """Return keys and parts of a nest, of dictionaries in the order of sorted keys; `None` for a leaf."""
    if isinstance(x, dict):
        return [(key, x[key]) for key in sorted(x)]
    if isinstance(x, (list, tuple)):
        return list(enumerate(x))
    return None


def _leaves(x: Any) -> Iterator[Any]:
    children = parts_of(x)
    if children is None:
        yield x
    else:
        for _, part in children:
            yield from _leaves(part)


def like(x: Any, parts: dict[Any, Any]) -> Any:
    """Return a nest of the type of another one, with parts by their keys."""
    if isinstance(x, dict):
        return type(x)((key, parts[key]) for key in x)
    values = [parts[place] for place in range(len(x))]
    return type(x)(*values) if hasattr(x, "_fields") else type(x)(values)


def _is_nested(tf: Any, seq: Any) -> bool:
    """Return true for lists, tuples and dictionaries."""
    return parts_of(seq) is not None


def _flatten(tf: Any, structure: Any, expand_composites: bool = False) -> list[Any]:
    """Return the leaves, of dictionaries in the order of sorted keys."""
    return list(_leaves(structure))


def _pack(tf: Any, structure: Any, flat_sequence: Any, expand_composites: bool = False) -> Any:
    """Return a nest of the same structure with other leaves."""
    values = list(flat_sequence)
    wanted = sum(1 for _ in _leaves(structure))
    if len(values) != wanted:
        raise CoreArrayValueError(f"the structure has {wanted} leaves, and there are {len(values)} values")
    rest = iter(values)

    def made(x: Any) -> Any:
        children = parts_of(x)
        return next(rest) if children is None else like(x, {key: made(part) for key, part in children})

    return made(structure)


def _assert_same(tf: Any, nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False) -> None:
    """Raise an error unless two nests have the same structure."""
    one, other = parts_of(nest1), parts_of(nest2)
    if (one is None) != (other is None) or (
        one is not None and other is not None and [key for key, _ in one] != [key for key, _ in other]
    ):
        raise CoreArrayValueError(f"The two structures don't have the same nested structure: {nest1!r} and {nest2!r}")
    if check_types and one is not None and type(nest1) is not type(nest2):
        raise CoreArrayTypeError(f"The two structures have different types: {type(nest1)} and {type(nest2)}")
    for (_, left), (_, right) in zip(one or [], other or [], strict=True):
        _assert_same(tf, left, right, check_types)


def _map(
    tf: Any, func: Callable[..., Any], *structure: Any, check_types: bool = True, expand_composites: bool = False
) -> Any:
    """Call a function with the leaves of nests, and return a nest of the results."""
    if not callable(func):
        raise CoreArrayTypeError(f"func must be callable, got: {func!r}")
    if not structure:
        raise CoreArrayValueError("Must provide at least one structure")
    for other in structure[1:]:
        _assert_same(tf, structure[0], other, check_types)
    return _pack(tf, structure[0], [func(*parts) for parts in zip(*map(_leaves, structure), strict=True)])


#: Functions by their names; each takes the frontend first.
FUNCTIONS = {
    "nest.is_nested": _is_nested, "nest.flatten": _flatten, "nest.pack_sequence_as": _pack,
    "nest.assert_same_structure": _assert_same, "nest.map_structure": _map,
}  # fmt: skip
