"""The hint for a name of another library: by the tables of `hints`, by rules for names made of others, and by a file.

The file `other_names.txt` has a line for what is said and one for the names. The first character of a line is `-` for a
sentence, `=` for the module that has the names, `!` and `?` for those two in `corearray.random`, and `@` for attributes of
arrays. `python -m tests.frontend.other_names` writes it.
"""

from __future__ import annotations

import re
from functools import cache
from pkgutil import get_data

from corearray.backends.hints import OF_ARRAYS, OF_RANDOM, RENAMED, TOOLS, WAYS

__all__ = [
    "hint",
    "hint_of_array",
    "hint_of_linalg",
    "hint_of_nn",
    "hint_of_random",
    "known",
    "names_of_arrays",
    "written",
]


def hint(name: str) -> str:
    """Return the end of the message that a main namespace has no such name: what to write, if that is known."""
    if name.startswith("_"):
        return ""
    base = re.sub("(_copy|_)$", "", name)
    return known(name) or _elsewhere().get(name, "") or _elsewhere().get(base, "")


def known(name: str) -> str:
    """Return the hint of the tables and of the rules for names made of others, such as `abs_` and `view_copy`."""
    from corearray.contract.declaration import DECLARATIONS

    if name in WAYS:
        return f"; write {WAYS[name]}"
    if name in TOOLS:
        tools = [f"'corearray.{tool}'" for tool in TOOLS[name].split(", ")]
        return f"; it is {' or '.join(tools)} here"
    declaration = DECLARATIONS.get(name)
    if name in RENAMED:
        return f"; it is '{RENAMED[name]}' here"
    if declaration is not None and not declaration.main:
        return f"; it is '{declaration.namespace}.{name}' here"
    base, _, twin = name.rpartition("_")
    if not base or twin not in ("", "copy"):
        return ""
    found = written(base)
    if not found:
        return ""
    return f"; write {found}" if twin else f"; write x[...] = {found}"


def written(name: str) -> str:
    """Return a call of the function that has this name here or in another library; an empty text if there is none."""
    from corearray.contract.declaration import DECLARATIONS

    if name in WAYS:
        return WAYS[name]
    path = RENAMED.get(name, name)
    declaration = DECLARATIONS.get(path.rpartition(".")[2])
    if declaration is None:
        return f"{path}(x)" if name in RENAMED else ""
    prefix = "" if declaration.main else f"{declaration.namespace}."
    arguments = [parameter.name for parameter in declaration.parameters if parameter.required]
    return f"{prefix}{declaration.name}({', '.join(arguments)})"


@cache
def _file() -> list[tuple[str, list[str]]]:
    """Return the blocks of the file: what is said, and the names."""
    text = get_data(__package__, "other_names.txt")
    assert text is not None
    lines = text.decode().splitlines()
    return [(head, names.split()) for head, names in zip(lines[::2], lines[1::2], strict=True)]


@cache
def _elsewhere() -> dict[str, str]:
    """Return the hints of names that only frontends have, and of those without a counterpart."""
    found = {}
    for head, names in _file():
        kind, said = head[0], head[2:]
        for name in names if kind in "=-" else ():
            found[name] = f"; '{said}.{name}' has it" if kind == "=" else f"; {said}"
    return found


def names_of_arrays() -> list[str]:
    """Return the attributes that arrays of other libraries have and those of corearray have not, beyond `OF_ARRAYS`."""
    return next(names for head, names in _file() if head == "@ arrays")


def hint_of_array(name: str) -> str:
    """Return the end of the message that an array has no such attribute."""
    from corearray.arrays.array import Array

    if name in OF_ARRAYS:
        return f"; write {OF_ARRAYS[name]}"
    base = name.removesuffix("_")
    if base != name and base in OF_ARRAYS and "=" not in OF_ARRAYS[base]:
        return f"; write x[...] = {OF_ARRAYS[base]}"
    if base != name and hasattr(Array, base):
        return f"; write x[...] = x.{base}()"
    found = written(name)
    return f"; write corearray.{found}" if found and name not in WAYS else hint(name)


def hint_of_linalg(name: str) -> str:
    """Return the end of the message that `corearray.linalg` has no such name."""
    from corearray.contract.declaration import DECLARATIONS

    declaration = DECLARATIONS.get(name)
    main = name == "LinAlgError" or (declaration is not None and declaration.main)
    return f"; it is 'corearray.{name}' here" if main else hint(name)


def hint_of_nn(name: str) -> str:
    """Return the end of the message that `corearray.nn` has no such name."""
    from corearray.contract.declaration import DECLARATIONS

    return f"; it is 'corearray.{name}' here" if name in DECLARATIONS and DECLARATIONS[name].main else hint(name)


def hint_of_random(name: str) -> str:
    """Return the end of the message that `corearray.random` has no such name."""
    from corearray.random.generator import Generator

    drawn = "" if name.startswith("_") or not hasattr(Generator, name) else f"default_generator().{name}"
    found = OF_RANDOM.get(name, drawn)
    if found:
        return f"; it is '{found}' here"
    said = next((head for head, names in _file() if head[0] in "?!" and name in names), "")
    return f"; '{said[2:]}.{name}' has it" if said.startswith("?") else said and f"; {said[2:]}"
