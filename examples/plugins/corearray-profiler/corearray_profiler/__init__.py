"""A profiler of corearray's functions, on every backend. This module describes the extension."""

from __future__ import annotations

from corearray.plugin import ExtensionInfo

__all__ = ["clear", "info", "rows"]

__version__ = "0.1.0"

info = ExtensionInfo(
    "profiler",
    modules=("corearray_profiler.stage",),
    stages={"profile": "handle_nans"},  # outside of all stages of the core
    core_versions=">=0.1,<0.2",
    summary="counts and times the calls of functions",
)


def rows() -> list[tuple[str, str, int, float]]:
    """Return backend, function, number of calls, and seconds of each function that was called, the slowest first."""
    from corearray_profiler.stage import totals

    found = [(*key, calls, seconds) for key, (calls, seconds) in totals.items()]
    return sorted(found, key=lambda row: -row[3])


def clear() -> None:
    """Forget all calls up to now."""
    from corearray_profiler.stage import totals

    totals.clear()
