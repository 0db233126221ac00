"""Derivatives that a program brings with it, such as those of `jax.custom_vjp`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import corearray as ca
from corearray.frontend.table import Rule
from corearray.settings.context import pushed

if TYPE_CHECKING:
    from corearray.backends.backend import Backend

__all__ = ["graphs_keep_derivatives", "has_own_derivative", "with_derivative", "with_gradient"]


def has_own_derivative(rules: Mapping[str, Rule | None]) -> bool:
    """Return whether one of the rules makes calls whose derivative is not that of their steps.

    The function of such a rule has the attribute `own_derivative`.
    """
    return any(rule is not None and getattr(rule.function, "own_derivative", False) for rule in rules.values())


@cache
def graphs_keep_derivatives(backend: Backend) -> bool:
    """Return whether a graph of the backend keeps what `bind_custom_gradient_function` gives; a small one is tried."""
    if "custom_gradient" not in backend.facts or "traced_calls" not in backend.facts:
        return True
    tripled = ca.bind_custom_gradient_function(lambda x: x * 1.0, lambda args, value, slope: (slope * 3.0,))
    with pushed(backend):
        graph = ca.compile_graph(tripled, backend.ones(()))
        slope = ca.grad(lambda x: backend.wrap(graph.native(x.native)[0]))(backend.ones(()))
        return float(slope) == 3.0


def with_derivative(program: Callable[..., Any], gradient: Callable[..., Any], args: Sequence[Any]) -> list[Any]:
    """Call a program with a derivative of its own.

    Integers travel as real numbers, because a graph does not hold functions that enclose arrays.
    """
    dtypes = [x.dtype for x in args]
    whole = [dtype.category in ("bool", "signed integer", "unsigned integer") for dtype in dtypes]

    def given(arrays: Sequence[Any]) -> list[Any]:
        return [
            ca.astype(ca.stop_gradient(x), dtype) if one else x
            for x, one, dtype in zip(arrays, whole, dtypes, strict=True)
        ]

    called = ca.bind_custom_gradient_function(
        lambda *arrays: program(*given(arrays)),
        lambda arrays, found, cotangents: gradient(given(arrays), found, cotangents),
    )
    return list(called(*(ca.astype(x, ca.float64) if one else x for x, one in zip(args, whole, strict=True))))


def with_gradient(
    results: Sequence[Any], arguments: Sequence[Any], kept: Sequence[Any], gradient: Callable[..., Any]
) -> list[Any]:
    """Return results whose derivative a program computes.

    Parameters
    ----------
    results, arguments
        The arrays to return, and those by which they are differentiated.
    kept
        Other arrays that `gradient` takes.
    gradient
        Takes the arrays `kept` and the derivatives by the results, and returns those by the arguments.

    Notes
    -----
    Second derivatives pass through those of `kept` that are arguments. The others are constants of the derivative: a slope of
    zero that passes back through them would be NaN where a step of the program has an infinite slope.
    """
    count, taken = len(results), len(arguments)
    given = {id(x): place for place, x in enumerate(arguments, count)}
    places = [given.get(id(x), count + taken + place) for place, x in enumerate(kept)]

    def program(*arrays: Any) -> Any:
        return tuple(ca.stop_gradient(x) for x in arrays[:count])

    def slopes(arrays: Sequence[Any], _: Any, cotangents: Sequence[Any]) -> tuple[Any, ...]:
        found = gradient(*(arrays[place] for place in places), *cotangents)
        return (*(None,) * count, *found, *(None,) * len(kept))

    fixed = [ca.stop_gradient(x) for x in results]
    return with_derivative(program, slopes, [*fixed, *arguments, *map(ca.stop_gradient, kept)])
