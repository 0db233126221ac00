"""The table after the tests. The kit loads this by itself; with pytest-xdist say `-p corearray.testing.summary`."""

from __future__ import annotations

from collections import Counter
from typing import Any

from corearray.commands.text import table

__all__ = ["pytest_terminal_summary"]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print a row for each backend: how its functions are computed, and how many fail."""
    counts: dict[str, Counter[str]] = {}
    for outcome, reports in terminalreporter.stats.items():
        for report in reports:
            for key, value in getattr(report, "user_properties", ()):
                if key == "corearray" and report.when == "call":
                    backend, _, kind = value
                    counted = counts.setdefault(backend, Counter())
                    counted[kind] += 1
                    counted[{"failed": "failing", "xfailed": "known"}.get(outcome, "passing")] += 1
    if counts:
        columns = ["native", "composed", "missing", "passing", "known", "failing"]
        rows = [[backend, *(str(counted[column]) for column in columns)] for backend, counted in counts.items()]
        terminalreporter.section("functions by backend")
        terminalreporter.line(table(["backend", *columns], rows))
