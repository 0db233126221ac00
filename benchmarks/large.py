"""What large arrays cost through corearray, in time and in memory, against the framework's public function.

    python -m benchmarks.large --backend numpy --backend torch --markdown large.md

On a million elements the way to the framework and back is a few parts in a thousand: a greater ratio is a copy, a
conversion or a kernel too many. The column `again` times the native call once more, and tells how far to trust the others.
Where a process happens to have its memory makes a hundredth more or less, so that there are several.
Memory is what the process holds at most during one call, on arrays of 16 million elements, beyond what it held before.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import operator
import statistics
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.known import known
from benchmarks.overhead import NATIVE
from benchmarks.timing import Timing, in_child, looped, machine, measure, numbered_table

#: The greatest ratio of times, how far from it nothing is known, and the most memory beyond the native call's, in MB: what the
#: process does beside.
LIMIT, UNKNOWN, MEMORY_LIMIT = 1.02, 0.01, 2.0

#: The calls, on vectors `x`, `y` and `z`, a boolean `c` and indices `i` of a million elements, and matrices `m`, 1000 by 1000.
CALLS = {
    "add": "add(x, y)",
    "multiply": "multiply(x, y)",
    "sin": "sin(x)",
    "exp": "exp(x)",
    "sqrt": "sqrt(x)",
    "greater": "greater(x, y)",
    "maximum": "maximum(x, y)",
    "where": "where(c, x, y)",
    "sum": "sum(x)",
    "sum of rows": "sum(m, axis=1)",
    "mean": "mean(x)",
    "max": "max(x)",
    "argmax": "argmax(m, axis=1)",
    "matmul": "matmul(m, m)",
    "take": "take(x, i)",
    "x[i]": "x[i]",
    "x[c]": "x[c]",
    "z += y": "iadd(z, y)",
}

#: By backend, what is spelled differently there. JAX computes when it is asked to: both sides wait for the result.
SPELLED: dict[str, dict[str, str]] = {
    "numpy": {},
    "torch": {
        "sum of rows": "sum(m, dim=1)",
        "argmax": "argmax(m, dim=1)",
        "take": "index_select(x, 0, i)",
    },
    "jax": {"z += y": "iadd(name, y)"},
    "tensorflow": {
        "sum": "reduce_sum(x)",
        "sum of rows": "reduce_sum(m, axis=1)",
        "mean": "reduce_mean(x)",
        "max": "reduce_max(x)",
        "take": "gather(x, i)",
        "x[i]": "gather(x, i)",
        "x[c]": "boolean_mask(x, c)",
        "z += y": "iadd(name, y)",
    },
}


class _Name:
    """A name in a program: where arrays never change, `z += y` gives it another one, and then the old one goes."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __iadd__(self, other: Any) -> Any:
        self.array += other
        return self.array


#: The result of one backend: its versions, and by call and column the time of one call and its memory.
Report = dict[str, Any]


def sample_arrays(be: Any, size: int) -> dict[str, Any]:
    """Return the arrays of the calls, of about `size` elements."""
    import corearray as ca

    rng = ca.random.Generator(7, native=True)
    side = round(size**0.5)
    x, y = (rng.uniform(0.1, 1.0, shape=side * side, dtype=be.float32) for _ in range(2))
    indices = rng.integers(side * side, shape=side * side, dtype=be.int64)
    return {"x": x, "y": y, "z": be.asarray(y, copy=True), "m": be.reshape(x, (side, side)), "c": x > y, "i": indices}


def calls_of(
    owner: object, call: str, arrays: dict[str, Any], wait: Callable[[Any], Any] | None
) -> tuple[str, dict[str, Any]]:
    """Return a call with the names in it, and around it what waits for the result."""
    names = dict(arrays)
    if "(" in call:
        function, _, arguments = call.partition("(")
        names["f"] = getattr(owner, function, None) or getattr(operator, function)
        call = f"f({arguments}"
    return (call, names) if wait is None else (f"wait({call})", {**names, "wait": wait})


def columns_of(backend: str, size: int) -> tuple[Any, dict[str, dict[str, tuple[str, dict[str, Any]]]]]:
    """Load a backend and return it with all calls, by row and column."""
    import corearray as ca

    be = ca.set_backend(backend)
    framework = importlib.import_module(NATIVE[backend][0])
    arrays = sample_arrays(be, size)
    natives = {name: array.native for name, array in arrays.items()}
    natives["name"] = _Name(natives["z"])
    wait = wait_wrapped = None
    if backend == "jax":
        wait = importlib.import_module("jax").block_until_ready
        wait_wrapped = lambda x: wait(x.native)  # noqa: E731
    rows = {}
    for name, call in CALLS.items():
        native = calls_of(framework, SPELLED[backend].get(name, call), natives, wait)
        rows[name] = {
            "native": native,
            "again": native,
            "be.f": calls_of(be, call, arrays, wait_wrapped),
            "ca.f": calls_of(ca, call, arrays, wait_wrapped),
        }
        excess = known("large", name, backend, f"{be.framework} {be.framework_version}")
        if excess and excess.same:
            rows[name]["same"] = calls_of(framework, excess.same, {**natives, "inside": inside}, wait)
    return be, rows


def inside(indices: Any, length: int) -> Any:
    """Return indices on a CPU that lie inside."""
    values = np.asarray(indices)
    if values.min() < -length or values.max() >= length:
        raise IndexError(f"an index is outside, of {length} elements")
    return indices


def peak_mb(call: str, names: dict[str, Any]) -> float:
    """Return how much more memory the process holds at most during a call than before it."""
    code = compile(call, "<call>", "eval")
    eval(code, names)
    peaks = []
    for _ in range(3):
        gc.collect()
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
        before = _status("VmRSS")
        kept = eval(code, names)
        peaks.append(_status("VmHWM") - before)
        del kept
    return statistics.median(peaks)


def _status(field: str) -> float:
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) / 1024
    raise LookupError(field)


def measured(backend: str, rounds: int) -> Report:
    """Measure one backend in this process; without the backend, return the reason why there is nothing to measure."""
    from corearray.errors import BackendNotFoundError, BackendVersionError

    try:
        be, rows = columns_of(backend, 1_000_000)
    except (BackendNotFoundError, BackendVersionError) as error:
        return {"backend": backend, "left out": str(error)}
    timed = {row: {column: looped(*call) for column, call in columns.items()} for row, columns in rows.items()}
    times = measure(timed, rounds)
    del rows, timed
    memory = {}
    if Path("/proc/self/clear_refs").exists():
        for row, columns in columns_of(backend, 16_000_000)[1].items():
            if row not in ("matmul", "x[c]"):  # many seconds, and a length that is not known beforehand
                memory[row] = {column: peak_mb(*columns[column]) for column in ("native", "ca.f")}
    return {
        "backend": backend,
        "framework": f"{be.framework} {be.framework_version}",
        "times": {row: {column: timing._asdict() for column, timing in found.items()} for row, found in times.items()},
        "memory": memory,
    }


def merged(values: Sequence[Any]) -> Any:
    """Return the medians of the numbers in several reports of one backend, which are equal otherwise."""
    first = values[0]
    if isinstance(first, dict):
        return {key: merged([value[key] for value in values]) for key in first}
    return statistics.median(values) if isinstance(first, float) else first


def ratio(report: Report, row: str, column: str) -> float:
    """Return how many times as long as the native call a call takes."""
    return Timing(**report["times"][row][column]).ratio


def table(report: Report) -> str:
    """Return the figures of a backend as Markdown."""
    rows = []
    for row, times in report["times"].items():
        memory = report["memory"].get(row)
        shown = ["", ""] if memory is None else [f"{memory[column]:.0f}" for column in ("native", "ca.f")]
        ratios = [f"{ratio(report, row, column):.3f}" for column in ("again", "be.f", "ca.f")]
        rows.append([f"`{row}`", f"{Timing(**times['native']).median / 1e3:.0f}", *ratios, *shown])
    head = ["", "native, µs", "again", "be.f", "ca.f", "native, MB", "ca.f, MB"]
    text = f"### {report['backend']}: {report['framework']}\n\n{numbered_table(head, rows)}\n"
    for row, times in report["times"].items():
        if "same" in times:
            by_hand = f"{ratio(report, row, 'ca.f') / ratio(report, row, 'same'):.3f}"
            text += f"\n`{row}`: `ca.f` takes {by_hand} times as long as what users write to have the same result.\n"
    return text


def excesses(report: Report) -> list[str]:
    """Return a line for every limit that is exceeded by more than what is known: the native call differs from itself, too."""
    found = []
    for row in report["times"]:
        noise = max(abs(ratio(report, row, "again") - 1.0), UNKNOWN)
        excess = known("large", row, report["backend"], report["framework"])
        limit = excess.limit if excess else LIMIT
        same = ratio(report, row, "same") if "same" in report["times"][row] else None
        for column in ("be.f", "ca.f"):
            if ratio(report, row, column) > limit + noise:
                found.append(f"{report['backend']}: {column} of {row} {ratio(report, row, column):.3f}, limit {limit}")
            if same and ratio(report, row, column) / same > LIMIT + noise:
                found.append(
                    f"{report['backend']}: {column} of {row} {ratio(report, row, column) / same:.3f} of what gives the same "
                    f"result, limit {LIMIT}"
                )
    for row, memory in report["memory"].items():
        if memory["ca.f"] > memory["native"] + MEMORY_LIMIT:
            found.append(f"{report['backend']}: {row} holds {memory['ca.f']:.0f} MB, natively {memory['native']:.0f}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.large", description=__doc__.partition("\n")[0])
    parser.add_argument("--backend", action="append", choices=list(NATIVE), help="measure this one (repeatable; all)")
    parser.add_argument("--rounds", type=int, default=50, help="how often each call is timed (default: %(default)s)")
    parser.add_argument("--processes", type=int, default=5, help="in how many processes (default: %(default)s)")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables there")
    parser.add_argument("--check", action="store_true", help="exit 1 if a limit is exceeded")
    parser.add_argument("--inner", choices=list(NATIVE), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inner:
        print(json.dumps(measured(options.inner, options.rounds)))
        return 0
    about, failures, tables = machine(), [], []
    for backend in options.backend or NATIVE:
        print(f"measuring {backend} …", file=sys.stderr, flush=True)
        given = ("--inner", backend, "--rounds", str(options.rounds))
        reports = [in_child("benchmarks.large", *given) for _ in range(options.processes)]
        failed = [report["failed"] for report in reports if "failed" in report]
        if failed:
            failures.append(f"{backend}: {failed[0]}")
        elif "left out" in reports[0]:
            print(f"{backend} is left out: {reports[0]['left out']}", file=sys.stderr)
        else:
            report = merged(reports)
            tables.append(table(report))
            failures += excesses(report) if options.check else []
    text = "\n".join([f"{about['processor']}, {about['cores']} cores, Python {about['python']}\n", *tables])
    print(text)
    if options.markdown:
        options.markdown.write_text(text, encoding="utf-8")
    for line in failures or ["every limit is kept"] * options.check:
        print(line, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
