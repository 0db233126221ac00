"""What is installed and what becomes of it, told by children: a plugin's code never runs in the command's process.

Which plugins there are stands in the metadata of distributions, which the command reads itself. One child then reads
the light descriptors of all and answers with a row for each; if it dies or hangs, the plugin that was next has done it,
and another child goes on behind it. Loading, where it is asked for, gets a child for each backend.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from corearray.commands.child import Child, ChildFailed, command, reserved_output, tell
from corearray.contract.declaration import DECLARATIONS
from corearray.errors import CoreArrayError, CoreArrayRuntimeError, FunctionNotImplementedError
from corearray.manager import manager

if TYPE_CHECKING:
    from corearray.backends.backend import Backend

__all__ = ["DESCRIBE_LIMIT", "KEYS", "LOAD_LIMIT", "Row", "child", "survey"]

#: Seconds that a plugin may take to describe itself, and to be loaded.
DESCRIBE_LIMIT, LOAD_LIMIT = 30.0, 120.0

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
    rows: dict[str, Row] = {}
    for name, record in manager.records.items():
        known = {"name": name, "plugin": record.plugin, "plugin_version": record.plugin_version}
        rows[name] = {**dict.fromkeys(KEYS, ""), "native": None, "composed": None, "missing": None, **known}
    for name, answer in _answers("describe", list(rows), timeout or DESCRIBE_LIMIT):
        rows[name].update(answer)
    if load:
        for name in [name for name, row in rows.items() if row["status"] == "ready"]:
            for _, answer in _answers("load", [name], timeout or LOAD_LIMIT):
                rows[name].update(answer)
    return list(rows.values())


def _answers(task: str, names: list[str], limit: float) -> Iterator[tuple[str, Row]]:
    """Ask children about plugins, one after the other, and yield what they say, or how they failed."""
    waiting = list(names)
    while waiting:
        with Child(command("survey", task, *waiting)) as asked:
            try:
                asked.answer(DESCRIBE_LIMIT)
            except ChildFailed as failure:
                raise CoreArrayRuntimeError(f"the process that is to {task} plugins cannot start: {failure}") from None
            while waiting:
                try:
                    answer = asked.answer(limit)
                except ChildFailed as failure:
                    name = waiting.pop(0)
                    done = {"describe": "described", "load": "loaded"}[task]
                    reason = f"plugin '{manager.records[name].plugin}' cannot be {done}: {failure}"
                    yield name, {"status": "broken", "reason": reason}
                    break
                yield waiting.pop(0), answer


# --- what the children do ---------------------------------------------------------------------------------------------


def child(arguments: list[str]) -> int:
    """Answer about plugins: the first argument is what to do, the others are names."""
    channel = reserved_output()
    tell(channel, {})
    task, *names = arguments
    for name in names:
        tell(channel, _described(name) if task == "describe" else _loaded(name))
    return 0


def _described(name: str) -> Row:
    row = manager.status(name).as_dict()
    return {key: value for key, value in row.items() if key in KEYS}


def _loaded(name: str) -> Row:
    try:
        backend = manager.load(name)
    except CoreArrayError:
        return _described(name)
    kinds = {function: _kind(backend, function) for function in DECLARATIONS}
    counts = {kind: sum(found == kind for found in kinds.values()) for kind in ("native", "composed", "missing")}
    missing = ", ".join(function for function, kind in kinds.items() if kind == "missing")
    notes = {**backend.fact("diagnostics"), **({"missing functions": missing} if missing else {})}
    return {**_described(name), **counts, "notes": notes}


def _kind(backend: Backend, function: str) -> str:
    try:
        return "composed" if backend.binding(function).kind == "composed" else "native"
    except FunctionNotImplementedError:
        return "missing"
