"""Functions written as text: lines of Python without indentation, printed under the signature of a declaration and compiled.

Dispatchers and fast paths have the parameters of their declaration, so that a call binds its arguments once, in C. The
text of each is kept for tracebacks and for `inspect.getsource`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from corearray.contract.declaration import Parameter

__all__ = [
    "ENTERED", "GUARD", "attempt", "attribute", "compiled", "defined", "indented", "leaving", "pairwise_lines",
    "positions_text", "signature_text", "unless_slow", "when",
]  # fmt: skip


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


#: The line before each native call of a fast path. It tells an error of the call, which is final, from an error of a test.
ENTERED = "_entered = True"


def indented(lines: Iterable[str], depth: int = 1) -> list[str]:
    """Return lines with a deeper indentation."""
    return [f"{'    ' * depth}{line}" for line in lines]


def when(tests: Sequence[str], body: Sequence[str], *, word: str = "if") -> list[str]:
    """Write a body under its tests; alone if there are none.

    Examples
    --------
    >>> when(["x is None", "y is None"], ["return z"])
    ['if x is None and y is None:', '    return z']
    """
    return [f"{word} {' and '.join(tests)}:", *indented(body)] if tests else [*body]


def attempt(cases: Sequence[str], recovery: str) -> list[str]:
    """Write the attempt of a fast path. Errors of its tests are forgotten; those of its native call are recovered from.

    Parameters
    ----------
    cases
        Lines of all cases. Each case ends in a `return`.
    recovery
        The call that takes `_error`, and returns the result of the slow path or raises what explains the error.
    """
    return [
        "_entered = False",
        "try:",
        *indented(cases),
        "except Exception as _error:",
        "    if _entered:",
        *indented(leaving([f"return {recovery}"]), 2),
    ]


def leaving(lines: Sequence[str]) -> list[str]:
    """Write statements in which an error leaves the library."""
    return ["try:", *indented(lines), "except Exception as _raised:", "    _shorten(_raised)", "    raise"]


def unless_slow(fast_path: Sequence[str]) -> list[str]:
    """Write a fast path that is left out in slow mode."""
    return when(["not _slow_mode.seen or not _in_slow_mode()"], fast_path) if fast_path else []


def attribute(owner: str, name: str) -> str:
    """Write the call of a function that is an attribute of an object.

    Python 3.11 takes `owner.f(x)` for the call of a method, which it looks for in the class in vain, at 25 ns; `None or`
    makes an attribute of it, and costs nothing, as the compiler leaves it out.
    """
    return f"(None or {owner}.{name})"


def pairwise_lines(arrays: str, *, attribute: str, found: str, natives: str = "") -> list[str]:
    """Write how a list of arrays gives what all of them share, or `None`; two need no loop.

    Parameters
    ----------
    arrays
        Name of the list or tuple.
    attribute
        What is compared by identity: `"_kind"` of arrays, `"dtype"` of native ones.
    found
        Name of the variable that gets it.
    natives
        Name of the variable that gets the native arrays, if one should.
    """
    gather = [f"{natives} = one._native, other._native"] if natives else []
    collect = [f"{natives} = [x._native for x in {arrays}]"] if natives else []
    return [
        f"if len({arrays}) == 2:",
        f"    one, other = {arrays}",
        f"    {found} = one.{attribute} if one.{attribute} is other.{attribute} else None",
        *indented(gather),
        "else:",
        f"    {found} = {arrays}[0].{attribute}",
        f"    if [x for x in {arrays} if x.{attribute} is not {found}]:",
        f"        {found} = None",
        *indented(collect),
    ]


def defined(name: str, signature: str, body: Iterable[str]) -> str:
    """Write a `def` from the lines of its body."""
    return "\n".join([f"def {name}({signature}):", *indented(body), ""])


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
