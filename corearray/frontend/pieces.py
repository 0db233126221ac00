"""The text of a program as functions: one for each class of submodules, called where the source calls them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from corearray.contract.recording import Step, Value
from corearray.frontend.formatting import copied_name, parameters_of
from corearray.frontend.frontend import Frontend
from corearray.frontend.naming import is_free, source_names
from corearray.frontend.program import Program
from corearray.frontend.text import Writer, used

__all__ = ["in_pieces"]


class _Piece:
    """The steps of one call of a submodule, with the pieces of submodules that it calls.

    Attributes
    ----------
    path
        The dotted name of the submodule.
    items
        Steps and pieces, in order.
    inputs, outputs
        The values from outside that it takes, and those that others take from it.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.items: list[Step | _Piece] = []
        self.inputs: list[Value] = []
        self.outputs: list[Value] = []

    def steps(self) -> Iterable[Step]:
        for item in self.items:
            if isinstance(item, _Piece):
                yield from item.steps()
            else:
                yield item


def _divided(steps: Sequence[Step], path: str, classes: Mapping[str, str]) -> _Piece:
    """Return the piece of a submodule; consecutive steps of a submodule within it are one piece."""
    made, start = _Piece(path), 0
    while start < len(steps):
        child = _below(steps[start].module or "", path, classes)
        if child is None:
            made.items.append(steps[start])
            start += 1
            continue
        stop = start
        while stop < len(steps) and _is_within(steps[stop].module or "", child):
            stop += 1
        made.items.append(_divided(steps[start:stop], child, classes))
        start = stop
    return made


def _is_within(module: str, path: str) -> bool:
    return not path or module == path or module.startswith(path + ".")


def _below(module: str, path: str, classes: Mapping[str, str]) -> str | None:
    """Return the outermost submodule below a path that has a class and holds a module."""
    if module == path or not _is_within(module, path):
        return None
    parts = module.split(".")
    for count in range(len(path.split(".")) + 1 if path else 1, len(parts) + 1):
        child = ".".join(parts[:count])
        if child in classes:
            return child
    return None


def _connect(piece: _Piece, later: set[Value], held: set[Value]) -> None:
    """Set the inputs and outputs of a piece; `later` are the values that later steps need."""
    made: dict[Value, None] = {}
    taken: dict[Value, None] = {}
    for step in piece.steps():
        taken.update(dict.fromkeys(value for value in used([step]) if value not in made and value not in held))
        made.update(dict.fromkeys(value for value in step.outputs if value not in taken and value not in held))
    piece.inputs = list(taken)
    piece.outputs = [value for value in made if value in later]
    for place, item in enumerate(piece.items):
        if isinstance(item, _Piece):
            rest = [
                s
                for other in piece.items[place + 1 :]
                for s in (other.steps() if isinstance(other, _Piece) else [other])
            ]
            _connect(item, {*later, *used(rest)}, held)


def in_pieces(
    program: Program,
    frontend: Frontend,
    name: str,
    classes: Mapping[str, str],
    constants: Mapping[Value, str],
    fn: Any = None,
) -> str:
    """Return the text of the functions; the last function is the program.

    Parameters
    ----------
    program
        The program.
    frontend
        The frontend whose functions it calls.
    name
        The name of the last function. Its parameters are the tree of arrays by names, if there are any, and the arguments.
    classes
        The classes of submodules by their dotted names, without modules that are never called, such as lists of modules.
    constants
        The names of other arrays in the tree.
    fn
        The function of the source, which names the arguments.
    """
    return _Functions(program, frontend, classes, constants, fn).text(name)


class _Functions:
    def __init__(
        self,
        program: Program,
        frontend: Frontend,
        classes: Mapping[str, str],
        constants: Mapping[Value, str],
        fn: Any,
    ) -> None:
        self._program = program
        self._frontend = frontend
        self._classes = classes
        self._fn = fn
        self._names = {value: key for key, value in [*program.parameters.items(), *program.buffers.items()]}
        self._names |= constants
        self._sources = source_names(program.steps)
        self._known: dict[str, str] = {}  # names of functions by their texts
        self._taken: set[str] = {frontend.name, "parameters", "load"}

    def text(self, name: str) -> str:
        program = self._program
        whole = _divided(program.steps, "", self._classes)
        ends = {*program.outputs, *(program.buffers[one] for one in program.written)}
        _connect(whole, ends, set(self._names))
        whole.inputs = list(program.inputs)
        self._taken.add(name)
        last = self._function(whole, name)
        made = [text.replace("def NAME(", f"def {known}(", 1) for text, known in self._known.items()]
        return "\n\n".join([*made, last])

    def _path(self, value: Value, piece: str) -> str | None:
        """Return the expression of an array of the tree, seen from a submodule; `None` if it stands elsewhere."""
        full = self._names[value]
        if piece and not full.startswith(piece + "."):
            return None
        parts = full.removeprefix(piece + "." if piece else "").split(".")
        return "parameters" + "".join(f"[{json.dumps(part)}]" for part in parts)

    def _function(self, piece: _Piece, name: str) -> str:
        """Return the text of the function of a piece."""
        root = not piece.path
        writer = Writer(self._program, self._frontend, self._sources)
        writer.paths.clear()
        writer.names.clear()
        foreign = []
        for value in dict.fromkeys([*used(piece.steps()), *(self._program.outputs if root else ())]):
            if value in self._names:
                path = self._path(value, piece.path)
                if path is None:
                    foreign.append(value)
                else:
                    writer.paths[value] = path
        taken = [*piece.inputs, *foreign]
        arguments = [f"x{place}" if len(taken) > 1 else "x" for place in range(len(taken))]
        named = dict(zip(arguments, taken, strict=True))
        given, lines = arguments, list[str]()
        if root:
            given, read = parameters_of(self._program, self._fn, arguments, {*self._taken, "parameters"})
            for line in read:  # an argument that is an array keeps its name
                number, own = copied_name(line) or ("", "")
                if number:
                    writer.names[named.pop(number)] = own
                else:
                    lines.append(line)
        writer.names.update((value, name) for name, value in named.items())
        writer.taken |= {
            *self._taken,
            *map(_plain, self._classes.values()),
            *(name for name in given if name not in writer.names.values()),
        }
        kept = list(piece.outputs)
        if root:
            kept = [*self._program.outputs, *(self._program.buffers[one] for one in self._program.written)]
        items = [[*used(item.steps() if isinstance(item, _Piece) else [item])] for item in piece.items]
        writer.begin(items, kept)
        if not any(step.writes for step in self._program.steps):
            below = [value for item in piece.items if isinstance(item, _Piece) for value in used(item.steps())]
            writer.fuse([item for item in piece.items if not isinstance(item, _Piece)], [*kept, *below])
        for item in piece.items:
            if isinstance(item, _Piece):
                lines.append(self._call(item, piece, writer))
                writer.passed()
            else:
                lines += writer.lines(item)
        result = writer.result() if root else ", ".join(map(writer.value, piece.outputs))
        if root and self._program.written:
            new = ", ".join(
                f"{json.dumps(one)}: {writer.value(self._program.buffers[one])}" for one in self._program.written
            )
            result = f"({result}), {{{new}}}"
        if lines and lines[-1].startswith(f"{result} = "):  # the result is the last call
            result = lines.pop().removeprefix(f"{result} = ")
        parameters = [*(["parameters"] if (self._names if root else self._holds(piece)) else []), *given]
        body = "".join(f"    {line}\n" for line in [*lines, f"return {result}"])
        return f"def {name}({', '.join(parameters)}):\n{body}"

    def _holds(self, piece: _Piece) -> bool:
        """Return true if a piece needs arrays of the tree below its path."""
        return any(value in self._names and self._path(value, piece.path) is not None for value in used(piece.steps()))

    def _call(self, piece: _Piece, outer: _Piece, writer: Writer) -> str:
        """Return the line that calls the function of a piece, which is written if there is none like it."""
        text = self._function(piece, "NAME")
        if text not in self._known:
            self._known[text] = self._new(self._classes[piece.path])
        name = self._known[text]
        foreign = [
            value
            for value in dict.fromkeys(used(piece.steps()))
            if value in self._names and self._path(value, piece.path) is None
        ]
        tree = piece.path.removeprefix(outer.path + "." if outer.path else "")
        parts = (
            [f"parameters{''.join(f'[{json.dumps(part)}]' for part in tree.split('.'))}"] if self._holds(piece) else []
        )
        call = f"{name}({', '.join([*parts, *map(writer.value, [*piece.inputs, *foreign])])})"
        for value in piece.outputs:
            writer.prefer(value, re.sub(r"\W", "_", tree) if len(piece.outputs) == 1 else "")
        targets = ", ".join(map(writer.value, piece.outputs))
        return f"{targets} = {call}" if targets else call

    def _new(self, kind: str) -> str:
        """Return a new function's name for a class: `layer_norm` for `LayerNorm`."""
        plain = _plain(kind)
        name = plain
        count = 2
        while name in self._taken:
            name, count = f"{plain}_{count}", count + 1
        self._taken.add(name)
        return name


def _plain(kind: str) -> str:
    """Return the name of a function for a class."""
    plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", kind).lower()
    if is_free(plain):
        return plain
    return f"{plain}_module" if plain.isidentifier() else "submodule"
