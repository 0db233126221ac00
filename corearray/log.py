"""What the library tells the logger `corearray` at level DEBUG: choices of backend and candidate.

`logging` takes longer to import than most of the library. A program that never imported it listens to nothing.
"""

from __future__ import annotations

import sys
from typing import Any

from corearray.forks import first_at_fork

__all__ = ["tell_choice", "told"]


_logger: Any = None


def told(text: str, *values: object) -> None:
    """Log a message at level DEBUG, if the program uses `logging` at all."""
    global _logger
    if _logger is None and "logging" in sys.modules:
        _logger = sys.modules["logging"].getLogger("corearray")
        first_at_fork()  # threads take its lock while they hold those of ours
    if _logger is not None:
        _logger.debug(text, *values)


def tell_choice(backend: str, source: str) -> None:
    """Log where the backend of a call comes from. A tracer of Python code calls this while it traces."""
    told("backend '%s' comes from %s", backend, source)
