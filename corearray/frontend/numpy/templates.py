"""Shapes of rules that many functions share: NumPy's signature and result type around a corearray function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.frontend.numpy.promotion import array, cast, common, floating

__all__ = ["binary", "binary_floating", "found", "logical", "unary", "unary_floating"]


def found(name: str) -> Callable[..., Any]:
    """Return a corearray function by its name, such as `linalg.inv`."""
    made: Any = ca
    for part in name.split("."):
        made = getattr(made, part)
    function: Callable[..., Any] = made
    return function


def unary(name: str) -> Callable[..., Any]:
    """Return a rule for an elementwise function of one array that keeps its dtype."""
    function = found(name)

    def rule(x: Any, /, out: Any = None, *, dtype: Any = None) -> Any:
        return function(cast(array(x), dtype))

    return rule


def unary_floating(name: str) -> Callable[..., Any]:
    """Return a rule for an elementwise function whose results have fractions."""
    function = found(name)

    def rule(x: Any, /, out: Any = None, *, dtype: Any = None) -> Any:
        return function(cast(floating(x), dtype))

    return rule


def binary(name: str) -> Callable[..., Any]:
    """Return a rule for an elementwise function of two operands, of which either may be a number."""
    function = found(name)

    def rule(x1: Any, x2: Any, /, out: Any = None, *, dtype: Any = None) -> Any:
        return function(*(cast(x, dtype) for x in common(x1, x2)))

    return rule


def binary_floating(name: str) -> Callable[..., Any]:
    """Return a rule for an elementwise function of two operands whose results have fractions."""
    function = found(name)

    def rule(x1: Any, x2: Any, /, out: Any = None, *, dtype: Any = None) -> Any:
        return function(*(cast(floating(x), dtype) for x in common(x1, x2)))

    return rule


def logical(name: str) -> Callable[..., Any]:
    """Return a rule for a function of truth values, which takes arrays of all dtypes."""
    function = found(name)

    def rule(*xs: Any, out: Any = None, dtype: Any = None) -> Any:
        return function(*(cast(array(x), ca.bool) for x in xs))

    return rule
