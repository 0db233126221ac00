"""Ragged arrays among the arguments: the function is computed on the values of the rows, or reduces the rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from corearray.arrays.nested import as_functions_return
from corearray.calls.keywords import from_synonym
from corearray.container import Container
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.plugin import hookimpl
from corearray.ragged import Ragged
from corearray.ragged.operands import lowered
from corearray.ragged.reductions import REDUCTIONS, SCANS, reduced, scanned

if TYPE_CHECKING:
    from corearray.calls.binding import Binding, Call

__all__ = ["handle_ragged"]

_RAGGED = frozenset({Ragged})

#: Functions of other categories that are computed element by element too.
_OTHERS = frozenset(("astype", "empty_like", "full_like", "ones_like", "where", "zeros_like"))


@hookimpl
def handle_ragged(call: Call, function: Binding) -> Call | None:
    """Compute elementwise functions on the values, reduce along rows, and refuse ragged arrays elsewhere.

    A Container beside a ragged array is mapped over first.
    """
    if not (function.arrays or function.sequences or function.nested):
        return None
    sequences = function.sequences
    computed = as_functions_return(_way(function))

    def over_rows(args: list[Any]) -> Any:
        if _RAGGED.isdisjoint(map(type, args)):
            for i in sequences:
                if isinstance(args[i], (tuple, list)) and not _RAGGED.isdisjoint(map(type, args[i])):
                    break
            else:
                return call(args)
        if Container in map(type, args):
            return call(args)
        return computed(args)

    return over_rows


def _way(function: Binding) -> Callable[[list[Any]], Any]:
    """Choose what is done with ragged arguments."""
    declaration = function.declaration
    name = declaration.name
    if name in _OTHERS or declaration.elementwise:
        return lambda args: _on_values(function, args)
    if name in REDUCTIONS or name in SCANS:
        return lambda args: _along_rows(function, args)
    if name == "to_list":
        return lambda args: args[0].tolist()

    def refuse(args: list[Any]) -> Any:
        raise CoreArrayTypeError(
            f"'{name}' takes no ragged array; elementwise functions do, {', '.join(sorted(_OTHERS))}, and along rows "
            f"{', '.join(sorted(REDUCTIONS | SCANS))}; else give r.values, or r.to_padded(fill_value)"
        )

    return refuse


def _on_values(function: Binding, args: list[Any]) -> Any:
    """Call the function with the values of the ragged arrays, all of the same rows."""
    parameters = function.declaration.parameters
    name = function.declaration.name
    out = function.place("out")
    model = next(x for x in args if type(x) is Ragged)
    if out is not None and args[out] is not None and type(args[out]) is not Ragged:
        raise CoreArrayTypeError(
            f"'{name}' got a ragged array and an out of type {type(args[out]).__name__}; give a ragged array of the same rows"
        )
    filled = list(args)
    for i, x in enumerate(args):
        if i in function.arrays or i == out:
            filled[i] = lowered(model, x, f"'{parameters[i].name}'", name)
        elif type(x) is Ragged:
            raise CoreArrayTypeError(f"'{name}' takes no ragged array for '{parameters[i].name}'")
    options = {p.name: x for p, x in zip(parameters, filled, strict=True) if p.how == "keyword"}
    result = function.function(*filled[: len(filled) - len(options)], **options)
    if out is not None and args[out] is not None:
        return args[out]
    if isinstance(result, tuple):
        return type(result)(*map(model.with_values, result))
    return model.with_values(result)


def _along_rows(function: Binding, args: list[Any]) -> Any:
    """Reduce or scan the one ragged array."""
    name = function.declaration.name
    parameters, args = function.declaration.parameters, list(args)
    synonyms = [i for i, p in enumerate(parameters) if p.role == "synonym"]
    for i in synonyms:
        from_synonym(function.declaration, i)(args)
    options = {p.name: args[i] for i, p in enumerate(parameters) if i and i not in synonyms}
    if type(args[0]) is not Ragged:
        raise CoreArrayTypeError(f"'{name}' got a ragged array for something else than what it reduces")
    out = options.pop("out", None)
    if out is not None:
        raise CoreArrayValueError(f"'{name}' of a ragged array takes no out; use what is returned")
    axis = options.pop("axis")
    if name in SCANS:
        return scanned(name, args[0], axis, options)
    return reduced(name, args[0], axis, options.pop("keepdims"), options)
