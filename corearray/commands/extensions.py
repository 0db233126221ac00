"""`corearray list-extensions`: what is installed and whether it is used, told by a child for each extension."""

from __future__ import annotations

import json
from typing import Any

from corearray.backends.channel import Channel
from corearray.backends.child import Child, ChildFailed, command
from corearray.backends.describing import DESCRIBE_LIMIT
from corearray.commands.text import table
from corearray.errors import printable
from corearray.manager import manager

__all__ = ["EXTENSION_KEYS", "child", "list_extensions"]

#: The fields of a row of `list-extensions --json`.
EXTENSION_KEYS = ("name", "status", "plugin", "plugin_version", "backends", "requires", "reason")

_Row = dict[str, Any]


def list_extensions(*, as_json: bool, check: bool, timeout: float | None) -> int:
    """Print a row for each extension; with `check`, return 1 if one is not ready."""
    rows = [_answer(name, timeout or DESCRIBE_LIMIT) for name in manager.extensions.records]
    print(json.dumps(rows, indent=2) if as_json else _text(rows))
    return int(check and any(row["status"] != "ready" for row in rows))


def _answer(name: str, limit: float) -> _Row:
    extension = manager.extensions.records[name]
    known = {"name": name, "plugin": extension.plugin, "plugin_version": extension.plugin_version, "backends": []}
    with Child(command("corearray.commands.extensions", name)) as asked:
        try:
            told: _Row = asked.only_answer(limit)
        except ChildFailed as failure:
            told = {"status": "broken", "reason": f"'{extension.plugin}' cannot be described: {failure}"}
    row = {**dict.fromkeys(EXTENSION_KEYS, ""), **known, **told}
    return {key: printable(row[key]) if isinstance(row[key], str) else row[key] for key in EXTENSION_KEYS}


def _text(rows: list[_Row]) -> str:
    if not rows:
        return "no extension is installed"
    lines = [
        [
            row["name"],
            row["status"],
            f"{row['plugin']} {row['plugin_version']}",
            ", ".join(row["backends"]) or "all",
            row["requires"],
            row["reason"],
        ]
        for row in rows
    ]
    return table(["extension", "status", "plugin", "backends", "requires", "reason"], lines)


def child(arguments: list[str]) -> int:
    """Describe the extension with the given name and answer with its row."""
    channel = Channel()
    row = manager.extensions.status(arguments[0])
    channel.tell({key: value for key, value in row.as_dict().items() if key in EXTENSION_KEYS})
    return 0
