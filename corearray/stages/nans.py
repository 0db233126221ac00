"""What is done about NaN in results, as the setting `nan_policy` says."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from corearray.arrays.nested import map_nested
from corearray.calls.tracebacks import frames_to_user
from corearray.container import Container
from corearray.errors import CoreArrayError, NaNError
from corearray.plugin import hookimpl
from corearray.ragged import Ragged
from corearray.settings.context import changed, current_settings

if TYPE_CHECKING:
    from corearray.backends.backend import Backend
    from corearray.calls.binding import Binding, Call

__all__ = ["handle_nans"]


@hookimpl
def handle_nans(call: Call, function: Binding) -> Call | None:
    """Look for NaN in results of floating-point and complex numbers.

    The functions that a composition calls on its way, and those that look for NaN, are not looked at: the policy rests
    until the result is there.
    """
    if not function.returns_arrays:
        return None
    backend = function.backend
    name = function.declaration.name

    def looked_at(args: list[Any]) -> Any:
        policy = current_settings().nan_policy
        if policy == "nothing":
            return call(args)
        with changed(lambda: {"nan_policy": "nothing"}):
            result = call(args)
            found = _has_nan(result, backend)
        if found:
            text = f"the result of '{name}' on backend '{backend.name}' has NaN, and nan_policy is '{policy}'"
            if policy == "raise":
                raise NaNError(f"{text}; look at the arguments, or call corearray.unset_nan_policy()")
            warnings.warn(text, RuntimeWarning, stacklevel=frames_to_user())
        return result

    return looked_at


def _has_nan(result: Any, backend: Backend) -> bool:
    found = []

    def look(value: Any) -> Any:
        if isinstance(value, (Container, Ragged)):
            map_nested(value.leaves() if isinstance(value, Container) else value.values, look)
        elif backend.is_array(value) and backend.dtype_of(value).category.endswith("floating"):
            found.append(bool(backend.any(backend.isnan(value))))
        return value

    try:
        map_nested(result, look)
    except CoreArrayError:  # while a framework traces, there are no values to look at
        return False
    return any(found)
