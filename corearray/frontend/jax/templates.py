"""Shapes of rules that many primitives share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.frontend.operands import function_named

__all__ = ["binary", "logical", "unary"]


def unary(name: str) -> Callable[..., Any]:
    """Return a rule for an elementwise function of one array."""
    function = function_named(name)

    def rule(x: ca.Array, **_: Any) -> Any:
        return function(x)

    return rule


def binary(name: str) -> Callable[..., Any]:
    """Return a rule for an elementwise function of two arrays of one dtype, or of an array and a number."""
    function = function_named(name)

    def rule(x: Any, y: Any, **_: Any) -> Any:
        return function(x, y)

    return rule


def logical(names: str) -> Callable[..., Any]:
    """Return a rule of two functions, `truth_values/others`, the first for truth values."""
    for_bool, for_others = map(function_named, names.split("/"))

    def rule(x: Any, *y: Any, **_: Any) -> Any:
        array = x if isinstance(x, ca.Array) else y[0]
        return (for_bool if array.dtype == ca.bool else for_others)(x, *y)

    return rule
