"""Descriptions of plugins, read in children: one child for each plugin, several at a time.

A plugin that exits, hangs, crashes or changes Python for everybody does so in its own child, which answers with the
fields of the plugin's `BackendInfo`. The parent checks them and matches the versions.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import Any

from corearray.backends.child import Child, ChildFailed, command
from corearray.backends.discovery import Record, describe
from corearray.contract.info import BackendInfo

__all__ = ["DESCRIBE_LIMIT", "described"]

#: Seconds that a plugin may take to describe itself.
DESCRIBE_LIMIT = 10.0

#: How many children describe plugins at a time.
_ABREAST = 8


def described(records: Iterable[Record], limit: float | None = None) -> Iterator[tuple[Record, Record, bool]]:
    """Yield each plugin, in order, what a child says of it, and whether that is final: another child may be quicker.

    Parameters
    ----------
    records
        The plugins.
    limit
        Seconds that one plugin may take, instead of the usual limit.
    """
    waiting = deque(records)
    running: deque[tuple[Record, Child | ChildFailed, ExitStack]] = deque()
    with ExitStack() as everything:
        while waiting or running:
            while waiting and len(running) < _ABREAST:
                record, stack = waiting.popleft(), ExitStack()
                everything.push(stack)
                try:
                    asked: Child | ChildFailed = stack.enter_context(Child(_command_of(record, limit)))
                except ChildFailed as failure:
                    asked = failure
                running.append((record, asked, stack))
            record, asked, stack = running.popleft()
            try:
                if isinstance(asked, ChildFailed):
                    raise asked
                told, final = _told(record, asked.only_answer(limit or DESCRIBE_LIMIT)), True
            except ChildFailed as failure:
                reason = f"{record.source} cannot be described: {failure}"
                told, final = _told(record, {"reason": reason}), False
            stack.close()
            yield record, told, final


def _command_of(record: Record, limit: float | None) -> list[str]:
    job = {
        "name": record.name,
        "plugin": record.plugin,
        "version": record.plugin_version,
        "entry": record.entry,
        "limit": limit or DESCRIBE_LIMIT,
    }
    return command("corearray.backends.descriptor", json.dumps(job))


def _told(record: Record, answer: dict[str, Any]) -> Record:
    """Make a record of an answer, whose fields the plugin may have chosen freely."""
    fields = answer.get("fields")
    told = Record(
        record.name,
        record.plugin,
        record.plugin_version,
        lambda: BackendInfo(**fields),  # type: ignore[arg-type]
        record.entry,
    )
    if answer.get("reason") or not fields:
        told.fail("broken", str(answer.get("reason") or f"{record.source} cannot be described: it gives no reason"))
    else:
        describe(told)
    return told
