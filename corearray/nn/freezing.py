"""Parameters that training leaves as they are."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Any

from corearray.errors import CoreArrayKeyError
from corearray.nn.marks import Marks, changes
from corearray.nn.names import unknown_text
from corearray.nn.slots import entries_of, walk

__all__ = ["set_frozen"]


def set_frozen(module: Any, patterns: tuple[str, ...], frozen: bool) -> None:
    """Mark the parameters whose names match patterns as frozen, or as trainable again.

    Parameters
    ----------
    module
        A `Module`.
    patterns
        As in `Module.freeze`.
    frozen
        Which of both.

    Raises
    ------
    KeyError
        If a pattern matches no parameter.
    """
    marked: dict[int, tuple[Any, set[str]]] = {}
    used: set[str] = set()
    paths = {path for entry in entries_of(module).values() if not entry.is_buffer for path in entry.slots}
    for path, _, owner, key, _ in walk(module):
        if path not in paths or owner is None:
            continue
        matching = [p for p in patterns if fnmatchcase(path, p) or fnmatchcase(path, f"{p}.*")]
        if matching or not patterns:
            used.update(matching)
            marked.setdefault(id(owner), (owner, set()))[1].add(key)
    unused = [pattern for pattern in patterns if pattern not in used]
    if unused:
        raise CoreArrayKeyError(unknown_text(type(module).__name__, "parameter", unused[0], sorted(paths)))
    for owner, keys in marked.values():
        former = owner._marks.frozen
        marks = Marks(owner._marks.buffers, former | keys if frozen else former - keys)
        object.__setattr__(owner, "_marks", marks)
    changes.count += 1
