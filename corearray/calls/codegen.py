"""Functions written as text: the signature of a declaration, printed and compiled.

Dispatchers and flat paths have the parameters of their declaration, so that a call binds its arguments once, in C. The
text of each is kept for tracebacks and for `inspect.getsource`.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from corearray.contract.declaration import Parameter

__all__ = ["GUARD", "compiled", "positions_text", "signature_text"]


#: The parameter that stands for the `*` of a signature. CPython looks the default of each keyword-only parameter up in a
#: dictionary when it is left out, 10 to 15 ns a piece; behind a parameter that must not be given they cost nothing.
GUARD = "_by_keyword_only"


def signature_text(parameters: Iterable[Parameter]) -> str:
    """Write parameters as they stand in a `def`, with `GUARD` for `*` unless one behind it is required."""
    parameters = tuple(parameters)
    guarded = not any(p.how == "keyword" and p.required for p in parameters)
    parts: list[str] = []
    former = ""
    for parameter in parameters:
        how = parameter.how
        if former == "positional" and how != "positional":
            parts.append("/")
        if how == "keyword" and former not in ("keyword", "variadic"):
            parts.append(f"{GUARD}=None" if parts and guarded else "*")
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


def positions_text(parameters: Iterable[Parameter]) -> str:
    """Write the arguments of a call that forwards all: by position, which costs Python least, with `None` for `GUARD`."""
    signature = signature_text(parameters).split(", ")
    guarded = f"{GUARD}=None" in signature
    parts: list[str] = []
    former = ""
    for parameter in parameters:
        name, how = parameter.name, parameter.how
        if how == "keyword" and former != "keyword" and guarded:
            parts.append("None")
        if how == "variadic":
            parts.append(f"*{name}")
        else:
            parts.append(f"{name}={name}" if how == "keyword" and not guarded else name)
        former = how
    return ", ".join(parts)


#: By text, with a mark for the name of the function, the name and the code of the first function that has this text:
#: `sin` and `exp` differ in nothing else.
_codes: dict[str, tuple[str, CodeType]] = {}


def compiled(name: str, text: str, namespace: dict[str, Any], what: str) -> FunctionType:
    """Compile the text of one function in a namespace and return the function.

    To compile is dear, about 0.2 ms, so that texts which are the same but for the name of the function are compiled
    once, and the others get its code with another name.
    """
    import linecache

    filename = f"<corearray {what} {name}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    nameless = text.replace(name, "\0")
    former, code = _codes.get(nameless, ("", None))
    if code is None:
        code = compile(text, filename, "exec")
        _codes[nameless] = name, code
    else:
        code = _renamed(code, former, name, filename)
    found: dict[str, Any] = {}
    namespace["_type"] = type  # which a parameter may be named
    namespace.setdefault("__package__", __package__)  # by which a tracer knows whose variables these are
    exec(code, namespace, found)
    return cast(FunctionType, found[name])


def _renamed(code: CodeType, former: str, name: str, filename: str) -> CodeType:
    """Write one name in place of another wherever it is a part of a name or of a constant of code."""

    def renamed(value: Any) -> Any:
        kind = type(value)
        if kind is str:
            return value.replace(former, name)
        if kind is tuple:
            return tuple([renamed(item) for item in value])
        return _renamed(value, former, name, filename) if kind is CodeType else value

    return code.replace(
        co_filename=filename,
        co_name=renamed(code.co_name),
        co_qualname=renamed(code.co_qualname),
        co_names=renamed(code.co_names),
        co_varnames=renamed(code.co_varnames),
        co_cellvars=renamed(code.co_cellvars),
        co_freevars=renamed(code.co_freevars),
        co_consts=renamed(code.co_consts),
    )
