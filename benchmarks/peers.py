"""corearray beside other libraries for one program on several frameworks: calls, imports and switches.

    python -m benchmarks.peers --backend numpy --write docs/measurements.md

Every library computes the same functions of the same arrays in one process, in turn. Each gets them in the form that it
works on: wrapped ones corearray and EagerPy, native ones the others. What a library cannot do is left out of its row.
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import perf_counter_ns
from typing import Any

from benchmarks.overhead import CALLS, NATIVE, call_of, sample_arrays
from benchmarks.timing import ROOT, Run, child_environment, in_child, looped, machine, measure, numbered_table

#: By column, what it stands for. The first three are corearray's.
COLUMNS = {
    "ca.f": "`corearray.f` on `Array`s",
    "be.f": "`be.f` on `Array`s, of a backend at hand",
    "be.native.f": "`be.native.f` on native arrays",
    "compat": "array-api-compat, its namespace looked up once",
    "compat, looked up": "array-api-compat, `array_namespace(x).f` in each call",
    "autoray": "autoray, `do('f', …)`",
    "autoray, bound": "autoray, `get_namespace(x)` looked up once",
    "eagerpy": "EagerPy on its wrapped tensors",
    "tensorly": "TensorLy, `tl.f`",
    "keras": "`keras.ops.f`",
}

#: What each of corearray's ways to call must not be slower than, function by function.
RIVALS = {"ca.f": ("compat, looked up", "autoray", "eagerpy", "tensorly", "keras"), "be.native.f": ("autoray, bound",)}

#: How much slower a bare native call may be than the framework's public function.
BARE = 1.03

#: By library, the distribution that it is found under, and a program that imports it.
LIBRARIES = {
    "corearray": ("corearray", "import corearray"),
    "corearray, with its functions": ("corearray", "import corearray; corearray.add"),
    "array-api-compat": ("array-api-compat", "import array_api_compat"),
    "autoray": ("autoray", "import autoray"),
    "EagerPy": ("eagerpy", "import eagerpy"),
    "TensorLy": ("tensorly", "import tensorly"),
    "Keras, on NumPy": ("keras", "import keras"),
}

#: What EagerPy names differently.
_EAGERPY = {
    "add": "x + y", "multiply": "x * y", "greater": "x > y", "sum": "x.sum()", "mean": "x.mean()", "max": "x.max()",
    "argmax": "m.argmax(axis=1)", "reshape": "x.reshape((2, 2))", "concat": "f([x, y], axis=0)",
    "matmul": "m.matmul(m)", "expand_dims": "x.expand_dims(0)", "sin": "x.sin()", "exp": "x.exp()",
    "sqrt": "x.sqrt()", "maximum": "f(x, y)", "where": "f(c, x, y)",
}  # fmt: skip

#: The markers between which the tables stand in a document.
_BEGIN, _END = "<!-- begin: python -m benchmarks.peers -->", "<!-- end -->"


def spelled(call: str) -> str:
    """Return a call as the libraries spell it that follow NumPy of old."""
    return call.replace("concat(", "concatenate(")


def calls_of(backend: str, arrays: Mapping[str, Any], natives: Mapping[str, Any]) -> dict[str, Callable[[str], Run]]:
    """Return by column what makes a loop of a call of the table; a column whose library is missing is left out."""
    import corearray as ca

    be = ca.get_backend(backend)
    found: dict[str, Callable[[str], Run]] = {
        "ca.f": lambda call: looped(*call_of(ca, call, arrays)),  # type: ignore[arg-type]
        "be.f": lambda call: looped(*call_of(be, call, arrays)),  # type: ignore[arg-type]
        "be.native.f": lambda call: looped(*call_of(be.native, call, natives)),  # type: ignore[arg-type]
    }
    for add in (_compat, _autoray, _eagerpy, _tensorly, _keras):
        try:
            found |= add(backend, natives)
        except (ImportError, ValueError, TypeError, AttributeError) as error:
            print(f"{backend}: left out, {add.__name__[1:]}: {error}", file=sys.stderr)
    return found


def _compat(backend: str, natives: Mapping[str, Any]) -> dict[str, Callable[[str], Run]]:
    from array_api_compat import array_namespace

    xp = array_namespace(natives["x"])

    def looked_up(call: str) -> Run:
        name, _, rest = call.partition("(")
        first = "c" if name == "where" else "m" if "m" in rest else "x"
        return looped(f"array_namespace({first}).{call}", {"array_namespace": array_namespace, **natives})

    return {"compat": lambda call: looped(*call_of(xp, call, natives)), "compat, looked up": looked_up}  # type: ignore[arg-type]


def _autoray(backend: str, natives: Mapping[str, Any]) -> dict[str, Callable[[str], Run]]:
    import autoray

    xp = autoray.get_namespace(natives["x"])

    def do(call: str) -> Run:
        name, _, rest = spelled(call).partition("(")
        return looped(f"do('{name}', {rest}", {"do": autoray.do, **natives})

    return {"autoray": do, "autoray, bound": lambda call: looped(*call_of(xp, spelled(call), natives))}  # type: ignore[arg-type]


def _eagerpy(backend: str, natives: Mapping[str, Any]) -> dict[str, Callable[[str], Run]]:
    import eagerpy

    wrapped = {name: eagerpy.astensor(x) for name, x in natives.items()}

    def method(call: str) -> Run:
        name = call.partition("(")[0]
        functions = {"concat": eagerpy.concatenate, "maximum": eagerpy.maximum, "where": eagerpy.where}
        return looped(_EAGERPY[name], {"f": functions.get(name), **wrapped})

    return {"eagerpy": method}


def _tensorly(backend: str, natives: Mapping[str, Any]) -> dict[str, Callable[[str], Run]]:
    import tensorly

    tensorly.set_backend({"torch": "pytorch"}.get(backend, backend))
    return {"tensorly": lambda call: looped(*call_of(tensorly, spelled(call), natives))}  # type: ignore[arg-type]


def _keras(backend: str, natives: Mapping[str, Any]) -> dict[str, Callable[[str], Run]]:
    import keras

    if keras.config.backend() != backend:
        raise ValueError(f"it was started on '{keras.config.backend()}'")
    return {"keras": lambda call: looped(*call_of(keras.ops, spelled(call), natives))}  # type: ignore[arg-type]


def measured(backend: str, rounds: int) -> dict[str, Any]:
    """Measure all libraries on one framework in this process."""
    import corearray as ca

    be = ca.set_backend(backend)
    module, of_framework = NATIVE[backend]
    framework = importlib.import_module(module)
    arrays = sample_arrays(be)
    natives = {name: array.native for name, array in arrays.items()}
    columns = calls_of(backend, arrays, natives)
    ca.set_backend(backend)
    rows: dict[str, dict[str, Run]] = {}
    for name, call in CALLS.items():
        rows[name] = {"native": looped(*call_of(framework, of_framework.get(name, call), natives))}
        for column, loop_of in columns.items():
            try:
                run = loop_of(call)
                run(1)
            except Exception as error:  # whatever a library raises, that function is not to be had from it
                print(f"{backend}: {column} has no '{name}': {type(error).__name__}: {error}", file=sys.stderr)
            else:
                rows[name][column] = run
    timings = measure(rows, rounds)
    return {
        "backend": backend,
        "framework": f"{be.framework} {be.framework_version}",
        "ns": {row: {column: t.median for column, t in found.items()} for row, found in timings.items()},
        "switch": switching_us(backend),
    }


def switching_us(backend: str, rounds: int = 2000) -> dict[str, float]:
    """Time a switch to a loaded backend, in microseconds, of the libraries that have one."""
    import corearray as ca

    def median_of(switch: Callable[[], object]) -> float:
        samples = []
        for _ in range(rounds):
            start = perf_counter_ns()
            switch()
            samples.append(perf_counter_ns() - start)
        return statistics.median(samples) / 1e3

    def there_and_back() -> None:
        ca.set_backend(backend)
        ca.previous_backend()

    found = {"corearray": median_of(there_and_back)}
    if "tensorly" in sys.modules:
        import tensorly

        name = {"torch": "pytorch"}.get(backend, backend)
        found["TensorLy"] = median_of(lambda: tensorly.set_backend(name))
    return found


def imports_ms(rounds: int) -> dict[str, float]:
    """Time the import of each library beyond an empty Python, and beyond the frameworks' that it imports, in milliseconds."""
    programs = {"": "pass"} | {name: program for name, (_, program) in LIBRARIES.items() if _version(name)}
    environment = {**child_environment(), "KERAS_BACKEND": "numpy"}
    samples: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(rounds + 1):
        for name, program in programs.items():
            start = perf_counter_ns()
            subprocess.run([sys.executable, "-c", program], cwd=ROOT, env=environment, check=True, capture_output=True)
            samples[name].append((perf_counter_ns() - start) / 1e6)
    empty, *others = (statistics.median(samples[name][1:]) for name in programs)
    return {name: time - empty for name, time in zip(list(programs)[1:], others, strict=True)}


def _version(library: str) -> str:
    """Return the installed version of a library, nothing if there is none."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(LIBRARIES[library][0])
    except PackageNotFoundError:
        return ""


def mean_ratio(found: Mapping[str, Mapping[str, float]], column: str, of: str = "native") -> tuple[float, int]:
    """Return the geometric mean of the ratios of two columns, and over how many functions."""
    ratios = [columns[column] / columns[of] for columns in found.values() if column in columns]
    return (math.exp(math.fsum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan, len(ratios))


def slower(report: Mapping[str, Any]) -> list[str]:
    """Name the calls in which corearray is slower than it is to be."""
    lines = []
    for name, times in report["ns"].items():
        for ours, rivals in RIVALS.items():
            lines += [
                f"{report['backend']}: {ours} '{name}' takes {times[ours]:.0f} ns, {rival} {times[rival]:.0f} ns"
                for rival in rivals
                if rival in times and times[ours] > times[rival]
            ]
    bare = mean_ratio(report["ns"], "be.native.f")[0]
    return lines + [f"{report['backend']}: be.native.f costs {bare:.3f} times the native call, limit {BARE}"] * (
        bare > BARE
    )


def markdown(reports: Sequence[Mapping[str, Any]], imports: Mapping[str, float]) -> str:
    """Return the figures as Markdown: means, imports and switches, then a table a framework."""
    about = ", ".join(f"{key} {value}" for key, value in machine().items() if key != "load")
    named = [name for name in LIBRARIES if not name.startswith("corearray, ")]
    versions = ", ".join(f"{name} {_version(name)}" for name in named if _version(name))
    parts = [
        f"Measured on: {about}. Versions: {', '.join(r['framework'] for r in reports)}; {versions}.",
        "Time of a call on 4 elements as a multiple of the framework's public function, geometric mean over the functions"
        " that the library has, whose number stands in brackets where it is not all of them.",
    ]
    rows = []
    for column, text in COLUMNS.items():
        cells = [text]
        for report in reports:
            ratio, count = mean_ratio(report["ns"], column)
            cells.append("–" if not count else f"{ratio:.2f}" + (f" ({count})" if count < len(CALLS) else ""))
        rows.append(cells)
    parts.append(numbered_table(["", *(report["backend"] for report in reports)], rows))
    switches: dict[str, list[float]] = {}
    for report in reports:
        for name, time in report["switch"].items():
            switches.setdefault(name, []).append(time)
    parts.append("Import, beyond an empty Python, and switch to a backend that is loaded.")
    rows = [
        [name, f"{time:.0f}", f"{statistics.median(switches[name]):.1f}" if name in switches else "–"]
        for name, time in imports.items()
    ]
    parts.append(numbered_table(["", "import, ms", "switch, µs"], rows))
    for report in reports:
        columns = [c for c in COLUMNS if any(c in times for times in report["ns"].values())]
        parts.append(f"{report['framework']}: the framework's public function in ns, and multiples of it.")
        rows = [
            [f"`{name}`", f"{times['native']:.0f}"]
            + [f"{times[c] / times['native']:.2f}" if c in times else "–" for c in columns]
            for name, times in report["ns"].items()
        ]
        parts.append(numbered_table(["", "native", *columns], rows))
    return "\n\n".join(parts) + "\n"


def write_into(document: Path, text: str) -> None:
    """Put the tables into a document, between the markers that it has for them."""
    before, begin, rest = document.read_text(encoding="utf-8").partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not (begin and end):
        raise SystemExit(f"'{document}' lacks the lines '{_BEGIN}' and '{_END}' between which the tables are to stand")
    document.write_text(f"{before}{begin}\n\n{text}\n{end}{after}", encoding="utf-8")


def arguments(line: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__.partition("\n")[0])
    parser.add_argument("--backend", action="append", choices=list(NATIVE), help="measure this one (repeatable; all)")
    parser.add_argument("--rounds", type=int, default=200, help="how often each call is timed (default: %(default)s)")
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="put the tables between the markers of this document"
    )
    parser.add_argument("--check", action="store_true", help="exit 1 if corearray is slower than a library somewhere")
    parser.add_argument("--inner", choices=list(NATIVE), help=argparse.SUPPRESS)
    return parser.parse_args(line)


def main() -> int:
    options = arguments()
    if options.inner:
        print(json.dumps(measured(options.inner, options.rounds)))
        return 0
    reports: list[Any] = []
    for backend in options.backend or NATIVE:
        print(f"measuring {backend} …", file=sys.stderr, flush=True)
        os.environ["KERAS_BACKEND"] = backend
        report = in_child("benchmarks.peers", "--inner", backend, "--rounds", str(options.rounds))
        if "failed" in report:
            print(report["failed"], file=sys.stderr)
            return 1
        reports.append(report)
    text = markdown(reports, imports_ms(max(5, options.rounds // 20)))
    print(text)
    if options.write:
        write_into(options.write, text)
    failures = [line for report in reports for line in slower(report)] if options.check else []
    for line in failures:
        print(line, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
