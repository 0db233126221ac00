"""Walking through nested tuples, lists and dictionaries, without a framework."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from corearray.arrays.array import Array
from corearray.settings.context import current_settings, on_arrays

__all__ = ["as_functions_return", "map_nested", "to_native"]

_F = TypeVar("_F", bound=Callable[..., Any])

_NUMBERS = frozenset({bool, int, float, complex})


def map_nested(value: Any, change: Callable[[Any], Any]) -> Any:
    """Apply a function to the leaves of nested tuples, lists, dictionaries and named tuples."""
    if isinstance(value, tuple):
        changed = [map_nested(item, change) for item in value]
        if hasattr(value, "_fields"):
            return type(value)(*changed)
        return tuple(changed) if type(value) is tuple else value
    if type(value) is list:
        if _NUMBERS.issuperset(map(type, value)):
            return value
        return [map_nested(item, change) for item in value]
    if type(value) is dict:
        return {key: map_nested(item, change) for key, item in value.items()}
    return change(value)


def to_native(value: Any) -> Any:
    """Return the native array of an `Array`, and anything else as it is."""
    return value._native if isinstance(value, Array) else value


def as_functions_return(function: _F) -> _F:
    """Let functions return an `Array` while this one runs, and return native arrays in native array mode, as they do."""
    on_any = on_arrays(function)

    @wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        result = on_any(*args, **kwargs)
        return map_nested(result, to_native) if current_settings().native_arrays else result

    return cast(_F, called)
