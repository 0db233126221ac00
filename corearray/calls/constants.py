"""Constants of a backend: native arrays of the Python scalars beside arrays, made once.

A framework that takes no Python scalars computes `x + 2.0` with an array of the number, and many need longer to make it
than to add it. Where native arrays never change, one array serves all calls.
The tables of numbers in compositions are kept likewise.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from corearray.errors import CoreArrayError

if TYPE_CHECKING:
    from corearray.arrays.kind import Kind
    from corearray.backends.backend import Backend

__all__ = ["constants_of"]

#: From a Python scalar, or a tuple of them, a kind and a native array beside it to a native array.
_Constants = Callable[[Any, Any, Any], Any]

#: The most arrays that are kept for one dtype; programs write few numbers, and loops over numbers must not fill memory.
_MOST = 1024

_KEPT = frozenset((bool, int, float, tuple))


def constants_of(backend: Backend) -> _Constants | None:
    """Return a function from a Python scalar, a kind and a native array beside it to a native array without axes.

    A tuple of scalars, none of them a negative zero, gives an array with one axis. The function returns one array for
    one value, dtype and device. Beside a tracer, which is no instance of the first of
    `array_types` itself, it makes a new one. `None` for backends whose arrays change, and for those whose `add` takes
    Python scalars.
    """
    if "_constant" not in backend.scope:
        backend.scope["_constant"] = _constants(backend) if _are_kept(backend) else None
    return cast("_Constants | None", backend.scope["_constant"])


def _are_kept(backend: Backend) -> bool:
    if backend.writes_in_place:
        return False
    with suppress(CoreArrayError):  # a plugin in the making may lack the function
        implementation = backend.binding("add").implementation
        return implementation is not None and not implementation.options.scalars
    return False


def _constants(backend: Backend) -> _Constants:
    concrete, one_device = backend.array_types[0], len(backend.devices()) == 1
    native_dtypes = {kind: native for native, kind in backend.kinds.items()}
    kept: dict[Kind, dict[Any, Any]] = {kind: {} for kind in native_dtypes}

    def made(value: Any, kind: Kind, beside: Any) -> Any:
        given = list(value) if type(value) is tuple else value
        return backend.number(given, native_dtypes[kind], beside)

    def constant(value: Any, kind: Kind, beside: Any) -> Any:
        if type(beside) is not concrete or type(value) not in _KEPT:
            return made(value, kind, beside)
        # One dtype has one array for 1, 1.0 and True, and two for zeros of both signs.
        key = value or repr(value)
        if not one_device:
            key = key, backend.device_of(beside)
        found = kept[kind].get(key)
        if found is None:
            found = made(value, kind, beside)
            if type(found) is concrete:
                if len(kept[kind]) >= _MOST:
                    kept[kind].clear()
                kept[kind][key] = found
        return found

    return constant
