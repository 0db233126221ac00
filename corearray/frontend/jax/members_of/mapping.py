"""`jax.vmap` and `jax.jit`, over trees of arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import update_wrapper
from inspect import signature
from typing import Any

import corearray as ca
from corearray.calls.memo import follow
from corearray.errors import CoreArrayTypeError, CoreArrayValueError
from corearray.frontend.jax.arguments import several
from corearray.frontend.jax.configuration import config, x64
from corearray.frontend.jax.leaves import Leaves
from corearray.frontend.jax.trees import flatten, is_node, prefixes
from corearray.frontend.jax.wrapper import is_arraylike
from corearray.frontend.modes import Mode

__all__ = ["FUNCTIONS", "inside", "jit", "need_callable", "vmap"]

#: Whether a transform is running, within which compiled functions run as they are.
inside: Mode[bool] = Mode("a transform of the JAX frontend is running", default=False, followed=True)


def need_callable(name: str, fun: Any) -> None:
    """Refuse what is no function.

    Raises
    ------
    TypeError
        If it is none.
    """
    if not callable(fun):
        raise CoreArrayTypeError(f"Expected a callable value, got {fun!r}: '{name}' takes a function")


def _is_none(axis: Any) -> bool:
    return axis is None


def vmap(
    fun: Callable[..., Any], in_axes: Any = 0, out_axes: Any = 0, axis_name: Any = None, axis_size: int | None = None,
    spmd_axis_name: Any = None, sum_match: bool = False,
) -> Callable[..., Any]:  # fmt: skip
    """Return a function that maps another one over an axis of its arguments.

    Raises
    ------
    TypeError
        If `fun` is no function, or `in_axes` is neither an integer nor a tree of integers.
    ValueError
        When it is called, if there is nothing to map over, or the axes differ in their lengths.
    """
    need_callable("vmap", fun)
    if isinstance(in_axes, list):
        in_axes = tuple(in_axes)
    if not (in_axes is None or isinstance(in_axes, (int, tuple, dict))) and not is_node(in_axes):
        raise CoreArrayTypeError(
            "vmap in_axes must be an int, None, or a tuple of entries "
            f"corresponding to the positional arguments, got {in_axes!r}."
        )

    def mapped(*args: Any, **options: Any) -> Any:
        if isinstance(in_axes, tuple) and len(in_axes) != len(args):
            raise CoreArrayValueError(
                "vmap in_axes must be an int, None, or a tuple of entries corresponding to the positional arguments passed to "
                f"the function, but got len(in_axes)={len(in_axes)}, len(args)={len(args)}"
            )
        given = Leaves((args, options))
        axes = prefixes(in_axes, args, "vmap in_axes", _is_none) + [0] * len(flatten(options)[0])
        found = given.arrays
        rows = [i for i, axis in enumerate(axes) if axis is not None and i in found]
        lengths = []
        for i in rows:
            array, axis = found[i], axes[i]
            rank = array.ndim - (1 if given.is_key(i) else 0)
            if not -rank <= axis < rank:
                raise CoreArrayValueError(
                    f"vmap was requested to map its argument along axis {axis}, which implies that its rank should be at least "
                    f"{axis + 1 if axis >= 0 else -axis}, but is only {rank} (its shape is {given.shape(i)})"
                )
            axes[i] = axis % rank
            lengths.append(array.shape[axes[i]])
        if len(set(lengths)) > 1:
            raise CoreArrayValueError(
                f"vmap got inconsistent sizes for array axes to be mapped: {sorted(set(lengths))}"
            )
        if not rows:
            if axis_size is None:
                raise CoreArrayValueError("vmap must have at least one non-None value in in_axes")
            lengths = [axis_size]
        results: list[Leaves] = []

        def row(*natives: Any) -> list[Any]:
            own_args, own_options = given.tree(dict(zip(rows, natives, strict=False)))
            results[:] = [Leaves(fun(*own_args, **own_options), everything=True)]
            return results[0].listed()

        token = inside.set(True)
        try:
            if rows:
                columns = ca.vmap(row, in_axes=[axes[i] for i in rows])(*(found[i] for i in rows))
            else:
                columns = ca.vmap(lambda _: row(), in_axes=0)(ca.arange(lengths[0]))
        finally:
            inside.reset(token)
        outcome = results[0]
        places = prefixes(out_axes, outcome.tree({}), "vmap out_axes", _is_none)
        moved = [
            column[0]
            if axis is None
            else column
            if not axis % (column.ndim)
            else ca.moveaxis(column, 0, axis if axis >= 0 else axis - outcome.is_key(i))
            for i, (column, axis) in enumerate(zip(columns, places, strict=True))
        ]
        return outcome.tree(dict(enumerate(moved)))

    update_wrapper(mapped, fun, updated=())
    return mapped


class _Static:
    """A static argument, which is equal to others by `==`."""

    def __init__(self, value: Any, name: Any) -> None:
        self.value = value
        try:
            self._hash = hash(value)
        except TypeError:
            raise CoreArrayValueError(
                f"Non-hashable static arguments are used in a jit function: static argument {name!r} is of type {type(value)}, "
                "which is not hashable."
            ) from None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Static) and type(self.value) is type(other.value) and bool(self.value == other.value)

    def __hash__(self) -> int:
        return self._hash


def _parameters_of(fun: Any) -> list[str]:
    """Return the names of the parameters of a function, none if they are not known."""
    try:
        return list(signature(fun).parameters)
    except (TypeError, ValueError):
        return []


follow(_parameters_of, lambda fun: [])


def jit(
    fun: Callable[..., Any] | None = None, *, static_argnums: int | Sequence[int] | None = None,
    static_argnames: str | Sequence[str] | None = None, donate_argnums: Any = None, donate_argnames: Any = None,
    inline: bool = False, in_shardings: Any = None, out_shardings: Any = None, keep_unused: bool = False, device: Any = None,
    backend: Any = None, compiler_options: Any = None,
) -> Callable[..., Any]:  # fmt: skip
    """Return a function that the backend's compiler compiles, once for the shapes, dtypes and static values of its arguments.

    Within another transform, and with `jax_disable_jit`, it runs as it is. Options for devices, memory and XLA have no effect.

    Raises
    ------
    TypeError
        If `fun` is no function, or when it is called if an argument is no array and not static.
    ValueError
        When it is called, if a static argument has no hash.
    """
    if fun is None:
        options: dict[str, Any] = {
            "static_argnums": static_argnums,
            "static_argnames": static_argnames,
            "inline": inline,
        }
        return lambda function: jit(function, **options)
    need_callable("jit", fun)
    places, names = several(static_argnums), set(several(static_argnames))
    parameters = _parameters_of(fun)
    names |= {parameters[i] for i in places if -len(parameters) <= i < len(parameters)}
    programs: dict[Any, Any] = {}

    def jitted(*args: Any, **options: Any) -> Any:
        if inside.get() or config.jax_disable_jit:
            return fun(*args, **options)
        fixed = {i % len(args) for i in places if -len(args) <= i < len(args)}
        fixed |= {i for i, name in enumerate(parameters[: len(args)]) if name in names}
        static = {i: _Static(args[i], i) for i in fixed}
        named = {name: _Static(x, name) for name, x in options.items() if name in names}
        moving = [x for i, x in enumerate(args) if i not in fixed]
        rest = {name: x for name, x in options.items() if name not in names}
        given = Leaves((moving, rest))
        for i, leaf in enumerate(given.leaves):
            if i not in given.arrays and not is_arraylike(leaf):
                raise CoreArrayTypeError(
                    f"Error interpreting argument to {fun} as an abstract "
                    f"array. The problematic value is of type {type(leaf)}. "
                    "If this argument is no array, name it in static_argnums or static_argnames."
                )
        key = (
            given.signature(),
            tuple(sorted(static.items(), key=lambda pair: pair[0])),
            tuple(sorted(named.items(), key=lambda pair: pair[0])),
            x64(),
            ca.current_backend(),
        )
        if key not in programs:
            programs[key] = _program(fun, given, static, named, len(args))
        return programs[key](given)

    update_wrapper(jitted, fun, updated=())
    jitted.clear_cache = programs.clear  # type: ignore[attr-defined]
    jitted._cache_size = lambda: len(programs)  # type: ignore[attr-defined]
    return jitted


def _program(fun: Callable[..., Any], like: Leaves, static: Any, named: Any, count: int) -> Callable[[Leaves], Any]:
    """Return a function of leaves that runs the compiled program."""
    results: list[Leaves] = []
    places = list(like.arrays)

    def program(*natives: Any) -> list[Any]:
        moving, rest = like.tree(dict(zip(places, natives, strict=True)))
        given = iter(moving)
        args = [static[i].value if i in static else next(given) for i in range(count)]
        token = inside.set(True)
        try:
            outcome = Leaves(fun(*args, **rest, **{name: one.value for name, one in named.items()}), everything=True)
        finally:
            inside.reset(token)
        results[:] = [outcome]
        return outcome.listed()

    compiled = ca.compile(program) if _traces() else program

    def called(given: Leaves) -> Any:
        made = compiled(*given.arrays.values())
        return results[0].tree(dict(enumerate(made)))

    return called


def _traces() -> bool:
    """Return whether the backend's compiler traces a program by running it; one that reads bytecode reads no wrapper class."""
    facts = ca.current_backend().facts
    return "compiled_function" in facts and "register_tracing" not in facts


FUNCTIONS: dict[str, Any] = {"vmap": vmap, "jit": jit}
