"""Tensors of the same elements without gradients, which are copies here: a write into one of them is made in the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import corearray as ca
from corearray.contract.recording import Step, Value

__all__ = ["Detached"]


class Detached:
    """The calls of a program that return an argument without gradients, if the program writes into it.

    Attributes
    ----------
    values
        What a write may have to change: replaying keeps the arrays of these values.
    """

    def __init__(self, steps: Sequence[Step]) -> None:
        written = {value.memory for step in steps for value in step.writes} - {None}
        self._links: list[tuple[Value, Value]] = []  # a value, and the same without gradients
        self._roots: dict[Value, Value] = {}  # of such values and their views
        for step in steps if written else ():
            for value in step.outputs:
                given = next((x for x in step.inputs if x.memory == value.memory and x is not value), None)
                if given is None or value.memory not in written or value in step.writes:
                    continue
                if step.name.endswith((".detach", ".data.__get__")):
                    self._links.append((given, value))
                    self._roots[value] = value
                elif given in self._roots:
                    self._roots[value] = self._roots[given]
        self.values = {value for link in self._links for value in link}

    def write(self, step: Step, known: dict[Value, Any]) -> None:
        """Repeat what a call wrote."""
        if self._links:
            for value in step.writes:
                self._spread(value.memory, self._roots.get(value), known, None)

    def _spread(self, memory: Any, root: Value | None, known: dict[Value, Any], came: Any) -> None:
        for link in self._links:
            given, value = link
            if link is came or value not in known or value.memory != memory:
                continue
            if self._roots.get(given) is root:
                known[value][...] = ca.stop_gradient(known[given])
                self._spread(memory, value, known, link)
            elif value is root:
                known[given][...] = _with_gradient_of(known[given], ca.stop_gradient(known[value]))
                self._spread(memory, self._roots.get(given), known, link)


def _with_gradient_of(x: ca.Array, elements: ca.Array) -> ca.Array:
    """Return elements that have the gradient of `x`, but where `x` is infinite: the write is none for torch's tape."""
    if x.dtype.category not in ("real floating", "complex floating") or "reverse_mode" not in x.backend.facts:
        return elements
    return elements + ca.where(ca.isfinite(x), x - ca.stop_gradient(x), ca.zeros_like(x))
