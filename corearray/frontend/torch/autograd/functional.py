"""torch.autograd.functional on every backend: derivatives of functions of one tensor or a tuple of tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import corearray.frontend.torch.func as of_functions
from corearray.errors import CoreArrayRuntimeError

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]


def _given(inputs: Any, create_graph: bool) -> tuple[Any, ...]:
    """Return the arguments; without `create_graph` no gradients flow to them."""
    every = inputs if isinstance(inputs, tuple) else (inputs,)
    return every if create_graph else tuple(x.detach() for x in every)


def _like(inputs: Any, found: Any) -> Any:
    """Return results for each argument: a tuple if the arguments are one."""
    return found if isinstance(inputs, tuple) else found[0]


def _directions(v: Any, like: Any, what: str) -> tuple[Any, ...]:
    every = like if isinstance(like, tuple) else (like,)
    if v is None:
        if len(every) > 1 or every[0].numel() != 1:
            raise CoreArrayRuntimeError(f"the vector v can only be None if the {what} has one element")
        return (every[0].new_ones(every[0].shape),)
    return v if isinstance(v, tuple) else (v,)


def jacobian(
    func: Callable[..., Any], inputs: Any, create_graph: bool = False, strict: bool = False, vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:  # fmt: skip
    """Return the Jacobian: a tensor with the axes of the result first, a tuple for a tuple of results or arguments."""
    given = _given(inputs, create_graph)
    transform = of_functions.jacrev if strategy == "reverse-mode" else of_functions.jacfwd
    found = transform(func, tuple(range(len(given))))(*given)
    if isinstance(found, tuple) and found and isinstance(found[0], tuple):
        return tuple(_like(inputs, row) for row in found)
    return _like(inputs, found)


def hessian(
    func: Callable[..., Any], inputs: Any, create_graph: bool = False, strict: bool = False, vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:  # fmt: skip
    """Return the second derivatives of a function with a result of one element."""
    given = _given(inputs, create_graph)
    every = tuple(range(len(given)))

    def scalar(*args: Any) -> Any:
        return func(*args).sum()

    found = of_functions.jacrev(of_functions.jacrev(scalar, every), every)(*given)
    return found if isinstance(inputs, tuple) else found[0][0]


def vjp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """Return the results, and the product of a vector and the Jacobian."""
    value, pull_back = of_functions.vjp(func, *_given(inputs, create_graph))
    weights = _directions(v, value, "output")
    return value, _like(inputs, pull_back(weights if isinstance(value, tuple) else weights[0]))


def jvp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """Return the results, and the product of the Jacobian and a vector."""
    return of_functions.jvp(func, _given(inputs, create_graph), _directions(v, inputs, "input"))


def hvp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """Return the result, and the product of the second derivatives and a vector."""
    given, weights = _given(inputs, create_graph), _directions(v, inputs, "input")
    slopes = of_functions.grad(lambda *args: func(*args).sum(), tuple(range(len(given))))
    _, found = of_functions.jvp(slopes, given, weights)
    return func(*given), _like(inputs, found)


def vhp(func: Callable[..., Any], inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> Any:
    """Return the result, and the product of a vector and the second derivatives, which are symmetric."""
    return hvp(func, inputs, v, create_graph, strict)
