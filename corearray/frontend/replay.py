"""Running the calls of a program through the rules of its framework, on arrays of any backend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import corearray as ca
from corearray.contract.recording import Step, Value, leaves, replaced
from corearray.errors import CoreArrayError, FunctionNotImplementedError
from corearray.frontend.frontend import Frontend
from corearray.frontend.program import Program
from corearray.frontend.table import Rule

__all__ = ["missing_rules", "replay", "rules_of"]


def rules_of(program: Program, frontend: Frontend, own: Mapping[str, Callable[..., Any]]) -> list[Rule | None]:
    """Return the rule of each call, `None` where there is none; `own` goes before the frontend's."""
    made = {name: Rule(name, lambda function=function: function) for name, function in own.items()}  # type: ignore[misc]
    return [made.get(step.name) or frontend.rule(step.name) for step in program.steps]


def missing_rules(
    program: Program, frontend: Frontend, own: Mapping[str, Callable[..., Any]]
) -> dict[str, Counter[str]]:
    """Return the names for which there is no rule, each with the user's lines and how often it is called there."""
    found: dict[str, Counter[str]] = {}
    for step, rule in zip(program.steps, rules_of(program, frontend, own), strict=True):
        if rule is None:
            found.setdefault(step.name, Counter())[step.place or step.module or "?"] += 1
    return found


def replay(program: Program, rules: Sequence[Rule | None], known: dict[Value, Any]) -> dict[Value, Any]:
    """Call the rules one after the other.

    Parameters
    ----------
    program
        The calls.
    rules
        The rule of each.
    known
        An array for each value that no call makes. Those into which the program writes must be copies.

    Returns
    -------
    `known`, with an array for each value.
    """
    recording_gradients = True
    uses = _last_uses(program)
    for place, (step, rule) in enumerate(zip(program.steps, rules, strict=True)):
        if rule is None:
            raise FunctionNotImplementedError(f"there is no rule for '{step.name}'")
        if step.name.endswith("_set_grad_enabled"):
            recording_gradients = bool(step.arguments[0])
            continue
        arguments, options = replaced((step.arguments, step.options), lambda x: known[x] if type(x) is Value else x)
        options.pop("out", None)
        try:
            made = rule.function(*arguments, **options)
        except Exception as error:
            _add_place(error, step)
            raise
        if not recording_gradients:
            made = replaced(made, lambda x: ca.stop_gradient(x) if isinstance(x, ca.Array) else x)
        _keep(step, rule, made, known)
        for value in uses.get(place, ()):
            known.pop(value, None)
    return known


def _keep(step: Step, rule: Rule, made: Any, known: dict[Value, Any]) -> None:
    """Note what a call returned; what it writes into gets the new elements, through all views."""
    if type(step.results) is Value:
        pairs = [(step.results, made)]
    else:
        parts = made if isinstance(made, (tuple, list)) else (made,)
        pairs = [
            (value, part) for value, part in zip(leaves(step.results), parts, strict=False) if type(value) is Value
        ]
    for value, array in pairs:
        if value not in step.writes:
            known[value] = array
        elif array is not None and array is not known[value]:
            if rule.rebinds or not isinstance(array, ca.Array) or tuple(array.shape) != tuple(known[value].shape):
                known[value] = array
            else:
                target = known[value]
                target[...] = ca.astype(array, target.dtype) if array.dtype != target.dtype else array


def _last_uses(program: Program) -> dict[int, list[Value]]:
    """Return which values no call needs after which."""
    last: dict[Value, int] = {}
    for place, step in enumerate(program.steps):
        for value in [*step.inputs, *step.outputs]:
            last[value] = place
    kept = {
        *program.outputs,
        *program.buffers.values(),
        *program.parameters.values(),
        *program.constants,
        *program.inputs,
    }
    found: dict[int, list[Value]] = {}
    for value, place in last.items():
        if value not in kept:
            found.setdefault(place, []).append(value)
    return found


def _add_place(error: Exception, step: Step) -> None:
    """Say in an error which call of the source program it is of."""
    where = step.place or step.module
    note = f"in the call of '{step.name}'{f' at {where}' if where else ''}"
    if isinstance(error, CoreArrayError) and error.args and isinstance(error.args[0], str):
        error.args = (f"{error.args[0]} ({note})", *error.args[1:])
    else:
        error.add_note(note)
