"""`corearray transpile`: a program of one framework on another, from the command line."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from corearray.errors import CoreArrayImportError, CoreArrayValueError

__all__ = ["transpile"]


def transpile(
    program: str, to: str, *, example: str, reads: str, check: bool, write: str | None, native: bool = False
) -> int:
    """Print the report of a program, or write the program; the exit code is 1 if a call has no rule.

    Parameters
    ----------
    program
        The function or module, as `"package.module:name"`.
    to
        Name of the backend on which it is to run.
    example
        Name of the example arguments in the same module.
    reads
        `"refuse"` or `"assume"`.
    check
        Whether to print the report only.
    write
        Path of a file to write: a module to keep for `.py`, with its arrays beside it, else the program with its arrays.
    native
        Whether the module calls the framework of the target, without corearray.
    """
    import corearray as ca

    if native and (write is None or not write.endswith(".py")):
        raise CoreArrayValueError("--native says how a module is written; name it by --write FILE.py")
    place, _, name = program.partition(":")
    if not place or not name:
        raise CoreArrayValueError(f"'{program}' names no program; write it as MODULE:NAME, such as mymodels.bert:model")
    fn, args, options = _found(place, name, example)
    if check:
        report = ca.transpile_report(fn, *args, to=to, **options)
        print(report)
        return 0 if report.ok and (reads == "assume" or not report.reads) else 1
    made = ca.transpile(fn, *args, to=to, reads=reads, **options)
    if write is None:
        print(made.source, end="")
    elif write.endswith(".py"):
        from corearray.frontend.kept import keep

        keep(made, write, native=native)
    else:
        made.save(write)
    return 0


def _found(place: str, name: str, example: str) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
    """Return a program and its example arguments."""
    sys.path.insert(0, "")
    try:
        module = import_module(place)
    except ImportError as error:
        raise CoreArrayImportError(f"'{place}' cannot be imported: {error}") from error
    finally:
        sys.path.remove("")
    missing = [one for one in (name, example) if not hasattr(module, one)]
    if missing:
        raise CoreArrayValueError(
            f"'{place}' has no {' and no '.join(map(repr, missing))}; the program and the tuple of its example arguments "
            "stand in one module"
        )
    given = getattr(module, example)
    given = given() if callable(given) else given
    if isinstance(given, dict):
        return getattr(module, name), (), given
    return getattr(module, name), tuple(given) if isinstance(given, (tuple, list)) else (given,), {}
