"""The stage: a function around each call."""

from __future__ import annotations

from threading import Lock
from time import perf_counter

from corearray.plugin import hookimpl

#: By backend and function, the number of calls and their seconds.
totals: dict[tuple[str, str], tuple[int, float]] = {}
_lock = Lock()


@hookimpl
def profile(call, function):
    """Time a function. It is called once for each, when the function is composed; what it returns runs in every call."""
    key = function.backend.name, function.declaration.name

    def timed(args):
        start = perf_counter()
        try:
            return call(args)
        finally:
            seconds = perf_counter() - start
            with _lock:
                calls, before = totals.get(key, (0, 0.0))
                totals[key] = calls + 1, before + seconds

    return timed
