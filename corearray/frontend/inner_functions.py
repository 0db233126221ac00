"""Programs within native calls (branches, bodies of loops) as functions of a written module, for public functions.

JAX's primitives take their programs as jaxprs, TensorFlow's operations as functions of a graph, and the arrays that these
read from outside as first arguments. The public functions take functions of Python; arrays from outside are a part of their
state that does not change.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from corearray.contract.recording import Recording, Step, Value, leaves, replaced
from corearray.contract.text import Written
from corearray.frontend.formatting import WIDTH, wrapped

if TYPE_CHECKING:
    from corearray.backends.backend import Backend

__all__ = ["InnerFunction", "NativeText", "inner_text", "merged_imports", "objects_of", "with_functions"]

#: Primitives whose program is known by their name.
_SCATTERS = {
    "scatter": "scatter", "scatter-add": "scatter_add", "scatter-mul": "scatter_mul", "scatter-min": "scatter_min",
    "scatter-max": "scatter_max",
}  # fmt: skip


class InnerFunction:
    """A function of a written module.

    Attributes
    ----------
    role
        What it is in the call: its name in the text.
    recording
        Its calls.
    parameters
        Nested tuples of the inputs, one for each parameter.
    results
        The outputs, as the function returns them.
    """

    def __init__(self, role: str, recording: Recording, parameters: list[Any], results: Any) -> None:
        self.role = role
        self.recording = recording
        self.parameters = parameters
        self.results = results


class NativeText(Written):
    """The text of native calls, in which functions have the names of their roles."""

    def _object(self, value: Any, prefix: str) -> str:
        return super()._object(value, value.role if type(value) is InnerFunction else prefix)

    def call_text(self, step: Step) -> str:
        """Format one call; the branches of TensorFlow's conditions have no parameters."""
        if step.name != "tensorflow.cond":
            return super().call_text(step)
        condition, *branches, given = step.arguments
        taken = ", ".join(map(self._text, given))
        calls = ", ".join(f"lambda: {self._text(branch)}({taken})" for branch in branches)
        return f"{self._path(step.name)}({self._text(condition)}, {calls})"


def with_functions(
    recording: Recording,
    backend: Backend,
    prepared: Callable[[Recording], Recording],
    short: Callable[[Any], str | None],
) -> Recording:
    """Return a recording with calls of public functions in place of those of primitives and operations that take programs.

    Parameters
    ----------
    recording
        Native calls.
    backend
        The backend.
    prepared
        What becomes of the calls of a program before.
    short
        Returns the expression of a constant that stands in the text of a function; the others are passed to it.
    """
    made = Recording()
    made.inputs = list(recording.inputs)
    known: dict[Value, Value] = {}

    def of_tensorflow(values: list[Value], functions: list[Any], *, loop: bool) -> tuple[list[Any], list[int]]:
        """Return the calls of each function, with the inputs that are constants filled in, and the places of the others."""
        natives = [backend.zeros(x.shape, dtype=x.dtype)._native for x in values]
        inner = [backend.fact("traced_calls", lambda xs, one=one: list(one.inlined(*xs)), natives) for one in functions]
        body = inner[-1]
        fixed = [
            place
            for place, x in enumerate(values)
            if x.constant is not None and not (loop and body.outputs[place] is not body.inputs[place])
        ]
        made = []
        for one in inner:
            known = {one.inputs[place]: values[place] for place in fixed}
            one.inputs = [x for place, x in enumerate(one.inputs) if place not in fixed]
            if loop and one is body:
                one.outputs = [x for place, x in enumerate(one.outputs) if place not in fixed]
            filled = _with(one, known)
            made.append(_lifted(with_functions(prepared(filled), backend, prepared, short), short))
        return made, [place for place in range(len(values)) if place not in fixed]

    def traced(one: Any) -> Recording:
        natives = [backend.zeros(x.shape, dtype=str(x.dtype))._native for x in getattr(one, "closed", one).in_avals]
        call = one.call_wrapped if hasattr(one, "call_wrapped") else import_module("jax.extend.core").jaxpr_as_fun(one)
        inner = backend.fact("traced_calls", lambda tracers: list(call(*tracers)), natives)
        return with_functions(prepared(inner), backend, prepared, short)

    def renamed(x: Any) -> Any:
        return known.get(x, x) if type(x) is Value else x

    for step in recording.steps:
        arguments, options = replaced((step.arguments, step.options), renamed)
        step = Step(
            step.function,
            step.name,
            list(arguments),
            dict(options),
            step.results,
            effect=step.effect,
            writes=step.writes,
        )
        write = _CALLS.get(step.name)
        name = getattr(getattr(step.function, "__self__", None), "name", "")
        if write is not None and any(hasattr(leaf, "closed") for leaf in leaves(list(step.options.values()))):
            made.steps.append(write(step, lambda one: _lifted(traced(one), short)))
        elif step.name in _TENSORFLOW:
            made.steps.append(_TENSORFLOW[step.name](step, of_tensorflow))
            if step.name.endswith("While"):  # constants that do not change
                left = [x not in made.steps[-1].outputs for x in step.outputs]
                known.update(
                    x for x, one in zip(zip(step.outputs, step.options["input"], strict=True), left, strict=True) if one
                )
        elif name in _SCATTERS and "update_jaxpr" in step.options:
            options = {key: x for key, x in step.options.items() if not key.startswith("update_")}
            results = step.results[0] if isinstance(step.results, (list, tuple)) else step.results
            made.steps.append(_public(_SCATTERS[name], step.arguments, options, results))
        elif name == "platform_index":  # `platform_dependent` finds it
            continue
        elif "const_lengths" in step.options:  # a linear solver with a derivative of its own
            counts = step.options["const_lengths"]
            start, end = counts.matvec + counts.vecmat, sum(counts)
            inner = traced(step.options["jaxprs"].solve)
            given = [*step.arguments[start : start + counts.solve], *step.arguments[end:]]
            known.update(zip(inner.inputs, given, strict=True))
            for one in inner.steps:
                arguments, options = replaced((one.arguments, one.options), renamed)
                made.steps.append(Step(one.function, one.name, list(arguments), dict(options), one.results))
            known.update(zip(step.outputs, map(renamed, inner.outputs), strict=True))
        else:
            made.steps.append(step)
    made.outputs = [renamed(value) for value in recording.outputs]
    return made


def _public(name: str, arguments: Any, options: dict[str, Any], results: Any) -> Step:
    return Step(getattr(import_module("jax.lax"), name), f"jax.lax.{name}", list(arguments), options, results)


def _lifted(recording: Recording, short: Callable[[Any], str | None]) -> tuple[Recording, list[Value]]:
    """Return a recording that takes its long constants as first inputs, and these."""
    used = [*leaves([[step.arguments, step.options] for step in recording.steps]), *recording.outputs]
    found = dict.fromkeys(x for x in used if type(x) is Value and x.constant is not None)
    constants = [x for x in found if short(x.constant) is None]
    inputs = {x: Value(x.shape, x.dtype) for x in constants}
    made = _with(recording, inputs)
    made.inputs = [*inputs.values(), *recording.inputs]
    return made, constants


def _with(recording: Recording, values: dict[Value, Value]) -> Recording:
    """Return a recording with other values in the place of some."""

    def renamed(x: Any) -> Any:
        return values.get(x, x) if type(x) is Value else x

    made = Recording()
    made.inputs = list(recording.inputs)
    made.outputs = list(map(renamed, recording.outputs))
    for step in recording.steps:
        arguments, options = replaced((step.arguments, step.options), renamed)
        made.steps.append(Step(step.function, step.name, list(arguments), dict(options), step.results))
    return made


def _alike(values: list[Value]) -> tuple[Value, ...]:
    return tuple(Value(x.shape, x.dtype) for x in values)


def _with_given(branches: list[tuple[Recording, list[Value]]]) -> tuple[list[InnerFunction], list[Value]]:
    """Return branches that take the constants of all of them before their own inputs, and these constants."""
    functions = []
    for number, (recording, constants) in enumerate(branches):
        before = [x for _, others in branches[:number] for x in others]
        behind = [x for _, others in branches[number + 1 :] for x in others]
        own, given = recording.inputs[: len(constants)], recording.inputs[len(constants) :]
        recording.inputs = [*_alike(before), *own, *_alike(behind), *given]
        functions.append(InnerFunction("branch", recording, list(recording.inputs), tuple(recording.outputs)))
    return functions, [constant for _, constants in branches for constant in constants]


def _condition_of_tensorflow(step: Step, programs: Callable[..., Any]) -> Step:
    branches = [step.options[name] for name in ("then_branch", "else_branch")]
    given = list(step.options["input"])
    made, places = programs(given, branches, loop=False)
    functions, every = _with_given(made)
    results: Any = tuple(step.outputs)
    if len(results) == 1:  # TensorFlow unpacks it
        results = results[0]
        for one in functions:
            one.results = one.results[0]
    cond = import_module("tensorflow").cond
    return Step(
        cond, "tensorflow.cond", [step.options["cond"], *functions, [*every, *(given[i] for i in places)]], {}, results
    )


def _loop_of_tensorflow(step: Step, programs: Callable[..., Any]) -> Step:
    given = list(step.options["input"])
    made, places = programs(given, [step.options["cond"], step.options["body"]], loop=True)
    (condition, of_condition), (body, of_body) = made
    first, second = len(of_condition), len(of_body)
    condition.inputs[first:first] = _alike(of_body)
    body.inputs = [*_alike(of_condition), *body.inputs]
    kept = body.inputs[: first + second]
    functions = [
        InnerFunction("condition", condition, list(condition.inputs), condition.outputs[0]),
        InnerFunction("body", body, list(body.inputs), (*kept, *body.outputs)),
    ]
    loop = import_module("tensorflow").while_loop
    state = (*of_condition, *of_body, *(given[i] for i in places))
    results = (*_alike(kept), *(step.outputs[i] for i in places))
    return Step(loop, "tensorflow.while_loop", [*functions, state], {}, results)


_TENSORFLOW = {f"tensorflow.raw_ops.{prefix}If": _condition_of_tensorflow for prefix in ("", "Stateless")}
_TENSORFLOW |= {f"tensorflow.raw_ops.{prefix}While": _loop_of_tensorflow for prefix in ("", "Stateless")}


def _switch(step: Step, program: Callable[[Any], tuple[Recording, list[Value]]]) -> Step:
    index, *operands = step.arguments
    branches = list(map(program, step.options["branches"]))
    functions, every = _with_given(branches)
    platforms = step.options.get("branches_platforms")
    if platforms is None:
        return _public("switch", [index, tuple(functions), *every, *operands], {}, tuple(step.results))
    named = {
        name: function
        for names, function in zip(platforms, functions, strict=True)
        for name in (("default",) if names is None else names)
    }
    return _public("platform_dependent", [*every, *operands], named, tuple(step.results))


def _scan(step: Step, program: Callable[[Any], tuple[Recording, list[Value]]]) -> Step:
    recording, constants = program(step.options["jaxpr"])
    fixed, count = step.options["num_consts"] + len(constants), step.options["num_carry"]
    given, (inputs, outputs) = [*constants, *step.arguments], (recording.inputs, recording.outputs)
    state, kept = (*inputs[:fixed], *outputs[:count]), tuple(outputs[count:])
    body = InnerFunction(
        "step", recording, [tuple(inputs[: fixed + count]), tuple(inputs[fixed + count :])], (state, kept)
    )
    arguments = [body, tuple(given[: fixed + count]), tuple(given[fixed + count :])]
    results = ((*_alike(inputs[:fixed]), *step.results[:count]), tuple(step.results[count:]))
    options = {name: step.options[name] for name in ("length", "reverse") if step.options[name]}
    return _public("scan", arguments, options, results)


def _while(step: Step, program: Callable[[Any], tuple[Recording, list[Value]]]) -> Step:
    condition, of_condition = program(step.options["cond_jaxpr"])
    body, of_body = program(step.options["body_jaxpr"])
    first, second = step.options["cond_nconsts"], step.options["body_nconsts"]
    given = list(step.arguments)
    fixed = [*of_condition, *given[:first]], [*of_body, *given[first : first + second]]
    start = given[first + second :]
    unused = [_alike(fixed[1]), _alike(fixed[0])]
    size = len(fixed[0])
    condition.inputs = [*condition.inputs[:size], *unused[0], *condition.inputs[size:]]
    body.inputs = [*unused[1], *body.inputs]
    count = len(fixed[0]) + len(fixed[1])
    functions = [
        InnerFunction("condition", condition, [tuple(condition.inputs)], condition.outputs[0]),
        InnerFunction("body", body, [tuple(body.inputs)], (*body.inputs[:count], *body.outputs)),
    ]
    state = (*fixed[0], *fixed[1], *start)
    return _public("while_loop", [*functions, state], {}, (*_alike(body.inputs[:count]), *step.results))


_CALLS = {"jax.lax.cond_p.bind": _switch, "jax.lax.scan_p.bind": _scan, "jax.lax.while_p.bind": _while}


def objects_of(written: Written) -> dict[str, Any]:
    """Return the framework's objects among the arguments, such as dtypes, and functions, by their names in the text."""
    names = set(written._objects.values())
    return {name: value for name, value in written.scope.items() if name in names}


def inner_text(
    name: str,
    inner: InnerFunction,
    said: Callable[[Any, str], str],
    imports_of: Callable[[Written], list[str]],
    short: Callable[[Any], str | None],
) -> tuple[str, list[str]]:
    """Return the text of a function and of those within it, and their imports.

    Parameters
    ----------
    name
        Its name in the module.
    inner
        The function.
    said
        From an object of the framework and its name to its expression.
    imports_of
        Returns the imports of a text, or raises an error for what has none.
    short
        Returns the expression of a constant.
    """
    written = NativeText(inner.recording, name, [f"x{place}" for place in range(len(inner.recording.inputs))])
    imports, before, lines = imports_of(written), "", []
    for own, value in objects_of(written).items():
        expression = f"{name}_{own}"
        if type(value) is InnerFunction:
            text, needed = inner_text(expression, value, said, imports_of, short)
            before, imports = before + text, imports + needed
        else:
            expression = said(value, own)
        lines.append(f"{own} = {expression}")
    lines += [f"{own} = {short(x.constant)}" for x, own in written.names.items() if x.constant is not None]
    parameters = []
    for parameter, tree in zip(("state", "given"), inner.parameters, strict=False):
        if type(tree) is not tuple:
            break
        parameters.append(parameter)
        lines += [f"{_as_text(tree, written)} = {parameter}"] if tree else []
    parameters = parameters or [written.names[one] for one in inner.parameters]
    calls = [line.strip() for line in written.function.splitlines()[1:-1] if not line.startswith("    del ")]
    body = "".join(f"    {line}\n" for line in [*lines, *calls, f"return {_as_text(inner.results, written)}"])
    return f"{before}def {name}({', '.join(parameters)}):\n{body}\n\n", imports


def _as_text(tree: Any, written: Written) -> str:
    """Return nested tuples of values as text."""
    if type(tree) is Value:
        return written.names[tree]
    items = [_as_text(one, written) for one in tree]
    return f"({', '.join(items)}{',' if len(items) == 1 else ''})"


def merged_imports(lines: list[str]) -> list[str]:
    """Return one import for each module, in several lines if it is long."""
    names: dict[str, set[str]] = {}
    for line in lines:
        place, _, names_of = line.partition(" import ")
        names.setdefault(place, set()).update(names_of.split(", "))
    made = []
    for place, known in sorted(names.items()):
        line = f"{place} import {', '.join(sorted(known))}"
        made.append(line if len(line) <= WIDTH else wrapped(f"{place} import ({line.partition(' import ')[2]})"))
    return made
