"""Rules that follow from others: methods of arrays, and `reduce`, `accumulate` and `outer` of ufuncs."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.frontend.numpy.loops import UFUNCS
from corearray.frontend.numpy.promotion import array
from corearray.frontend.table import Rule

__all__ = ["derived"]

_REDUCTIONS = {
    "add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_and": "all", "logical_or": "any",
}  # fmt: skip
_RUNNING = {"add": "cumsum", "multiply": "cumprod", "maximum": "_cummax", "minimum": "_cummin"}


def derived(name: str, find: Callable[[str], Rule | None]) -> Rule | None:
    """Return a rule for a method of arrays or of ufuncs, made of the rule of a function; `None` if there is none."""
    path, _, last = name.rpartition(".")
    if path == "numpy.ndarray":
        return _renamed(find(f"numpy.{last}"), name)
    if path == "numpy" and UFUNCS.get(last, last) != last:
        return _renamed(find(f"numpy.{UFUNCS[last]}"), name)
    ufunc = path.removeprefix("numpy.")
    if last == "reduce" and ufunc in _REDUCTIONS:
        return _along_first(find(f"numpy.{_REDUCTIONS[ufunc]}"), name)
    if last == "accumulate" and ufunc in _RUNNING:
        return _along_first(find(f"numpy.{_RUNNING[ufunc]}"), name)
    if last == "outer":
        return _outer(find(path), name)
    return None


def _renamed(rule: Rule | None, name: str) -> Rule | None:
    return None if rule is None else Rule(name, lambda: rule.function)


def _along_first(rule: Rule | None, name: str) -> Rule | None:
    """Return a rule whose default axis is the first."""
    if rule is None:
        return None

    def along_first(x: Any, axis: Any = 0, dtype: Any = None, out: Any = None, **options: Any) -> Any:
        if dtype is not None:
            options["dtype"] = dtype
        return rule.function(x, axis=axis, **options)

    return Rule(name, lambda: along_first)


def _outer(rule: Rule | None, name: str) -> Rule | None:
    if rule is None or list(inspect.signature(rule.function).parameters)[:2] != ["x1", "x2"]:
        return None

    def outer(one: Any, other: Any, **options: Any) -> Any:
        first, second = array(one), array(other)
        return rule.function(ca.reshape(first, (*first.shape, *(1,) * second.ndim)), second, **options)

    return Rule(name, lambda: outer)
