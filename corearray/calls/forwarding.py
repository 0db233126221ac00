"""Functions of a former edition of a backend, which users hold: rewritten to forward to those in force."""

from __future__ import annotations

from types import FunctionType, SimpleNamespace
from typing import TYPE_CHECKING

from corearray.calls.codegen import compiled, defined, positions_text, signature_text
from corearray.calls.positions import by_position, guard_lines

if TYPE_CHECKING:
    from corearray.backends.backend import Backend
    from corearray.contract.declaration import Declaration

__all__ = ["forward"]


def forward(function: FunctionType, attribute: str, declaration: Declaration, backend: Backend) -> None:
    """Rewrite a function, so that it calls what the backend has now.

    It keeps its parameters, as a tracer of Python code notes them for each function.

    Parameters
    ----------
    function
        The function that was generated for the former edition.
    attribute
        The attribute of `Binding` that has the one in force: `"function"` or `"native"`.
    declaration, backend
        What it computes, and where.
    """
    name, parameters = declaration.name, declaration.parameters
    own = f"{attribute}_of_{name}"
    found = function.__globals__.setdefault("_found", SimpleNamespace())

    def find() -> None:
        """Find the function in force. A tracer calls this and does not follow it."""
        setattr(found, own, getattr(backend.binding(name), attribute))

    if "register_tracing" in backend.facts:
        backend.fact("register_tracing", [find], {})
    body = [*guard_lines(name, parameters), f"_find_{own}()", f"return _found.{own}({positions_text(parameters)})"]
    text = defined(name, signature_text(parameters), body)
    scope = {f"_find_{own}": find, "_found": found, "_by_position": by_position}
    function.__globals__.update(scope)
    function.__code__ = compiled(name, text, scope, f"formerly on {backend.name}:").__code__
