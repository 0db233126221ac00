"""Ctrl-C, told apart from a `KeyboardInterrupt` that a plugin raises itself."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

__all__ = ["ctrl_c"]


@contextmanager
def ctrl_c() -> Iterator[Callable[[], bool]]:
    """Give a function that returns whether Ctrl-C was pressed within the block.

    Only the main thread receives Ctrl-C, and only where SIGINT has a handler in Python.
    """
    came: list[int] = []
    former = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(former):
        yield lambda: False
        return

    def noted(number: int, frame: Any) -> Any:
        came.append(number)
        return former(number, frame)

    try:
        with suppress(ValueError):  # the main thread of an interpreter that is not the first one
            signal.signal(signal.SIGINT, noted)
        yield lambda: bool(came)
    finally:
        if signal.getsignal(signal.SIGINT) is noted:
            signal.signal(signal.SIGINT, former)
