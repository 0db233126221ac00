"""Optimisation passes on a recording: dead code elimination, merging of repeated calls, constant folding.

Frameworks that write in place need care for values that share memory. A call that writes stays if anything that shares
the memory is used or belongs to the caller; written values are neither merged nor folded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import prod
from typing import Any

from corearray.contract.recording import Recording, Step, Value, replaced

__all__ = ["argument_key", "fold_constants", "merge_repeated", "without_dead", "without_idle"]

#: Constants of no more elements are compared by their elements.
_FEW = 16


def without_dead(recording: Recording) -> list[Step]:
    """Return the steps that contribute to an output or an argument, or that have another effect."""
    steps, live = recording.steps, set(recording.outputs)
    memories = _memories([*recording.inputs, *recording.outputs])
    kept: set[int] = set()
    count = -1
    while len(kept) > count:
        count = len(kept)
        for place in range(len(steps) - 1, -1, -1):
            step = steps[place]
            if place in kept or not (
                step.effect or not live.isdisjoint(step.outputs) or not memories.isdisjoint(_memories(step.writes))
            ):
                continue
            kept.add(place)
            live.update(step.inputs)
            memories |= _memories([*step.inputs, *step.outputs])
    return [steps[place] for place in sorted(kept)]


def without_idle(recording: Recording) -> list[Step]:
    """Return the steps without those that return an existing array, such as a reshape to the same shape."""
    outputs = set(recording.outputs)
    instead: dict[Value, Value] = {}
    kept = []
    for step in recording.steps:
        _substitute(step, instead)
        if step.same is None or not outputs.isdisjoint(step.outputs):
            kept.append(step)
        else:
            instead[step.results] = instead.get(step.same, step.same)
    return kept


def merge_repeated(recording: Recording, text_of: Callable[[Any], str]) -> None:
    """Merge calls of the same function with the same arguments; `text_of` distinguishes small constants.

    Calls before and after a call without arrays that has an effect are not merged.
    """
    excluded = _written(recording) | _memories(recording.outputs)
    outputs = set(recording.outputs)
    found: dict[Any, Step] = {}
    instead: dict[Value, Value] = {}
    numbers: dict[Any, Value] = {}
    for value in {value: None for step in recording.steps for value in step.inputs}:
        few = value.literal and value.constant is not None and prod(value.shape) <= _FEW
        if few and value.memory not in excluded and value not in outputs:
            first = numbers.setdefault((value.dtype, value.shape, text_of(value.constant)), value)
            if first is not value:
                instead[value] = first
    kept = []
    for step in recording.steps:
        _substitute(step, instead)
        if step.effect and not step.inputs and not step.outputs:
            found.clear()  # it changes the state of the framework, such as whether gradients are recorded
        free = not (step.effect or step.writes or set(step.outputs) & set(step.inputs))
        free = (
            free and excluded.isdisjoint(_memories([*step.inputs, *step.outputs])) and outputs.isdisjoint(step.outputs)
        )
        if free:
            key = (step.name, step.function, argument_key([step.arguments, step.options], id))
            earlier = found.setdefault(key, step)
            if earlier is not step:
                instead.update(zip(step.outputs, earlier.outputs, strict=True))
                continue
        kept.append(step)
    recording.steps = kept


def fold_constants(recording: Recording) -> None:
    """Evaluate calls that depend on constants only, and keep their results."""
    excluded = _written(recording) | _memories(recording.outputs)
    outputs = set(recording.outputs)
    kept = []
    for step in recording.steps:
        inputs = step.inputs
        if (
            step.effect
            or step.writes
            or not outputs.isdisjoint(step.outputs)
            or not all(value.literal and value.constant is not None for value in inputs)
            or not excluded.isdisjoint(_memories([*inputs, *step.outputs]))
        ):
            kept.append(step)
            continue
        arguments, options = replaced((step.arguments, step.options), _native)
        made = step.function(*arguments, **options)
        for value, native in _pairs(step.results, made):
            value.constant = native
    recording.steps = kept


def argument_key(tree: Any, of_value: Any) -> Any:
    """Return a key that is equal for equal arguments; numbers also differ by type and sign of zero."""
    if type(tree) is Value:
        return of_value(tree)
    if isinstance(tree, (tuple, list)):
        return type(tree).__name__, tuple(argument_key(item, of_value) for item in tree)
    if isinstance(tree, dict):
        return "dict", tuple((name, argument_key(item, of_value)) for name, item in sorted(tree.items(), key=str))
    if type(tree) is slice:
        return "slice", tuple(argument_key(item, of_value) for item in (tree.start, tree.stop, tree.step))
    if type(tree) in (float, complex):
        return type(tree).__name__, repr(tree)
    try:
        hash(tree)
    except TypeError:
        return "object", id(tree)
    return type(tree).__name__, tree


def _pairs(pattern: Any, made: Any) -> Iterator[tuple[Value, Any]]:
    if type(pattern) is Value:
        yield pattern, made
    elif isinstance(pattern, (tuple, list)):
        for part, item in zip(pattern, made, strict=True):
            yield from _pairs(part, item)


def _native(leaf: Any) -> Any:
    return leaf.constant if type(leaf) is Value else leaf


def _memories(values: Iterable[Value]) -> set[Any]:
    return {value.memory for value in values} - {None}


def _written(recording: Recording) -> set[Any]:
    """Return the memories that are written into; if one is an argument's, those of all arguments, which may share theirs."""
    written = _memories(value for step in recording.steps for value in step.writes)
    given = _memories(recording.inputs)
    return written | given if written & given else written


def _substitute(step: Step, instead: dict[Value, Value]) -> None:
    if instead:
        step.arguments, step.options = replaced(
            (step.arguments, step.options), lambda x: instead.get(x, x) if type(x) is Value else x
        )
        step.writes = tuple(instead.get(value, value) for value in step.writes)
        if step.writes:  # which returns what it has written
            step.results = replaced(step.results, lambda x: instead.get(x, x) if type(x) is Value else x)
