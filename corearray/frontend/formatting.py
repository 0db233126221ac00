"""The formatting of written programs: long lines are broken at commas, and arrays are read from trees of arguments."""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
from collections.abc import Collection, Mapping, Sequence
from inspect import Parameter, signature
from keyword import iskeyword
from typing import Any

from corearray.frontend.naming import is_own
from corearray.frontend.program import Output, Program

__all__ = ["WIDTH", "copied_name", "parameters_of", "tidy", "without_copies", "wrapped"]

#: The longest line of a written module.
WIDTH = 120

_OPEN, _CLOSE = "([{", ")]}"


def wrapped(text: str, width: int = WIDTH) -> str:
    """Return a text whose long lines are broken within their outermost brackets, at commas."""
    return "".join(_broken(line, width) for line in text.splitlines(keepends=True))


def _broken(line: str, width: int) -> str:
    if len(line.rstrip("\n")) <= width:
        return line
    code = line.strip()
    indent = line[: len(line) - len(line.lstrip())]
    start, commas, stop = _outermost(code)
    if stop == 0:
        return line
    inside = code[start + 1 : stop].strip()
    head, tail = f"{indent}{code[: start + 1]}\n", f"{indent}{code[stop:]}\n"
    if len(indent) + 4 + len(inside) <= width and not inside.endswith(","):
        return f"{head}{indent}    {inside}\n{tail}"
    parts = [code[a + 1 : b].strip() for a, b in zip([start, *commas], [*commas, stop], strict=True)]
    if len(parts) == 1:
        return head + _broken(f"{indent}    {parts[0]}\n", width) + tail
    return head + "".join(_broken(f"{indent}    {part},\n", width) for part in parts if part) + tail


def _outermost(code: str) -> tuple[int, list[int], int]:
    """Return the places of the last outermost pair of brackets of a line, and of the commas within; zeros if there is none."""
    depth = start = stop = 0
    commas: list[int] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            place = token.start[1]
            if token.type != tokenize.OP:
                continue
            if token.string in _OPEN:
                if depth == 0:
                    start, commas = place, []
                depth += 1
            elif token.string in _CLOSE:
                depth -= 1
                if depth == 0:
                    stop = place
            elif token.string == "," and depth == 1:
                commas.append(place)
    except (tokenize.TokenError, IndentationError):
        pass
    return start, commas, stop


def parameters_of(program: Program, fn: Any, arrays: list[str], taken: Collection[str]) -> tuple[list[str], list[str]]:
    """Return the parameters of a written function, and the lines that read arrays from the trees among its arguments.

    Parameters
    ----------
    program
        The program.
    fn
        The function of the source, which names the parameters.
    arrays
        The names of the program's arrays in the text.
    taken
        Names that the text uses for something else.
    """
    positional, keywords = ((), {}) if program.arguments is None else program.arguments()
    if program.arguments is None:
        return arrays, []
    try:
        kinds = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
        called = getattr(fn, "forward", None) or getattr(fn, "call", None) or fn  # of a module of torch or Keras
        known = [name for name, one in signature(called).parameters.items() if one.kind in kinds]
    except (TypeError, ValueError):
        known = []
    if not keywords and all(type(x) is Output for x in positional) and len(known) < len(positional):
        return arrays, []
    named = dict(zip([*known, *(f"a{i}" for i in range(len(known), len(positional)))], positional, strict=False))
    parameters: list[str] = []
    lines: list[str] = []
    for name, tree in (named | keywords).items():
        own = name
        while own in {*taken, *parameters, "float", "slice"} or iskeyword(own) or is_own(own):
            own += "_"
        found = _read(tree, own)
        if found is None:
            return arrays, []
        if found:
            parameters.append(own)
            lines += [f"{arrays[number]} = {path}" for number, path in found if arrays[number] != path]
    return parameters, lines


def tidy(expression: str) -> str:
    """Return an expression in the usual form: no spaces before brackets, double quotes, no brackets around a tuple."""
    tree = ast.parse(expression, mode="eval").body
    text = re.sub(r"'([^'\"\\]*)'", r'"\1"', ast.unparse(tree))
    return text[1:-1] if isinstance(tree, ast.Tuple) and len(tree.elts) > 1 else text


def copied_name(line: str) -> tuple[str, str] | None:
    """Return the number and the name in a line that gives an argument another name."""
    copy = re.fullmatch(r"(x\d*) = ([^\W\d]\w*)", line.strip())
    return (copy[1], copy[2]) if copy else None


def without_copies(lines: Sequence[str]) -> list[str]:
    """Return lines without those that give an argument another name; the others use the argument's own."""
    names: dict[str, str] = {}
    kept = []
    for line in lines:
        copy = copied_name(line)
        if copy:
            names[copy[0]] = copy[1]
        else:
            kept.append(_renamed(line, names) if names else line)
    return kept


def _renamed(line: str, names: Mapping[str, str]) -> str:
    """Return a line with other names; texts, attributes and keywords stay."""
    parts = re.split(r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""", line)
    own = re.compile(r"(?<![\w.])x\d*\b(?!\s*=(?!=))")
    parts[::2] = [own.sub(lambda found: names.get(found[0], found[0]), part) for part in parts[::2]]
    return "".join(parts)


def _read(tree: Any, path: str) -> list[tuple[int, str]] | None:
    """Return the numbers of the arrays in a tree and the expressions that read them; `None` for nodes without keys."""
    if type(tree) is Output:
        return [(int(tree), path)]
    if isinstance(tree, dict):
        parts = [
            _read(part, f"{path}[{json.dumps(key) if isinstance(key, str) else repr(key)}]")
            for key, part in tree.items()
        ]
    elif isinstance(tree, (tuple, list)):
        parts = [_read(part, f"{path}[{place}]") for place, part in enumerate(tree)]
    else:
        return [] if tree is None or isinstance(tree, (bool, int, float, complex, str)) else None
    return None if None in parts else [one for part in parts for one in part or ()]
