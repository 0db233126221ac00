"""The tables after the tests. The kit loads this by itself; with pytest-xdist say `-p corearray.testing.summary`."""

from __future__ import annotations

from collections import Counter
from typing import Any

from corearray.commands.text import table

__all__ = ["pytest_terminal_summary"]

_KINDS = {
    "test_function": "functions",
    "test_ways": "ways",
    "test_derivative": "derivatives",
    "test_check": "checks",
    "test_check_of_dtype": "checks of dtypes",
}


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print how the functions of each backend are computed and how many fail, and how long the tests of each kind took."""
    counts: dict[str, Counter[str]] = {}
    seconds: Counter[str] = Counter()
    tests: Counter[str] = Counter()
    slowest: dict[str, tuple[float, str]] = {}
    for outcome, reports in terminalreporter.stats.items():
        for report in reports:
            if getattr(report, "when", "") != "call":
                continue
            name = report.nodeid.rpartition("::")[2]
            kind = _KINDS.get(name.partition("[")[0])
            if kind:
                seconds[kind] += report.duration
                tests[kind] += 1
                slowest[kind] = max(slowest.get(kind, (0.0, "")), (report.duration, name))
            for key, value in getattr(report, "user_properties", ()):
                if key == "corearray":
                    backend, _, how = value
                    counted = counts.setdefault(backend, Counter())
                    counted[how] += 1
                    counted[{"failed": "failing", "xfailed": "known"}.get(outcome, "passing")] += 1
    if counts:
        columns = ["native", "composed", "missing", "passing", "known", "failing"]
        rows = [[backend, *(str(counted[column]) for column in columns)] for backend, counted in counts.items()]
        terminalreporter.section("functions by backend")
        terminalreporter.line(table(["backend", *columns], rows))
        times = [[kind, str(tests[kind]), f"{seconds[kind]:.1f}", slowest[kind][1]] for kind in seconds]
        terminalreporter.line("")
        terminalreporter.line(table(["tests", "count", "seconds", "slowest"], times))
