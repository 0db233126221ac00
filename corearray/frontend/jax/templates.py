"""Shapes of rules that many primitives share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray as ca

__all__ = ["as_array", "binary", "is_complex", "is_floating", "logical", "unary"]


def _found(name: str) -> Callable[..., Any]:
    function: Callable[..., Any] = getattr(ca, name)
    return function


def unary(name: str) -> Callable[..., Any]:
    """Return a rule for an elementwise function of one array."""
    function = _found(name)

    def rule(x: ca.Array, **_: Any) -> Any:
        return function(x)

    return rule


def binary(name: str) -> Callable[..., Any]:
    """Return a rule for an elementwise function of two operands of one dtype, of which one may be a number."""
    function = _found(name)

    def rule(x: Any, y: Any, **_: Any) -> Any:
        return function(x, y)

    return rule


def logical(names: str) -> Callable[..., Any]:
    """Return a rule of two functions, `truth_values/others`, the first for truth values."""
    for_bool, for_others = map(_found, names.split("/"))

    def rule(x: Any, *y: Any, **_: Any) -> Any:
        array = x if isinstance(x, ca.Array) else y[0]
        return (for_bool if array.dtype == ca.bool else for_others)(x, *y)

    return rule


def as_array(x: Any, like: ca.Array) -> ca.Array:
    """Return an operand as an array of the dtype of another one."""
    return x if isinstance(x, ca.Array) else ca.asarray(x, dtype=like.dtype)


def is_floating(dtype: ca.DType) -> bool:
    """Whether a dtype has fractions."""
    return dtype.kind in ("real floating", "complex floating")


def is_complex(dtype: ca.DType) -> bool:
    """Whether a dtype is complex."""
    return dtype.kind == "complex floating"
