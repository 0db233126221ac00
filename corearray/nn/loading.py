"""Arrays of a dictionary for the entries of a module: names, shapes and dtypes are checked before anything changes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NamedTuple

from corearray.arrays.array import Array
from corearray.arrays.interchange import to_backend
from corearray.calls.dispatch import resolve
from corearray.errors import CoreArrayKeyError, CoreArrayTypeError, CoreArrayValueError
from corearray.nn.slots import Entry, array_kind

if TYPE_CHECKING:
    from corearray.types.dtypes import DType

__all__ = ["LoadReport", "loaded"]


class LoadReport(NamedTuple):
    """What `load_state_dict` found.

    Attributes
    ----------
    missing
        Names of the module's arrays that were not given and keep their values.
    unexpected
        Names that were given and that the module does not have.
    reshaped
        Names whose arrays had another shape with the same number of elements.
    """

    missing: tuple[str, ...]
    unexpected: tuple[str, ...]
    reshaped: tuple[str, ...]


def loaded(
    module: str,
    entries: Mapping[str, Entry],
    state: Mapping[str, Any],
    strict: bool,
    rename: Sequence[tuple[str, str]],
    dtype: DType | str | None,
) -> tuple[LoadReport, list[tuple[Entry, Any]]]:
    """Check a state against the entries of a module and convert its arrays.

    Returns
    -------
    The report, and pairs of an entry and its new array.
    """
    if not isinstance(state, Mapping):
        raise CoreArrayTypeError(f"'load_state_dict' takes a dictionary of arrays by name, got {type(state).__name__}")
    given = _renamed(state, rename)
    by_name = {path: entry for entry in entries.values() if entry.persistent for path in entry.slots}
    unexpected = tuple(name for name in given if name not in by_name)
    wanted = [entry for entry in entries.values() if entry.persistent]
    missing = tuple(entry.path for entry in wanted if not any(path in given for path in entry.slots))
    if strict and (missing or unexpected):
        raise CoreArrayKeyError(_names_differ(module, missing, unexpected, by_name, given))
    reshaped: list[str] = []
    values = []
    for entry in wanted:
        name = next((path for path in entry.slots if path in given), None)
        if name is not None:
            values.append((entry, _converted(module, name, entry, given[name], strict, dtype, reshaped)))
    return LoadReport(missing, unexpected, tuple(reshaped)), values


def _renamed(state: Mapping[str, Any], rename: Sequence[tuple[str, str]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in state.items():
        new = name
        for pattern, replacement in rename:
            new = re.sub(pattern, replacement, new)
        if new in found:
            raise CoreArrayKeyError(f"'rename' gives two arrays the name '{new}', one of which was '{name}'")
        found[new] = value
    return found


def _names_differ(
    module: str,
    missing: Sequence[str],
    unexpected: Sequence[str],
    known: Mapping[str, Entry],
    given: Mapping[str, Any],
) -> str:
    lines = [f"the state does not fit '{module}': {len(missing)} names are missing, {len(unexpected)} are unexpected"]
    for what, names, others in (("missing", missing, unexpected), ("unexpected", unexpected, missing)):
        for name in names[:5]:
            near = get_close_matches(name, others or (given if what == "missing" else known), 2, 0.5)
            lines.append(f"  {what}: '{name}'" + (f", near {' and '.join(map(repr, near))}" if near else ""))
        if len(names) > 5:
            lines.append(f"  {what}: {len(names) - 5} more")
    lines.append("pass rename=[(pattern, replacement)] to change names, or strict=False to load what fits")
    return "\n".join(lines)


def _converted(module: str, name: str, entry: Entry, value: Any, strict: bool, dtype: Any, reshaped: list[str]) -> Any:
    old = entry.get()
    backend = old._backend if isinstance(old, Array) else resolve((old,))
    old = backend.asarray(old)
    if isinstance(value, Array) and value._backend is not backend:
        value = to_backend(value._backend.stop_gradient(value), backend.name)
    elif not isinstance(value, Array) and array_kind(value) is not None and not backend.is_native(value):
        other = _resolve_native(value)
        value = to_backend(other._backend.stop_gradient(other), backend.name)
    try:
        new = backend.asarray(value)
    except (TypeError, ValueError) as error:
        raise CoreArrayTypeError(
            f"'{name}' of '{module}' cannot be loaded from {type(value).__name__}: {error}"
        ) from error
    if "floating" in old.dtype.category and "floating" not in new.dtype.category:
        raise CoreArrayTypeError(
            f"'{name}' of '{module}' is {old.dtype} and the state has {new.dtype}; a parameter is a floating array"
        )
    if new.shape != old.shape:
        if strict or new.size != old.size:
            raise CoreArrayValueError(
                f"'{name}' of '{module}' has the shape {tuple(old.shape)} and the state has {tuple(new.shape)}"
            )
        new = backend.reshape(new, tuple(old.shape))
        reshaped.append(name)
    wanted = dtype if dtype is not None and "floating" in old.dtype.category else old.dtype
    return backend.asarray(backend.astype(new, wanted, copy=True), device=old.device)


def _resolve_native(value: Any) -> Any:
    """Wrap a native array of whatever backend it belongs to."""
    from corearray.calls.dispatch import backend_of

    backend = backend_of(value)
    if backend is None:  # pragma: no cover - excluded by the caller
        raise CoreArrayTypeError(f"{type(value).__name__} is no array")
    return backend.wrap(value)
