"""What the library tells the logger `corearray` at level DEBUG: the backend of each call and why, loads, and candidates.

`logging` takes longer to import than most of the library. A program that never imported it listens to nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from corearray.forks import first_at_fork

__all__ = ["listens", "log_choice", "log_debug", "on_change"]

_DEBUG = 10
_logger: Any = None
_listened = False
_watchers: list[Callable[[], None]] = []


class _Levels(dict[int, bool]):
    """The levels that a logger remembers to be enabled. `logging` clears them when the level of any logger changes."""

    def clear(self) -> None:
        super().clear()
        listens()


def _found() -> Any:
    """Return the logger if the program uses `logging`, else `None`."""
    global _logger
    if _logger is None and "logging" in sys.modules:
        _logger = sys.modules["logging"].getLogger("corearray")
        first_at_fork()  # threads take its lock while they hold those of ours
        if hasattr(_logger, "_cache"):  # else a change of level counts from the next change of a setting
            _logger._cache = _Levels()
    return _logger


def listens() -> bool:
    """Return whether the program listens at level DEBUG. Watchers are called if that has changed."""
    global _listened
    logger = _found()
    enabled = logger is not None and logger.isEnabledFor(_DEBUG)
    if enabled is not _listened:
        _listened = enabled
        for watcher in _watchers:
            watcher()
    return enabled


def on_change(watcher: Callable[[], None]) -> None:
    """Call a function whenever the program begins or ceases to listen."""
    _watchers.append(watcher)


def log_debug(text: str, *values: object) -> None:
    """Log a message at level DEBUG, if the program uses `logging` at all."""
    logger = _found()
    if logger is not None:
        logger.debug(text, *values)


def log_choice(backend: str, source: str, function: str = "") -> None:
    """Log where the backend of a call comes from. A tracer of Python code calls this while it traces."""
    if function:
        log_debug("'%s': backend '%s' comes from %s", function, backend, source)
    else:
        log_debug("backend '%s' comes from %s", backend, source)
