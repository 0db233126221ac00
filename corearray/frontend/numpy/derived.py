"""Rules that follow from others: methods of arrays and of ufuncs, and functions of the API form."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import corearray as ca
from corearray.contract.recording import replaced
from corearray.frontend.frontend import get_frontend
from corearray.frontend.numpy.loops import UFUNCS
from corearray.frontend.numpy.promotion import array
from corearray.frontend.table import Rule, loops

__all__ = ["derived"]

_REDUCTIONS = {
    "add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_and": "all", "logical_or": "any",
}  # fmt: skip
_METHODS_OF_UFUNCS = frozenset(("accumulate", "at", "outer", "reduce", "reduceat"))

#: Methods that write into their array, where the function of the same name returns a new one.
_WRITERS = frozenset(("fill", "partition", "put", "sort"))
_RUNNING = {"add": "cumsum", "multiply": "cumprod", "maximum": "_cummax", "minimum": "_cummin"}


def derived(name: str, find: Callable[[str], Rule | None]) -> Rule | None:
    """Return a rule for a name that has none, made of the rule of another name or of the API form; `None` if there is none."""
    path, _, last = name.rpartition(".")
    if path == "numpy.ndarray":
        return (
            _through_api(name, find)
            if last in _WRITERS
            else _renamed(find(f"numpy.{last}"), name) or _through_api(name, find)
        )
    if path == "numpy" and UFUNCS.get(last, last) != last:
        return _renamed(find(f"numpy.{UFUNCS[last]}"), name)
    ufunc = path.removeprefix("numpy.")
    if last == "reduce" and ufunc in _REDUCTIONS:
        return _along_first(find(f"numpy.{_REDUCTIONS[ufunc]}"), name)
    if last == "accumulate" and ufunc in _RUNNING:
        return _along_first(find(f"numpy.{_RUNNING[ufunc]}"), name)
    made = _outer(find(path), name) if last == "outer" else None
    return made or _through_api(name, find)


def _renamed(rule: Rule | None, name: str) -> Rule | None:
    return None if rule is None else Rule(name, lambda: rule.function)


def _along_first(rule: Rule | None, name: str) -> Rule | None:
    """Return a rule whose default axis is the first."""
    if rule is None:
        return None

    def along_first(array: Any, axis: Any = 0, dtype: Any = None, out: Any = None, **options: Any) -> Any:
        if dtype is not None:
            options["dtype"] = dtype
        return rule.function(array, axis=axis, **options)

    return Rule(name, lambda: along_first)


def _outer(rule: Rule | None, name: str) -> Rule | None:
    if rule is None or list(inspect.signature(rule.function).parameters)[:2] != ["x1", "x2"]:
        return None

    def outer(one: Any, other: Any, **options: Any) -> Any:
        first, second = array(one), array(other)
        return rule.function(ca.reshape(first, (*first.shape, *(1,) * second.ndim)), second, **options)

    return Rule(name, lambda: outer)


def _through_api(name: str, find: Callable[[str], Rule | None]) -> Rule | None:
    """Return a rule that calls a function or method of the API form; `None` for names that it lacks.

    Such a function may read elements, so that the rule counts as a loop.
    """
    path, _, last = name.rpartition(".")
    frontend = get_frontend("numpy")
    types = frontend.ndarray._types
    if path == "numpy.ndarray":
        function = getattr(types.ndarray, last, None)
    elif last in _METHODS_OF_UFUNCS and find(path) is not None:
        function = getattr(getattr(frontend, path.removeprefix("numpy.")), last, None)
    else:
        function = frontend._known()[0].get(name.removeprefix("numpy."))
    if not callable(function) or isinstance(function, type):
        return None

    def wrapped(x: Any) -> Any:
        return types.wrap(x) if isinstance(x, ca.Array) else x

    @loops
    def through_api(*args: Any, **options: Any) -> Any:
        return types.stripped(function(*replaced(args, wrapped), **replaced(options, wrapped)))

    with suppress(ValueError):  # replay asks it for `where`, which else is the mask of a ufunc's write
        through_api.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    return Rule(name, lambda: through_api)
