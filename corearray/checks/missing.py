"""The error for functions that nobody implements, and for those whose compositions need one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corearray.errors import FunctionNotImplementedError

if TYPE_CHECKING:
    from corearray.backends.backend import Backend
    from corearray.calls.binding import Binding
    from corearray.contract.declaration import Declaration

__all__ = ["explain_missing", "missing"]

_REMEDY = "use another backend, or implement the hook in a plugin"


def missing(declaration: Declaration, backend: Backend, dropped: str = "") -> FunctionNotImplementedError:
    """Build the error for a function that nobody implements; `dropped` lists candidates for other versions."""
    needs = f"'{declaration.name}' has no implementation on backend '{backend.name}' "
    error = FunctionNotImplementedError(
        f"{needs}({backend.framework} {backend.framework_version}) and no composition{_in_brackets(dropped)}; {_REMEDY}"
    )
    error.needs, error.dropped = declaration.name, dropped
    return error


def explain_missing(error: FunctionNotImplementedError, binding: Binding) -> None:
    """Let the error of an inner function that is missing name the function that was called, and its own candidates."""
    name, backend = binding.declaration.name, binding.backend
    if error.needs in ("", name):
        return
    of_its_own = "no implementation" if binding.implementation is None else "no implementation for these arguments"
    dropped = binding.dropped if binding.implementation is None else ""
    error.args = (
        f"'{name}' has {of_its_own} on backend '{backend.name}' ({backend.framework} {backend.framework_version})"
        f"{_in_brackets(dropped)}, and its composition needs '{error.needs}', which has none"
        f"{_in_brackets(error.dropped)}; {_REMEDY}",
    )


def _in_brackets(text: str) -> str:
    return f" ({text})" if text else ""
