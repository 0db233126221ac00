"""Shapes of rules that many functions share: torch's signature and result type around a corearray function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray as ca
from corearray.frontend.torch.promotion import array, cast, category, default_dtype, floating, result_dtype

__all__ = ["axes", "binary", "binary_floating", "compared", "found", "ints", "logical", "unary", "unary_floating"]


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

    def rule(input: ca.Array, *, out: Any = None) -> Any:
        return function(input)

    return rule


def unary_floating(name: str) -> Callable[..., Any]:
    """Return a rule for an elementwise function that gives the default floating dtype for integers."""
    function = found(name)

    def rule(input: ca.Array, *, out: Any = None) -> Any:
        return function(floating(input))

    return rule


def _operands(dtype: ca.DType, input: Any, other: Any) -> tuple[Any, Any]:
    return array(input, dtype), array(other, dtype)


def binary(name: str) -> Callable[..., Any]:
    """Return a rule for an elementwise function of two operands, of which either may be a number."""
    function = found(name)

    def rule(input: Any, other: Any, *, out: Any = None) -> Any:
        return function(*_operands(result_dtype(input, other), input, other))

    return rule


def binary_floating(name: str) -> Callable[..., Any]:
    """Return a rule for an elementwise function of two operands that gives the default floating dtype for integers."""
    function = found(name)

    def rule(input: Any, other: Any, *, out: Any = None) -> Any:
        dtype = result_dtype(input, other)
        return function(*_operands(default_dtype() if category(dtype) in "bi" else dtype, input, other))

    return rule


compared = binary


def logical(name: str) -> Callable[..., Any]:
    """Return a rule for a function of truth values, which takes arrays of all dtypes."""
    function = found(name)

    def rule(input: Any, other: Any, *, out: Any = None) -> Any:
        return function(*(cast(x, ca.bool) if isinstance(x, ca.Array) else ca.asarray(bool(x)) for x in (input, other)))

    return rule


def ints(given: tuple[Any, ...]) -> tuple[int, ...]:
    """Return integers that were given one by one, or as one sequence."""
    if len(given) == 1 and isinstance(given[0], (list, tuple)):
        given = tuple(given[0])
    return tuple(int(size) if isinstance(size, ca.Array) else size for size in given)


def axes(dim: Any, input: ca.Array) -> Any:
    """Return axes as corearray takes them: `None` for all, also for torch's empty sequence and for the axis of a number."""
    given = tuple(dim) if isinstance(dim, (list, tuple)) else dim
    if not input.ndim and (given if isinstance(given, tuple) else (given,)) in ((0,), (-1,)):
        return None  # torch takes a tensor without axes for one with an axis
    return None if given == () else given
