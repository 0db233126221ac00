"""How things are timed: loops compiled around a call, taken in turn, each framework in a process of its own.

What is compared runs side by side: every round times a small batch of each column of each row, in a new order, so that
a machine that slows down for a second slows all of them down and the ratios stay. A ratio is the median of those of many
rounds, which differ by a tenth of what the ratio of two medians does; of times, the median is the figure, and the
minimum, which other processes disturb least, its witness.
"""

from __future__ import annotations

import gc
import json
import os
import platform
import random
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import repeat
from operator import truediv
from pathlib import Path
from time import perf_counter_ns
from typing import Any, NamedTuple

__all__ = [
    "ROOT",
    "Run",
    "Timing",
    "child_environment",
    "in_child",
    "looped",
    "machine",
    "measure",
    "numbered_table",
    "summary",
]

#: Makes a number of calls and returns the nanoseconds that they took together.
Run = Callable[[int], int]

#: The folder in which `python -m benchmarks…` finds the package.
ROOT = Path(__file__).resolve().parents[1]

_LOOP = """
def run(count, *, clock=clock, repeat=repeat, {bindings}):
    {call}
    start = clock()
    for _ in repeat(None, count):
        {call}
    return clock() - start
"""


class Timing(NamedTuple):
    """What one call takes, in nanoseconds, and how many times as long as the first column of its row in the same round."""

    median: float
    minimum: float
    ratio: float = 1.0


def summary(samples: Sequence[float], first: Sequence[float] | None = None) -> Timing:
    """Return the median and the minimum of samples, and the median of their ratios to those of a first column."""
    ratio = 1.0 if first is None else statistics.median(map(truediv, samples, first))
    return Timing(statistics.median(samples), min(samples), ratio)


def looped(call: str, names: Mapping[str, object], clock: Callable[[], int] = perf_counter_ns) -> Run:
    """Compile a loop around a call, the way `timeit` does: a direct call whose names are local variables.

    One call goes before the clock is started: it brings the code back into the processor's caches and finishes what is
    done at first use.

    Parameters
    ----------
    call
        An expression such as `"f(x, axis=0)"`.
    names
        The values of the names in it.
    clock
        What the nanoseconds are read from.
    """
    namespace: dict[str, Any] = {"clock": clock, "repeat": repeat, **names}
    bindings = ", ".join(f"{name}={name}" for name in names)
    exec(compile(_LOOP.format(bindings=bindings, call=call), f"<loop of {call}>", "exec"), namespace)
    run: Run = namespace["run"]
    return run


def measure(
    rows: Mapping[str, Mapping[str, Run]], rounds: int, *, batch_ns: float = 250_000.0
) -> dict[str, dict[str, Timing]]:
    """Time every column of every row in many rounds, interleaved.

    Parameters
    ----------
    rows
        By row and column, what is run. The columns of a row are neighbours in time, in an order that changes from round to
        round so that each is the first, which finds cold caches, as often as the others.
    rounds
        How often each is timed.
    batch_ns
        About how long one batch of a row's first column shall take; its other columns make as many calls.

    Returns
    -------
    By row and column, the time of one call.
    """
    counts = {row: _batch_size(columns.values(), batch_ns) for row, columns in rows.items()}
    samples: dict[str, dict[str, list[float]]] = {row: {column: [] for column in rows[row]} for row in rows}
    turns = {row: list(columns) for row, columns in rows.items()}
    order = random.Random(0)
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        for turn in range(rounds):
            for row in order.sample(list(rows), len(rows)):
                columns = turns[row]
                if turn % len(columns) == 0:
                    order.shuffle(columns)
                columns.append(columns.pop(0))
                for column in columns:
                    samples[row][column].append(rows[row][column](counts[row]) / counts[row])
            gc.collect()
    finally:
        gc.enable()
        gc.unfreeze()
    return {
        row: {column: summary(times, next(iter(columns.values()))) for column, times in columns.items()}
        for row, columns in samples.items()
    }


def _batch_size(runs: Iterable[Run], batch_ns: float) -> int:
    """Warm every run up and return how many calls of the first one fill a batch."""
    per_call = [min(run(10) for _ in range(5)) / 10 for run in runs]
    return max(1, min(5000, round(batch_ns / per_call[0])))


def in_child(module: str, *arguments: str, **environment: str) -> dict[str, Any]:
    """Run a module of this package in a fresh process, with `environment` beside that of this one, and return the JSON object
    on the last line of its output.

    A process that fails gives `{"failed": …}`, the exit code and what it wrote to its standard error.
    """
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(
        command, cwd=ROOT, env={**child_environment(), **environment}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        return {"failed": f"'{' '.join(command[1:])}' ended with exit code {done.returncode}\n{done.stderr.strip()}"}
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def child_environment() -> dict[str, str]:
    """Return the environment of a process to measure: modules keep their bytecode, as pip leaves them."""
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    for name in ("COREARRAY_BACKEND", "PYTHONDONTWRITEBYTECODE"):
        environment.pop(name, None)
    return environment


def machine() -> dict[str, Any]:
    """Return what a reader of the figures must know about the machine."""
    processor = platform.processor()
    information = Path("/proc/cpuinfo")
    if information.exists():
        models = [line for line in information.read_text().splitlines() if line.startswith("model name")]
        processor = models[0].partition(":")[2].strip() if models else processor
    return {
        "processor": processor,
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
    }


def numbered_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table whose first column is text and whose others are numbers, aligned for reading as text."""
    rows = list(rows)
    first, *others = (max(map(len, column)) for column in zip(head, *rows, strict=True))
    rule = ["-" * first, *("-" * (width - 1) + ":" for width in others)]
    lines = []
    for row in (head, rule, *rows):
        cells = [row[0].ljust(first), *(cell.rjust(width) for cell, width in zip(row[1:], others, strict=True))]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)
