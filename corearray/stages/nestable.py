"""Containers among the arguments: the function is computed for each leaf of their common structure."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any

from corearray.container import Container
from corearray.container.structure import require_same_structure, zipped
from corearray.errors import CoreArrayTypeError
from corearray.plugin import hookimpl
from corearray.settings.context import current_settings

if TYPE_CHECKING:
    from corearray.calls.binding import Binding, Call

__all__ = ["handle_nestable"]

_CONTAINER = frozenset({Container})

#: Where a Container stands: the place of the argument, and the place in it if it is a sequence.
_Place = tuple[int, int | None]


@hookimpl
def handle_nestable(call: Call, function: Binding) -> Call | None:
    """Map over the leaves of Containers, which stand for any argument, or in a sequence of arrays or in a key.

    Each leaf is a call of its own, with all stages. A named tuple that a function returns becomes a named tuple of
    Containers; any other result is a leaf of the Container that is returned. `out` is a Container too.
    """
    parameters = function.declaration.parameters
    name = function.declaration.name
    result_type = function.result_type
    out_place = function.place("out")
    sequences = [i for i, p in enumerate(parameters) if p.role in ("arrays", "index") or p.how == "variadic"]

    def over_leaves(args: list[Any]) -> Any:
        if _CONTAINER.isdisjoint(map(type, args)):
            for i in sequences:
                if isinstance(args[i], (tuple, list)) and not _CONTAINER.isdisjoint(map(type, args[i])):
                    break
            else:
                return call(args)
        return mapped(args)

    keywords = [p.name for p in parameters if p.how == "keyword"]
    count = len(parameters) - len(keywords)
    variadic = count > 0 and parameters[count - 1].how == "variadic"

    def on_one_leaf(args: list[Any]) -> Any:
        """The function that users reach, as one of the list of its arguments."""
        positional = args[:count]
        if variadic:
            positional += positional.pop()
        return function.function(*positional, **dict(zip(keywords, args[count:], strict=True)))

    def mapped(args: list[Any]) -> Any:
        places = _places(args, sequences)
        labels = [_label(parameters[i].name, j) for i, j in places]
        out = None if out_place is None else args[out_place]
        if not current_settings().nestable:
            raise CoreArrayTypeError(
                f"'{name}' got a Container for {labels[0]} while the nestable mode is off; map the function yourself "
                "with container.map, or switch the mode on with corearray.set_nestable_mode(True)"
            )
        if out is not None and type(out) is not Container:
            raise CoreArrayTypeError(
                f"'{name}' got a Container for {labels[0]} and an out of type {type(out).__name__}; "
                "give a Container of the same structure as out"
            )
        containers = [args[i] if j is None else args[i][j] for i, j in places]
        require_same_structure(containers, labels, f"Containers among the arguments of '{name}'")

        def at_leaf(chain: str, leaves: list[Any]) -> Any:
            try:
                return on_one_leaf(_filled(args, places, leaves))
            except Exception as error:
                error.add_note(f"at the key chain '{chain}' of the Container")
                raise

        results = zipped(containers, at_leaf)
        if out is not None:
            return out
        return results if result_type is None else _inside_out(results, result_type)

    return over_leaves


def _places(args: list[Any], sequences: list[int]) -> list[_Place]:
    found: list[_Place] = []
    for i, x in enumerate(args):
        if type(x) is Container:
            found.append((i, None))
        elif i in sequences and isinstance(x, (tuple, list)):
            found += [(i, j) for j, member in enumerate(x) if type(member) is Container]
    return found


def _filled(args: list[Any], places: list[_Place], leaves: list[Any]) -> list[Any]:
    """Return the arguments with leaves in place of the Containers."""
    filled = list(args)
    for (i, j), leaf in zip(places, leaves, strict=True):
        if j is None:
            filled[i] = leaf
        else:
            members = [*filled[i][:j], leaf, *filled[i][j + 1 :]]
            filled[i] = tuple(members) if isinstance(args[i], tuple) else members
    return filled


def _inside_out(results: Container, kind: Any) -> Any:
    """Return one named tuple of Containers for a Container of named tuples."""
    return kind(*(results.map(itemgetter(place)) for place in range(len(kind._fields))))


def _label(parameter: str, number: int | None) -> str:
    return f"'{parameter}'" if number is None else f"'{parameter}[{number}]'"
