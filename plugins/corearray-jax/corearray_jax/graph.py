"""The primitives that a program calls, as JAX's own traces show them."""

from __future__ import annotations

from enum import Enum
from typing import Any

import jax
import numpy as np
from jax import lax
from jax.extend import core

from corearray.plugin import Answers, Recording, Step, Unanswered, Value, hookimpl, unknown_elements, untraceable
from corearray_jax.inner import Program, Rule, calls_of_programs
from corearray_jax.native import DTYPES, REFUSALS


class Equation(Step):
    """A call of a primitive, with the equation that it comes from and the number of functions among its arguments."""

    __slots__ = ("equation", "functions")


@hookimpl
def traced_calls(function: Any, natives: Any) -> Any:
    recording = Recording()
    try:
        closed = _traced(function, natives)
    except Exception as error:
        if not _refused(error):
            raise
        raise unknown_elements("a Python value", error) from None
    recording.prepared = jax.jit  # primitives one by one would take longer than the compiled functions of jax.numpy
    values = [value_of(variable) for variable in closed.jaxpr.invars]
    recording.inputs = values
    recording.outputs = read_calls(recording, closed.jaxpr, constant_values(closed.consts), values)
    with_programs(recording)
    return recording


def _traced(function: Any, natives: Any) -> Any:
    """Return the jaxpr of a program, whose reads of elements have the answers of the example where these are assumed."""
    answers = Answers(jax.core.Tracer, (*REFUSALS, AttributeError))
    while True:
        asked: list[Any] = []

        def program(*tracers: Any, asked: list[Any] = asked) -> Any:
            try:
                return function(list(tracers))
            except Unanswered as read:
                asked.append(read)
                return [_primal(read.tracer)]

        with answers.tracing():
            closed = jax.make_jaxpr(program)(*natives)
        if not asked:
            return closed
        if any(isinstance(x, jax.core.Tracer) for x in closed.consts):
            raise untraceable(
                "an element is read within a function that JAX maps, compiles or repeats, where it has no value in the "
                "example; use functions of arrays such as jnp.where and lax.cond",
                asked[0],
            )
        answers.add(np.asarray(core.jaxpr_as_fun(closed)(*natives)[0]))


def _primal(tracer: Any) -> Any:
    """Return what a tracer of a derivative stands for, outside of the derivative."""
    while hasattr(tracer, "primal"):
        tracer = tracer.primal
    return tracer


@hookimpl
def graph_names() -> Any:
    names: dict[str, Any] = {
        f"{place}.bind": calls_of_programs.get(primitive, primitive.bind)
        for primitive, place in _places.items()
        if not any(word in place for word in ("callback", "feed", "print"))  # which lead out of the program
    }
    for name, value in vars(lax).items():
        if isinstance(value, type) and issubclass(value, (Enum, tuple)):
            names[f"jax.lax.{name}"] = value
    names |= {f"jax.dtype.{dtype.name}": dtype for dtype in DTYPES.values()}
    names |= {f"numpy.{dtype.type.__name__}": dtype.type for dtype in DTYPES.values()}
    names |= {"corearray_jax.Program": Program, "corearray_jax.Rule": Rule}
    return names | {"jax.jit": jax.jit, "jax.Array": type(jax.numpy.zeros(()))}


def _refused(error: BaseException | None) -> bool:
    """Whether an error is JAX's refusal to look at elements, or a translation of it."""
    while error is not None and not isinstance(error, REFUSALS):
        error = error.__cause__ or error.__context__
    return error is not None


def read_calls(recording: Any, jaxpr: Any, constants: Any, inputs: Any) -> list[Any]:
    """Write the calls of a jaxpr down, and of those within, and return the values of its results."""
    known = dict(zip([*jaxpr.constvars, *jaxpr.invars], [*constants, *inputs], strict=True))

    def read(variable: Any) -> Any:
        if not isinstance(variable, core.Literal):
            return known[variable]
        return _literal(variable)

    for equation in jaxpr.eqns:
        arguments = [read(variable) for variable in equation.invars]
        name = equation.primitive.name
        if name in ("jit", "pjit", "closed_call", "core_call") and not equation.effects:
            inner = equation.params.get("jaxpr") or equation.params["call_jaxpr"]
            results = read_calls(recording, inner.jaxpr, constant_values(inner.consts), arguments)
        else:
            results = [value_of(variable) for variable in equation.outvars]
            bound = equation.primitive.get_bind_params(equation.params)
            functions, options = bound if isinstance(bound, tuple) else ((), bound)
            many = equation.primitive.multiple_results
            place = _places.get(equation.primitive)
            step = Equation(
                equation.primitive.bind,
                f"{place}.bind" if place else name,
                [*functions, *arguments],
                dict(options),
                results if many else results[0],
                effect=bool(equation.effects),
                compared=_compared(equation.params),
            )
            step.equation, step.functions = equation, len(functions)
            recording.add(step)
        known.update(zip(equation.outvars, results, strict=True))
    return [read(variable) for variable in jaxpr.outvars]


def _compared(params: Any) -> dict[str, Any] | None:
    """Return parameters with text in place of the programs among them; `None` where there are none."""
    found = {name: _text(value) for name, value in params.items()}
    return found if any(found[name] is not value for name, value in params.items()) else None


def _text(value: Any) -> Any:
    if isinstance(value, tuple) and any(isinstance(x, core.ClosedJaxpr) for x in value):
        return tuple(map(_text, value))
    if isinstance(value, core.ClosedJaxpr):
        return str(value.jaxpr), tuple(map(_constant_text, value.consts))
    if isinstance(value, core.Jaxpr):
        return str(value)
    if callable(value) and not isinstance(value, type):
        return getattr(value, "__name__", type(value).__name__)
    return value


def _constant_text(x: Any) -> Any:
    return id(x) if isinstance(x, jax.core.Tracer) else (str(x.dtype), x.shape, np.asarray(x).tobytes())


def value_of(variable: Any) -> Value:
    """Return a value for a variable of a jaxpr; a random key has the dtype and shape of its words."""
    shape, dtype = variable.aval.shape, str(variable.aval.dtype)
    return Value((*shape, 2), "uint32") if dtype.startswith("key<") else Value(shape, dtype)


def constant_values(natives: Any) -> list[Value]:
    """Return the values of the constants of a jaxpr."""
    return [Value(x.shape, str(x.dtype), constant=x) for x in map(jax.numpy.asarray, natives)]


def _literal(literal: Any) -> Value:
    value = Value(literal.aval.shape, str(literal.aval.dtype))
    value.constant = jax.numpy.asarray(literal.val, literal.aval.dtype)
    value.literal = not isinstance(value.constant, jax.core.Tracer)
    if not value.literal:  # within another trace, which must not be kept
        value.constant = np.asarray(literal.val, literal.aval.dtype)
    return value


def needed_steps(recording: Recording) -> list[Any]:
    """Return the calls on which results depend, and those with effects."""
    needed, kept = set(recording.outputs), []
    for step in reversed(recording.steps):
        if step.effect or not needed.isdisjoint(step.outputs):
            needed.update(step.inputs)
            kept.append(step)
    return kept[::-1]


def with_programs(recording: Recording) -> None:
    """Replace what JAX has for programs within calls by objects that files can hold."""
    for step in recording.steps:
        run = calls_of_programs.get(step.equation.primitive)
        if run is None:
            continue
        step.function = run
        step.compared = None
        if "jvp_jaxpr_fun" in step.equation.params:
            program = Program.of(step.equation.params["call_jaxpr"])
            step.arguments = (program, Rule.of(step.equation), *step.arguments[step.functions :])
            step.functions = 2
            step.options.pop("subfuns", None)
        step.options = {name: _program(value) for name, value in step.options.items()}


def _program(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_program, value)) if type(value) is tuple else value
    return Program.of(value) if isinstance(value, core.ClosedJaxpr) else value


#: Where primitives are found by name.
_places = {
    primitive: f"jax.{where}.{name}"
    for where, module in (("extend.core.primitives", core.primitives), ("lax", lax))
    for name, primitive in vars(module).items()
    if isinstance(primitive, core.Primitive)
}
