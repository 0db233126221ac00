"""Loops and conditions of `jax.lax`, over trees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import corearray as ca
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.jax.leaves import Leaves
from corearray.frontend.jax.members_of.lax_elementwise import primitive
from corearray.frontend.jax.members_of.mapping import inside, need_callable
from corearray.frontend.jax.promotion import cast, default, of_indices, promoted
from corearray.frontend.jax.wrapper import Array, converted

__all__ = [
    "FUNCTIONS", "associative_scan", "cond", "fori_loop", "map", "platform_dependent", "scan", "switch",
    "while_loop",
]  # fmt: skip


class _Carry:
    """The state of a loop: a tree whose weak leaves get the dtypes that a step returns."""

    def __init__(self, name: str, init: Any) -> None:
        self.name, self.given = name, Leaves(init, everything=True)

    def strengthened(self, step: Callable[[Any], Any]) -> None:
        """Give weak leaves the dtypes and weak types that a step returns."""
        if not any(self.given.is_weak(i) for i in self.given.arrays):
            return
        made = Leaves(step(self.given.tree({})), everything=True)
        self._check(made)
        leaves = []
        for i, array in self.given.arrays.items():
            own, weak = promoted([(array.dtype, self.given.is_weak(i)), (made.arrays[i].dtype, made.is_weak(i))])
            leaves.append(self.given.wrapped(i, cast(array, own), weak))
        self.given = Leaves(self.given.definition.unflatten(leaves), everything=True)

    def _check(self, made: Leaves) -> None:
        if made.definition != self.given.definition:
            raise CoreArrayTypeError(
                f"{self.name} body function carry input and carry output must "
                f"have the same pytree structure: {self.given.definition} "
                f"and {made.definition}"
            )
        for i, array in made.arrays.items():
            if tuple(array.shape) != tuple(self.given.arrays[i].shape):
                raise CoreArrayTypeError(
                    f"{self.name} body function carry input and carry output "
                    "must have equal types: the input carry component has type "
                    f"{self.given.arrays[i].dtype}{list(self.given.arrays[i].shape)} "
                    "but the corresponding output carry component "
                    f"has type {array.dtype}{list(array.shape)}"
                )

    def tree(self, arrays: Sequence[Any]) -> Any:
        """Return the carried tree of arrays."""
        return self.given.tree(dict(enumerate(arrays)))

    def listed(self, tree: Any) -> list[Any]:
        """Return the arrays of the next carried tree."""
        made = Leaves(tree, everything=True)
        self._check(made)
        for i, array in made.arrays.items():
            own = self.given.arrays[i].dtype
            if array.dtype != own and not made.is_weak(i):
                raise CoreArrayTypeError(
                    f"{self.name} body function carry input and carry output "
                    "must have equal types: the input carry component has "
                    f"type {own}{list(array.shape)} but the corresponding output "
                    f"carry component has type {array.dtype}{list(array.shape)}"
                )
        return [cast(array, self.given.arrays[i].dtype) for i, array in made.arrays.items()]


def scan(
    f: Callable[..., Any], init: Any, xs: Any = None, length: int | None = None, reverse: bool = False, unroll: Any = 1,
    _split_transpose: Any = None,
) -> Any:  # fmt: skip
    """Loop over the first axis of arrays with a state, and stack the outputs of the steps.

    Raises
    ------
    TypeError
        If the state changes its structure, shapes or dtypes, or `f` returns no pair.
    ValueError
        If lengths differ, or there is none.
    """
    need_callable("scan", f)
    rows = Leaves(xs, everything=True)
    lengths = set()
    for x in rows.arrays.values():
        if not x.ndim:
            raise CoreArrayValueError("scan got value with no leading axis to scan over: an array without axes")
        lengths.add(x.shape[0])
    if length is not None and lengths - {int(length)}:
        raise CoreArrayValueError(
            f"scan got `length` argument of {length} which disagrees with leading axis sizes {sorted(lengths)}."
        )
    if len(lengths) > 1:
        raise CoreArrayValueError(
            f"scan got values with different leading axis sizes: {', '.join(map(str, sorted(lengths)))}."
        )
    if not lengths and length is None:
        raise CoreArrayValueError("scan got no values to scan over and `length` not provided.")
    steps = int(length) if length is not None else lengths.pop()
    carry = _Carry("scan", init)
    outputs: list[Leaves] = []

    def call(state: Any, part: Any) -> Any:
        made = f(state, part)
        if not isinstance(made, (tuple, list)) or len(made) != 2:
            raise CoreArrayTypeError(f"scan body output must be a pair, got {type(made).__name__}.")
        return made

    def first(state: Any) -> Any:
        parts = {i: x[0] if steps else ca.zeros(tuple(x.shape[1:]), dtype=x.dtype) for i, x in rows.arrays.items()}
        return call(state, rows.tree(parts))[0]

    token = inside.set(True)
    try:
        carry.strengthened(first)
        count = len(carry.given.arrays)

        def program(*arrays: Any) -> list[Any]:
            state, kept = call(carry.tree(arrays[:count]), rows.tree(dict(enumerate(arrays[count:]))))
            outputs[:] = [Leaves(kept, everything=True)]
            return [*carry.listed(state), *outputs[0].listed()]

        made = primitive("scan")(
            *carry.given.listed(),
            *rows.listed(),
            jaxpr=program,
            length=steps,
            num_consts=0,
            num_carry=count,
            reverse=reverse,
        )
    finally:
        inside.reset(token)
    return carry.tree(made[:count]), outputs[0].tree(dict(enumerate(made[count:])))


def map(f: Callable[..., Any], xs: Any, *, batch_size: int | None = None) -> Any:
    """Call a function with each part of arrays along their first axis."""
    return scan(lambda _, x: ((), f(x)), (), xs)[1]


def while_loop(cond_fun: Callable[..., Any], body_fun: Callable[..., Any], init_val: Any) -> Any:
    """Repeat a function while a condition holds.

    Raises
    ------
    TypeError
        If the state changes its structure, shapes or dtypes, or the condition is no truth value.
    """
    need_callable("while_loop", cond_fun)
    need_callable("while_loop", body_fun)
    carry = _Carry("while_loop", init_val)
    token = inside.set(True)
    try:
        carry.strengthened(body_fun)

        def holds(*arrays: Any) -> list[Any]:
            found = converted(cond_fun(carry.tree(arrays)))[0]
            if found.dtype != ca.bool or found.ndim:
                raise CoreArrayTypeError(
                    f"cond_fun must return a boolean scalar, but got {found.dtype}{list(found.shape)}."
                )
            return [found]

        made = primitive("while")(
            *carry.given.listed(), cond_jaxpr=holds, body_jaxpr=lambda *arrays: carry.listed(body_fun(carry.tree(arrays))),
            cond_nconsts=0, body_nconsts=0,
        )  # fmt: skip
    finally:
        inside.reset(token)
    return carry.tree(made)


def fori_loop(lower: Any, upper: Any, body_fun: Callable[..., Any], init_val: Any, *, unroll: Any = None) -> Any:
    """Repeat a function for a range of integers; errors as in `while_loop`."""
    need_callable("fori_loop", body_fun)
    carry = _Carry("fori_loop", init_val)
    bounds = [x if isinstance(x, int) else converted(x)[0] for x in (lower, upper)]
    for bound in bounds:
        if isinstance(bound, ca.Array) and bound.dtype.category not in ("signed integer", "unsigned integer"):
            raise CoreArrayTypeError(
                f"lower and upper arguments to fori_loop must have equal types of integers, got {bound.dtype}"
            )
    own = next((bound.dtype for bound in bounds if isinstance(bound, ca.Array)), default(int))
    token = inside.set(True)
    try:
        whole = all(isinstance(x, int) or getattr(x, "weak_type", False) for x in (lower, upper))
        carry.strengthened(lambda state: body_fun(Array(ca.asarray(0, dtype=own), whole), state))

        def body(i: Any, arrays: Any) -> Any:
            return carry.listed(body_fun(Array(cast(i, own), whole), carry.tree(arrays)))

        given = carry.given.listed()
        made = ca.for_loop(bounds[0], bounds[1], body, given) if given else given
    finally:
        inside.reset(token)
    return carry.tree(made)


class _Branches:
    """The branches of a condition, which return trees of one structure and of common dtypes."""

    def __init__(self, functions: Sequence[Callable[..., Any]], operands: Any) -> None:
        self.functions, self.operands = functions, Leaves(list(operands))
        self.outcome: Leaves | None = None

    def program(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function of arrays that returns a list of arrays."""

        def called(*arrays: Any) -> list[Any]:
            given = self.operands.tree(dict(zip(self.operands.arrays, arrays, strict=True)))
            made = Leaves(function(*given), everything=True)
            if self.outcome is None:
                self.outcome = made
                return made.listed()
            if made.definition != self.outcome.definition:
                raise CoreArrayTypeError(
                    "true_fun and false_fun output must have same type structure, "
                    f"got {self.outcome.definition} and {made.definition}."
                )
            return [cast(x, self.outcome.arrays[i].dtype) if made.is_weak(i) else x for i, x in made.arrays.items()]

        return called

    def result(self, arrays: Sequence[Any]) -> Any:
        """Return the tree of the arrays that the branch returned."""
        assert self.outcome is not None, "no branch was called"
        return self.outcome.tree(dict(enumerate(arrays)))


_ABSENT: Any = object()


def switch(index: Any, branches: Sequence[Callable[..., Any]], *operands: Any, operand: Any = _ABSENT) -> Any:
    """Call one of several functions by its number, clamped to the range of the functions.

    Raises
    ------
    TypeError
        If the number is no integer without axes, or the functions return different structures.
    ValueError
        If there is no function.
    """
    if not len(branches):
        raise CoreArrayValueError("Empty branch sequence")
    for one in branches:
        need_callable("switch", one)
    number = converted(index)[0]
    if number.ndim or number.dtype.category not in ("signed integer", "unsigned integer"):
        raise CoreArrayTypeError(f"Index type must be an integer scalar, got {number.dtype}{list(number.shape)}.")
    chosen = _Branches(branches, operands if operand is _ABSENT else (*operands, operand))
    place = ca.clip(ca.astype(number, of_indices()), 0, len(branches) - 1)
    token = inside.set(True)
    try:
        made = primitive("cond")(place, *chosen.operands.listed(), branches=[chosen.program(one) for one in branches])
    finally:
        inside.reset(token)
    return chosen.result(made)


def cond(
    pred: Any, true_fun: Callable[..., Any], false_fun: Callable[..., Any], *operands: Any, operand: Any = _ABSENT
) -> Any:  # fmt: skip
    """Call one of two functions, depending on a truth value or number.

    Raises
    ------
    TypeError
        If it is none, or the functions return different structures.
    """
    if operand is not _ABSENT:
        operands = (*operands, operand)
    need_callable("cond", true_fun)
    need_callable("cond", false_fun)
    try:
        truth = converted(pred)[0]
    except TypeError:
        raise CoreArrayTypeError(f"Pred type must be either boolean or number, got {pred!r}.") from None
    if truth.ndim:
        raise CoreArrayTypeError(f"Pred must be a scalar, got {pred!r} of shape {tuple(truth.shape)}.")
    return switch(Array(ca.astype(truth != 0, ca.int32)), (false_fun, true_fun), *operands)


def associative_scan(fn: Callable[..., Any], elems: Any, reverse: bool = False, axis: int = 0) -> Any:
    """Combine the elements before each place by an associative function."""
    need_callable("associative_scan", fn)
    given = Leaves(elems, everything=True)

    def combine(one: Sequence[Any], other: Sequence[Any]) -> list[Any]:
        return Leaves(
            fn(given.tree(dict(enumerate(one))), given.tree(dict(enumerate(other)))), everything=True
        ).listed()

    made = ca.associative_scan(combine, given.listed(), axis=axis, reverse=reverse)
    return given.tree(dict(enumerate(made)))


def platform_dependent(*args: Any, default: Callable[..., Any] | None = None, **platforms: Callable[..., Any]) -> Any:
    """Call the function for CPUs, or the default one."""
    chosen = platforms.get("cpu", default)
    if chosen is None:
        raise CoreArrayValueError("platform_dependent: there is no function for 'cpu', and no default")
    return chosen(*args)


FUNCTIONS: dict[str, Any] = {
    f"lax.{one.__name__}": one
    for one in (scan, map, while_loop, fori_loop, switch, cond, associative_scan, platform_dependent)
}
