"""Sizes: how the integers of a program follow from the sizes of its arguments.

A program is recorded at several sizes. An integer among its calls that differs is explained by the sizes, as a sum
`v0 + a * (n - n0)` or as a product `v0 * (n / n0)`, and the explanation is confirmed where all sizes differ at once. For
other sizes the integers are then computed, and the program need not be run in its framework again. What Python decides by a
size shows only if the sizes that were tried decide differently: one of them is odd where the example is even.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from fractions import Fraction
from typing import Any

import corearray as ca
from corearray.calls.dispatch import backend_of
from corearray.contract.recording import Step, Value, leaves, replaced
from corearray.frontend.holding import Tree
from corearray.frontend.program import Program

__all__ = ["Sizes", "explained"]

_Sizes = Mapping[int, int]


class Sizes:
    """A program whose integers are known for other sizes.

    Attributes
    ----------
    program
        The program at the sizes of the example.
    shapes
        The shapes of its arguments there.
    varying
        The sizes of the example that may be others.
    slopes
        For each call and each integer that differs: how it depends on the sizes.
    """

    def __init__(self, program: Program, shapes: Sequence[tuple[int, ...]], varying: Sequence[int]) -> None:
        self.program = program
        self.shapes = list(shapes)
        self.varying = list(varying)
        self.slopes: dict[tuple[int, int], tuple[str, dict[int, Fraction]]] = {}

    def sizes_of(self, shapes: Sequence[tuple[int, ...]]) -> dict[int, int] | None:
        """Return which size took the place of which, or `None` if other axes differ too."""
        found: dict[int, int] = {}
        if [len(shape) for shape in shapes] != [len(shape) for shape in self.shapes]:
            return None
        for old, new in zip(self.shapes, shapes, strict=True):
            for n, other in zip(old, new, strict=True):
                if (n not in self.varying and n != other) or found.setdefault(n, other) != other:
                    return None
        return found

    def value(self, place: tuple[int, int], first: int, sizes: _Sizes) -> int | None:
        """Return an integer for other sizes, or `None` if it would be none."""
        if place not in self.slopes:
            return first
        kind, by = self.slopes[place]
        found = Fraction(first)
        for n, slope in by.items():
            new = sizes.get(n, n)
            found = found + slope * (new - n) if kind == "sum" else found * Fraction(new, n) ** int(slope)
        return int(found) if found.denominator == 1 else None

    def program_for(self, shapes: Sequence[tuple[int, ...]]) -> Program | None:
        """Return the program for arguments of other shapes, or `None` if it has to be recorded."""
        sizes = self.sizes_of(shapes)
        if sizes is None:
            return None
        steps = []
        for place, step in enumerate(self.program.steps):
            made = _with_integers(step, lambda at, n, place=place: self.value((place, at), n, sizes))
            if made is None:
                return None
            steps.append(made)
        program = copy(self.program)
        program.steps = steps
        return program


def _with_integers(step: Step, value: Any) -> Step | None:
    """Return a call with other integers among its arguments."""
    count, failed = 0, False

    def change(leaf: Any) -> Any:
        nonlocal count, failed
        if type(leaf) is not int:
            return leaf
        new = value(count, leaf)
        count += 1
        failed = failed or new is None
        return new

    arguments, options = replaced((step.arguments, step.options), change)
    if failed:
        return None
    made = Step(step.function, step.name, arguments, options, step.results, effect=step.effect, writes=step.writes)
    made.place, made.module = step.place, step.module
    return made


def explained(record: Any, args: Any, options: Any) -> Sizes | None:
    """Record a program at several sizes and explain its integers, or return `None` where its calls differ.

    Parameters
    ----------
    record
        Called with arguments and options, returns a `Program`.
    args, options
        The example.
    """
    tree = Tree((tuple(args), dict(options)))
    arrays = [i for i, leaf in enumerate(tree.leaves) if backend_of(leaf) is not None]
    shapes = [tuple(_wrapped(tree.leaves[i]).shape) for i in arrays]
    candidates = sorted({n for shape in shapes for n in shape if n > 1})

    def program_at(sizes: _Sizes) -> Program:
        given = list(tree.leaves)
        for i in arrays:
            given[i] = _resized(given[i], sizes)
        positional, keywords = tree.of(given)
        found: Program = record(positional, keywords)
        return found

    base = program_at({})
    integers = _integers(base)
    found: dict[int, tuple[int, list[list[int]]]] = {}
    for n in candidates:
        for new in _other_sizes(n, candidates):
            try:
                program = program_at({n: new})
            except Exception:  # such as a size that is that of a weight, or must be even
                continue
            if _alike(base, program):
                found[n] = new, _integers(program)
            break
    if not found:
        return None
    made = Sizes(base, shapes, list(found))
    for place, numbers in enumerate(integers):
        for at, first in enumerate(numbers):
            seen = {n: (new, others[place][at]) for n, (new, others) in found.items() if others[place][at] != first}
            if seen:
                made.slopes[place, at] = _slope(first, seen)
    sizes = {n: 3 * n + (new - n) % 2 for n, (new, _) in found.items()}
    try:
        last = program_at(sizes)
    except Exception:
        return None
    predicted = made.program_for([tuple(sizes.get(n, n) for n in shape) for shape in shapes])
    if predicted is None or not _alike(base, last) or _integers(predicted) != _integers(last):
        return None
    return made


def _other_sizes(n: int, taken: Sequence[int]) -> list[int]:
    """Return sizes to try: one of the other parity, on which programs branch, and a multiple where that is refused."""
    odd = next(size for size in range(n + 1, n + 2 * len(taken) + 2, 2) if size not in taken)
    return [odd, next(size for size in (2 * n, 5 * n, 7 * n, 11 * n, 13 * n) if size not in taken)]


def _slope(first: int, seen: Mapping[int, tuple[int, int]]) -> tuple[str, dict[int, Fraction]]:
    """Return how an integer depends on each size: as a product of powers if it is one, else as a sum."""
    powers: dict[int, Fraction] = {}
    for n, (new, other) in seen.items():
        power = next((p for p in (1, 2, 3) if first and Fraction(other, first) == Fraction(new, n) ** p), None)
        if power is None:
            return "sum", {n: Fraction(other - first, new - n) for n, (new, other) in seen.items()}
        powers[n] = Fraction(power)
    return "product", powers


def _integers(program: Program) -> list[list[int]]:
    return [[leaf for leaf in leaves([step.arguments, step.options]) if type(leaf) is int] for step in program.steps]


def _alike(one: Program, other: Program) -> bool:
    """Whether two programs are the same calls on the same values, but for integers."""
    return bool(_told(one) == _told(other))


def _told(program: Program) -> Any:
    numbers: dict[Value, Any] = {value: ("input", i) for i, value in enumerate(program.inputs)}
    for group in (program.parameters, program.buffers):
        numbers.update({value: name for name, value in group.items()})
    numbers.update({value: ("constant", id(native)) for value, native in program.constants.items()})
    calls = []
    for place, step in enumerate(program.steps):
        given = [
            numbers.get(leaf) if type(leaf) is Value else "integer" if type(leaf) is int else (type(leaf), repr(leaf))
            for leaf in leaves([step.arguments, step.options])
        ]
        calls.append((step.name, tuple(step.options), given))
        for at, value in enumerate(step.outputs):
            numbers.setdefault(value, ("result", place, at))
    return calls, [numbers.get(value) for value in program.outputs], repr(program.results.leaves), program.written


def _wrapped(x: Any) -> ca.Array:
    backend = backend_of(x)
    return x if isinstance(x, ca.Array) or backend is None else backend.wrap(x)


def _resized(x: Any, sizes: _Sizes) -> Any:
    """Return an array with its elements repeated or cut along the axes of other sizes."""
    array = _wrapped(x)
    with ca.backend_context(array.backend.name):
        for axis, n in enumerate(array.shape):
            new = sizes.get(n, n)
            if new != n:
                array = ca.take(array, ca.remainder(ca.arange(new), n), axis=axis)
    return array if isinstance(x, ca.Array) else array._native
