"""Calls that take a program: derivatives of `torch.autograd.Function`, and the transforms of `torch.func`.

torch has no functions of these names: torch's plugin writes them down for `torch.vmap`, `torch.func.grad`, `vjp`, `jvp` and
what is made of these, for `torch.autograd.grad`, and for the `backward` of a `torch.autograd.Function`. A program takes the
arrays that it has from outside, `kept`, then its arguments, and returns a list.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import corearray as ca
from corearray.frontend.derivatives import with_gradient as with_gradient_of
from corearray.frontend.torch.described import rule

__all__: list[str] = []

_Program = Callable[..., list[Any]]


@rule("torch.autograd.function.with_gradient")
def with_gradient(results: Sequence[Any], arguments: Sequence[Any], kept: Sequence[Any], gradient: _Program) -> Any:
    """Return results whose derivatives by `arguments` a program computes from `kept` and the derivatives by the results."""
    made = with_gradient_of(results, arguments, kept, gradient)
    return [ca.asarray(x, copy=True) for x in made]  # the program may write into them


@rule("torch.func.mapped")
def mapped(
    program: _Program, arguments: Sequence[Any], kept: Sequence[Any], in_dims: Sequence[int], out_dims: Any
) -> Any:
    """Call a program for each row of its arguments."""

    def of_rows(*rows: Any) -> tuple[Any, ...]:
        return tuple(program(*kept, *rows))

    axes = out_dims if isinstance(out_dims, int) else tuple(out_dims)
    return list(ca.vmap(of_rows, in_axes=tuple(in_dims), out_axes=axes)(*arguments))


@rule("torch.func.pulled_back")
def pulled_back(program: _Program, arguments: Sequence[Any], kept: Sequence[Any], weights: Sequence[Any] | None) -> Any:
    """Return the results of a program, and the gradients of their weighted sum by its arguments.

    `weights` has an array for each result, or `None` for ones. Without weights the first result is differentiated alone.
    """
    values, pull_back = ca.vjp(lambda *arrays: tuple(program(*kept, *arrays)), *arguments)
    if weights is None:
        weights = [None, *map(ca.zeros_like, values[1:])]
    given = [ca.ones_like(x) if w is None else ca.astype(w, x.dtype) for w, x in zip(weights, values, strict=True)]
    return [*values, *pull_back(tuple(given))]


@rule("torch.func.pushed_forward")
def pushed_forward(program: _Program, arguments: Sequence[Any], kept: Sequence[Any], directions: Sequence[Any]) -> Any:
    """Return the results of a program, and their derivatives along directions of its arguments."""

    def of_arguments(*arrays: Any) -> tuple[Any, ...]:
        return tuple(program(*kept, *arrays))

    values, slopes = ca.jvp(of_arguments, tuple(arguments), tuple(directions))
    return [*values, *slopes]


def _blocks(jacobian: Any, program: _Program, arguments: Sequence[Any], kept: Sequence[Any]) -> list[Any]:
    """Return the results of a program, then for each result the derivatives by each argument, its own axes first."""

    def of_arguments(arrays: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(program(*kept, *arrays))

    blocks = jacobian(of_arguments)(list(arguments))
    return [*of_arguments(arguments), *(x for block in blocks for x in block)]


@rule("torch.func.jacobian_rows")
def jacobian_rows(program: _Program, arguments: Sequence[Any], kept: Sequence[Any]) -> Any:
    """Return the results of a program and its Jacobian, in reverse mode."""
    return _blocks(ca.jac, program, arguments, kept)


@rule("torch.func.jacobian_columns")
def jacobian_columns(program: _Program, arguments: Sequence[Any], kept: Sequence[Any]) -> Any:
    """Return the results of a program and its Jacobian, in forward mode."""
    return _blocks(ca.jacfwd, program, arguments, kept)


_lost: list[Any] = [with_gradient, pulled_back, pushed_forward, jacobian_rows, jacobian_columns]
for function in _lost:
    function.own_derivative = True  # which the graph of a target may lose
_all: list[Any] = [*_lost, mapped]
for function in _all:
    function.takes_programs = True
