"""What corearray costs before the first result: its import, the switch to a backend, the first use of a function, of all.

    python -m benchmarks.startup --backend numpy --json startup.json

Nothing that the framework does is charged to corearray: the framework is imported beforehand, and its own function has
been called before corearray's.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import json
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from time import perf_counter_ns
from typing import Any

from benchmarks.overhead import CALLS, NATIVE, call_of, sample_arrays
from benchmarks.timing import ROOT, child_environment, in_child, machine, numbered_table, summary

#: The most that each may cost, in milliseconds.
LIMITS = {"import": 50.0, "set_backend": 0.020, "first use": 1.0, "all functions": 150.0}

#: The most bytes that an `Array` may take beyond its data.
ARRAY_BYTES = 64

#: The ways to a function that are measured, each in processes of its own.
WAYS = ("ca.f", "be.f")

#: What a process that composes all functions is asked for.
ALL = "all"

#: What is measured of one backend, in milliseconds.
Report = dict[str, Any]


def taken_ms(action: Callable[[], object]) -> float:
    """Return how long an action takes, in milliseconds."""
    start = perf_counter_ns()
    action()
    return (perf_counter_ns() - start) / 1e6


def import_ms(rounds: int) -> dict[str, float]:
    """Time an empty Python, one that imports corearray and one that asks for a function, in turn.

    The functions are imported with the first of them or with the first backend. The bytecode is compiled beforehand.
    """
    programs = {"empty": "pass", "importing": "import corearray", "naming": "import corearray; corearray.add"}
    environment = child_environment()
    samples: dict[str, list[float]] = {name: [] for name in programs}
    for round_number in range(rounds + 1):
        for name in sorted(programs, reverse=bool(round_number % 2)):
            command = [sys.executable, "-c", programs[name]]
            start = perf_counter_ns()
            subprocess.run(command, cwd=ROOT, env=environment, check=True)
            samples[name].append((perf_counter_ns() - start) / 1e6)
    empty, importing, naming = (summary(samples[name][1:]) for name in programs)
    return {
        "empty": empty.median,
        "importing": importing.median,
        "import": importing.median - empty.median,
        "import by minimums": importing.minimum - empty.minimum,
        "import with the functions": naming.median - empty.median,
    }


def switching_ms(backend: str, rounds: int = 2000) -> dict[str, float]:
    """Time `set_backend` of a loaded backend; every switch is undone off the clock."""
    import corearray as ca

    samples = []
    for _ in range(rounds):
        samples.append(taken_ms(lambda: ca.set_backend(backend)))
        ca.previous_backend()
    return summary(samples)._asdict()


def first_uses_ms(be: Any, way: str, framework: object, spelled: dict[str, str]) -> dict[str, dict[str, float]]:
    """Time the first use of each function of the overhead benchmark on a loaded backend.

    Parameters
    ----------
    be
        The backend.
    way
        `"be.f"` for the first use of the backend's function, `"ca.f"` for that of the public one; a process shows one.
    framework, spelled
        The module of the framework's functions and how calls are spelled there; they are called first, since they may
        have something to do when they run for the first time.

    Returns
    -------
    By function: `"own"`, what corearray takes; `"running"`, the first call of the function less the second where
    nothing else is to be done, which is mostly what the framework compiles and keeps.
    """
    import corearray as ca

    arrays = sample_arrays(be)
    natives = {name: array.native for name, array in arrays.items()}
    times = {}
    for name, call in CALLS.items():
        _thunk(framework, spelled.get(name, call), natives)()
        if way == "be.f":
            own = taken_ms(partial(getattr, be, name))
            composed = _thunk(be, call, arrays)
            running = taken_ms(composed) - taken_ms(composed)
        else:
            own = taken_ms(partial(be.binding, name))
            native, public = _thunk(be.native, call, natives), _thunk(ca, call, arrays)
            running = taken_ms(native) - taken_ms(native)
            own += taken_ms(public) - taken_ms(public)
        times[name] = {"own": own, "running": running}
    return times


def composing_ms(be: Any) -> tuple[float, float]:
    """Time how all functions of a backend are composed, and how long the texts take of those that C leads.

    Their texts are written and compiled for the first call that C does not cover.
    """
    from corearray.calls.accelerated import python_of
    from corearray.contract.declaration import DECLARATIONS
    from corearray.errors import FunctionNotImplementedError

    composed = []
    be.devices()  # for which JAX and TensorFlow look when they are first asked

    def compose() -> None:
        for name in DECLARATIONS:
            with suppress(FunctionNotImplementedError):
                composed.append(be.binding(name).function)

    return taken_ms(compose), taken_ms(lambda: list(map(python_of, composed)))


def _thunk(owner: object, call: str, arrays: dict[str, Any]) -> Callable[[], object]:
    text, names = call_of(owner, call, arrays)
    thunk: Callable[[], object] = eval(f"lambda: {text}", names)
    return thunk


def measured(backend: str, way: str) -> Report:
    """Measure one backend in this process; without the backend, return the reason why there is nothing to measure."""
    import corearray as ca
    from corearray.errors import BackendNotFoundError, BackendVersionError

    module, spelled = NATIVE[backend]
    try:
        framework = importlib.import_module(module)
        gc.disable()
        loading = taken_ms(lambda: ca.get_backend(backend))
    except (ModuleNotFoundError, BackendNotFoundError, BackendVersionError) as error:
        return {"backend": backend, "left out": str(error)}
    be = ca.get_backend(backend)
    found: Report = {"backend": backend, "way": way, "loading": loading, "set_backend": switching_ms(backend)}
    if way == ALL:
        composing, writing = composing_ms(be)
        found |= {"all functions": composing, "their texts": writing, "array bytes": sys.getsizeof(be.ones(4))}
    else:
        found["functions"] = first_uses_ms(be, way, framework, spelled)
    return found


def combined(reports: Sequence[Report]) -> Report:
    """Return the medians over several processes of what was measured of one backend."""
    functions = {
        way: {
            name: {
                part: statistics.median(report["functions"][name][part] for report in reports if report["way"] == way)
                for part in ("own", "running")
            }
            for name in CALLS
        }
        for way in WAYS
    }
    whole = [report for report in reports if report["way"] == ALL]
    return {
        "backend": reports[0]["backend"],
        "loading": statistics.median(report["loading"] for report in reports),
        "set_backend": statistics.median(report["set_backend"]["median"] for report in reports),
        "first use": {way: statistics.median(parts["own"] for parts in functions[way].values()) for way in WAYS},
        "greatest first use": {way: max((functions[way][name]["own"], name) for name in CALLS) for way in WAYS},
        "functions": functions,
        "all functions": statistics.median(report["all functions"] for report in whole),
        "their texts": statistics.median(report["their texts"] for report in whole),
        "array bytes": max(report["array bytes"] for report in whole),
    }


def table(reports: Sequence[Report]) -> str:
    """Return the figures of the backends as Markdown."""
    head = ["", "loading, ms", "set_backend, µs"]
    for way in WAYS:
        head += [f"first use of {way}, µs", "the greatest"]
    head += ["all functions, ms", "their texts, ms", "Array, bytes"]
    rows = []
    for report in reports:
        row = [report["backend"], f"{report['loading']:.1f}", f"{1e3 * report['set_backend']:.2f}"]
        for way in WAYS:
            greatest, name = report["greatest first use"][way]
            row += [f"{1e3 * report['first use'][way]:.0f}", f"{1e3 * greatest:.0f} ({name})"]
        row += [f"{report['all functions']:.0f}", f"{report['their texts']:.0f}", f"{report['array bytes']}"]
        rows.append(row)
    return numbered_table(head, rows)


def excesses(imports: dict[str, float], reports: Sequence[Report]) -> list[str]:
    """Return a line for every limit that is exceeded."""
    found = [("import corearray", imports["import"], LIMITS["import"])]
    for report in reports:
        found.append((f"{report['backend']}: set_backend", report["set_backend"], LIMITS["set_backend"]))
        for way in WAYS:
            found.append((f"{report['backend']}: first use of {way}", report["first use"][way], LIMITS["first use"]))
        found.append(
            (f"{report['backend']}: composing all functions", report["all functions"], LIMITS["all functions"])
        )
    lines = [f"{what} takes {value:.3f} ms, the limit is {limit} ms" for what, value, limit in found if value > limit]
    return lines + [
        f"{report['backend']}: an Array takes {report['array bytes']} bytes, the limit is {ARRAY_BYTES}"
        for report in reports
        if report["array bytes"] > ARRAY_BYTES
    ]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.startup", description=__doc__.partition("\n")[0])
    parser.add_argument("--backend", action="append", choices=list(NATIVE), help="measure this one (repeatable; all)")
    parser.add_argument("--rounds", type=int, default=20, help="processes for the import (default: %(default)s)")
    parser.add_argument(
        "--processes", type=int, default=3, help="processes for each way on each backend (default: %(default)s)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures there")
    parser.add_argument("--check", action="store_true", help="exit 1 if a limit is exceeded")
    parser.add_argument("--inner", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inner:
        print(json.dumps(measured(*options.inner)))
        return 0
    about, reports, failures = machine(), [], []
    imports = import_ms(options.rounds)
    print(
        f"import corearray: {imports['import']:.1f} ms ({imports['import by minimums']:.1f} by minimums; with the "
        f"functions {imports['import with the functions']:.1f}) beyond the {imports['empty']:.1f} ms of an empty Python\n"
    )
    for backend in options.backend or NATIVE:
        print(f"measuring {backend} …", file=sys.stderr, flush=True)
        found = [in_child("benchmarks.startup", "--inner", backend, way) for way in (*WAYS, ALL) * options.processes]
        failed = [report["failed"] for report in found if "failed" in report]
        if failed:
            failures.append(f"{backend}: {failed[0]}")
        elif "left out" in found[0]:
            print(f"{backend} is left out: {found[0]['left out']}", file=sys.stderr)
        else:
            reports.append(combined(found))
    if reports:
        print(table(reports))
    if options.json:
        content = {"machine": about, "unit": "ms", "limits": LIMITS, "import": imports, "backends": reports}
        options.json.write_text(json.dumps(content, indent=1), encoding="utf-8")
    if options.check:
        failures += excesses(imports, reports)
    for line in failures or ["every limit is kept"] * options.check:
        print(line, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
