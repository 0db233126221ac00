"""What a call costs in instructions of Python and calls into C, which no other process on the machine can disturb.

    python -m benchmarks.cost --backend numpy --check

Counted is what corearray and the plugin execute for the calls of `benchmarks.overhead`, after the first; what the
framework does is not. Each is counted without the accelerator, and with it, where a call that runs in C
executes nothing of Python: one that has left it is seen. `benchmarks/costs.json` holds what was recorded, by version of
Python, whose compiler decides the instructions: `--check` fails where a call costs more, and `--write` records anew, for a
change that is worth its price.
"""

from __future__ import annotations

import argparse
import importlib
import json
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from types import CodeType
from typing import Any, NamedTuple

from benchmarks.overhead import CALLS, NATIVE, call_of, sample_arrays
from benchmarks.timing import ROOT, in_child, numbered_table
from corearray.calls.accelerated import accelerator

RECORDED = ROOT / "benchmarks" / "costs.json"

COLUMNS = ("be.native.f", "be.f", "ca.f")

#: Behind the name of a column, that it was counted with the accelerator.
IN_C = ", accelerated"

#: How much of the recorded instructions may be added before the check fails: an instruction or two.
SLACK = 1.05


class Cost(NamedTuple):
    """What corearray's own code did during a call."""

    instructions: int
    calls: int


def counted(call: Callable[[], object], folders: Sequence[str]) -> Cost:
    """Count the instructions of Python, and the calls into C, of code in some folders and of generated code.

    Parameters
    ----------
    call
        What is called, once.
    folders
        Where the files stand whose code is counted.
    """
    calls = 0

    def is_counted(code: CodeType) -> bool:
        return code.co_filename.startswith(("<corearray", *folders))

    def profile(frame: Any, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event == "c_call" and is_counted(frame.f_code)

    instructions = executed(call, is_counted)
    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(None)
    return Cost(instructions, calls)


def executed(call: Callable[[], object], is_counted: Callable[[CodeType], bool] = lambda code: True) -> int:
    """Count the instructions of Python that a call executes.

    From Python 3.12 on `sys.monitoring` counts them: 3.13.0 forgets instructions of frames that are traced with `sys.settrace`.
    """
    count = 0

    def opcode(code: CodeType, offset: int) -> None:
        nonlocal count
        count += is_counted(code)

    def trace(frame: Any, event: str, argument: Any) -> Any:
        nonlocal count
        if event == "call":
            if not is_counted(frame.f_code):
                return None
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += event == "opcode"
        return trace

    if sys.version_info >= (3, 12):
        watch = sys.monitoring
        watch.use_tool_id(watch.PROFILER_ID, "corearray")
        watch.register_callback(watch.PROFILER_ID, watch.events.INSTRUCTION, opcode)
        watch.set_events(watch.PROFILER_ID, watch.events.INSTRUCTION)
        try:
            call()
        finally:
            watch.set_events(watch.PROFILER_ID, 0)
            watch.register_callback(watch.PROFILER_ID, watch.events.INSTRUCTION, None)
            watch.free_tool_id(watch.PROFILER_ID)
        return count
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


def measured(backend: str) -> dict[str, dict[str, Cost]]:
    """Count all calls on one backend in this process, by column and function."""
    import corearray as ca

    be = ca.set_backend(backend)
    modules = (ca, importlib.import_module(f"corearray_{backend}"))
    folders = [str(module.__file__).removesuffix("__init__.py") for module in modules]
    arrays = sample_arrays(be)
    natives = {name: array.native for name, array in arrays.items()}
    costs: dict[str, dict[str, Cost]] = {}
    for column, owner, given in (("be.native.f", be.native, natives), ("be.f", be, arrays), ("ca.f", ca, arrays)):
        costs[column] = {}
        for name, call in CALLS.items():
            text, names = call_of(owner, call, given)
            thunk = eval(f"lambda: {text}", names)
            for _ in range(3):
                thunk()
            costs[column][name] = counted(thunk, folders)
    return costs


def dearer(backend: str, found: Mapping[str, Any], recorded: Mapping[str, Any]) -> list[str]:
    """Name the calls that cost more than was recorded."""
    lines = []
    for column, costs in found.items():
        for name, cost in costs.items():
            instructions, calls = recorded.get(column, {}).get(name, cost)  # one that is new is recorded with --write
            if cost[0] > instructions * SLACK or cost[1] > calls:
                lines.append(
                    f"{backend}: {column} '{name}' takes {cost[0]} instructions and {cost[1]} calls into C, recorded are "
                    f"{instructions} and {calls}"
                )
    return lines


def table(found: Mapping[str, Mapping[str, Sequence[int]]]) -> str:
    """Return the costs of one backend as Markdown."""
    rows = [[f"`{name}`", *("{} + {}".format(*costs[name]) for costs in found.values())] for name in CALLS]
    return numbered_table(["instructions + calls into C", *found], rows)


def arguments(line: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cost", description=__doc__.partition("\n")[0])
    parser.add_argument("--backend", action="append", choices=list(NATIVE), help="count on this one (repeatable; all)")
    parser.add_argument("--check", action="store_true", help="exit 1 if a call costs more than recorded")
    parser.add_argument("--write", action="store_true", help=f"record into {RECORDED.name}")
    parser.add_argument("--inner", choices=list(NATIVE), help=argparse.SUPPRESS)
    return parser.parse_args(line)


def main() -> int:
    options = arguments()
    if options.inner:
        print(json.dumps(measured(options.inner)))
        return 0
    python = f"{platform.python_implementation()} {'.'.join(platform.python_version_tuple()[:2])}"
    everything = json.loads(RECORDED.read_text(encoding="utf-8")) if RECORDED.exists() else {}
    recorded = everything.setdefault(python, {})
    failures = []
    for backend in options.backend or NATIVE:
        found = in_child("benchmarks.cost", "--inner", backend, COREARRAY_PURE="1")
        if "failed" not in found and accelerator:
            accelerated = in_child("benchmarks.cost", "--inner", backend)
            found |= {column + IN_C * (column in COLUMNS): costs for column, costs in accelerated.items()}
        if "failed" in found:
            failures.append(found["failed"])
            continue
        if not options.check:
            print(f"{backend}\n\n{table(found)}\n")
        if options.write:
            recorded[backend] = found
        elif options.check and backend in recorded:
            failures += dearer(backend, found, recorded[backend])
        elif options.check:
            print(f"{backend}: nothing is recorded for {python}; record it with --write", file=sys.stderr)
    if options.write:
        RECORDED.write_text(_written(everything), encoding="utf-8")
    for line in failures or ["no call costs more than recorded"] * options.check:
        print(line, file=sys.stderr)
    return 1 if failures else 0


def _written(everything: Mapping[str, Any]) -> str:
    """Write what is recorded with a line for each column of a backend."""
    text = json.dumps(everything, indent=1, sort_keys=True)
    decoder = json.JSONDecoder()
    lines, place = [], 0
    while place < len(text):
        start = text.find("[", place)
        if start < 0:
            lines.append(text[place:])
            break
        value, end = decoder.raw_decode(text, start)
        lines += [text[place:start], json.dumps(value)]
        place = end
    return "".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
