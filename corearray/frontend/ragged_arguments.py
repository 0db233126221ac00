"""Ragged arguments of programs, which are taken apart into arrays: values, and the splits of each axis of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from corearray.errors import CoreArrayTypeError

__all__ = ["Rows", "arrays_in", "flattened", "is_ragged", "ragged_of"]


class Rows:
    """A ragged argument apart: its values, then its splits from the inner to the outer ones."""

    def __init__(self, parts: Sequence[Any]) -> None:
        self.parts = list(parts)


def is_ragged(leaf: object) -> bool:
    """Return whether a leaf is ragged: a `corearray.Ragged`, one of a framework, or `Rows`."""
    kind = type(leaf)
    return kind is Rows or (hasattr(kind, "row_splits") and hasattr(kind, "values"))


def arrays_in(leaf: Any) -> list[Any]:
    """Return the arrays of a ragged leaf; any other leaf itself."""
    if type(leaf) is Rows:
        return leaf.parts
    return [*arrays_in(leaf.values), leaf.row_splits] if is_ragged(leaf) else [leaf]


def flattened(leaves: Iterable[Any]) -> list[Any]:
    """Return leaves with their arrays in place of ragged ones."""
    return [x for leaf in leaves for x in arrays_in(leaf)]


def ragged_of(parts: Sequence[Any], made: Callable[[Any, Any], Any] | None, source: str) -> Any:
    """Return a ragged argument of its arrays; `made` makes one of values and splits."""
    if made is None:
        raise CoreArrayTypeError(
            f"programs of '{source}' take no ragged arguments; give r.values and r.row_splits, which are arrays"
        )
    found, *splits = parts
    for each in splits:
        found = made(found, each)
    return found
