"""What a call costs through corearray, against the framework's public function, on arrays of 4 elements.

    python -m benchmarks.overhead --backend numpy --backend torch --markdown overhead.md

On so small an array the arithmetic takes no time: what is seen is the way from the call to the framework and back. The
backend is set as programs set it; with `--inferred` none is, and the public functions find it by their arrays.
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.timing import Run, Timing, in_child, looped, machine, measure, numbered_table

#: The greatest geometric means over the functions of the ratios to the framework's public function.
LIMITS = {
    "be.native.f": {"numpy": 0.70, "torch": 1.02, "jax": 0.70, "tensorflow": 0.70},
    "be.f": {"numpy": 0.80, "torch": 1.06, "jax": 0.75, "tensorflow": 0.75},
    "ca.f": {"numpy": 0.80, "torch": 1.06, "jax": 0.75, "tensorflow": 0.75},
}

#: The calls, on vectors `x` and `y`, a matrix `m` and a boolean vector `c`, of 4 elements each.
CALLS = {
    "add": "add(x, y)",
    "multiply": "multiply(x, y)",
    "sin": "sin(x)",
    "exp": "exp(x)",
    "sqrt": "sqrt(x)",
    "greater": "greater(x, y)",
    "maximum": "maximum(x, y)",
    "sum": "sum(x)",
    "mean": "mean(x)",
    "max": "max(x)",
    "argmax": "argmax(m, axis=1)",
    "reshape": "reshape(x, (2, 2))",
    "concat": "concat([x, y])",
    "matmul": "matmul(m, m)",
    "where": "where(c, x, y)",
    "expand_dims": "expand_dims(x, 0)",
}
OPERATORS = ("x + y", "x * y", "x < y")

#: By backend, the module of the framework's public functions and the calls that are spelled differently there.
NATIVE: dict[str, tuple[str, dict[str, str]]] = {
    "numpy": ("numpy", {"concat": "concatenate([x, y])"}),
    "torch": ("torch", {"argmax": "argmax(m, dim=1)", "expand_dims": "unsqueeze(x, 0)"}),
    "jax": ("jax.numpy", {"concat": "concatenate([x, y])"}),
    "tensorflow": (
        "tensorflow",
        {"sum": "reduce_sum(x)", "mean": "reduce_mean(x)", "max": "reduce_max(x)", "concat": "concat([x, y], 0)"},
    ),
}

FUNCTION_COLUMNS = ("native", "be.native.f", "be.f", "ca.f")
OPERATOR_COLUMNS = ("native", "Array")

#: The result of one backend: its name and versions, and by row and column the time of one call.
Report = dict[str, Any]


def sample_arrays(be: Any) -> dict[str, Any]:
    """Return the arrays of the calls on a backend."""
    return {
        "x": be.asarray([0.1, 0.2, 0.3, 0.4], dtype=be.float32),
        "y": be.asarray([0.4, 0.3, 0.2, 0.1], dtype=be.float32),
        "m": be.asarray([[0.1, 0.2], [0.3, 0.4]], dtype=be.float32),
        "c": be.asarray([True, False, True, False], dtype=be.bool),
    }


def call_of(owner: object, call: str, arrays: Mapping[str, object]) -> tuple[str, dict[str, object]]:
    """Return a call such as `"add(x, y)"` of one of `owner`'s functions as `"f(x, y)"`, and the values of its names."""
    name, _, arguments = call.partition("(")
    return f"f({arguments}", {"f": getattr(owner, name), **arrays}


def rows_of(backend: str, *, inferred: bool) -> tuple[Any, dict[str, dict[str, Run]]]:
    """Load a backend and return it with everything to be timed, by row and column; `inferred` does not set it."""
    import corearray as ca

    be = ca.get_backend(backend) if inferred else ca.set_backend(backend)
    module, spelled = NATIVE[backend]
    framework = importlib.import_module(module)
    arrays = sample_arrays(be)
    natives = {name: array.native for name, array in arrays.items()}
    rows: dict[str, dict[str, Run]] = {}
    for name, call in CALLS.items():
        rows[name] = {
            "native": looped(*call_of(framework, spelled.get(name, call), natives)),
            "be.native.f": looped(*call_of(be.native, call, natives)),
            "be.f": looped(*call_of(be, call, arrays)),
            "ca.f": looped(*call_of(ca, call, arrays)),
        }
    for call in OPERATORS:
        rows[call] = {"native": looped(call, natives), "Array": looped(call, arrays)}
    return be, rows


def measured(backend: str, rounds: int, *, inferred: bool) -> Report:
    """Measure one backend in this process; without the backend, return the reason why there is nothing to measure."""
    from corearray.errors import BackendNotFoundError, BackendVersionError

    try:
        be, rows = rows_of(backend, inferred=inferred)
    except (BackendNotFoundError, BackendVersionError) as error:
        return {"backend": backend, "left out": str(error)}
    return {
        "backend": backend,
        "framework": f"{be.framework} {be.framework_version}",
        "plugin": be.plugin_version,
        "rows": {
            row: {column: timing._asdict() for column, timing in columns.items()}
            for row, columns in measure(rows, rounds).items()
        },
    }


def ratio(report: Report, row: str, column: str, statistic: Callable[[Timing], float]) -> float:
    """Return how many times as long as the framework's own call a call takes."""
    times = report["rows"][row]
    return statistic(Timing(**times[column])) / statistic(Timing(**times["native"]))


def mean_ratio(report: Report, column: str, statistic: Callable[[Timing], float] = lambda t: t.ratio) -> float:
    """Return the geometric mean of a column's ratios over its rows."""
    rows = OPERATORS if column == "Array" else CALLS
    return math.exp(math.fsum(math.log(ratio(report, row, column, statistic)) for row in rows) / len(rows))


def excesses(reports: Sequence[Report]) -> list[str]:
    """Return a line for every limit that a report exceeds."""
    lines = []
    for report in reports:
        for column, limits in LIMITS.items():
            found, limit = mean_ratio(report, column), limits[report["backend"]]
            if found > limit:
                lines.append(f"{report['backend']}: {column} costs {found:.3f} times the native call, limit {limit}")
    return lines


def markdown(reports: Sequence[Report], about: Mapping[str, Any], rounds: int) -> str:
    """Return all figures as Markdown: first the geometric means, then a table a backend."""
    parts = ["# Cost of a call on 4 elements", ", ".join(f"{key} {value}" for key, value in about.items()) + "."]
    parts.append(
        f"Ratios to the framework's public function, geometric means over {len(CALLS)} functions (Array: over "
        f"{len(OPERATORS)} operators): of the medians of those in {rounds} rounds, in brackets of the minimums; ≤ the limit."
    )
    summaries = []
    for column in (*FUNCTION_COLUMNS[1:], "Array"):
        cells = [column]
        for report in reports:
            limit = LIMITS.get(column, {}).get(report["backend"])
            of_medians, of_minimums = mean_ratio(report, column), mean_ratio(report, column, lambda t: t.minimum)
            cells.append(f"{of_medians:.3f} ({of_minimums:.3f})" + (f" ≤ {limit:.2f}" if limit else ""))
        summaries.append(cells)
    parts.append(numbered_table(["", *(report["backend"] for report in reports)], summaries))
    for report in reports:
        parts.append(f"## {report['backend']}: {report['framework']}, plugin {report['plugin']}")
        parts.append("Native: ns, median (minimum). Others: ns more than native, and the ratio, by medians (minimums).")
        parts.append(_details(report, list(CALLS), FUNCTION_COLUMNS))
        parts.append(_details(report, OPERATORS, OPERATOR_COLUMNS))
    return "\n\n".join(parts) + "\n"


def _details(report: Report, rows: Sequence[str], columns: Sequence[str]) -> str:
    lines = []
    for row in rows:
        native, *others = (Timing(**report["rows"][row][column]) for column in columns)
        lines.append([f"`{row}`", f"{native.median:.0f} ({native.minimum:.0f})"])
        for other in others:
            more, least = other.median - native.median, other.minimum - native.minimum
            ratios = f"{other.ratio:.2f} ({other.minimum / native.minimum:.2f})"
            lines[-1].append(f"{more:+.0f} ({least:+.0f}), {ratios}")
    return numbered_table(["", *columns], lines)


def arguments(line: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.overhead", description=__doc__.partition("\n")[0])
    parser.add_argument("--backend", action="append", choices=list(NATIVE), help="measure this one (repeatable; all)")
    parser.add_argument("--rounds", type=int, default=300, help="how often each call is timed (default: %(default)s)")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables there")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there")
    parser.add_argument("--check", action="store_true", help="exit 1 if a limit is exceeded or a named backend missing")
    parser.add_argument("--inferred", action="store_true", help="set no backend")
    parser.add_argument("--inner", choices=list(NATIVE), help=argparse.SUPPRESS)
    return parser.parse_args(line)


def main() -> int:
    options = arguments()
    if options.inner:
        print(json.dumps(measured(options.inner, options.rounds, inferred=options.inferred)))
        return 0
    about, reports, failures = machine(), [], []
    for backend in options.backend or NATIVE:
        print(f"measuring {backend} …", file=sys.stderr, flush=True)
        more = ["--inferred"] * options.inferred
        report = in_child("benchmarks.overhead", "--inner", backend, "--rounds", str(options.rounds), *more)
        if "left out" in report:
            print(f"{backend} is left out: {report['left out']}", file=sys.stderr)
            if options.check and options.backend:
                failures.append(f"{backend} was asked for and is left out")
        elif "failed" in report:
            failures.append(f"{backend}: {report['failed']}")
        else:
            reports.append(report)
    text = markdown(reports, about, options.rounds) if reports else "Nothing was measured.\n"
    print(text)
    if options.markdown:
        options.markdown.write_text(text, encoding="utf-8")
    if options.json:
        content = {"machine": about, "rounds": options.rounds, "unit": "ns", "limits": LIMITS, "backends": reports}
        options.json.write_text(json.dumps(content, indent=1), encoding="utf-8")
    if options.check:
        failures += excesses(reports)
    for line in failures or ["every limit is kept"] * options.check:
        print(line, file=sys.stderr)
    return 1 if failures or not reports else 0


if __name__ == "__main__":
    sys.exit(main())
