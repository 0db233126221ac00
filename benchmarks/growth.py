"""Growth of time and memory with the size of a problem, beside native code where there is some.

    python -m benchmarks.growth --backend numpy --backend torch

Each row runs one task at growing sizes. The columns:

- "exponent": the slope of CPU time over size between the two largest sizes, on logarithmic scales. Linear growth has 1.
  Where native code grows faster, as it may once arrays leave the caches, 1.1 times its exponent is the limit.
- "ratio": the time divided by the time of native code at the largest size.
- "kept": memory that each run leaves behind, in KB. More than noise is a leak.

Further tables:

- peak memory of calls, in MB, and its ratio to that of native code;
- times of calls on one backend while one to four backends are loaded;
- which pairs of frameworks share memory.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time, process_time_ns
from typing import Any

from benchmarks.large import peak_mb
from benchmarks.timing import in_child, looped, machine, numbered_table

#: The greatest exponent, the greatest ratio to native code at the largest size, and KB that a run may keep.
EXPONENT_LIMIT, RATIO_LIMIT, KEPT_LIMIT = 1.35, 1.5, 1.0

#: The greatest ratio of peak memory, where native code holds more than `SLACK_MB`, and MB beyond it elsewhere; the greatest
#: ratio of a call's time with all backends loaded to that with one.
MEMORY_LIMIT, SLACK_MB, LOADED_LIMIT = 1.05, 2.0, 1.2

BACKENDS = ("numpy", "torch", "jax", "tensorflow")

#: A task: its sizes, and functions that make what is timed, of corearray and native code, for a size.
Task = tuple[tuple[int, ...], Callable[[Any, int], Callable[[], Any]], Callable[[Any, int], Callable[[], Any]] | None]

_NATIVE_SUM = {"numpy": "numpy", "torch": "torch", "jax": "jax.numpy", "tensorflow": "tensorflow.math"}


def tasks(largest: int) -> dict[str, Task]:
    """Return the tasks by name; arrays have up to `largest` elements."""
    import corearray as ca

    sizes = tuple(10**k for k in range(2, 9) if 10**k <= largest)

    def native(be: Any) -> Any:
        return __import__(_NATIVE_SUM[be.name], fromlist=["exp"])

    def finished(be: Any, x: Any) -> Any:
        return x.block_until_ready() if be.name == "jax" else x

    def elementwise(be: Any, n: int) -> Callable[[], Any]:
        x = be.ones((n,))
        return lambda: finished(be, ca.exp(x).native)

    def elementwise_by_hand(be: Any, n: int) -> Callable[[], Any]:
        x, exp = be.ones((n,)).native, native(be).exp
        return lambda: finished(be, exp(x))

    def added(be: Any, n: int) -> Callable[[], Any]:
        x = be.ones((n,))
        return lambda: finished(be, (x + x).native)

    def added_by_hand(be: Any, n: int) -> Callable[[], Any]:
        x = be.ones((n,)).native
        return lambda: finished(be, x + x)

    def many_calls(be: Any, n: int) -> Callable[[], Any]:
        x = be.ones((4,))

        def run() -> Any:
            y = x
            for _ in range(n):
                y = y + x
            return y

        return run

    def views(be: Any, n: int) -> Callable[[], Any]:
        """Make views of one array, keep them, and write once into it."""

        def run() -> Any:
            x = be.zeros((n, 2))
            kept = [x[i] for i in range(n)]
            x[n // 2] = 1.0
            return float(kept[n // 2][0])

        return run

    def wide(be: Any, n: int) -> Callable[[], Any]:
        container = ca.Container({f"k{i}": be.ones((2,)) for i in range(n)})
        return lambda: container.map(lambda x: x)

    def deep(be: Any, n: int) -> Callable[[], Any]:
        def run() -> Any:
            container = ca.Container(x=1.0)
            for _ in range(n):
                container = ca.Container(inner=container)
            return len(list(container.leaves()))

        return run

    def chain(n: int) -> Callable[[Any], Any]:
        """Return a program of `n` native calls."""

        def program(x: Any) -> Any:
            for _ in range(n // 2):
                x = ca.tanh(x + 1.0)
            return x

        return program

    def recorded(be: Any, n: int) -> Callable[[], Any]:
        return lambda: ca.compile_graph(chain(n), be.ones((2,)))

    def text(be: Any, n: int) -> Callable[[], Any]:
        graph = recorded(be, n)()
        return lambda: str(graph)

    def called(be: Any, n: int) -> Callable[[], Any]:
        graph, x = recorded(be, n)(), be.ones((2,))
        return lambda: finished(be, graph(x).native)

    def called_by_hand(be: Any, n: int) -> Callable[[], Any]:
        tanh = native(be).tanh

        def program(x: Any) -> Any:
            for _ in range(n // 2):
                x = tanh(x + 1.0)
            return x

        if be.name == "jax":  # whose graphs run within its compiler
            program = __import__("jax").jit(program)
        x = be.ones((2,)).native
        return lambda: finished(be, program(x))

    return {
        "exp(x), elements": (sizes, elementwise, elementwise_by_hand),
        "x + x, elements": (sizes, added, added_by_hand),
        "x + x again and again, calls": ((100, 1000, 10_000), many_calls, None),
        "views of one array, views": ((100, 400, 1600), views, None),
        "Container.map, leaves": ((100, 1000, 10_000), wide, None),
        "a Container within another, levels": ((10, 40, 160), deep, None),
        "graphs recorded, native calls": ((400, 2000, 10_000), recorded, None),
        "graphs as text, native calls": ((400, 2000, 10_000), text, None),
        "graphs called, native calls": ((400, 2000, 10_000), called, called_by_hand),
    }


def seconds(call: Callable[[], Any], least: float = 0.02) -> float:
    """Return the seconds of the processor for a call, the least of several."""
    call()
    found, spent = math.inf, 0.0
    while spent < least * 5 or spent == 0.0:
        count, start = 0, process_time()
        while process_time() - start < least:
            call()
            count += 1
        took = process_time() - start
        found, spent = min(found, took / count), spent + took
    return found


def ratio_of(call: Callable[[], Any], other: Callable[[], Any], rounds: int = 3) -> float:
    """Return the time of a call divided by that of another, measured in turn."""
    pairs = [(seconds(call), seconds(other)) for _ in range(rounds)]
    own, native = map(min, zip(*pairs, strict=True))
    return own / native


def kept_kb(call: Callable[[], Any], runs: int = 20, batches: int = 4) -> float | None:
    """Return how much more memory the process holds for each run; `None` where nobody says.

    The least of several batches: caches and the C library's memory grow for some runs, a leak in each.
    """
    if not Path("/proc/self/status").exists():
        return None
    for _ in range(5):
        call()

    def held() -> float:
        gc.collect()
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
        return next(float(line.split()[1]) for line in lines if line.startswith("VmRSS:"))

    found = math.inf
    for _ in range(batches):
        before = held()
        for _ in range(runs):
            call()
        found = min(found, max(0.0, (held() - before) / runs))
        if found == 0.0:
            break
    return found


def measured(backend: str, largest: int) -> dict[str, Any]:
    """Measure one backend in this process."""
    import corearray as ca
    from corearray.errors import CoreArrayNotImplementedError

    be = ca.get_backend(backend)
    ca.set_backend(backend)
    memory = peaks(be)  # before anything else: allocators keep memory that was freed
    rows: dict[str, Any] = {}
    for name, (sizes, own, by_hand) in tasks(largest).items():
        try:
            times = [seconds(own(be, size)) for size in sizes]
        except CoreArrayNotImplementedError as error:
            rows[name] = {"left out": str(error)}
            continue
        slope = _slope(times, sizes)
        native = None
        if by_hand is not None and slope > EXPONENT_LIMIT:
            native = _slope([seconds(by_hand(be, size)) for size in sizes[-2:]], sizes)
        ratio = None if by_hand is None else ratio_of(own(be, sizes[-1]), by_hand(be, sizes[-1]))
        small = own(be, sizes[0] if by_hand is None else sizes[2])
        rows[name] = {
            "sizes": sizes, "times": times, "exponent": slope, "native exponent": native, "ratio": ratio, "kept": kept_kb(small)
        }  # fmt: skip
    return {"framework": f"{be.framework} {be.framework_version}", "rows": rows, "memory": memory}


def _slope(times: list[float], sizes: tuple[int, ...]) -> float:
    """Return the exponent of growth between the two largest sizes."""
    return math.log(times[-1] / times[-2]) / math.log(sizes[-1] / sizes[-2])


#: Programs by name, written twice: for native arrays, where `sum` and `exp` are the framework's, and for arrays.
PROGRAMS = {
    "a chain of elementwise calls": ("exp(x * 0.5 + 1.0) - x", "exp(x * 0.5 + 1.0) - x"),
    "matmul": ("m @ m", "m @ m"),
    "reduction": ("sum(x)", "sum(x)"),
    "reduction along an axis": ("sum(m, 0)", "sum(m, axis=0)"),
    "views": ("[x[k::2] for k in parts]", "[x[k::2] for k in parts]"),
    "Container of arrays": ("{name: exp(part) for name, part in c.items()}", "exp(c)"),
}


def peaks(be: Any) -> dict[str, tuple[float, float]]:
    """Return the greatest memory held during each of `PROGRAMS`, of native code and of corearray, in MB.

    Results have more than 32 MB, below which the C library may use memory again that was given back.
    """
    import corearray as ca

    if not Path("/proc/self/clear_refs").exists():
        return {}
    framework = __import__(_NATIVE_SUM[be.name], fromlist=["exp"])
    x, m = be.ones((20_000_000,), dtype=be.float32), be.ones((3000, 3000), dtype=be.float32)
    c = ca.Container({f"k{k}": be.ones((12_000_000,), dtype=be.float32) for k in range(3)})
    sum_ = framework.reduce_sum if be.name == "tensorflow" else framework.sum
    natives = {"x": x.native, "m": m.native, "c": {name: part.native for name, part in c.items()}}
    owners = ({**natives, "exp": framework.exp, "sum": sum_}, {"x": x, "m": m, "c": c, "exp": ca.exp, "sum": ca.sum})
    found = {}
    for name, texts in PROGRAMS.items():
        names = [{**values, "parts": range(2), "ready": _ready} for values in owners]
        found[name] = tuple(peak_mb(f"ready({text})", each) for text, each in zip(texts, names, strict=True))
    return found


def _ready(value: Any) -> Any:
    """Wait for what JAX computes later."""
    for part in value.values() if hasattr(value, "items") else value if isinstance(value, list) else [value]:
        native = getattr(part, "native", part)
        if hasattr(native, "block_until_ready"):
            native.block_until_ready()
    return value


def loaded() -> dict[str, list[float]]:
    """Return the nanoseconds of calls on the first backend while one backend after the other is loaded."""
    import corearray as ca

    first = ca.get_backend(BACKENDS[0])
    x = first.ones((4,))

    def switched() -> None:
        with ca.backend_context(first.name):
            pass

    runs = {
        f"`ca.add(x, x)` on {first.name}": looped("f(x, x)", {"f": ca.add, "x": x}, process_time_ns),
        f"`be.add(x, x)` on {first.name}": looped("f(x, x)", {"f": first.add, "x": x}, process_time_ns),
        "a list as an argument": looped("f(x)", {"f": first.sum, "x": [x, x]}, process_time_ns),
        f'`with ca.backend_context("{first.name}")`': looped("f()", {"f": switched}, process_time_ns),
    }
    found: dict[str, list[float]] = {name: [] for name in runs}
    for name in BACKENDS:
        try:
            ca.get_backend(name)
        except ca.CoreArrayError:
            continue
        for row, run in runs.items():
            found[row].append(min(run(500) for _ in range(25)) / 500)
    return found


#: The ways from one backend to another: what is made of an array, and what brings that to a backend.
WAYS: dict[str, tuple[Callable[[Any], Any], Callable[[Any, Any], Any]]] = {
    "`to_backend`": (lambda x: x, lambda x, be: _core().to_backend(x, be.name)),
    "`asarray` of a native array": (lambda x: x, lambda x, be: be.asarray(x.native)),
    "`copy=False`": (lambda x: x, lambda x, be: _core().to_backend(x, be.name, copy=False)),
    "`copy=False`, transposed": (lambda x: x.T, lambda x, be: _core().to_backend(x, be.name, copy=False)),
    "`copy=False`, columns": (lambda x: x[:, ::2], lambda x, be: _core().to_backend(x, be.name, copy=False)),
}


def _core() -> Any:
    import corearray

    return corearray


def exchanged() -> dict[str, Any]:
    """Return for each pair of backends, and each way, whether memory is shared, copied, or cannot be shared."""
    import numpy as np

    import corearray as ca

    known = []
    for name in BACKENDS:
        try:
            known.append(ca.get_backend(name))
        except ca.CoreArrayError:
            continue

    def place(x: Any) -> int:
        if hasattr(x.native, "unsafe_buffer_pointer"):  # JAX exports transposed memory as a copy
            return int(x.native.unsafe_buffer_pointer())
        try:
            seen = np.asarray(memoryview(x.native))
        except (TypeError, ValueError):
            seen = np.from_dlpack(x.native)
        return int(seen.__array_interface__["data"][0])

    found: dict[str, list[str]] = {}
    for source in known:
        for target in known:
            if source is target:
                continue
            x = _aligned(source)
            row = found[f"{source.name} to {target.name}"] = []
            for make, bring in WAYS.values():
                part = make(x)
                try:
                    row.append("shares" if place(bring(part, target)) == place(part) else "copies")
                except (ValueError, BufferError):
                    row.append("cannot")
    return found


def _aligned(be: Any) -> Any:
    """Return an array of 64 rows that begins at a multiple of 64 bytes, as TensorFlow and JAX want it."""
    import numpy as np

    size = 64 * 64 * 4
    memory = np.zeros(size + 64, np.uint8)
    begin = -memory.__array_interface__["data"][0] % 64
    return be.asarray(memory[begin : begin + size].view("float32").reshape(64, 64))


def main() -> int:
    """Measure each backend in a process of its own, print the tables, and with --check fail above a limit."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--backend", action="append", choices=BACKENDS, help="measure this one (repeatable; all)")
    parser.add_argument(
        "--largest", type=int, default=10**7, help="elements of the largest array (default: %(default)s)"
    )
    parser.add_argument("--check", action="store_true", help="exit 1 if a limit is exceeded")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--of", choices=("backend", "exchange", "loaded"), default="backend", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        inner = {"exchange": exchanged, "loaded": loaded}.get(options.of)
        print(json.dumps(inner() if inner else measured(options.backend[0], options.largest)))
        return 0
    about, failures = machine(), []
    print(f"{about['processor']}, {about['cores']} cores, Python {about['python']}\n")
    for backend in options.backend or BACKENDS:
        report = in_child("benchmarks.growth", "--child", "--backend", backend, "--largest", str(options.largest))
        if "failed" in report:
            failures.append(f"{backend}: {report['failed']}")
            continue
        cells = []
        for name, row in report["rows"].items():
            if "left out" in row:
                cells.append([name, "", "", "", "left out", ""])
                continue
            ratio = "" if row["ratio"] is None else f"{row['ratio']:.2f}"
            kept = "" if row["kept"] is None else f"{row['kept']:.1f}"
            cells.append(
                [
                    name,
                    f"{row['sizes'][-1]:.0e}",
                    f"{row['times'][-1] * 1e3:.3f}",
                    f"{row['exponent']:.2f}",
                    ratio,
                    kept,
                ]
            )
            steepest = max(EXPONENT_LIMIT, 1.1 * (row["native exponent"] or 0.0))
            for what, limit in (("exponent", steepest), ("ratio", RATIO_LIMIT), ("kept", KEPT_LIMIT)):
                if row[what] is not None and row[what] > limit:
                    failures.append(f"{backend}: {name}: {what} {row[what]:.2f}, limit {limit:.2f}")
        head = ["", "largest", "ms", "exponent", "ratio", "kept, KB"]
        print(f"### {backend}: {report['framework']}\n\n{numbered_table(head, cells)}\n")
        cells = []
        for name, (native, own) in report["memory"].items():
            cells.append([name, f"{native:.1f}", f"{own:.1f}", f"{own / native:.2f}" if native > SLACK_MB else ""])
            if own > max(native * MEMORY_LIMIT, native + SLACK_MB):
                failures.append(f"{backend}: {name}: {own:.1f} MB at most, native {native:.1f} MB")
        if cells:
            print(f"{numbered_table(['peak memory', 'native, MB', 'corearray, MB', 'ratio'], cells)}\n")
    times = in_child("benchmarks.growth", "--child", "--of", "loaded")
    if "failed" in times:
        failures.append(times["failed"])
    else:
        rows = [[row, *(f"{time:.0f}" for time in found)] for row, found in times.items()]
        counts = [f"{k} loaded, ns" for k in range(1, max(map(len, times.values())) + 1)]
        print(f"### Backends loaded\n\n{numbered_table(['', *counts], rows)}\n")
        for row, found in times.items():
            if found[-1] > LOADED_LIMIT * found[0]:
                failures.append(
                    f"{row}: {found[-1]:.0f} ns with {len(found)} backends loaded, {found[0]:.0f} ns with one"
                )
    pairs = in_child("benchmarks.growth", "--child", "--of", "exchange")
    if "failed" in pairs:
        failures.append(pairs["failed"])
    else:
        rows = [[pair, *told] for pair, told in pairs.items()]
        print(f"### Between frameworks\n\n{numbered_table(['', *WAYS], rows)}\n")
    for line in failures or ["every limit is kept"]:
        print(line, file=sys.stderr)
    return 1 if failures and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
