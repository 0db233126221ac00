"""Running the calls of a program through the rules of its framework, on arrays of any backend."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from inspect import Parameter, signature
from typing import Any

import corearray as ca
from corearray.contract.recording import Recording, Step, Value, leaves, replaced
from corearray.errors import CoreArrayError, CoreArrayTypeError, FunctionNotImplementedError
from corearray.frontend.detaching import Detached
from corearray.frontend.frontend import Frontend
from corearray.frontend.program import Program
from corearray.frontend.sharing import of_its_own
from corearray.frontend.table import Rule

__all__ = ["missing_rules", "replay", "rules_of"]


def rules_of(program: Program, frontend: Frontend, own: Mapping[str, Callable[..., Any]]) -> dict[str, Rule | None]:
    """Return the rule of each name that is called, `None` where there is none; `own` goes before the frontend's."""
    made = {name: Rule(name, lambda function=function: function) for name, function in own.items()}  # type: ignore[misc]
    return {name: made.get(name) or frontend.rule(name) for name in {step.name for step in program.all_steps}}


def missing_rules(
    program: Program, frontend: Frontend, own: Mapping[str, Callable[..., Any]]
) -> dict[str, Counter[str]]:
    """Return the names for which there is no rule, each with the user's lines and how often it is called there."""
    found: dict[str, Counter[str]] = {}
    rules = rules_of(program, frontend, own)
    for step in program.all_steps:
        if rules[step.name] is None:
            found.setdefault(step.name, Counter())[step.place or step.module or "?"] += 1
    return found


def replay(program: Program, rules: Mapping[str, Rule | None], known: dict[Value, Any]) -> dict[Value, Any]:
    """Call the rules one after the other.

    A rule gets an inner program, such as the body of a loop, as a function of arrays that returns a list of arrays.

    Parameters
    ----------
    program
        The calls.
    rules
        The rule of each name.
    known
        An array for each value that no call makes. Those into which the program writes must be copies.

    Returns
    -------
    `known`, with an array for each value.
    """
    constants = {value: known[value] for value in program.constants}
    kept = {*program.outputs, *program.buffers.values(), *program.parameters.values(), *program.inputs, *constants}
    _run(program.steps, rules, known, _last_uses(program.steps, kept), constants | _taken_within(program, known))
    return known


def _taken_within(program: Program, known: Mapping[Value, Any]) -> dict[Value, Any]:
    """Return the arrays of the parameters, which inner programs may take without being given them."""
    return {value: known[value] for value in program.parameters.values()}


def _run(
    steps: Sequence[Step],
    rules: Mapping[str, Rule | None],
    known: dict[Value, Any],
    uses: Mapping[int, list[Value]],
    everywhere: Mapping[Value, Any],
) -> None:
    """Call the rules of steps; `everywhere` holds what inner programs know beside their arguments."""
    recording_gradients = True
    apart, detached = _made_apart(steps), Detached(steps)

    def given(x: Any) -> Any:
        if type(x) is Value:
            return known[x]
        return _function(x, rules, everywhere) if type(x) is Recording else x

    for place, step in enumerate(steps):
        rule = rules[step.name]
        if rule is None:
            raise FunctionNotImplementedError(f"there is no rule for '{step.name}'")
        if step.name.endswith("_set_grad_enabled"):
            recording_gradients = bool(step.arguments[0])
            continue
        arguments, options = replaced((step.arguments, step.options), _before_write(step, given, known))
        options.pop("out", None)
        mask = options.pop("where") if "where" in options and not _takes_mask(rule) else None
        try:
            made = rule.function(*arguments, **options)
            if mask is not None:
                written = {value: known[value] for value in step.writes}
                made = _masked(made, mask, replaced(step.results, written.get))
        except Exception as error:
            if isinstance(error, TypeError):
                _refuse_signature(rule, step, arguments, options)
            _add_place(error, step)
            raise
        if not recording_gradients:
            made = replaced(made, lambda x: ca.stop_gradient(x) if isinstance(x, ca.Array) else x)
        if place in apart:
            given_arrays = [x for x in leaves((arguments, options)) if isinstance(x, ca.Array)]
            made = replaced(made, partial(of_its_own, given_arrays))
        _keep(step, rule, made, known)
        detached.write(step, known)
        for value in uses.get(place, ()):
            known.pop(value, None)


def _takes_mask(rule: Rule) -> bool:
    """Whether a rule takes the option `where`. Rules of ufuncs do not: there `where` is the mask of the write."""
    parameters = signature(rule.function).parameters
    return "where" in parameters or next(iter(parameters.values())).kind is Parameter.POSITIONAL_OR_KEYWORD


def _masked(made: Any, mask: Any, before: Any) -> Any:
    """Return results where a mask holds, and elsewhere the elements that were there before, or zeros."""
    if not isinstance(made, ca.Array):
        return [_masked(x, mask, one) for x, one in zip(made, before, strict=True)]
    shape = ca.broadcast_shapes(tuple(made.shape), getattr(mask, "shape", ()))
    before = ca.zeros(shape, dtype=made.dtype) if before is None else before
    return ca.where(mask, ca.astype(made, before.dtype), before)


def _before_write(step: Step, given: Callable[[Any], Any], known: Mapping[Value, Any]) -> Callable[[Any], Any]:
    """Return `given` with a copy of the array that the step returns changed, where a framework keeps it for the derivative."""
    value = step.results
    if type(value) is not Value or value not in step.writes or not isinstance(known[value], ca.Array):
        return given
    if not {"writes_in_place", "reverse_mode"} <= known[value].backend.facts.keys():
        return given
    copied = ca.asarray(known[value], copy=True)
    return lambda x: copied if x is value else given(x)


def _made_apart(steps: Sequence[Step]) -> set[int]:
    """Return the places of calls that made copies in their framework, if the copies or the originals are written later.

    The rule of such a call may return a view: torch copies for a reshape where the strides do not allow a view.
    """
    written = {value.memory for step in steps for value in step.writes} - {None}
    if not written:
        return set()
    found = set()
    for place, step in enumerate(steps):
        given, made = {value.memory for value in step.inputs}, {value.memory for value in step.outputs}
        if not step.writes and None not in made and given.isdisjoint(made) and not written.isdisjoint(given | made):
            found.add(place)
    return found


def _function(
    program: Recording, rules: Mapping[str, Rule | None], everywhere: Mapping[Value, Any]
) -> Callable[..., list[Any]]:
    """Return an inner program as a function of arrays."""
    uses = _last_uses(program.steps, {*program.outputs, *program.inputs, *everywhere})

    def run(*arrays: Any) -> list[Any]:
        known = {**everywhere, **dict(zip(program.inputs, arrays, strict=True))}
        _run(program.steps, rules, known, uses, everywhere)
        return [known[value] for value in program.outputs]

    return run


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


def _last_uses(steps: Sequence[Step], kept: Collection[Value]) -> dict[int, list[Value]]:
    """Return which values no call needs after which, but for those that are kept."""
    last: dict[Value, int] = {}
    detached = Detached(steps).values
    for place, step in enumerate(steps):
        for value in [*step.inputs, *step.outputs]:
            last[value] = place
    found: dict[int, list[Value]] = {}
    for value, place in last.items():
        if value not in kept and value not in detached:
            found.setdefault(place, []).append(value)
    return found


def _refuse_signature(rule: Rule, step: Step, arguments: Any, options: Any) -> None:
    """Raise an error if a rule does not take the arguments of a call."""
    known = signature(rule.function)
    try:
        known.bind(*arguments, **options)
    except TypeError as wrong:
        given = [*["an argument"] * len(arguments), *(f"{name}=" for name in options)]
        error = CoreArrayTypeError(
            f"the rule for '{step.name}' has the signature {known}, and the call gives ({', '.join(given)}): {wrong}; give the "
            f"rule the signature of '{step.name}'"
        )
        _add_place(error, step)
        raise error from None


def _add_place(error: Exception, step: Step) -> None:
    """Say in an error which call of the source program it is of."""
    where = step.place or step.module
    note = f"in the call of '{step.name}'{f' at {where}' if where else ''}"
    if isinstance(error, CoreArrayError) and error.args and isinstance(error.args[0], str):
        error.args = (f"{error.args[0]} ({note})", *error.args[1:])
    else:
        error.add_note(note)
