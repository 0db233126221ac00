"""Rules that plant one-line faults in the functions of the NumPy stand-in.

Each rule reads a function of the stand-in and yields the lines to put in place of one of its lines. The faults are habits of
real frameworks: NaN is skipped, `axis=()` means all axes, negative axes or indices are not understood, an option is
ignored, memory is shared, a dtype is wrong, a legal shape is refused.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from beyond import BEYOND
from dtypes import DTYPES
from faults import (
    AFTER,
    ARRAYS,
    BEFORE,
    NO_FAULT,
    NOT_ARRAYS,
    PAIRS,
    PARTS,
    SEVERAL_AXES,
    SIBLINGS,
    SIGNED,
    STRINGS,
    TRUTH,
    WITHOUT_AXES,
    WORDS,
)
from habits import HABITS

from corearray.contract.declaration import DECLARATIONS

__all__ = ["Mutant", "functions", "mutants"]


class Mutant(NamedTuple):
    """A function of the stand-in with one changed line.

    Attributes
    ----------
    function
        The function.
    rule
        What was done to it.
    before, after
        The line, and what stands in its place; `before` is empty for a line that is added at the top of the body.
    source
        The text of the whole function.
    """

    function: str
    rule: str
    before: str
    after: str
    source: str

    @property
    def name(self) -> str:
        """The function with the changed line, by which reasons for survivors are listed."""
        return f"{self.function}: {self.after}"


def functions(text: str) -> Iterator[tuple[str, str]]:
    """Yield the marked functions of a module: names and texts, without their docstrings."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.decorator_list:
            if ast.get_docstring(node):
                node.body = node.body[1:]
            yield node.name, ast.unparse(node)


def mutants(name: str, source: str) -> Iterator[Mutant]:
    """Yield the mutants of one function, each text once."""
    seen = {source}
    made = [
        found for found in (*_added(source), *_returned(name, source), *_edited(source)) if _applies(name, found[0])
    ]
    for rule, before, after, text in [
        *made,
        *_at_the_top(source, (*HABITS.get(name, ()), *BEYOND.get(name, ()), *DTYPES.get(name, ()))),
    ]:
        if text not in seen:
            seen.add(text)
            yield Mutant(name, rule, before, after, text)


def _applies(name: str, rule: str) -> bool:
    """Whether a rule may change what a function does by its declaration."""
    declaration = DECLARATIONS.get(name)
    elementwise = declaration is not None and declaration.elementwise
    taken, given = " biufc", " biufc"
    if declaration:
        taken = "biu" * (not declaration.floating) + "f" + "c" * (not declaration.real)
        given = {"argmax": "i", "argsort": "i", "nonzero": "i"}.get(name) or {"bool": "b"}.get(
            str(declaration.gives), taken
        )
    if name.startswith("bitwise"):
        taken = given = "biu"
    kinds = given if rule.startswith(("gives", "drops signs of zero")) else taken
    if any(word in rule for kind, words in WORDS.items() if kind not in kinds for word in words):
        return False
    if rule == "gives no signs":
        return name not in ("argmax", "argsort", "equal", "less", "nonzero")
    if rule in NO_FAULT.get(name, ()):
        return False
    if "booleans" in rule:
        return name in TRUTH
    if "signs of zero" in rule:
        return name in SIGNED
    if "several axes" in rule or rule == "no axes means all axes":
        return name in SEVERAL_AXES
    if rule == "refuses no axes" or rule == "adds an axis to none":
        return elementwise or name in WITHOUT_AXES
    return True


def _added(source: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield a function with a line at the top that suits its parameters."""
    arguments = ast.parse(source).body[0].args  # type: ignore[attr-defined]
    taken = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    lines = [found for name in taken for found in BEFORE.get(name, ())]
    lines += [(rule, line.format(x=x)) for x in ("x", "x1", "x2") if x in taken for rule, line in ARRAYS]
    lines += PAIRS if {"x1", "x2"} <= set(taken) else ()
    yield from _at_the_top(source, lines)


def _at_the_top(source: str, lines: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str, str, str]]:
    """Yield a function with each of these lines at the top."""
    head, *body = source.split("\n")[1:]
    for rule, line in lines:
        yield rule, "", line, "\n".join(["@hookimpl", head, f"    {line}", *body])


def _returned(name: str, source: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield a function with another value returned."""
    lines = source.split("\n")
    places = [number for number, line in enumerate(lines) if line.lstrip().startswith("return ")]
    for number in places:
        line = lines[number]
        indent, value = line[: len(line) - len(line.lstrip())], line.strip().removeprefix("return ")
        for rule, text in (PARTS if name in NOT_ARRAYS else AFTER) if name != "to_list" else ():
            changed = f"{indent}return {text.format(e=value)}"
            yield rule, line.strip(), changed.strip(), "\n".join([*lines[:number], changed, *lines[number + 1 :]])


def _edited(source: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield a function with one expression or statement changed."""
    tree = ast.parse(source)
    defaults = {id(node) for function in tree.body for node in ast.walk(function.args)}  # type: ignore[attr-defined]
    for place, node in enumerate(ast.walk(tree)):
        if id(node) in defaults:  # the core passes all arguments
            continue
        for rule, change in _changes(node):
            other = copy.deepcopy(tree)
            target = list(ast.walk(other))[place]
            change(target)
            text = ast.unparse(ast.fix_missing_locations(other))
            before, after = _line(source, text)
            yield rule, before, after, text


def _line(before: str, after: str) -> tuple[str, str]:
    """Return the lines in which two texts differ first."""
    old, new = before.split("\n"), after.split("\n")
    for one, two in zip(old, new, strict=False):
        if one != two:
            return one.strip(), two.strip()
    return "", ""


def _changes(node: ast.AST) -> Iterator[tuple[str, object]]:
    """Yield what may be done to a node, as functions that do it to a copy."""
    if isinstance(node, ast.Call):
        for i, argument in enumerate(node.args):
            if i:
                yield "leaves out an argument", lambda n, i=i: n.args.pop(i)
            if i and not isinstance(argument, ast.Starred):
                yield "swaps arguments", lambda n, i=i: n.args.insert(i - 1, n.args.pop(i))
        for i in range(len(node.keywords)):
            yield "leaves out an option", lambda n, i=i: n.keywords.pop(i)
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        for other in SIBLINGS.get(name, ()) if isinstance(node.func, ast.Attribute) else ():
            yield f"calls {other}", lambda n, other=other: setattr(n.func, "attr", other)
    elif isinstance(node, ast.Constant):
        if type(node.value) is int:
            yield "is off by one", lambda n: setattr(n, "value", n.value + 1)
        elif type(node.value) is bool:
            yield "turns a choice round", lambda n: setattr(n, "value", not n.value)
        elif node.value in STRINGS:
            yield "names another dtype", lambda n: setattr(n, "value", STRINGS[n.value])
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Sub, ast.BitAnd)):
        yield "another operator", lambda n: setattr(n, "op", ast.Add() if isinstance(n.op, ast.Sub) else ast.BitOr())
    elif isinstance(node, ast.If):
        yield "turns a condition round", lambda n: setattr(n, "test", ast.UnaryOp(ast.Not(), n.test))
        yield "leaves out a statement", lambda n: setattr(n, "test", ast.Constant(False))
    elif isinstance(node, ast.BoolOp):
        yield "leaves out a condition", lambda n: n.values.pop()
        yield "leaves out a condition", lambda n: n.values.pop(0)
    elif isinstance(node, ast.FunctionDef):
        for i, statement in enumerate(node.body[:-1]):
            if isinstance(statement, (ast.Expr, ast.Assign)):
                yield "leaves out a statement", lambda n, i=i: n.body.pop(i)
