"""The way from a child process to its parent, see `corearray.backends.child`; it imports little, as each child does so."""

from __future__ import annotations

import json
import os
import signal
import sys
from typing import Any

__all__ = ["Channel"]


class Channel:
    """The way to the parent: standard output as the process found it. What plugins print goes to standard error.

    Parameters
    ----------
    limit
        Seconds after which the process ends itself, for the case that its parent is gone; 0 for no limit.
    """

    def __init__(self, limit: float = 0.0) -> None:
        self._nonce = sys.stdin.readline()
        self._output = os.dup(1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        if limit and hasattr(signal, "alarm"):
            signal.alarm(int(min(limit, 86400.0)) + 5)

    def tell(self, answer: dict[str, Any]) -> None:
        """Give an answer, on a line of its own whatever others write there."""
        line = memoryview(b"\n" + json.dumps({"nonce": self._nonce, **answer}).encode() + b"\n")
        while line:
            line = line[os.write(self._output, line) :]
