"""Derivatives that a program brings with it, such as those of `jax.custom_vjp`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import corearray as ca
from corearray.errors import FunctionNotImplementedError
from corearray.frontend.table import Rule
from corearray.settings.context import pushed

if TYPE_CHECKING:
    from corearray.backends.backend import Backend
    from corearray.graph.graph import Graph

__all__ = [
    "graphs_keep_derivatives",
    "has_own_derivative",
    "where_fitting",
    "with_derivative",
    "with_gradient",
    "without_gradient",
]


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


def where_fitting(graph: Graph, natives: Sequence[Any], by_rules: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function of a graph, with the rules in its place for arrays for which the recording would be another one.

    On torch a graph with derivatives, made of arrays that need no gradients, has no derivative in turn.
    """
    asked = sorted(graph.asked)
    wanted = [[getattr(x, name) for name in asked] for x in natives]
    run = graph.native

    def fitting(*given: Any) -> Any:
        found = [[getattr(x, name) for name in asked] for x in given]
        return (run if found == wanted else by_rules)(*given)

    return fitting


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
    results: Sequence[Any],
    arguments: Sequence[Any],
    kept: Sequence[Any],
    gradient: Callable[..., Any],
    again: Callable[..., Any] | None = None,
    others: Sequence[Any] = (),
) -> list[Any]:
    """Return results whose derivative a program computes.

    Parameters
    ----------
    results, arguments
        The arrays to return, and those by which they are differentiated.
    kept
        The arrays that `gradient` takes.
    gradient
        Takes the arrays `kept` and the derivatives by the results, and returns those by the arguments.
    again
        Computes `kept` from `arguments` and `others`. Second derivatives call it. If there is none, they take `kept` as
        constants, other than arguments and results.
    others
        Arrays that do not depend on `arguments`.

    Notes
    -----
    `kept` are constants of the first derivative. If they were arguments, a slope of zero would pass back through the steps that
    have computed them, and JAX makes NaN of it where a step within a loop has an infinite slope.
    """
    known = [*arguments, *others]
    places = {id(x): place for place, x in enumerate(known)}
    new = [x for x in kept if id(x) not in places]
    count, taken = len(results), len(known)
    of_results = {id(x): place for place, x in enumerate(results)} if again is None else {}
    places |= {id(x): place for place, x in enumerate(new, taken)}
    order = [places[id(x)] for x in kept]

    def program(*arrays: Any) -> Any:
        return tuple(ca.stop_gradient(x) for x in arrays[:count])

    def slopes(arrays: Sequence[Any], outputs: Sequence[Any], cotangents: Sequence[Any]) -> tuple[Any, ...]:
        own, fixed = arrays[count : count + taken], arrays[count + taken :]

        def first(*given: Any) -> tuple[Any, ...]:
            return tuple(gradient(*(given[place] for place in order), *given[taken + len(new) :]))

        if not new or again is None:
            followed = [
                outputs[of_results[id(x)]] if id(x) in of_results else y for x, y in zip(new, fixed, strict=True)
            ]
            return (*(None,) * count, *first(*own, *followed, *cotangents), *(None,) * (len(others) + len(new)))

        def second(given: Sequence[Any], _: Any, slopes: Sequence[Any]) -> tuple[Any, ...]:
            floating = [
                place for place, x in enumerate(given) if not taken <= place < taken + len(new) and _is_floating(x)
            ]

            def whole(*moving: Any) -> tuple[Any, ...]:
                filled = list(given)
                for place, x in zip(floating, moving, strict=True):
                    filled[place] = x
                return tuple(gradient(*again(*filled[:taken]), *filled[taken + len(new) :]))

            _, pull_back = ca.vjp(whole, *(given[place] for place in floating))
            found = dict(zip(floating, pull_back(tuple(slopes)), strict=True))
            return tuple(found.get(place) for place in range(len(given)))

        made = with_derivative(first, second, [*own, *map(ca.stop_gradient, fixed), *cotangents])
        return (*(None,) * count, *made, *(None,) * (len(others) + len(new)))

    fixed = [ca.stop_gradient(x) for x in results]
    return with_derivative(program, slopes, [*fixed, *known, *map(ca.stop_gradient, new)])


def _is_floating(x: Any) -> bool:
    return bool(x.dtype.category == "real floating")


def without_gradient(results: Sequence[Any]) -> list[Any]:
    """Return results that raise an error if they are differentiated.

    Raises
    ------
    NotImplementedError
        If a derivative by the results is taken.
    """

    def slopes(*_: Any) -> tuple[Any, ...]:
        raise FunctionNotImplementedError(
            "the fourth derivative of a function is not recorded if its derivative calls the function again, as that of a "
            "power does; differentiate three times at most, or write the derivative without the function"
        )

    return with_derivative(lambda *arrays: tuple(1 * x for x in arrays), slopes, results)
