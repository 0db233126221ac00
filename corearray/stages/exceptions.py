"""Native exceptions become members of the corearray family, once, at the public boundary."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

from corearray.arrays.nested import map_nested
from corearray.calls.failure import is_foreign_error
from corearray.checks.explain import advice_about_sizes, diagnosed
from corearray.checks.missing import explain_missing
from corearray.checks.outline import refusal_of_body
from corearray.contract.recording import unknown_elements
from corearray.errors import (
    CoreArrayError,
    FunctionNotImplementedError,
    LinAlgError,
    TracingError,
    translated,
    without_marks,
)
from corearray.plugin import hookimpl
from corearray.stages.protocol import is_foreign

if TYPE_CHECKING:
    from corearray.backends.backend import Backend
    from corearray.calls.binding import Binding, Call

__all__ = ["handle_exceptions", "raise_explained"]

#: Functions that users write as `x[key]`, under no name.
_OF_BRACKETS = ("get_item", "set_item")

#: Questions to a backend that `if`, `float(x)`, `x.tolist()` and their like ask.
_OF_ELEMENTS = ("to_list", "to_numpy", "to_dlpack")


@hookimpl
def handle_exceptions(call: Call, function: Binding) -> Call | None:
    """Find the cause of a failure out, or translate what the framework raises; the native error is the `__cause__`."""
    backend = function.backend
    declaration = function.declaration
    composed = function.implementation is None
    own = f"'{declaration.name}'"  # with which a function begins what it says itself of its arguments

    def cause(error: Exception, args: list[Any]) -> CoreArrayError | None:
        found = diagnosed(declaration, backend, args, knows=str(error).startswith(own))
        return found or advice_about_sizes(declaration, backend, args, error)

    def by_body(args: list[Any]) -> CoreArrayError | None:
        said = refusal_of_body(function, map_nested(args, lambda x: backend.wrap(x) if backend.is_native(x) else x))
        return None if said is None else translated(said, backend.name, declaration.name)

    def guarded(args: list[Any]) -> Any:
        try:
            return call(args)
        except FunctionNotImplementedError as error:
            explain_missing(error, function)
            raise
        except CoreArrayError as error:
            if isinstance(error, (ValueError, IndexError)) if composed else own not in str(error):
                found = cause(error, args)
            else:
                found = advice_about_sizes(declaration, backend, args, error)
            if found is not None:
                raise _named(found, declaration.name) from error.__cause__ or error
            if not any(map(is_foreign, args)):  # whose own words these are
                _named(error, declaration.name)
            raise
        except Exception as error:
            if is_foreign_error(error, backend):
                raise
            found = cause(error, args)
            if found is None and not composed and not isinstance(error, MemoryError) and not str(error).startswith(own):
                found = by_body(args)
            raise _explained(error, backend, declaration.name, found) from error

    return guarded


def raise_explained(
    error: Exception, backend: Backend, name: str, diagnose: Callable[[], CoreArrayError | None] = lambda: None
) -> NoReturn:
    """Raise the member of the family for a native error; errors of the family, of user code and of Python pass unchanged."""
    if isinstance(error, (CoreArrayError, Warning)) or is_foreign_error(error, backend):
        raise error
    raise _explained(error, backend, name, diagnose()) from error


def _named(error: CoreArrayError, name: str) -> CoreArrayError:
    """Let an error name the function that was called."""
    if f"'{name}'" not in str(error) and name not in _OF_BRACKETS:
        error.args = (f"{error} (within '{name}')",)
    return error


def _with_cause(found: CoreArrayError, error: Exception) -> CoreArrayError:
    """Let an error tell the native one."""
    said = (without_marks(str(error)) or "nothing").splitlines()[0]
    found.args = (f"{found} ({type(error).__name__}: {said[:200]})",)
    return found


def _explained(error: Exception, backend: Backend, name: str, found: CoreArrayError | None) -> CoreArrayError:
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
    kind = backend.fact("error_kind", error)
    if found is not None:
        return _named(_with_cause(found, error), name)
    if kind is TracingError:
        what = "a Python value" if name in _OF_ELEMENTS else "x[key]" if name in _OF_BRACKETS else f"'{name}'"
        return _with_cause(unknown_elements(what), error)
    if type(error).__name__.lstrip("_") == "LinAlgError":
        return LinAlgError(f"'{name}' on backend '{backend.name}' failed: {error}")
    return translated(error, backend.name, name, kind)
