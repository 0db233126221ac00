"""The child that reads the description of one plugin, see `corearray.backends.describing`."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from corearray.backends.channel import Channel
from corearray.backends.discovery import Record, resolved
from corearray.contract.info import BackendInfo

__all__ = ["child"]


def child(arguments: list[str]) -> int:
    """Answer with the fields of a description, or why there is none.

    The process ends here, whatever threads the plugin has started.
    """
    job = json.loads(arguments[0])
    channel = Channel(job["limit"])
    record = Record(job["name"], job["plugin"], job["version"], lambda: _imported(job["entry"]), job["entry"])
    record.describe()
    info = record.info
    fields = {field: getattr(info, field) for field in BackendInfo.__slots__} if info else {}
    channel.tell({"name": job["name"], "fields": fields, "reason": record.reason})
    os._exit(0)


def _imported(entry: str) -> Any:
    """Import a plugin, and give Python its folders back, which the answer may need."""
    folders = list(sys.path)
    try:
        return resolved(entry)
    finally:
        sys.path[:] = folders
