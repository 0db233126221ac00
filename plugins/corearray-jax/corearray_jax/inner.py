"""Programs within calls: branches, bodies of loops, functions with a derivative of their own.

JAX holds them as jaxprs and as functions of this process. Here they are objects that also know their calls, which files hold.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import jax
import numpy as np
from jax import lax
from jax.extend import core

from corearray.plugin import Recording, Value

__all__ = ["Program", "Rule", "calls_of_programs"]

#: The highest order of derivatives that a file holds. The derivative of a power holds a power again, without end.
_ORDERS = 2


class Program:
    """A program within a call, of a jaxpr or of a file.

    Parameters
    ----------
    inputs, calls, outputs
        The values that it takes, its calls as function, arguments, options and results, and the values that it returns.
    """

    def __init__(self, inputs: Any, calls: Any, outputs: Any) -> None:
        self._inputs = inputs
        self._calls = calls
        self._outputs = outputs

    @classmethod
    def of(cls, closed: Any, order: int = 1) -> Program:
        """Return the program of a jaxpr; `order` counts the derivatives around it."""
        made = cls.__new__(cls)
        made.closed = closed
        made._order = order
        return made

    def __call__(self, *natives: Any) -> Any:
        inputs, calls, outputs = self._read()
        known = dict(zip(inputs, natives, strict=True))

        def read(x: Any) -> Any:
            if type(x) is not Value:
                return x
            return known[x] if x.constant is None else x.constant

        for function, arguments, options, results in calls:
            made = function(*map(read, arguments), **options)
            known.update(zip(results, made, strict=True) if isinstance(results, list) else [(results, made)])
        return [read(x) for x in outputs]

    #: As JAX's own functions within calls are called.
    call_wrapped = __call__

    @cached_property
    def closed(self) -> Any:
        """The jaxpr."""
        return jax.make_jaxpr(self)(*(jax.ShapeDtypeStruct(x.shape, x.dtype) for x in self._inputs))

    def _read(self) -> Any:
        from corearray_jax.graph import constant_values, needed_steps, read_calls, value_of, with_programs

        if not hasattr(self, "_calls"):
            recording = Recording()
            recording.inputs = list(map(value_of, self.closed.jaxpr.invars))
            constants = constant_values(self.closed.consts)
            recording.outputs = read_calls(recording, self.closed.jaxpr, constants, recording.inputs)
            recording.steps = needed_steps(recording)
            with_programs(recording)
            for step in recording.steps:
                for part in [*step.arguments, *step.options.values()]:
                    if isinstance(part, (Program, Rule)):
                        part._order = self._order
            self._inputs, self._outputs = recording.inputs, recording.outputs
            self._calls = [[step.function, step.arguments, step.options, step.results] for step in recording.steps]
        return self._inputs, self._calls, self._outputs

    def __reduce__(self) -> Any:
        return Program, self._read()

    def __eq__(self, other: object) -> bool:
        """Compare the calls, then those of the derivatives within, for which JAX has to trace."""
        return type(self) is type(other) and self._calls_text == other._calls_text and self.text() == other.text()

    def __hash__(self) -> int:
        return hash(self._calls_text)

    @cached_property
    def _calls_text(self) -> str:
        return self.text(rules=False)

    def text(self, *, rules: bool = True) -> str:
        """Return the calls that a file would hold, with those of derivatives if `rules`."""
        inputs, calls, outputs = self._read()
        numbers: dict[Value, int] = {}

        def text(x: Any) -> str:
            if type(x) is Value:
                said = "" if x.constant is None else np.asarray(x.constant).tobytes().hex()
                return f"{x} {numbers.setdefault(x, len(numbers)) if x.constant is None else said}"
            if isinstance(x, (tuple, list)):
                return str(list(map(text, x)))
            return x.text(rules=rules) if isinstance(x, (Program, Rule)) else str(x)

        lines = [
            text([_name(function), arguments, *options.items(), results])
            for function, arguments, options, results in calls
        ]
        return "\n".join([text(inputs), *lines, text(outputs)])

    def __repr__(self) -> str:
        return f"<program of {len(self.closed.jaxpr.eqns)} equations>"


class Rule:
    """The derivative of a function, `jax.custom_jvp`'s rule, of an equation or of a file.

    Parameters
    ----------
    program
        A function of the arguments and of the tangents of the floating ones, which returns results and their tangents; `None`
        beyond the highest order.
    count
        The number of results.
    """

    _order = 1

    def __init__(self, program: Program | None, count: int) -> None:
        self._program = program
        self._count = count
        self.equation = None

    @classmethod
    def of(cls, equation: Any) -> Rule:
        """Return the rule of an equation."""
        made = cls.__new__(cls)
        made.equation = equation
        made._count = len(equation.outvars)
        return made

    @cached_property
    def _program(self) -> Program | None:
        if self._order > _ORDERS:
            return None
        equation = self.equation
        avals = [jax.ShapeDtypeStruct(x.aval.shape, x.aval.dtype) for x in equation.invars]

        def derived(primals: Any, tangents: Any) -> Any:
            given = _spread(primals, tangents)
            results, slopes = jax.jvp(lambda *natives: _called(equation, natives), primals, given)
            return results, [slope for x, slope in zip(results, slopes, strict=True) if _is_floating(x)]

        floating = [aval for aval in avals if _is_floating(aval)]
        return Program.of(jax.make_jaxpr(derived)(tuple(avals), tuple(floating)), self._order + 1)

    def of_tangents(self, primals: Any, tangents: Any) -> Any:
        """Return results and their tangents."""
        if self._program is None:
            raise NotImplementedError(
                f"a graph from a file has derivatives up to order {_ORDERS} of functions with a derivative of their own"
            )
        floating = [slope for x, slope in zip(primals, tangents, strict=True) if _is_floating(x)]
        made = self._program(*primals, *floating)
        results = made[: self._count]
        return results, list(_spread(results, made[self._count :]))

    def __reduce__(self) -> Any:
        return Rule, (self._program, self._count)

    def __eq__(self, other: object) -> bool:
        """Compare derivatives: functions with equal values may have others."""
        return self is other or (isinstance(other, Rule) and self.text() == other.text())

    def __hash__(self) -> int:
        return 0  # to compare hashes of derivatives, JAX would have to trace each

    def text(self, *, rules: bool = True) -> str:
        """Return the calls of the derivative, if `rules`."""
        return "rule" if not rules or self._program is None else self._program.text()

    def __repr__(self) -> str:
        return "<derivative>"


def _called(equation: Any, natives: Any) -> Any:
    """Call the primitive of an equation."""
    given = equation.primitive.get_bind_params(equation.params)
    functions, options = given if isinstance(given, tuple) else ((), given)
    return equation.primitive.bind(*functions, *natives, **options)


def _is_floating(x: Any) -> bool:
    return bool(jax.numpy.issubdtype(x.dtype, jax.numpy.inexact))


def _spread(primals: Any, tangents: Any) -> tuple[Any, ...]:
    """Return tangents of all arguments: integers have ones without elements."""
    given = iter(tangents)
    return tuple(next(given) if _is_floating(x) else np.zeros(x.shape, jax.dtypes.float0) for x in primals)


def _derived(program: Program, rule: Rule, *natives: Any, **options: Any) -> Any:
    """Call a function with a derivative of its own."""
    if rule.equation is not None:
        return _called(rule.equation, natives)
    function = jax.custom_jvp(program)
    function.defjvp(rule.of_tangents)
    return function(*natives)


def _name(function: Any) -> str:
    return str(getattr(function, "__self__", function.__name__))


def _calling(primitive: Any) -> Callable[..., Any]:
    """Return a call of a primitive with jaxprs in the place of programs."""

    def call(*natives: Any, **options: Any) -> Any:
        return primitive.bind(*natives, **{name: _closed(value) for name, value in options.items()})

    call.__name__ = primitive.name
    return call


def _closed(value: Any) -> Any:
    if type(value) is tuple:
        return tuple(map(_closed, value))
    return value.closed if isinstance(value, Program) else value


#: The calls of primitives that take programs.
calls_of_programs: dict[Any, Callable[..., Any]] = {
    primitive: _calling(primitive) for primitive in (lax.cond_p, lax.scan_p, lax.while_p)
}
calls_of_programs[core.primitives.custom_jvp_call_p] = _derived
