"""Operands of rules: arrays beside numbers, and the kinds of their dtypes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray as ca

__all__ = ["as_array", "function_named", "is_complex", "is_floating"]


def function_named(name: str) -> Callable[..., Any]:
    """Return the corearray function of a name."""
    function: Callable[..., Any] = getattr(ca, name)
    return function


def as_array(x: Any, like: Any) -> Any:
    """Return an operand as an array; a number gets the dtype of another operand."""
    return x if isinstance(x, ca.Array) else ca.asarray(x, dtype=like.dtype)


def is_floating(dtype: ca.DType) -> bool:
    """Return true for dtypes of real and complex floating-point numbers."""
    return dtype.category in ("real floating", "complex floating")


def is_complex(dtype: ca.DType) -> bool:
    """Return true for dtypes of complex numbers."""
    return dtype.category == "complex floating"
