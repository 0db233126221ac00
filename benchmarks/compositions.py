"""Times of composed functions on small arrays, as ratios to native functions.

    python -m benchmarks.compositions --write

It measures the composed functions that a shipped backend implements natively. The composition runs on the project that
`corearray new-backend` writes, which has NumPy's primary functions alone. The native function runs on the first backend of
NumPy, torch, JAX and TensorFlow that has one. Both get the kit's first sample, an array of few elements.

`corearray list-functions` reads the ratios from `corearray/commands/costs.py`. `--write` records them there; with `-k` it
replaces those of the named functions. `--check` compares the names alone. The table also has the number of native calls of each
composition. Times are processor times, the least of all rounds.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path
from time import process_time_ns
from typing import Any, NamedTuple

from benchmarks.timing import ROOT, in_child, looped, machine, measure, numbered_table

RECORDED = ROOT / "corearray" / "commands" / "costs.py"

#: In this order the backends are asked for a native function. Dask runs functions of other backends on its chunks.
BACKENDS = ("numpy", "torch", "jax", "tensorflow")

#: The line of `RECORDED` after which the figures begin.
_BEGIN = "COSTS = {\n"

#: The name of the backend with primary functions alone.
_PRIMARIES = "primaries"

#: One thread: on few elements a second one only waits.
_THREADS = {"OMP_NUM_THREADS": "1"}


class Cost(NamedTuple):
    """The cost of one composition.

    Attributes
    ----------
    composed, native
        Times of the composition and of the native function, in nanoseconds.
    ratio
        The first divided by the second.
    calls
        Native calls that the composition makes.
    """

    composed: float
    native: float
    ratio: float
    calls: int


def native_compositions(be: Any) -> set[str]:
    """Return the names of the composed functions that a backend implements natively."""
    from corearray.contract.declaration import DECLARATIONS

    composed = [name for name, declaration in DECLARATIONS.items() if declaration.compositional]
    return {name for name in composed if be.binding(name).kind != "composed"}


def primaries() -> Any:
    """Load the backend that has NumPy's primary functions alone."""
    import corearray as ca
    from corearray.commands.new_backend import project_files

    package = f"corearray_{_PRIMARIES}"
    with tempfile.TemporaryDirectory(prefix="corearray-") as folder:
        for place, text in project_files(_PRIMARIES).items():
            path = Path(folder, place)
            if path.parent.name == package:
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, encoding="utf-8")
        sys.path.insert(0, folder)
        ca.register_backend(importlib.import_module(package))
        return ca.get_backend(_PRIMARIES)


def native_calls(be: Any, call: Any) -> int:
    """Count the plugin's functions that one call enters."""
    count, folder = 0, str(Path(sys.modules[f"corearray_{be.name}"].__file__ or "").parent)

    def profile(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event == "call" and frame.f_code.co_filename.startswith(folder)

    call()
    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(None)
    return count


def measured(backend: str, names: Sequence[str], rounds: int) -> dict[str, Cost]:
    """Time compositions beside the native functions of one backend."""
    import corearray as ca
    from corearray.testing.reference import function_of, made
    from corearray.testing.samples import SAMPLES

    found: dict[str, Cost] = {}
    owners = {"native": ca.get_backend(backend), "composed": primaries()}
    for name in names:
        args, options = SAMPLES[name][0]
        runs, calls = {}, 0
        for column, be in owners.items():
            values = {"f": function_of(be, name), "args": made(be, args), "options": made(be, options)}
            runs[column] = looped("f(*args, **options)", values, process_time_ns)
            if column == "composed":
                calls = native_calls(be, lambda v=values: v["f"](*v["args"], **v["options"]))
        times = measure({name: runs}, rounds, batch_ns=20_000.0)[name]
        composed, native = times["composed"], times["native"]
        found[name] = Cost(composed.minimum, native.minimum, composed.minimum / native.minimum, calls)
    return found


def written(ratios: dict[str, float]) -> str:
    """Return the text of `RECORDED` with these ratios."""
    head, _, _ = RECORDED.read_text(encoding="utf-8").partition(_BEGIN)
    lines = (
        f'    "{name}": {float(f"{ratio:.2g}"):.{int(ratio < 9.95)}f},\n' for name, ratio in sorted(ratios.items())
    )
    return head + _BEGIN + "".join(lines) + "}\n"


def arguments(line: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compositions", description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--check", action="store_true", help="measure nothing; exit 1 if a name is missing or left over"
    )
    parser.add_argument("--write", action="store_true", help=f"record all into {RECORDED.name}")
    parser.add_argument("-k", default="", metavar="NAMES", help="functions, separated by commas (default: all)")
    parser.add_argument("--rounds", type=int, default=15, help="how often each is timed (default: %(default)s)")
    parser.add_argument("--inner", nargs="+", metavar=("BACKEND", "NAME"), help=argparse.SUPPRESS)
    return parser.parse_args(line)


def main() -> int:
    options = arguments()
    if options.inner:
        import corearray as ca

        backend, *names = options.inner
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found: Any = measured(backend, names, options.rounds) if names else None
        print(json.dumps({"found": found or sorted(native_compositions(ca.get_backend(backend)))}))
        return 0
    of_backend: dict[str, list[str]] = {}
    taken: set[str] = set()
    for backend in BACKENDS:
        answer = in_child("benchmarks.compositions", "--inner", backend)
        if "failed" in answer:
            raise SystemExit(answer["failed"])
        of_backend[backend] = sorted(set(answer["found"]) - taken)
        taken |= set(answer["found"])
    from corearray.commands.costs import COSTS

    if options.check:
        missing, extra = sorted(taken - {*COSTS}), sorted({*COSTS} - taken)
        print(
            f"{RECORDED.name} lacks {missing} and has {extra} in excess; record with --write"
            if missing or extra
            else f"{RECORDED.name} has all {len(COSTS)} names"
        )
        return int(bool(missing or extra))
    asked_for = set(filter(None, options.k.split(",")))
    if asked_for - taken:
        raise SystemExit(f"no composition that a backend has natively: {', '.join(sorted(asked_for - taken))}")
    wanted, costs, rows = asked_for or taken, {}, []
    for backend, names in of_backend.items():
        asked = [name for name in names if name in wanted]
        if asked:
            answer = in_child(
                "benchmarks.compositions", "--rounds", str(options.rounds), "--inner", backend, *asked, **_THREADS
            )
            if "failed" in answer:
                raise SystemExit(answer["failed"])
            costs |= {name: Cost(*cost) for name, cost in answer["found"].items()}
            rows += [(name, backend) for name in asked]
    about = machine()
    print(f"{about['processor']}, {about['cores']} cores, Python {about['python']}\n")
    rows.sort(key=lambda row: -costs[row[0]].ratio)
    cells = [
        [f"`{name}`", backend, f"{c.native / 1e3:.2f}", f"{c.composed / 1e3:.2f}", f"{c.ratio:.1f}", str(c.calls)]
        for name, backend in rows
        for c in [costs[name]]
    ]
    print(numbered_table(["", "native of", "native, µs", "composed, µs", "ratio", "native calls"], cells))
    if options.write:
        kept = {name: ratio for name, ratio in COSTS.items() if asked_for}
        ratios = {name: cost.ratio for name, cost in costs.items()}
        RECORDED.write_text(written(kept | ratios), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
