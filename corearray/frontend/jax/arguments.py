"""Arguments of functions that take some by position as they are: static and non-differentiable ones."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from corearray.errors import CoreArrayTypeError

__all__ = ["places_of", "positional", "separated", "several"]


def several(x: Any) -> tuple[Any, ...]:
    """Return one number or name, or a sequence of them, as a tuple."""
    return () if x is None else (x,) if isinstance(x, (int, str)) else tuple(x)


def places_of(fun: Callable[..., Any], numbers: Any, names: Any) -> tuple[int, ...]:
    """Return the positions of parameters that are given by number or by name, in ascending order.

    Raises
    ------
    TypeError
        If the function has no parameter of a name.
    """
    places = set(several(numbers))
    if names:
        parameters = list(inspect.signature(fun).parameters)
        for name in several(names):
            if name not in parameters:
                raise CoreArrayTypeError(f"{fun} has no parameter {name!r}; its parameters are {', '.join(parameters)}")
            places.add(parameters.index(name))
    return tuple(sorted(places))


def positional(fun: Callable[..., Any], args: Sequence[Any], options: dict[str, Any]) -> tuple[Any, ...]:
    """Return all arguments of a call by position, with defaults.

    Raises
    ------
    TypeError
        If the function takes one of them by keyword only.
    """
    try:
        bound = inspect.signature(fun).bind(*args, **options)
    except ValueError:  # a builtin without a signature
        if not options:
            return tuple(args)
        raise CoreArrayTypeError(f"the keyword arguments of {fun}, which has no signature, have no positions") from None
    bound.apply_defaults()
    if bound.kwargs:
        raise CoreArrayTypeError(
            f"The input arguments to {fun} could not be resolved to positional-only arguments: "
            f"{', '.join(bound.kwargs)} is taken by keyword only"
        )
    return bound.args


def separated(args: Sequence[Any], places: Iterable[int]) -> tuple[list[Any], Callable[[Sequence[Any]], list[Any]]]:
    """Return the arguments at other positions, and a function that puts such arguments between the ones at the positions."""
    fixed = {i % len(args): args[i] for i in places if -len(args) <= i < len(args)}

    def joined(moving: Sequence[Any]) -> list[Any]:
        rest = iter(moving)
        return [fixed[i] if i in fixed else next(rest) for i in range(len(args))]

    return [x for i, x in enumerate(args) if i not in fixed], joined
