"""Names of a program's values: those of the variables to which the source's statements assign."""

from __future__ import annotations

import ast
import builtins
import inspect
import linecache
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from keyword import iskeyword
from typing import Any

from corearray.contract.recording import Step, Value

__all__ = ["constant_names", "is_free", "is_own", "source_names", "statement_of"]

#: Names that written programs give themselves, and built-in functions.
_OWN = re.compile(r"[xvck]_?\d+|program\d*|constants?|parameters|buffers")
_BUILT_IN = frozenset(dir(builtins))


def is_own(name: str) -> bool:
    """Return true if written programs give this name themselves."""
    return _OWN.fullmatch(name) is not None


def is_free(name: str) -> bool:
    """Return true if a variable or function of a written program may have this name."""
    return name.isidentifier() and not iskeyword(name) and name not in _BUILT_IN and not is_own(name)


def statement_of(place: str) -> tuple[str, int, tuple[str, ...]] | None:
    """Return the file, the first line and the targets of the statement at `file:line`; `None` without a source.

    The targets are the names to which the statement assigns. They are empty for a statement that assigns to anything else.
    """
    file, _, line = place.rpartition(":")
    found = _statements(file).get(int(line)) if file and line.isdecimal() else None
    return None if found is None else (file, *found)


@lru_cache(64)
def _statements(file: str) -> dict[int, tuple[int, tuple[str, ...]]]:
    """Return the first line and the targets of the innermost statement of each line of a file."""
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):
        return {}
    found: dict[int, tuple[int, tuple[str, ...]]] = {}
    for node in ast.walk(tree):  # outer statements come first
        if isinstance(node, ast.stmt) and node.end_lineno is not None:
            if isinstance(node, ast.Assign) and len(node.targets) == 1:
                targets = _targets(node.targets[0])
            elif isinstance(node, (ast.AugAssign, ast.AnnAssign)):
                targets = _targets(node.target)
            else:
                targets = ()
            found.update(dict.fromkeys(range(node.lineno, node.end_lineno + 1), (node.lineno, targets)))
    return found


def _targets(node: ast.expr) -> tuple[str, ...]:
    parts = node.elts if isinstance(node, (ast.Tuple, ast.List)) else [node]
    names = tuple(part.id for part in parts if isinstance(part, ast.Name))
    return names if len(names) == len(parts) else ()


def source_names(steps: Sequence[Step]) -> dict[Value, str]:
    """Return names for the values that the last call of each statement makes."""
    found: dict[Value, str] = {}
    statements = [statement_of(step.place) if step.place else None for step in steps]
    for step, own, following in zip(steps, statements, [*statements[1:], None], strict=True):
        if own is None or own == following or step.writes:
            continue
        values = [step.results] if type(step.results) is Value else step.results
        if isinstance(values, (tuple, list)) and len(values) == len(own[2]):
            found.update(
                (value, name)
                for value, name in zip(values, own[2], strict=True)
                if type(value) is Value and is_free(name) and name != "_"
            )
    return found


def constant_names(fn: Any, constants: Mapping[Value, Any]) -> dict[Value, str]:
    """Return names for constants: those of the variables and attributes that hold them, or else numbers."""
    held: dict[int, str] = {}
    for name, x in _held(fn):
        held.setdefault(id(x), name)
    found: dict[Value, str] = {}
    for place, (value, native) in enumerate(constants.items()):
        name = held.get(id(native), f"c{place}")
        found[value] = f"c{place}" if name in found.values() else name
    return found


def _held(fn: Any) -> Iterator[tuple[str, Any]]:
    """Yield the variables of a function from outside, and the attributes of the modules below one."""
    try:
        variables = inspect.getclosurevars(inspect.unwrap(fn))
    except (TypeError, ValueError):
        pass
    else:
        yield from {**variables.globals, **variables.nonlocals}.items()
    modules = getattr(fn, "named_modules", None)
    for path, module in modules() if callable(modules) else [("", fn)]:
        for name, x in getattr(module, "__dict__", {}).items():
            whole = f"{path}.{name}".strip(".").replace(".", "_")
            if is_free(whole):
                yield whole, x
