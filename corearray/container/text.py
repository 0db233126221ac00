"""How a Container is printed: nested, and long arrays by their dtype and shape alone."""

from __future__ import annotations

import keyword
import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corearray.container.container import Container

__all__ = ["text_of"]

_WIDTH = 88
_ELEMENTS = 10


def text_of(container: Container, indent: int = 0) -> str:
    """Write a Container in one line if it fits, else a line for each key.

    Parameters
    ----------
    container
        What is written.
    indent
        How far its first line stands to the right.
    """
    items = container._items
    named = all(key.isidentifier() and not keyword.iskeyword(key) for key in items)
    opening, closing = ("Container(", ")") if named else ("Container({", "})")
    inner = indent + 4
    parts = []
    for key, value in items.items():
        label = f"{key}=" if named else f"{key!r}: "
        nested = type(value) is type(container)
        parts.append(label + (text_of(value, inner) if nested else _leaf_text(value)))
    line = f"{opening}{', '.join(parts)}{closing}"
    if "\n" not in line and indent + len(line) <= _WIDTH:
        return line
    pad = " " * inner
    return f"{opening}\n" + "".join(f"{pad}{part},\n" for part in parts) + f"{' ' * indent}{closing}"


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
