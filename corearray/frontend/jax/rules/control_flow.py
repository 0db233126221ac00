"""Loops, conditions, and functions within functions.

Programs arrive as functions of arrays that return lists.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate
from typing import Any

import corearray as ca
from corearray.frontend.derivatives import with_derivative
from corearray.frontend.jax.described import rule

__all__: list[str] = []

_Program = Callable[..., list[Any]]


@rule(
    "jax.lax.jit_p",
    "jax.lax.pjit_p",
    "jax.lax.remat2_p",
    "jax.lax.checkpoint_p",
    "jax.lax.closed_call_p",
    "jax.lax.core_call_p",
)
def jit(*args: Any, jaxpr: _Program | None = None, call_jaxpr: _Program | None = None, **_: Any) -> Any:
    """Call a program."""
    program = jaxpr or call_jaxpr
    assert program is not None
    return program(*args)


@rule("jax.lax.custom_jvp_call_p", "jax.lax.custom_vjp_call_p")
def custom_derivative(*args: ca.Array, program: _Program, backward: _Program | None = None) -> Any:
    """Call a program that has a derivative of its own.

    `backward` takes the arguments and the cotangents of the results, and returns the cotangents of the real arguments.
    """
    if backward is None:
        return program(*args)
    real = [x.dtype.category == "real floating" for x in args]

    def gradient(given: Sequence[Any], _: Any, cotangents: Sequence[Any]) -> tuple[Any, ...]:
        found = iter(backward(*given, *cotangents))
        return tuple(next(found) if one else None for one in real)

    return with_derivative(lambda *given: tuple(program(*given)), gradient, args)


custom_derivative.own_derivative = True  # type: ignore[attr-defined]  # which the graph of a target may lose


@rule("jax.lax.scan_p")
def scan(
    *args: ca.Array, jaxpr: _Program, length: int, num_consts: int, num_carry: int, reverse: bool = False, **_: Any
) -> Any:
    """Loop over the first axis with a state."""
    constants, carry, xs = args[:num_consts], args[num_consts : num_consts + num_carry], args[num_consts + num_carry :]

    def step(state: Sequence[Any], part: Sequence[Any]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        made = jaxpr(*constants, *state, *part)
        return tuple(made[:num_carry]), tuple(made[num_carry:])

    if length == 0:
        parts = [ca.zeros(tuple(x.shape[1:]), dtype=x.dtype) for x in xs]
        kept = step(carry, parts)[1]
        return [*carry, *(ca.zeros((0, *y.shape), dtype=y.dtype) for y in kept)]
    state, ys = ca.scan(step, tuple(carry), tuple(xs), length=length, reverse=reverse)
    return [*state, *ys]


def _going_on(going: ca.Array, new: Any, old: Any) -> Any:
    """Return new elements for those instances of a mapped loop that go on; the first axes count the instances."""
    return ca.where(ca.reshape(going, (*going.shape, *(1,) * (new.ndim - going.ndim))), new, old)


@rule("jax.lax.while_p")
def while_(
    *args: ca.Array, cond_jaxpr: _Program, body_jaxpr: _Program, cond_nconsts: int, body_nconsts: int, **_: Any
) -> Any:
    """Repeat a program while a condition holds."""
    of_condition = args[:cond_nconsts]
    of_body = args[cond_nconsts : cond_nconsts + body_nconsts]
    carry = args[cond_nconsts + body_nconsts :]

    def holds(state: Sequence[Any]) -> Any:
        return ca.any(cond_jaxpr(*of_condition, *state)[0])  # several of a mapped loop

    def following(state: Sequence[Any]) -> tuple[Any, ...]:
        made = body_jaxpr(*of_body, *state)
        going = cond_jaxpr(*of_condition, *state)[0] if mapped else None
        return tuple(made) if going is None else tuple(map(partial(_going_on, going), made, state))

    mapped = bool(cond_jaxpr(*of_condition, *carry)[0].ndim)

    return list(ca.while_loop(holds, following, tuple(carry)))


@rule("jax.lax.cond_p")
def cond(index: ca.Array, *operands: ca.Array, branches: Sequence[_Program], **_: Any) -> Any:
    """Call one of several programs, by its number."""

    def chosen(first: int) -> Callable[..., tuple[Any, ...]]:
        if first == len(branches) - 1:
            return lambda *given: tuple(branches[first](*given))
        return lambda *given: ca.if_else(
            index <= first, lambda *xs: tuple(branches[first](*xs)), chosen(first + 1), *given
        )

    return list(chosen(0)(*operands))


@rule("jax.lax.custom_linear_solve_p")
def custom_linear_solve(*args: ca.Array, const_lengths: Any, jaxprs: Any, **_: Any) -> Any:
    """Solve by the program that is given for it; the derivative solves the transposed equations."""
    names = ("matvec", "vecmat", "solve", "transpose_solve")
    ends = list(accumulate(const_lengths[name] for name in names))
    count, behind = ends[0], ends[-1]

    def constants(arrays: Sequence[Any], name: str) -> Sequence[Any]:
        place = names.index(name)
        return arrays[ends[place] - const_lengths[name] : ends[place]]

    def solved(*arrays: Any) -> tuple[Any, ...]:
        return tuple(jaxprs["solve"](*constants(arrays, "solve"), *arrays[behind:]))

    def gradient(arrays: Sequence[Any], found: Sequence[Any], cotangents: Sequence[Any]) -> tuple[Any, ...]:
        slopes = tuple(jaxprs["transpose_solve"](*constants(arrays, "transpose_solve"), *cotangents))
        _, pull_back = ca.vjp(lambda *given: tuple(jaxprs["matvec"](*given, *found)), *arrays[:count])
        of_constants = pull_back(tuple(-slope for slope in slopes))
        return (*of_constants, *(None,) * (behind - count), *slopes)

    floating = all(x.dtype.category == "real floating" for x in (*args[:count], *args[behind:]))
    if jaxprs["transpose_solve"] is None or not floating:
        return list(solved(*args))
    return with_derivative(solved, gradient, args)


custom_linear_solve.own_derivative = True  # type: ignore[attr-defined]


@rule("jax.lax.platform_index_p")
def platform_index(*, platforms: Any) -> Any:
    """Take the variant for CPUs, whose primitives are the most general."""
    place = next((i for i, names in enumerate(platforms) if names is None or "cpu" in names), 0)
    return ca.asarray(place, dtype=ca.int32)
