"""Functions written as text: the signature of a declaration, printed and compiled.

Dispatchers and flat paths have the parameters of their declaration, so that a call binds its arguments once, in C. The
text of each is kept for tracebacks and for `inspect.getsource`.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import FunctionType
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from corearray.declaration import Parameter

__all__ = ["call_arguments", "compiled", "signature_text"]


def signature_text(parameters: Iterable[Parameter]) -> str:
    """Write parameters as they stand in a `def`."""
    parts: list[str] = []
    former = ""
    for parameter in parameters:
        how = parameter.how
        if former == "positional" and how != "positional":
            parts.append("/")
        if how == "keyword" and former not in ("keyword", "variadic"):
            parts.append("*")
        if how == "variadic":
            parts.append(f"*{parameter.name}")
        elif parameter.required:
            parts.append(parameter.name)
        else:
            parts.append(f"{parameter.name}={parameter.default!r}")
        former = how
    if former == "positional":
        parts.append("/")
    return ", ".join(parts)


def call_arguments(parameters: Iterable[Parameter]) -> str:
    """Write the arguments of a call that forwards all parameters."""
    parts = []
    for parameter in parameters:
        name = parameter.name
        if parameter.how == "keyword":
            parts.append(f"{name}={name}")
        else:
            parts.append(f"*{name}" if parameter.how == "variadic" else name)
    return ", ".join(parts)


def compiled(name: str, text: str, namespace: dict[str, Any], what: str) -> FunctionType:
    """Compile the text of one function in a namespace and return the function."""
    import linecache

    filename = f"<corearray {what} {name}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    found: dict[str, Any] = {}
    exec(compile(text, filename, "exec"), namespace, found)
    return cast(FunctionType, found[name])
