"""The text of a Container: nested, with long arrays abbreviated to dtype and shape."""

from __future__ import annotations

import keyword
import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corearray.container.container import Container

__all__ = ["text_of"]

_WIDTH = 88
_ELEMENTS = 10
_STEP = 4

#: The largest indentation. Deeper Containers are written at this one, so that the text stays linear in their number.
_MOST_INDENT = 10 * _STEP


def text_of(container: Container) -> str:
    """Format a Container in one line if it fits, else with one line for each key."""
    short = _short_texts(container)
    pieces: list[str] = []
    waiting: list[str | tuple[Any, int]] = [(container, 0)]
    while waiting:
        entry = waiting.pop()
        if isinstance(entry, str):
            pieces.append(entry)
            continue
        value, indent = entry
        line = short.get(id(value)) if type(value) is type(container) else _leaf_text(value)
        if line is not None and (type(value) is not type(container) or indent + len(line) <= _WIDTH):
            pieces.append(line)
            continue
        opening, closing = _brackets(value)
        inner = min(indent + _STEP, _MOST_INDENT)
        pieces.append(f"{opening}\n")
        waiting.append(f"{' ' * indent}{closing}")
        for label, item in reversed(_labelled(value)):
            waiting += [",\n", (item, inner), f"{' ' * inner}{label}"]
    return "".join(pieces)


def _short_texts(container: Container) -> dict[int, str]:
    """Return, by the id of each Container in the tree, its text in one line, of those for which one is wide enough."""
    kind = type(container)
    found: list[Container] = [container]
    for node in found:  # the list grows: inner Containers come after outer ones
        found += [value for value in node._items.values() if type(value) is kind]
    short: dict[int, str] = {}
    for node in reversed(found):
        opening, closing = _brackets(node)
        length = len(opening) + len(closing)
        parts = []
        for label, value in _labelled(node):
            text = short.get(id(value)) if type(value) is kind else _leaf_text(value)
            if text is None:
                break
            parts.append(label + text)
            length += len(parts[-1]) + 2
            if length > _WIDTH + 2:
                break
        else:
            line = f"{opening}{', '.join(parts)}{closing}"
            if "\n" not in line and len(line) <= _WIDTH:
                short[id(node)] = line
    return short


def _brackets(node: Container) -> tuple[str, str]:
    return ("Container(", ")") if _named(node) else ("Container({", "})")


def _labelled(node: Container) -> list[tuple[str, Any]]:
    named = _named(node)
    return [(f"{key}=" if named else f"{key!r}: ", value) for key, value in node._items.items()]


def _named(node: Container) -> bool:
    """Whether all keys can be written as keywords of a call."""
    return all(key.isidentifier() and not keyword.iskeyword(key) for key in node._items)


def _leaf_text(value: Any) -> str:
    shape, dtype = getattr(value, "shape", None), getattr(value, "dtype", None)
    if isinstance(shape, tuple) and dtype is not None:
        if None not in shape and math.prod(shape) <= _ELEMENTS:
            text = repr(value)
            if "\n" not in text and len(text) <= _WIDTH:
                return text
        backend = getattr(type(value), "_backend", None)
        place = f" on {backend.name}" if backend is not None else ""
        return f"<{type(value).__name__} {dtype} {tuple(shape)}{place}>"
    text = " ".join(repr(value).split())
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 3]}..."
