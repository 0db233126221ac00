"""Names of arrays and modules: flattened mappings, checks, and messages with the nearest known names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from corearray.arrays.array import Array
from corearray.calls.dispatch import resolve
from corearray.errors import CoreArrayValueError

__all__ = ["as_array", "flattened", "require_names", "unknown_text"]


def as_array(x: Any) -> Any:
    """Wrap a native array; an `Array` is returned as it is."""
    if isinstance(x, Array):
        return x
    return resolve((x,)).asarray(x)


def flattened(tree: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield pairs of a dotted name and a value of nested mappings."""
    for key, value in tree.items():
        if isinstance(value, Mapping):
            yield from flattened(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def require_names(module: str, what: str, known: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    """Refuse names that are missing or unknown, with the nearest known ones."""
    missing = [name for name in known if name not in given]
    unknown = [name for name in given if name not in known]
    if missing or unknown:
        parts = []
        if missing:
            parts.append(f"{', '.join(map(repr, missing[:5]))} {'is' if len(missing) == 1 else 'are'} missing")
        for name in unknown[:5]:
            near = get_close_matches(name, known, 1)
            parts.append(f"'{name}' is not one of them" + (f" (near: '{near[0]}')" if near else ""))
        raise CoreArrayValueError(f"the {what} given for '{module}' are not those of the module: {'; '.join(parts)}")


def unknown_text(module: str, what: str, pattern: str, names: list[str]) -> str:
    """Return the message for a name that a module does not have."""
    near = get_close_matches(pattern, names, 3, 0.4) or names[:5]
    return f"'{module}' has no {what} '{pattern}'; near it are {', '.join(map(repr, near)) or 'none'}"
