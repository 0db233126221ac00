"""The source of a graph: one Python function of native arrays."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib import import_module
from keyword import iskeyword
from textwrap import indent
from typing import Any

from corearray.calls.codegen import compiled
from corearray.contract.recording import Recording, Step, Value, untraceable

__all__ = ["PART", "CallSyntax", "Written", "compiled_recording", "found"]

#: How many calls a compiled function makes at most. A framework that notes for each call the line that made it, as TensorFlow
#: does, searches the function for that line.
PART = 100

#: Names of Python that a text uses.
_BUILTINS = ("float", "slice")


def found(path: str) -> Any:
    """Return the object at a dotted path, or `None`; modules on the path are imported."""
    root, *names = path.split(".")
    try:
        value: Any = import_module(root)
        for name in names:
            value = getattr(value, name)
    except (ImportError, AttributeError):
        return None
    return value


@cache
def _module_of(path: str) -> tuple[str, str]:
    """Split a path behind the module from which it can be imported."""
    place, _, rest = path.partition(".")
    while "." in rest:
        name, _, after = rest.partition(".")
        try:
            import_module(f"{place}.{name}")
        except ImportError:
            break
        place, rest = f"{place}.{name}", after
    return place, rest


class CallSyntax:
    """Arguments and keys as Python writes them; a subclass writes the values."""

    def _text(self, value: Any, /) -> str:
        raise NotImplementedError

    def _arguments(self, arguments: Sequence[Any], options: dict[str, Any]) -> str:
        parts = [self._text(argument) for argument in arguments]
        return ", ".join([*parts, *(f"{name}={self._text(option)}" for name, option in options.items())])

    def _key(self, key: Any) -> str:
        if type(key) is tuple and key:
            parts = [self._slice(item) for item in key]
            return f"{parts[0]}," if len(parts) == 1 else ", ".join(parts)
        return self._slice(key)

    def _slice(self, item: Any) -> str:
        if type(item) is not slice:
            return self._text(item)
        start, stop, step = ("" if part is None else self._text(part) for part in (item.start, item.stop, item.step))
        return f"{start}:{stop}:{step}" if step else f"{start}:{stop}"


class Written(CallSyntax):
    """The text of a recording.

    Attributes
    ----------
    text
        The text of a function.
    names
        The name of each value in it.
    scope
        What its global names stand for: modules, and constants that no text can say.
    """

    def __init__(self, recording: Recording, name: str, parameters: Sequence[str]) -> None:
        self.scope: dict[str, Any] = {}
        self.names: dict[Value, str] = {}
        self._imports: dict[str, dict[str, str]] = {}
        self._taken = {*parameters, *_BUILTINS}
        self._counts: Counter[str] = Counter()
        self._objects: dict[int, str] = {}
        for value, parameter in zip(recording.inputs, parameters, strict=True):
            self.names[value] = parameter
        last_uses = _last_uses(recording)
        self._lines: list[str] = []
        for place, step in enumerate(recording.steps):
            unused = [self.names[value] for value in last_uses.get(place, ()) if value in self.names]
            self._lines.append("\n".join([self._line(step), *_deletion(unused)]))
        self._returned = _returned(map(self._value, recording.outputs))
        self._recording, self._name, self._parameters = recording, name, tuple(parameters)
        values = {name: value for value, name in self.names.items() if value.constant is not None}
        notes = [
            f"{name} = ...  # {_shown(values[name] if name in values else self.scope[name])}\n"
            for name in [*values, *self._objects.values()]
        ]
        head = "".join(
            f"from {place} import {', '.join(sorted(f'{a} as {b}' if a != b else a for a, b in known.items()))}\n"
            for place, known in sorted(self._imports.items())
        )
        self.function = _function(name, parameters, [*self._lines, self._returned])
        self.text = "\n".join(part for part in (head, "".join(notes), self.function) if part)

    def compiled(self) -> Callable[..., tuple[Any, ...]]:
        """Compile the function; a long one as functions of `PART` calls, which the first calls one after the other."""
        recording, count = self._recording, len(self._recording.steps)
        if count <= PART:
            return compiled(self._name, self.function, self.scope, "graph")
        scope, lines = dict(self.scope), []
        for number, (start, given, kept, unused) in enumerate(_parts(recording)):
            part = f"_{self._name}_{number}"
            taken, made = ([self.names[value] for value in values] for values in (given, kept))
            unpacked = [f"{''.join(f'{name}, ' for name in taken)}= _given"] if taken else []
            body = [*unpacked, "_given.clear()", *self._lines[start : start + PART], _returned(made)]
            scope[part] = compiled(part, _function(part, ["_given"], body), scope, "graph")
            lines.append(f"_given = [{', '.join(taken)}]")
            lines += _deletion([self.names[value] for value in unused])
            lines.append(f"{''.join(f'{name}, ' for name in made) or '_ '}= {part}(_given)")
        whole = _function(self._name, self._parameters, [*lines, self._returned])
        return compiled(self._name, whole, scope, "graph")

    def _new(self, prefix: str) -> str:
        name = f"{prefix}{self._counts[prefix]}"
        self._counts[prefix] += 1
        while name in self._taken or iskeyword(name):
            name += "_"
        self._taken.add(name)
        return name

    def _value(self, value: Value) -> str:
        if value not in self.names:
            constant = value.constant is not None
            self.names[value] = self._new("c" if constant else "v")
            if constant:
                self.scope[self.names[value]] = value.constant
        return self.names[value]

    def _line(self, step: Step) -> str:
        call = self.call_text(step)
        outputs = step.outputs
        if not outputs or all(value in step.inputs for value in outputs):
            return call
        return f"{self._target(step.results)} = {call}"

    def _target(self, results: Any) -> str:
        if type(results) is Value:
            return self._value(results)
        if isinstance(results, (tuple, list)):
            items = [self._target(item) for item in results]
            return f"({', '.join(items)},)" if len(items) == 1 else f"({', '.join(items)})"
        if results is not None:
            raise untraceable(
                f"a call returns {type(results).__name__}, and a graph knows arrays, tuples and lists of them"
            )
        return "_"

    def call_text(self, step: Step) -> str:
        """Format one call."""
        place, _, name = step.name.rpartition(".")
        owner = found(place) if place else None
        arguments = list(step.arguments)
        if name == "__get__":
            owner, name = found(place.rpartition(".")[0]), place.rpartition(".")[2]
            if isinstance(owner, type) and len(arguments) == 1 and type(arguments[0]) is Value:
                return f"{self._value(arguments[0])}.{name}"
        elif isinstance(owner, type) and arguments and type(arguments[0]) is Value:
            x = self._value(arguments[0])
            if name == "__getitem__":
                return f"{x}[{self._key(arguments[1])}]"
            if name == "__setitem__":
                return f"{x}[{self._key(arguments[1])}] = {self._text(arguments[2])}"
            return f"{x}.{name}({self._arguments(arguments[1:], step.options)})"
        if found(step.name) == step.function:
            return f"{self._path(step.name)}({self._arguments(arguments, step.options)})"
        return f"{self._object(step.function, name)}({self._arguments(arguments, step.options)})"

    def _text(self, value: Any) -> str:
        if type(value) is Value:
            return self._value(value)
        if type(value) is list or (isinstance(value, tuple) and not hasattr(value, "_fields")):
            items = ", ".join(map(self._text, value))
            return f"[{items}]" if type(value) is list else f"({items},)" if len(value) == 1 else f"({items})"
        if type(value) is dict:
            return "{" + ", ".join(f"{self._text(key)}: {self._text(item)}" for key, item in value.items()) + "}"
        if type(value) is slice:
            return f"slice({self._text(value.start)}, {self._text(value.stop)}, {self._text(value.step)})"
        if value is Ellipsis:
            return "..."
        if value is None or type(value) in (bool, int, str) or (type(value) is float and math.isfinite(value)):
            return repr(value)
        if isinstance(value, float):
            return f"float({str(value)!r})" if type(value) is float else self._object(value, "k")
        path = f"{value.__module__}.{value.__qualname__}" if isinstance(value, type) else repr(value)
        if "." in path and path.replace(".", "").replace("_", "").isalnum() and found(path) is value:
            return self._path(path)
        return self._object(value, "k")

    def _path(self, path: str) -> str:
        """Import what stands at a path by a name of its own, which costs a call less than to look it up in its module."""
        place, rest = _module_of(path)
        name, dot, rest = rest.partition(".")
        known = self._imports.setdefault(place, {})
        if name not in known:
            known[name] = name
            while known[name] in self._taken or iskeyword(known[name]):
                known[name] += "_"
            self._taken.add(known[name])
            self.scope[known[name]] = getattr(import_module(place), name)
        return f"{known[name]}{dot}{rest}"

    def _object(self, value: Any, prefix: str) -> str:
        """Return the name of what no text can say."""
        if id(value) not in self._objects:
            prefix = prefix if prefix.isidentifier() else "f"
            self._objects[id(value)] = name = self._new(f"{prefix}_")
            self.scope[name] = value
        return self._objects[id(value)]


def compiled_recording(recording: Recording, name: str) -> tuple[Callable[..., tuple[Any, ...]], Any]:
    """Return a recording as a function of native arrays, and a key that is equal for functions of the same calls."""
    written = Written(recording, name, [f"x{place}" for place in range(len(recording.inputs))])
    key = written.function, tuple(sorted((name, id(value)) for name, value in written.scope.items()))
    return written.compiled(), key


def _function(name: str, parameters: Iterable[str], lines: Iterable[str]) -> str:
    body = indent("\n".join(lines), "    ")
    return f"def {name}({', '.join(parameters)}):\n{body}\n"


def _returned(names: Iterable[str]) -> str:
    names = list(names)
    return f"return {', '.join(names) or '()'}{',' if len(names) == 1 else ''}"


def _deletion(names: Sequence[str]) -> list[str]:
    return [f"del {', '.join(names)}"] if names else []


def _parts(recording: Recording) -> Iterator[tuple[int, list[Value], list[Value], list[Value]]]:
    """Cut a recording into parts of `PART` steps.

    Yields the first step of each, the values that it needs, the values that it makes for later steps, and those of the
    former that no later step needs.
    """
    inputs, later, parts = set(recording.inputs), set(recording.outputs), []
    for start in reversed(range(0, len(recording.steps), PART)):
        made: set[Value] = set()
        given: dict[Value, None] = {}
        kept: dict[Value, None] = {}
        for step in recording.steps[start : start + PART]:
            outside = [value for value in step.inputs if value.constant is None or value in inputs]
            given |= dict.fromkeys(value for value in outside if value not in made)
            kept |= dict.fromkeys(value for value in step.outputs if value in later and value not in given)
            made.update(step.outputs)
        parts.append((start, list(given), list(kept), [value for value in given if value not in later | inputs]))
        later.update(given)
    return reversed(parts)


def _last_uses(recording: Recording) -> dict[int, list[Value]]:
    """Return, by the place of a step, the values made by steps that no later step needs."""
    kept = {*recording.outputs, *recording.inputs}
    used: set[Value] = set()
    last: dict[Value, int] = {}
    for place, step in enumerate(recording.steps):
        used.update(step.inputs)
        for value in [*step.inputs, *step.outputs]:
            if value not in kept and value.constant is None:
                last[value] = place
    by_place: dict[int, list[Value]] = {}
    for value, place in last.items():
        if value in used and place < len(recording.steps) - 1:
            by_place.setdefault(place, []).append(value)
    return by_place


def _shown(value: Any) -> str:
    """Tell what a constant is, in one line."""
    if type(value) is Value:
        return f"an array of {value.dtype} with the shape {value.shape}" + (
            "" if value.shape else f": {value.constant}"
        )
    return " ".join(repr(value).split())[:80]
