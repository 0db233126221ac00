"""The text of a program: straight-line Python of the framework's own functions."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from keyword import iskeyword
from typing import Any

from corearray.contract.recording import Recording, Step, Value, leaves
from corearray.contract.text import CallSyntax
from corearray.frontend.frontend import Frontend
from corearray.frontend.naming import is_free, source_names, statement_of
from corearray.frontend.program import Output, Program
from corearray.types.dtypes import DType

__all__ = ["Writer", "used", "written"]

#: Operators by the functions that stand for them.
_OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "true_divide": "/", "matmul": "@", "eq": "==", "ne": "!=", "lt": "<",
    "le": "<=", "gt": ">", "ge": ">=", "bitwise_and": "&", "bitwise_or": "|", "bitwise_xor": "^",
}  # fmt: skip

#: No longer expression is written within another one.
_LONG = 80


def written(program: Program, frontend: Frontend) -> str:
    """Return the text of a program, a function of its parameters, buffers and arguments.

    It runs on every backend: `import corearray.frontend.torch as torch` gives the functions that it calls. Comments name the
    module whose calls follow.
    """
    return Writer(program, frontend).text()


class Writer(CallSyntax):
    """The writer of lines of a program.

    Attributes
    ----------
    names
        The names of values.
    taken
        Names that stand for something else.
    paths
        The expressions of arrays that are held, such as parameters.
    """

    def __init__(self, program: Program, frontend: Frontend, sources: Mapping[Value, str] | None = None) -> None:
        self._program = program
        self._root = frontend.name
        self._has_arrays = frontend.name == "torch"  # whose arguments are of its own class; NumPy's may be corearray's
        self.names: dict[Value, str] = {}
        self.taken: set[str] = {frontend.name, "corearray"}  # by something that is no array
        self._wanted = dict(source_names(program.steps) if sources is None else sources)
        self._last: dict[Value, int] = {}  # the place of the last item that takes a value
        self._place = 0
        self._within: dict[Value, tuple[str, bool]] = {}  # expressions of values, and whether they are operators
        self._once: set[Value] = set()  # values that one call of the same statement takes
        self._counts: Counter[str] = Counter()
        self._defined: list[str] = []  # inner programs, which stand before the call that takes them
        self.paths: dict[Value, str] = {}
        for group, values in (("parameters", program.parameters), ("buffers", program.buffers)):
            self.paths.update({value: f"{group}[{json.dumps(name)}]" for name, value in values.items()})
        for place, value in enumerate(program.inputs):
            self.names[value] = f"x{place}" if len(program.inputs) > 1 else "x"

    def text(self) -> str:
        """Return the whole text."""
        program = self._program
        held = [name for name, there in (("parameters", program.parameters), ("buffers", program.buffers)) if there]
        constants = [self._constant(value) for value in program.constants]
        arguments = [*held, *(["constants"] if constants else []), *(self.names[value] for value in program.inputs)]
        lines, module = [], ""
        self.begin([[*used([step])] for step in program.steps], program.outputs)
        for step in program.steps:
            if step.module and step.module != module:
                lines.append(f"# {step.module}")
                module = step.module
            lines += self.lines(step)
        lines.append(f"return {self.result()}")
        name = program.name if program.name.isidentifier() and not iskeyword(program.name) else "program"
        body = "".join(f"    {line}\n" for line in lines)
        notes = "".join(f"# constants[{i}]: {value}\n" for i, value in enumerate(program.constants))
        head = f"import corearray.frontend.{self._root} as {self._root}\n\n"
        return f"{head}{notes}\ndef {name}({', '.join(arguments)}):\n{body}"

    def _constant(self, value: Value) -> str:
        self.paths[value] = f"constants[{len([path for path in self.paths.values() if path.startswith('constants')])}]"
        return self.paths[value]

    def begin(self, taken: Sequence[Sequence[Value]], outputs: Iterable[Value]) -> None:
        """Take note of the values that each item of a function takes; `lines` and `passed` are then called in this order."""
        self._place = 0
        self._last = {value: place for place, values in enumerate(taken) for value in values}
        self._last.update(dict.fromkeys(outputs, len(taken)))

    def passed(self) -> None:
        """Go on to the next item."""
        self._place += 1

    def fuse(self, steps: Sequence[Step], kept: Iterable[Value]) -> None:
        """Write calls whose result one call of the same statement takes within that call; `kept` are taken elsewhere."""
        counts = Counter([*used(steps), *kept, *kept])
        places = {id(step): place for place, step in enumerate(steps)}
        takers = {
            leaf: step for step in steps for leaf in leaves([step.arguments, step.options]) if type(leaf) is Value
        }
        for step in steps:
            value = step.results
            if type(value) is not Value or counts[value] != 1 or value not in takers or step.effect or step.writes:
                continue
            taker = takers[value]
            own = statement_of(step.place) if step.place else None
            between = steps[places[id(step)] + 1 : places[id(taker)] + 1]
            if own is None or not taker.place or own != statement_of(taker.place):
                continue
            if any(one.writes or one.effect or _programs(one) for one in (step, *between)):
                continue
            self._once.add(value)
        for step in reversed(steps):  # operands are read where the expression stands
            if type(step.results) is Value and step.results in self._once:
                for operand in used([step]):
                    self._last[operand] = max(self._last.get(operand, 0), self._last[step.results])

    def prefer(self, value: Value, name: str) -> None:
        """Give a value this name if it is free."""
        self._wanted.pop(value, None)
        if is_free(name):
            self._wanted[value] = name

    def value(self, value: Value, *, operand: bool = False) -> str:
        """Return the expression of a value; in brackets if it is an operator within another one."""
        if value in self._within:
            text, operator = self._within[value]
            return f"({text})" if operator and operand else text
        if value in self.paths:
            return self.paths[value]
        if value not in self.names:
            self.names[value] = self._new(value)
        return self.names[value]

    def _new(self, value: Value) -> str:
        """Return the source's name, with a number if another value of this name is needed later, or a number."""
        wanted = self._wanted.get(value)
        if wanted is None:
            self._counts["v"] += 1
            return f"v{self._counts['v'] - 1}"
        wanted = f"{wanted}_out" if wanted in self.taken else wanted
        busy = {name for other, name in self.names.items() if self._last.get(other, -1) > self._place}
        name, count = wanted, 2
        while name in busy:
            name, count = f"{wanted}_{count}", count + 1
        return name

    def _inner(self, program: Recording) -> str:
        """Write an inner program as a function that returns a list, and return its name."""
        outer, self._defined = self._defined, []
        paths, self.paths = self.paths, {value: x for value, x in self.paths.items() if value not in program.inputs}
        name = f"program{self._counts['program']}"
        self._counts["program"] += 1
        lines = []
        parameters = ", ".join(map(self.value, program.inputs))
        for step in program.steps:
            line = self._line(step)
            lines += [*self._defined, line]
            self._defined = []
        lines.append(f"return [{', '.join(map(self.value, program.outputs))}]")
        for value in paths.keys() - self.paths.keys():
            del self.names[value]
        self.paths = paths
        self._defined = [*outer, f"def {name}({parameters}):", *(f"    {line}" for line in lines)]
        return name

    def lines(self, step: Step) -> list[str]:
        """Return the lines of a call, after the lines of its inner programs."""
        line = self._line(step)
        found, self._defined = [*self._defined, *([line] if line else [])], []
        self.passed()
        return found

    def result(self) -> str:
        """Return the expression of the program's result."""
        tree = self._program.results.of(self._program.results.leaves)
        if type(tree) is tuple and len(tree) > 1:
            return ", ".join(map(self._result, tree))
        return self._result(tree)

    def _line(self, step: Step) -> str:
        call, operator = self._call(step)
        if type(step.results) is Value and step.results in self._once and len(call) <= _LONG:
            self._within[step.results] = (call, operator)
            return ""
        if type(step.results) is Value and step.results in step.writes:
            return call
        if not step.outputs:
            return call
        return f"{self._target(step.results)} = {call}"

    def _target(self, results: Any) -> str:
        if type(results) is Value:
            return self.value(results)
        if isinstance(results, (tuple, list)) and results:
            items = [self._target(item) for item in results]
            return f"({', '.join(items)},)" if len(items) == 1 else f"{', '.join(items)}"
        return "_"

    def _call(self, step: Step) -> tuple[str, bool]:
        """Return the text of a call, and whether it is an operator."""
        place, _, name = step.name.rpartition(".")
        arguments, options = step.arguments, step.options
        if name == "__get__":
            return f"{self._operand(arguments[0])}.{place.rpartition('.')[2]}", False
        if self._has_arrays and place == self._root and name in _OPERATORS and len(arguments) == 2 and not options:
            left, right = (self._operand(argument) for argument in arguments)
            return f"{left} {_OPERATORS[name]} {right}", True
        if step.name == "operator.pow":
            return f"{self._root}.power({self._arguments(arguments, options)})", False
        keyed = place == f"{self._root}.ndarray" and name in ("__getitem__", "__setitem__")
        if (place == f"{self._root}.Tensor" or keyed) and arguments and type(arguments[0]) is Value:
            first = self._operand(arguments[0])
            if name == "__getitem__":
                return f"{first}[{self._key(arguments[1])}]", False
            if name == "__setitem__":
                return f"{first}[{self._key(arguments[1])}] = {self._text(arguments[2])}", False
            return f"{first}.{name}({self._arguments(arguments[1:], options)})", False
        return f"{step.name}({self._arguments(arguments, options)})", False

    def _operand(self, x: Any) -> str:
        text = self.value(x, operand=True) if type(x) is Value else self._text(x)
        return f"({text})" if isinstance(x, (int, float, complex)) and text.startswith("-") else text

    def _text(self, x: Any) -> str:
        if type(x) is Value:
            return self.value(x)
        if type(x) is Recording:
            return self._inner(x)
        if isinstance(x, DType):
            return f"{self._root}.{x}"
        if isinstance(x, list):
            return f"[{', '.join(map(self._text, x))}]"
        if isinstance(x, tuple):
            items = ", ".join(map(self._text, x))
            return f"({items},)" if len(x) == 1 else f"({items})"
        if isinstance(x, dict):
            return "{" + ", ".join(f"{_quoted(key)}: {self._text(item)}" for key, item in x.items()) + "}"
        if isinstance(x, slice):
            return f"slice({self._text(x.start)}, {self._text(x.stop)}, {self._text(x.step)})"
        if x is Ellipsis:
            return "..."
        if isinstance(x, float) and not math.isfinite(x):
            return f'float("{x}")'
        return _quoted(x)

    def _result(self, tree: Any) -> str:
        if type(tree) is Output:
            return self.value(self._program.outputs[tree])
        if isinstance(tree, (tuple, list)):
            items = ", ".join(map(self._result, tree))
            if isinstance(tree, list):
                return f"[{items}]"
            return f"({items},)" if len(tree) == 1 else f"({items})"
        if isinstance(tree, dict):
            return "{" + ", ".join(f"{_quoted(key)}: {self._result(item)}" for key, item in tree.items()) + "}"
        return self._text(tree)


def _quoted(x: Any) -> str:
    """Return the text of a constant; strings are in double quotes if nothing in them needs an escape."""
    text = repr(x)
    return f'"{x}"' if isinstance(x, str) and text == f"'{x}'" and '"' not in x else text


def _programs(step: Step) -> bool:
    return any(type(leaf) is Recording for leaf in leaves([step.arguments, step.options]))


def used(steps: Iterable[Step]) -> Iterator[Value]:
    """Yield the values that calls take; inner programs take those that they do not make themselves."""
    for step in steps:
        for leaf in leaves([step.arguments, step.options]):
            if type(leaf) is Value:
                yield leaf
            elif type(leaf) is Recording:
                own = {*leaf.inputs, *(value for inner in leaf.steps for value in inner.outputs)}
                yield from (value for value in [*used(leaf.steps), *leaf.outputs] if value not in own)
