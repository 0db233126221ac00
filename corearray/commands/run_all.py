"""`corearray run SCRIPT --all`: a script on every ready backend, one after the other, and the results compared."""

from __future__ import annotations

import json
import math
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from corearray.backends.child import command, ended, stop
from corearray.backends.installing import install_hint
from corearray.commands.run import checked
from corearray.commands.survey import survey
from corearray.commands.text import one_line, table
from corearray.errors import BackendNotFoundError
from corearray.settings.context import DEFAULT_BACKEND

__all__ = ["deviation", "run_all"]


class _Run:
    """A script that has run on one backend; `status` is `"ok"`, `"missing"` or `"failed"`."""

    def __init__(self, backend: str, reason: str, missing: bool, seconds: float, result: Any, output: str) -> None:
        self.backend = backend
        self.reason = reason
        self.status = "missing" if missing else "failed" if reason else "ok"
        self.seconds = seconds
        self.result = result
        self.output = output


def run_all(script: str, arguments: list[str], *, verbose: bool, picture: str | None = None) -> int:
    """Run a script on every ready backend and print a table; return 1 if it failed on one, or went well on none.

    A backend that lacks a function of the script, as NumPy lacks derivatives, is `missing` in the table. `picture` is a
    file for the curves of the results' `losses`.
    """
    checked(script)
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # so that no child stays behind
    backends = _ready()
    runs = []
    for place, backend in enumerate(backends, 1):
        _note(f"[{place}/{len(backends)}] {backend} ...")
        run = _run(script, arguments, backend)
        _note(f"[{place}/{len(backends)}] {backend} {run.status} after {run.seconds:.2f} s")
        if run.status == "failed" or verbose:
            _note("".join(f"    {line}\n" for line in run.output.splitlines()), end="")
        runs.append(run)
    print(_compared(runs))
    if picture is not None:
        _draw(runs, script, picture)
    statuses = {run.status for run in runs}
    return int("failed" in statuses or "ok" not in statuses)


def _note(text: str, end: str = "\n") -> None:
    print(text, file=sys.stderr, end=end, flush=True)


def _ready() -> list[str]:
    """Return the names of the ready backends, the default one first, and mention the others."""
    rows = survey()
    for row in rows:
        if row["status"] != "ready":
            _note(f"left out: {row['name']} ({row['status']}: {one_line(row['reason'])})")
    ready = [row["name"] for row in rows if row["status"] == "ready"]
    if not ready:
        raise BackendNotFoundError(
            f"cannot run on all backends, none is ready: see 'corearray list-backends', or {install_hint('')}"
        )
    return sorted(ready, key=lambda name: (name != DEFAULT_BACKEND, name))


def _run(script: str, arguments: list[str], backend: str) -> _Run:
    """Run a script in a child that is gone afterwards, whatever happens here."""
    with tempfile.TemporaryDirectory(prefix="corearray-") as folder:
        report = Path(folder) / "report.json"
        printed = Path(folder) / "output.txt"
        start = time.perf_counter()
        with printed.open("wb") as output:
            process = subprocess.Popen(
                command("corearray.commands.run", backend, str(report), script, *arguments),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
            try:
                process.wait()
            finally:
                stop(process)
        seconds = time.perf_counter() - start
        told: dict[str, Any] = {"reason": "", "missing": False, "seconds": seconds, "result": None}
        if report.is_file():
            told = json.loads(report.read_text())
        reason = told["reason"] or (ended(process.returncode) if process.returncode else "")
        return _Run(
            backend, reason, told["missing"], told["seconds"], told["result"], printed.read_text(errors="replace")
        )


def _draw(runs: list[_Run], script: str, picture: str) -> None:
    """Draw the list `losses` of each result, one curve for each backend."""
    from corearray.nn.report import draw_curves

    curves = {}
    for run in runs:
        losses = run.result.get("losses") if isinstance(run.result, dict) and not run.reason else None
        if isinstance(losses, list) and losses and all(isinstance(x, (int, float)) for x in losses):
            curves[run.backend] = list(enumerate(losses, 1))
    if not curves:
        _note(f"no picture: '{script}' leaves no dictionary 'result' with a list of numbers 'losses'")
        return
    draw_curves(curves, picture, title=f"Losses of {Path(script).name}, step by step")
    _note(f"wrote {picture}: losses on {', '.join(curves)}")


def _compared(runs: list[_Run]) -> str:
    """Write the table, each result beside the first one."""
    first = next((run for run in runs if not run.reason and _figures(run.result)), None)
    rows = []
    for run in runs:
        away = deviation(first.result, run.result) if first and not run.reason and _figures(run.result) else None
        accuracy = run.result.get("accuracy") if isinstance(run.result, dict) and not run.reason else None
        note = run.reason
        if first and away == math.inf:
            note = f"has other entries in its result than {first.backend}, or is infinite or NaN where that is not"
        rows.append(
            [
                run.backend,
                run.status,
                f"{accuracy:.4f}" if isinstance(accuracy, (int, float)) else "",
                f"{run.seconds:.2f}",
                "" if away is None else f"{away:.2g}",
                note,
            ]
        )
    lines = [table(["backend", "status", "accuracy", "seconds", "deviation", "reason"], rows)]
    if first and len(runs) > 1:
        lines.append(f"deviation: greatest absolute difference of a figure from that on {first.backend}")
    return "\n".join(lines)


def _figures(value: Any) -> bool:
    """Whether there is a number in a result."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return any(_figures(item) for item in value)
    return value is not None


def deviation(one: Any, other: Any) -> float:
    """Return the greatest absolute difference between the numbers of two results; infinity if one has other entries.

    Examples
    --------
    >>> deviation({"loss": 1.0, "shares": [0.5, 0.25]}, {"loss": 1.0, "shares": [0.5, 0.75]})
    0.5
    >>> deviation([1.0], [1.0, 2.0])
    inf
    """
    return max(_differences(one, other), default=0.0)


def _differences(one: Any, other: Any) -> Iterator[float]:
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for key in one:
            yield from _differences(one[key], other[key])
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for mine, theirs in zip(one, other, strict=True):
            yield from _differences(mine, theirs)
    elif isinstance(one, (int, float)) and isinstance(other, (int, float)):
        same = one == other or (math.isnan(one) and math.isnan(other))
        away = 0.0 if same else abs(one - other)
        yield math.inf if math.isnan(away) else away
    elif not (one is None and other is None):
        yield math.inf
