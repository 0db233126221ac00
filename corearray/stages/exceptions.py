"""Native exceptions become members of the corearray family, once, at the public boundary."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corearray.errors import CoreArrayError, LinAlgError, translated
from corearray.plugin import hookimpl
from corearray.stages.diagnosis import diagnosed

if TYPE_CHECKING:
    from corearray.backend import Backend
    from corearray.stages.compose import Binding, Call

__all__ = ["explained", "handle_exceptions"]


@hookimpl
def handle_exceptions(call: Call, function: Binding) -> Call | None:
    """Find the cause of a failure out, or translate what the framework raises; the native error is the `__cause__`."""
    backend = function.backend
    declaration = function.declaration
    composed = function.implementation is None
    own = f"'{declaration.name}'"  # with which a function begins what it says itself of its arguments

    def cause(error: Exception, args: list[Any]) -> CoreArrayError | None:
        return diagnosed(declaration, backend, args, knows=str(error).startswith(own))

    def guarded(args: list[Any]) -> Any:
        try:
            return call(args)
        except Warning:  # a warning is an error because the user wants it to be
            raise
        except CoreArrayError as error:
            if composed and isinstance(error, (ValueError, IndexError)):
                found = cause(error, args)
                if found is not None:
                    raise found from error.__cause__ or error
            raise
        except Exception as error:
            raise explained(error, backend, declaration.name, cause(error, args)) from error

    return guarded


def explained(error: Exception, backend: Backend, name: str, found: CoreArrayError | None) -> CoreArrayError:
    """Return the member of the family to raise for a native error.

    Parameters
    ----------
    error
        What the framework raised.
    backend, name
        Where, for the text.
    found
        What the diagnosis says about the arguments, if anything.
    """
    if found is not None:
        said = (str(error) or "nothing").splitlines()[0]
        found.args = (f"{found} ({type(error).__name__}: {said[:200]})",)
        return found
    if type(error).__name__.lstrip("_") == "LinAlgError":
        return LinAlgError(f"'{name}' on backend '{backend.name}' failed: {error}")
    return translated(error, backend.name, name, backend.fact("error_kind", error))
