"""Loops, conditions, and derivatives of the program's own.

Programs arrive as functions of arrays that return lists.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import corearray as ca
from corearray.errors import TracingError
from corearray.frontend.derivatives import with_gradient, without_gradient
from corearray.frontend.tensorflow.described import rule
from corearray.frontend.tensorflow.tensor_list import TensorList, as_arrays, from_arrays

__all__: list[str] = []

_Program = Callable[..., list[Any]]

#: Loops that run no more often are written out.
_WRITTEN_OUT = 3


@rule("tensorflow.raw_ops.While", "tensorflow.raw_ops.StatelessWhile")
def while_(input: Sequence[Any], cond: _Program, body: _Program, times: int | None = None) -> Any:
    """Repeat a program while a condition holds, or as often as `times` says, if that is known."""
    state = list(input)
    if times is None:
        return _while_unknown(state, cond, body)
    if times == 0:
        return state
    first = body(*state)
    if times <= _WRITTEN_OUT or _lengths(first) != _lengths(state):
        for _ in range(times - 1):
            first = body(*first)
        return first
    changed = [place for place, (old, new) in enumerate(zip(state, first, strict=True)) if new is not old]
    unpacked = from_arrays([first[place] for place in changed])

    def step(carry: Any, _: Any) -> tuple[Any, None]:
        given = list(first)
        for place, x in zip(changed, unpacked(carry), strict=True):
            given[place] = x
        made = body(*given)
        return tuple(as_arrays([made[place] for place in changed])), None

    last, _ = ca.scan(step, tuple(as_arrays([first[place] for place in changed])), None, length=times - 1)
    for place, x in zip(changed, unpacked(last), strict=True):
        first[place] = x
    return first


def _truth(condition: ca.Array) -> bool | None:
    """Return a truth value, `None` while a tracer of the target does not know it."""
    facts = condition.backend.facts
    return facts["truth"](condition._native) if "truth" in facts else bool(condition)


def _lengths(state: Sequence[Any]) -> list[int]:
    return [x.length for x in state if isinstance(x, TensorList)]


def _while_unknown(state: list[Any], cond: _Program, body: _Program) -> list[Any]:
    if any(isinstance(x, TensorList) for x in state):  # they may change their lengths, which the loops below may not
        while (known := _truth(cond(*state)[0])) is True:
            state = list(body(*state))
        if known is False:
            return state
        made = body(*state)
        if _lengths(made) != _lengths(state):
            raise TracingError("a loop whose end depends on elements changes the length of a tf.TensorArray")
        shapes = [x.shape if isinstance(x, TensorList) else None for x in made]
        state = [
            x.of_shape(shape) if isinstance(x, TensorList) and shape is not None else x
            for x, shape in zip(state, shapes, strict=True)
        ]
    unpacked = from_arrays(state)

    def holds(carry: Any) -> Any:
        (found,) = cond(*unpacked(carry))
        return found

    def following(carry: Any) -> Any:
        return tuple(as_arrays(body(*unpacked(carry))))

    return unpacked(ca.while_loop(holds, following, tuple(as_arrays(state))))


@rule("tensorflow.raw_ops.If", "tensorflow.raw_ops.StatelessIf")
def if_(cond: Any, input: Sequence[Any], then_branch: _Program, else_branch: _Program) -> Any:
    """Call one of two programs."""
    condition = cond if isinstance(cond, bool) or cond.dtype == ca.bool else cond != 0
    return _chosen([condition], [then_branch, else_branch], input)


@rule("tensorflow.raw_ops.Case", "tensorflow.raw_ops.StatelessCase")
def case(branch_index: ca.Array, input: Sequence[Any], branches: Sequence[_Program]) -> Any:
    """Call one of several programs by its number; a number that there is not means the last."""
    last = len(branches) - 1
    index = ca.where((branch_index < 0) | (branch_index > last), last, branch_index)
    return _chosen([index == place for place in range(last)], branches, input)


def _chosen(conditions: Sequence[Any], programs: Sequence[_Program], operands: Sequence[Any]) -> list[Any]:
    """Call the program of the first condition that holds, or the last one."""
    unpacked = from_arrays(operands)
    kinds: list[Any] = []

    def call(program: _Program) -> Callable[..., tuple[Any, ...]]:
        def called(*arrays: Any) -> tuple[Any, ...]:
            made = program(*unpacked(arrays))
            kinds[:] = [from_arrays(made)]
            return tuple(as_arrays(made))

        return called

    def from_place(place: int) -> Callable[..., tuple[Any, ...]]:
        if place == len(programs) - 1:
            return call(programs[place])
        return lambda *arrays: ca.if_else(conditions[place], call(programs[place]), from_place(place + 1), *arrays)

    made = from_place(0)(*as_arrays(operands))
    found: list[Any] = kinds[0](made)
    return found


@rule("tensorflow.custom_gradient")
def custom_gradient(
    results: Sequence[Any],
    arguments: Sequence[Any],
    kept: Sequence[Any],
    gradient: _Program | None,
    again: _Program | None,
    others: Sequence[Any],
) -> Any:
    """Return results whose derivative a program computes.

    `gradient` takes the arrays `kept` and the derivatives by the results, and returns those by the arguments. `again` computes
    `kept` from the arguments and `others`. The programs are `None` if the derivative was not recorded.
    """
    if gradient is None or again is None:
        return without_gradient(results)
    return with_gradient(results, arguments, kept, gradient, again, others)


custom_gradient.own_derivative = True  # type: ignore[attr-defined]  # which the graph of a target may lose
