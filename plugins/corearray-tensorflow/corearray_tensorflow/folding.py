"""Constants and counts of a program of TensorFlow, computed while it is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from corearray.plugin import Recording, Step, Value

#: Loops that are counted by constants count no further than this while a program is read.
_COUNTED = 10_000


class Operation(Step):
    """A call in plain words, with the call of TensorFlow's function that it stands for."""

    __slots__ = ("native_options",)


def rounds(inputs: Sequence[Any], cond: Recording, body: Recording) -> int | None:
    """Return how often the body of a loop runs, if that depends on constants alone."""
    numbers = {value: place for place, value in enumerate(body.inputs)}
    of_cond = {value: place for place, value in enumerate(cond.inputs)}
    needed = {of_cond[x] for x in _sources(cond, cond.outputs) if x in of_cond}
    while True:
        found = {numbers[x] for x in _sources(body, [body.outputs[i] for i in needed]) if x in numbers}
        if found <= needed:
            break
        needed |= found
    places = sorted(needed)
    start = [inputs[i] if i < len(inputs) else None for i in places]
    if not all(type(x) is Value and x.literal and x.constant is not None for x in start):
        return None
    state = {i: x.constant for i, x in zip(places, start, strict=True)}
    for count in range(_COUNTED + 1):
        (holds,) = _run(cond, cond.outputs, {cond.inputs[i]: x for i, x in state.items()})
        if not bool(holds):
            return count
        made = _run(body, [body.outputs[i] for i in places], {body.inputs[i]: x for i, x in state.items()})
        state = dict(zip(places, made, strict=True))
    return None


def _sources(recording: Recording, outputs: Sequence[Value]) -> set[Value]:
    """Return all values on which outputs depend."""
    needed = set(outputs)
    for step in reversed(recording.steps):
        if not needed.isdisjoint(step.outputs):
            needed.update(step.inputs)
    return needed


def _run(recording: Recording, outputs: Sequence[Value], known: dict[Value, Any]) -> list[Any]:
    """Compute outputs of a recording by TensorFlow's functions."""
    needed = _sources(recording, outputs)
    known = dict(known)

    def given(x: Any) -> Any:
        return known.get(x, x.constant) if type(x) is Value else x

    for step in recording.steps:
        if needed.isdisjoint(step.outputs):
            continue
        options = step.native_options if type(step) is Operation else step.options
        made = computed(step.function, options, given)
        known.update(zip(step.outputs, made, strict=False))
    return [given(x) for x in outputs]


def computed(function: Any, options: Any, given: Any = lambda x: x.constant if type(x) is Value else x) -> list[Any]:
    """Call a function of TensorFlow now, outside of the graph that is read."""

    def changed(x: Any) -> Any:
        return [changed(item) for item in x] if isinstance(x, list) else given(x)

    with tf.init_scope(), tf.device("/CPU:0"):
        result = function(**{name: changed(x) for name, x in options.items()})
    return list(result) if isinstance(result, (list, tuple)) else [result]


def needed_steps(recording: Recording) -> list[Any]:
    """Return the calls on which results depend, and those with effects."""
    needed, kept = set(recording.outputs), []
    for step in reversed(recording.steps):
        if step.effect or not needed.isdisjoint(step.outputs):
            needed.update(step.inputs)
            kept.append(step)
    return kept[::-1]
