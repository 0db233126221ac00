"""Native exceptions become members of the corearray family, once, at the public boundary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corearray.errors import CoreArrayError, LinAlgError, translated
from corearray.plugin import hookimpl

if TYPE_CHECKING:
    from corearray.stages.compose import Binding, Call

__all__ = ["handle_exceptions"]


@hookimpl
def handle_exceptions(call: Call, function: Binding) -> Call | None:
    """Translate what the framework raises, keeping the Python type and chaining the cause."""
    backend = function.backend
    name = function.declaration.name

    def guarded(args: list[Any]) -> Any:
        try:
            return call(args)
        except (CoreArrayError, Warning):  # a warning is an error because the user wants it to be
            raise
        except Exception as error:
            if type(error).__name__.lstrip("_") == "LinAlgError":
                raise LinAlgError(f"'{name}' on backend '{backend.name}' failed: {error}") from error
            raise translated(error, backend.name, name, backend.fact("error_kind", error)) from error

    return guarded
