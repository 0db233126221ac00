"""`corearray list-backends` and `corearray info`."""

from __future__ import annotations

import json
import os
import platform
import sys
from typing import Any

from corearray.backends.installing import install_hint
from corearray.commands.survey import KEYS, Row, survey
from corearray.commands.text import one_line, table

__all__ = ["DEPENDENCIES", "info", "list_backends"]

#: The distributions that the core needs at run time.
DEPENDENCIES = ("importlib-metadata", "packaging", "pluggy")


def list_backends(*, as_json: bool, check: bool, load: bool, timeout: float | None) -> int:
    """Print a row for each backend; with `check`, return 1 if an installed one is not ready."""
    rows = survey(load=load, timeout=timeout)
    print(json.dumps(_plain(rows), indent=2) if as_json else _text(rows, loaded=load))
    return int(check and any(row["status"] != "ready" for row in rows))


def info(*, as_json: bool, timeout: float | None) -> int:
    """Print what a bug report needs."""
    import importlib_metadata

    import corearray
    from corearray.calls.accelerated import accelerator, out_of_date

    absent = "left out" if os.environ.get("COREARRAY_PURE") else "out of date, left out" if out_of_date else "not built"
    facts: dict[str, Any] = {
        "corearray": corearray.__version__,
        "location": os.path.dirname(corearray.__file__),  # noqa: PTH120  # text, not a path to open
        "accelerator": "in use" if accelerator else absent,
        "python": f"{platform.python_version()} ({platform.python_implementation()}, {sys.executable})",
        "platform": platform.platform(),
        "dependencies": {name: importlib_metadata.version(name) for name in DEPENDENCIES},
        "environment": {name: text for name, text in sorted(os.environ.items()) if name.startswith("COREARRAY_")},
    }
    rows = survey(timeout=timeout)
    if as_json:
        print(json.dumps({**facts, "backends": _plain(rows)}, indent=2))
        return 0
    lines = {key: facts[key] for key in ("corearray", "location", "accelerator", "python", "platform")}
    lines.update(facts["dependencies"])
    lines.update(facts["environment"])
    width = max(len(name) for name in lines)
    for name, text in lines.items():
        print(f"{name.ljust(width)}  {text}")
    print(f"\n{_text(rows, loaded=False)}")
    return 0


def _plain(rows: list[Row]) -> list[Row]:
    return [{key: row[key] for key in KEYS} for row in rows]


def _text(rows: list[Row], *, loaded: bool) -> str:
    if not rows:
        return f"no backend is installed; {install_hint('')}"
    counts = ("native", "composed", "missing") if loaded else ()
    header = ["backend", "status", "plugin", "framework", "requires", *counts, "reason"]
    lines = [
        [
            row["name"],
            row["status"],
            f"{row['plugin']} {row['plugin_version']}",
            f"{row['framework']} {row['framework_version']}",
            row["requires"],
            *("" if row[count] is None else str(row[count]) for count in counts),
            row["reason"],
        ]
        for row in rows
    ]
    notes = [
        f"{row['name']}: {about}: {one_line(text)}"
        for row in rows
        for about, text in sorted(row.get("notes", {}).items())
    ]
    return "\n".join([table(header, lines), *notes])
