"""What is installed and what becomes of it, told by children: a plugin's code never runs in the command's process.

Which plugins there are stands in the metadata of distributions, which the command reads itself. A child for each plugin
reads its light descriptor. Loading, where it is asked for, gets another child for each backend.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from corearray.backends.channel import Channel
from corearray.backends.child import START_LIMIT, Child, ChildFailed, command
from corearray.contract.declaration import DECLARATIONS
from corearray.errors import CoreArrayError, CoreArrayRuntimeError, FunctionNotImplementedError, printable
from corearray.manager import manager

if TYPE_CHECKING:
    from corearray.backends.backend import Backend
    from corearray.contract.info import BackendStatus

__all__ = ["KEYS", "LOAD_LIMIT", "Row", "child", "survey"]

#: Seconds that a plugin may take to be loaded.
LOAD_LIMIT = 120.0

#: The fields of a row of `list-backends --json`.
KEYS = (
    "name", "status", "plugin", "plugin_version", "framework", "framework_version", "requires", "native", "composed",
    "missing", "reason",
)  # fmt: skip

#: A row: `KEYS`, and after loading `notes`, the plugin's diagnostics among them.
Row = dict[str, Any]


def survey(*, load: bool = False, timeout: float | None = None) -> list[Row]:
    """Return a row for each installed backend, sorted by name.

    Parameters
    ----------
    load
        Load the ready ones too, and count their functions.
    timeout
        Seconds that one plugin may take, instead of the usual limits.
    """
    rows = [_row(status) for status in manager.statuses(timeout)]
    if load:
        for row in rows:
            if row["status"] == "ready":
                row.update(_answer(row["name"], timeout or LOAD_LIMIT))
    return rows


def _row(status: BackendStatus) -> Row:
    told = status.as_dict()
    return {key: told.get(key) for key in KEYS}


def _answer(name: str, limit: float) -> Row:
    """Load a backend in a child, and return what it says, or how it failed."""
    with Child(command("corearray.commands.survey", name)) as asked:
        try:
            asked.answer(START_LIMIT)
        except ChildFailed as failure:
            raise CoreArrayRuntimeError(f"the process that is to load plugins cannot start: {failure}") from None
        try:
            told: Row = _printable(asked.answer(limit))
            return told
        except ChildFailed as failure:
            reason = f"{manager.records[name].source} cannot be loaded: {failure}"
            return {"status": "broken", "reason": reason}


def _printable(told: Any) -> Any:
    """Escape the control characters of all texts."""
    if isinstance(told, dict):
        return {printable(key): _printable(value) for key, value in told.items()}
    return printable(told) if isinstance(told, str) else told


# --- what the child does ----------------------------------------------------------------------------------------------


def child(arguments: list[str]) -> int:
    """Load the backend with the given name and answer with its row."""
    channel = Channel()
    channel.tell({})
    channel.tell(_loaded(arguments[0]))
    return 0


def _described(name: str) -> Row:
    row = manager.status(name).as_dict()
    return {key: value for key, value in row.items() if key in KEYS and (key != "reason" or row["status"] != "ready")}


def _loaded(name: str) -> Row:
    try:
        backend = manager.load(name)
    except CoreArrayError:
        return _described(name)
    kinds = {function: _kind(backend, function) for function in DECLARATIONS}
    counts = {kind: sum(found == kind for found in kinds.values()) for kind in ("native", "composed", "missing")}
    missing = ", ".join(function for function, kind in kinds.items() if kind == "missing")
    notes = {**backend.fact("diagnostics"), **({"missing functions": missing} if missing else {})}
    notes |= manager.extensions.notes(backend)
    return {**_described(name), **counts, "notes": notes}


def _kind(backend: Backend, function: str) -> str:
    try:
        return "composed" if backend.binding(function).kind == "composed" else "native"
    except FunctionNotImplementedError:
        return "missing"
