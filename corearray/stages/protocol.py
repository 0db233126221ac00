"""Foreign classes that compute corearray's functions themselves: `__corearray_function__`.

A class with this method is left alone by the stages outside of `handle_array_function`, and gets the call there. No
array of a backend is looked at for it: their types are known.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from corearray.errors import CoreArrayTypeError, options
from corearray.plugin import hookimpl
from corearray.settings.context import SCALARS

if TYPE_CHECKING:
    from corearray.calls.binding import Binding, Call

__all__ = ["handle_array_function", "is_foreign", "taken_over"]

_METHOD = "__corearray_function__"


def is_foreign(value: Any) -> bool:
    """Whether the class of a value takes calls over."""
    return hasattr(type(value), _METHOD)


@hookimpl
def handle_array_function(call: Call, function: Binding) -> Call | None:
    """Let foreign classes take the call over through `__corearray_function__(self, function, types, args, kwargs)`.

    Each class is asked once, in the order of the arguments, but a subclass before the classes that it derives from.
    One that returns `NotImplemented` passes the call on.
    """
    backend = function.backend
    singles, sequences = list(function.arrays), function.sequences
    out = function.place("out")
    if out is not None:
        singles.append(out)
    if not singles and not sequences:
        return None
    known = {backend.Array, *backend.array_types, *SCALARS, type(None)}

    def offered(args: list[Any]) -> Any:
        for i in singles:
            if type(args[i]) not in known and is_foreign(args[i]):
                return taken_over(function, args)
        for i in sequences:
            for x in () if args[i] is None else args[i]:
                if type(x) not in known and is_foreign(x):
                    return taken_over(function, args)
        return call(args)

    return offered


def taken_over(function: Binding, args: list[Any]) -> Any:
    """Give a call to the foreign classes among its arguments, with native arrays wrapped.

    Raises
    ------
    CoreArrayTypeError
        If each of them returns `NotImplemented`.
    """
    backend = function.backend
    declaration = function.declaration

    def wrapped(value: Any) -> Any:
        if type(value) in backend.array_types:
            return backend.wrap(value)
        return [wrapped(x) for x in value] if type(value) is list else value

    values: list[Any] = []
    positional: list[Any] = []
    chosen: dict[str, Any] = {}
    for p, value in zip(declaration.parameters, map(wrapped, args), strict=True):
        if p.role == "arrays":
            values += value or ()
        elif p.role in ("array", "out"):
            values.append(value)
        if p.how == "variadic":
            positional += value
        elif p.required:
            positional.append(value)
        elif value is not p.default:
            chosen[p.name] = value
    asked = _in_order(filter(is_foreign, values))
    types = tuple(map(type, asked))
    for x in asked:
        result = getattr(type(x), _METHOD)(x, declaration.public, types, tuple(positional), chosen)
        if result is not NotImplemented:
            return result
    raise CoreArrayTypeError(
        f"'{declaration.name}' got arguments of the types {options(t.__name__ for t in types)}, none of which "
        f"computes it: each {_METHOD} returned NotImplemented"
    )


def _in_order(values: Iterable[Any]) -> list[Any]:
    """Return one value of each type, those of a subclass before those of the classes that it derives from."""
    ordered: list[Any] = []
    for value in values:
        kind = type(value)
        if any(type(other) is kind for other in ordered):
            continue
        place = next((i for i, other in enumerate(ordered) if issubclass(kind, type(other))), len(ordered))
        ordered.insert(place, value)
    return ordered
