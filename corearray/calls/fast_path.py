"""The kernel path of a call: arrays of one kind, every option at its default, one native call.

The kind of an `Array` (see `corearray.arrays.kind.Kind`) tells the backend and the dtype, and has the native functions that
need no care for that dtype. So the text below is the same on every backend; the public functions and those of a
backend begin with it, and whatever it does not cover, or what fails in it, goes on to the text behind.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import indent
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corearray.backends.backend import Backend
    from corearray.contract.declaration import Declaration, Parameter

__all__ = [
    "ENTERED",
    "attempt_text",
    "kernel_name",
    "kernel_path_text",
    "leaving_text",
    "roles_of",
    "sequence_lines",
    "switch",
    "unless_slow_text",
]


#: The line in front of each native call of a fast path: an error that comes after it is that of the call, and final.
ENTERED = "_entered = True"


def attempt_text(fast_path: str, recovery: str) -> str:
    """Write the attempt of a fast path. Errors of its tests are forgotten; those of its native call are recovered from.

    Parameters
    ----------
    fast_path
        Lines of a `try` body.
    recovery
        The call that takes `_error`, and returns the result of the slow path or raises what explains the error.
    """
    return (
        f"    _entered = False\n"
        f"    try:\n{fast_path}"
        f"    except Exception as _error:\n"
        f"        if _entered:\n"
        f"            try:\n"
        f"                return {recovery}\n"
        f"            except Exception as _raised:\n"
        f"                _shorten(_raised)\n"
        f"                raise\n"
    )


def leaving_text(statements: str) -> str:
    """Write statements in which an error leaves the library."""
    body = "".join(f"    {line}\n" for line in statements.splitlines())
    return f"    try:\n{body}    except Exception as error:\n        _shorten(error)\n        raise\n"


def unless_slow_text(fast_path: str) -> str:
    """Write a fast path that is left out in slow mode."""
    if not fast_path:
        return ""
    return f"    if not _slow_mode.seen or not _in_slow_mode():\n{indent(fast_path, '    ')}"


def kernel_path_text(
    declaration: Declaration,
    parameters: Sequence[Parameter],
    scope: dict[str, Any],
    conditions: Sequence[str],
    *,
    function: str = "",
    array: str = "kind.array",
    ensured: str = "",
    always_array: bool = False,
    with_options: bool = False,
    by_a_tuple: bool = False,
) -> str:
    """Write the kernel path of a function, the lines of a `try` body; nothing for a function that has none.

    Python 3.11 takes `kind.f(x)` for the call of a method, which it looks for in the class in vain, at 25 ns; `None or`
    makes an attribute of it, and costs nothing, as the compiler leaves it out. It calls a class with a tuple that it
    unpacks in fewer steps than one without arguments.

    Parameters
    ----------
    declaration
        The function.
    parameters
        Its parameters; operators leave `out` out.
    scope
        Globals of the function; defaults other than `None` and truth values are put there.
    conditions
        Tests that the backend of `kind` computes the call.
    function
        The attribute of `kind` that is the native function, by default the function's name. `None` for a kind for which
        there is none.
    array
        The class to make the result of.
    ensured
        Lines that make a native array of `r`, where the framework returns something else.
    always_array
        Whether the native function itself always returns one while every option has its default.
    with_options
        Whether there is also a native function, under the name with `_with` behind it, that takes all options.
    by_a_tuple
        Whether the native function gets its arguments in a tuple that is unpacked.
    """
    if not declaration.has_kernel:
        return ""
    arrays = [p for p in parameters if p.role == "array" and p.required]
    sequence = next((p.name for p in parameters if p.role == "arrays"), "")
    tests = [*conditions]
    plain: list[str] = []
    for p in parameters:
        if p.required:
            continue
        default = repr(p.default)
        if p.default is not None and type(p.default) is not bool:
            default = f"_default_{declaration.name}_{p.name}"
            scope[default] = p.default
        (plain if with_options and p.role == "plain" else tests).append(f"{p.name} is {default}")
    name = function or declaration.name
    tests.append(f"kind.{name} is not None")
    natives = {p.name: f"{p.name}._native" for p in arrays} | {sequence: "natives"}
    lines = []
    pad = " " * 8
    if sequence:
        lines += sequence_lines(sequence)
    else:
        alike = [p for p in arrays if p.name in declaration.promote] or arrays[:1]
        first = alike[0].name
        lines.append(f"kind = {first}._kind")
        if len(alike) == 2:
            second = alike[1].name
            tests.insert(0, f"kind is {second}._kind")
            if alike[0].scalar:
                lines = [f"if _type({first}) is _type({second}):", f"    {lines[0]}"]
                pad += "    "
        others = [p for p in arrays if p not in alike]  # masks and indices
        tests += [
            f"{p.name}._kind is kind.as_bool"
            if p.condition
            else f"({p.name}._kind is kind.as_bool or {p.name}._kind is kind.as_int64)"
            for p in others
        ]
    text = "".join(f"        {line}\n" for line in lines)
    if tests:
        text += f"{pad}if {' and '.join(tests)}:\n"
        pad += "    "
    gives = "kind" if declaration.gives == "same" else f"kind.as_{declaration.gives}"
    call = ", ".join(natives.get(p.name, p.name) for p in parameters if p.required)
    native = f"kind.{name}(*({call},))" if by_a_tuple else f"(None or kind.{name})({call})"
    array_check = ensured.splitlines()
    finished = (f"result._kind = {gives}", "return result")
    # A framework that meets an array of ours among the options gives one back, by its protocol.
    ours = [f"if _type(r) is {array}:", "    return r"] if any(p.role == "plain" for p in parameters) else []
    checked = [*ours, *array_check, f"result = {array}(*())", "result._native = r", *finished]
    required = any(p.role == "plain" and p.required for p in parameters)
    if (
        always_array or not array_check
    ) and not required:  # the array is made first: behind a native call that takes longer
        body = [f"result = {array}(*())", ENTERED, f"result._native = {native}", *finished]
    else:
        body = [ENTERED, f"r = {native}", *checked]
    if plain:
        options = ", ".join(declaration.options)
        typed = [f"_type({p.name}) is {type(p.default).__name__}" for p in parameters if _is_typed(p)]
        typed.append(f"kind.{name}_with is not None")
        slow_path = [ENTERED, f"r = (None or kind.{name}_with)({call}, {options})", *checked]
        slow_path = [f"if {' and '.join(typed)}:", *(f"    {line}" for line in slow_path)]
        body = [f"if {' and '.join(plain)}:", *(f"    {line}" for line in body), *slow_path]
    return text + "".join(f"{pad}{line}\n" for line in body)


def kernel_name(function: str, backend: Backend) -> str:
    """Return the name under which a backend's kinds have a function once more: kinds of other backends lack it.

    Each edition of the backend has its own, so that a call in another thread does not meet another implementation midway.
    """
    return f"{function}_on_{backend.name}{backend.edition or ''}"


def switch(function: str) -> str:
    """Return the name under which kinds say whether the public function may take the kernel path.

    What stands there is the backend's functions, with which those in force are compared in any case, or `False`: so a
    function that has no kernel path learns it for nothing, where to call what raises would take 0.3 µs.
    """
    return f"direct_{function}"


def sequence_lines(arrays: str) -> list[str]:
    """Write how a sequence of arrays gives `kind`, or `None` if they have several, and `natives`; two need no loop."""
    return [
        f"if len({arrays}) == 2:",
        f"    one, other = {arrays}",
        "    kind = one._kind",
        "    if kind is not other._kind:",
        "        kind = None",
        "    natives = one._native, other._native",
        "else:",
        f"    kind = {arrays}[0]._kind",
        "    natives = []",
        f"    for x in {arrays}:",
        "        if x._kind is not kind:",
        "            kind = None",
        "        natives.append(x._native)",
    ]


def _is_typed(option: Parameter) -> bool:
    """Whether an option is taken of the type of its default alone: frameworks make something of others, such as 1 for true."""
    return type(option.default) in (bool, float)


def roles_of(declaration: Declaration, parameters: Sequence[Parameter], *, with_options: bool) -> str:
    """Return the role of each parameter in the kernel path as a letter, see `accelerator/call_plan.h`."""
    arrays = [p for p in parameters if p.role == "array" and p.required]
    alike = [p for p in arrays if p.name in declaration.promote] or arrays[:1]
    letters = []
    for p in parameters:
        if p in alike:
            letters.append("o")
        elif p in arrays:
            letters.append("c" if p.condition else "i")
        elif p.role == "arrays":
            letters.append("s")
        elif p.role == "index":
            letters.append("k")
        elif p.required:
            letters.append("v")
        elif with_options and p.role == "plain":
            letters.append("b" if _is_typed(p) else "p")
        else:
            letters.append("d")
    return "".join(letters)
