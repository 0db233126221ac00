"""Programs for transpiling: the arrays that a callable pytree holds, plain results, and primitives in plain words."""

from __future__ import annotations

import os
from collections.abc import Sequence
from enum import Enum
from typing import Any

import jax
import numpy as np
from jax.extend import core

import corearray as ca
from corearray.plugin import Recording, Value, hookimpl
from corearray_jax.graph import Equation, constant_values, needed_steps, read_calls, value_of

#: Folders whose lines are not the user's.
_LIBRARIES = tuple(
    os.path.join(os.path.dirname(path or ""), "")  # noqa: PTH118, PTH120 - text, compared with the text of a frame
    for path in (ca.__file__, jax.__file__, core.__file__, os.__file__, __file__)
)

#: Primitives whose literal operands become Python numbers, because another operand says the dtype.
_WITH_NUMBERS = frozenset(
    "add add_any and atan2 clamp div eq ge gt le lt max min mul ne nextafter or pad pow rem select_n shift_left "
    "shift_right_arithmetic shift_right_logical sub xor".split()
)

#: Primitives whose literal start indices become Python integers.
_WITH_STARTS = {"dynamic_slice": 1, "dynamic_update_slice": 2}

#: Parameters that do not change what is computed.
_WITHOUT_MEANING = {"indices_are_sorted", "linear", "out_sharding", "sharding", "unique_indices", "unroll", "weak_type"}

_DERIVED = ("custom_jvp_call", "custom_vjp_call")


@hookimpl
def held_arrays(held: Any) -> Any:
    owner = getattr(held, "__self__", held)
    if not callable(held) or jax.tree_util.all_leaves([owner]):
        return None
    leaves, _ = jax.tree_util.tree_flatten_with_path(owner)
    arrays = {_dotted(path): leaf for path, leaf in leaves if isinstance(leaf, jax.Array)}
    parameters = {name: x for name, x in arrays.items() if jax.numpy.issubdtype(x.dtype, jax.numpy.inexact)}
    return (parameters, {}, frozenset()) if arrays else None


def _dotted(path: Sequence[Any]) -> str:
    parts = (
        next((str(getattr(key, name)) for name in ("name", "key", "idx") if hasattr(key, name)), str(key))
        for key in path
    )
    return ".".join(parts)


@hookimpl
def with_buffers(held: Any, natives: Any, run: Any) -> Any:
    return run()


@hookimpl
def plain_tree(result: Any) -> Any:
    if type(result) in (tuple, list):
        return type(result)(map(plain_tree, result))
    if isinstance(result, tuple):
        return tuple(map(plain_tree, result))
    if isinstance(result, dict):
        return {name: plain_tree(item) for name, item in result.items()}
    if jax.tree_util.all_leaves([result]) or result is None:
        return result
    children = jax.tree_util.tree_flatten_with_path(result, is_leaf=lambda x: x is not result)[0]
    return {_dotted(path): plain_tree(child) for path, child in children}


@hookimpl
def plain_call(step: Any) -> Any:
    if type(step) is not Equation:
        return step.name, step.arguments, step.options
    return _plain(step, derivatives=True)


def _plain(step: Equation, *, derivatives: bool) -> tuple[str, tuple[Any, ...], dict[str, Any]]:
    """Write a primitive as the rules of the frontend take it.

    A program among the parameters becomes a `Recording`, a named tuple a dictionary, a member of an enumeration its name. A
    function with a derivative of its own gets `program` and, where `derivatives` is set, `backward`: the program from its
    real arguments and the cotangents of its results to those of its arguments.
    """
    equation = step.equation
    primitive = equation.primitive
    arguments = list(step.arguments[step.functions :])
    if primitive.name in _DERIVED:
        options: dict[str, Any] = {"program": _program(equation.params["call_jaxpr"], derivatives=False)}
        if derivatives:
            options["backward"] = _backward(step, [variable.aval for variable in equation.invars])
        if _is_relu(options):
            (step.results,) = step.results
            return "jax.nn.relu", tuple(arguments), {}
    else:
        options = {
            name: _option(value, derivatives)
            for name, value in equation.params.items()
            if value is not None and name not in _WITHOUT_MEANING and not _is_internal(value)
        }
    if primitive.name in _WITH_NUMBERS:
        arguments = _with_numbers(arguments)
    elif primitive.name in _WITH_STARTS:
        arrays = _WITH_STARTS[primitive.name]
        arguments[arrays:] = [
            int(x.constant) if x.literal and x.constant is not None else x for x in arguments[arrays:]
        ]
    step.place, step.module = _place(equation), str(equation.source_info.name_stack).replace("/", ".")
    return f"jax.lax.{primitive.name.replace('-', '_')}_p", tuple(arguments), options


def _is_relu(options: dict[str, Any]) -> bool:
    """Whether a function is the larger of its argument and zero, with a derivative of zero where they are equal."""
    calls, backward = options["program"].steps, options.get("backward")
    if len(calls) != 1 or calls[0].name != "jax.lax.max_p" or calls[0].arguments[1:] != (0.0,):
        return False
    names = [call.name for call in backward.steps if call.name != "jax.lax.broadcast_in_dim_p"] if backward else []
    return not backward or (names == ["jax.lax.gt_p", "jax.lax.select_n_p"] and backward.steps[0].arguments[1] == 0.0)


def _with_numbers(arguments: list[Any]) -> list[Any]:
    """Put Python numbers in place of literals whose dtype another argument has too."""
    known = {x.dtype for x in arguments if not _is_number(x)}
    return [x.constant.item() if _is_number(x) and x.dtype in known else x for x in arguments]


def _is_number(x: Any) -> bool:
    return type(x) is Value and x.literal and x.constant is not None and x.shape == ()


def _option(value: Any, derivatives: bool) -> Any:
    if isinstance(value, (core.ClosedJaxpr, core.Jaxpr)):
        return _program(value, derivatives=derivatives)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {name: _option(getattr(value, name), derivatives) for name in value._fields}
    if isinstance(value, (tuple, list)):
        return tuple(_option(item, derivatives) for item in value)
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, np.generic):
        return value.item()
    return value


def _is_internal(value: Any) -> bool:
    """Whether a parameter is a function or an object of JAX that means nothing elsewhere."""
    return callable(value) and not isinstance(value, (type, core.ClosedJaxpr))


def _program(jaxpr: Any, *, derivatives: bool) -> Recording:
    """Return the calls of an inner program, in plain words."""
    inner, constants = (jaxpr.jaxpr, jaxpr.consts) if isinstance(jaxpr, core.ClosedJaxpr) else (jaxpr, ())
    recording = Recording()
    recording.inputs = list(map(value_of, inner.invars))
    recording.outputs = read_calls(recording, inner, constant_values(constants), recording.inputs)
    recording.steps = needed_steps(recording)
    for step in recording.steps:
        if type(step) is Equation:
            step.name, step.arguments, step.options = _plain(step, derivatives=derivatives)
    return recording


def _backward(step: Equation, avals: list[Any]) -> Recording | None:
    """Return the derivative of a function backwards, as a program; `None` where there is none to have."""
    functions, options = step.arguments[: step.functions], step.options
    real = [i for i, aval in enumerate(avals) if jax.numpy.issubdtype(aval.dtype, jax.numpy.floating)]
    results = [variable.aval for variable in step.equation.outvars]
    if not real or not all(jax.numpy.issubdtype(aval.dtype, jax.numpy.floating) for aval in results):
        return None

    def pulled_back(arguments: Any, cotangents: Any) -> Any:
        def function(*floating: Any) -> Any:
            given = list(arguments)
            for i, x in zip(real, floating, strict=True):
                given[i] = x
            return step.function(*functions, *given, **options)

        return jax.vjp(function, *(arguments[i] for i in real))[1](cotangents)

    shapes = ([jax.ShapeDtypeStruct(x.shape, x.dtype) for x in part] for part in (avals, results))
    try:
        made = jax.make_jaxpr(pulled_back)(*shapes)
    except Exception:  # a function that only goes forwards
        return None
    return _program(made, derivatives=False)


def _place(equation: Any) -> str:
    """Return the user's file and line that an equation comes from."""
    trace = equation.source_info.traceback
    for frame in trace.frames if trace is not None else ():
        file = frame.file_name
        if not file.startswith((*_LIBRARIES, "<")):
            return f"{file}:{frame.line_num}"
    return ""
