"""Mutation testing of the conformance kit: which planted faults do the kit's tests of a function not notice?

Mutants come from rules (`faults.py`) and from habits of real frameworks (`habits.py`). Each mutant of the NumPy stand-in
is loaded in a process of its own, forked from this one, and meets the kit's tests of the changed function. One that passes
them survives; `survivors.py` lists those that may, each with a reason.
"""

from __future__ import annotations

import argparse
import importlib
import os
import random
import select
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

sys.path.insert(0, str(Path(__file__).parent))

import pytest
from rules import Mutant, functions, mutants
from survivors import SURVIVORS

import corearray as ca
from corearray.commands.new_backend import project_files
from corearray.contract.declaration import DECLARATIONS
from corearray.testing import Conformance
from corearray.testing.checks import CHECKS, OF_DTYPE, OF_FUNCTION
from corearray.testing.known import STANDARD
from corearray.testing.reference import expected

#: The name of the backend under test.
_NAME = "mutant"

#: Seconds after which a mutant that does not return counts as caught.
_LIMIT = 60

#: The share of mutants that may survive.
_MAY_SURVIVE = 0.03


def main() -> int:
    """Plant faults, run the tests, print what survives; return 1 if that is too much, or not explained."""
    parser = argparse.ArgumentParser(prog="tests.mutants", description=__doc__.splitlines()[0])
    parser.add_argument("-k", default="", metavar="NAME", help="functions to change, separated by commas; default: all")
    parser.add_argument("--sample", type=int, metavar="N", help="take N mutants at random")
    parser.add_argument("--seed", type=int, default=0, help="for the sample; default: 0")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at a time; default: all cores")
    parser.add_argument("--list", action="store_true", help="print the mutants and run none")
    parser.add_argument("--caught", action="store_true", help="also print how the others are caught")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="corearray-") as folder:
        modules = stand_in(Path(folder))
        planted = chosen(modules, given.k, given.sample, given.seed)
        if given.list:
            print(*(f"{mutant.name}    # {mutant.rule}" for mutant in planted), sep="\n")
            return 0
        start = time.monotonic()
        prepare(modules)
        broken = [mutant.function for mutant, said in tried(unchanged(planted), modules, given.jobs) if said]
        if broken:
            print(f"the stand-in itself does not pass the tests of {', '.join(broken)}")
            return 1
        outcomes = {}
        for mutant, said in tried(planted, modules, given.jobs):
            outcomes[mutant] = said
            if not said or given.caught:
                print(told(mutant, said), flush=True)
    return report(outcomes, time.monotonic() - start)


def stand_in(folder: Path) -> dict[str, ModuleType]:
    """Write what `corearray new-backend` writes, import it, and return the module of each function."""
    for place, text in project_files(_NAME).items():
        if place.startswith(f"corearray_{_NAME}/"):
            path = folder / place
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
    sys.path.insert(0, str(folder))
    info = importlib.import_module(f"corearray_{_NAME}").info
    return {
        name: module
        for module in map(importlib.import_module, info.modules)
        for name, _ in functions(Path(str(module.__file__)).read_text())
        if name not in ("array_types", "as_array", "dtypes")
    }


def chosen(modules: dict[str, ModuleType], names: str, count: int | None, seed: int) -> list[Mutant]:
    """Return the mutants of these functions, or some of them drawn at random."""
    texts = {str(module.__file__) for module in modules.values()}
    found = [
        mutant
        for text in sorted(texts)
        for name, source in functions(Path(text).read_text())
        if name in (names.split(",") if names else modules) and name in modules
        for mutant in mutants(name, source)
    ]
    return random.Random(seed).sample(found, min(count, len(found))) if count else found


def unchanged(planted: list[Mutant]) -> list[Mutant]:
    """Return a mutant without a fault for each function, which has to pass."""
    return [Mutant(name, "", "", "", "") for name in dict.fromkeys(mutant.function for mutant in planted)]


def tried(planted: list[Mutant], modules: dict[str, ModuleType], jobs: int) -> Iterator[tuple[Mutant, str]]:
    """Yield each mutant with what a test says of it, or nothing if all pass."""
    waiting, running = planted[::-1], {}
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop()
            expected_for(mutant.function)
            reading, writing = os.pipe()
            process = os.fork()
            if not process:
                _child(mutant, modules, writing)
            os.close(writing)
            running[reading] = (mutant, process, time.monotonic())
        ready, _, _ = select.select(list(running), [], [], 1.0)
        for reading, (mutant, process, began) in list(running.items()):
            if reading in ready or time.monotonic() - began > _LIMIT:
                if reading not in ready:
                    os.kill(process, signal.SIGKILL)
                said = b"".join(iter(lambda end=reading: os.read(end, 65536), b"")).decode(errors="replace")
                os.close(reading)
                code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
                del running[reading]
                yield mutant, said or ("" if code == 0 else f"the process ended with code {code}")


def prepare(modules: dict[str, ModuleType]) -> None:
    """Register the backend and have its functions composed, which each mutant inherits."""
    package = sys.modules[f"corearray_{_NAME}"]
    for module in {*modules.values()}:
        vars(module).setdefault("numpy", importlib.import_module("numpy"))
    ca.register_backend(package)


def expected_for(name: str) -> None:
    """Have the results computed before processes are forked, which cannot share the pipe to the reference."""
    if name in DECLARATIONS:
        expected(name, STANDARD)


def _child(mutant: Mutant, modules: dict[str, ModuleType], writing: int) -> None:
    """Plant the fault, run the tests of its function, write what the first failure says, and end."""
    said = ""
    try:
        module = modules[mutant.function]
        exec(mutant.source, vars(module))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            run(mutant.function)
    except (Exception, pytest.fail.Exception) as error:
        said = "".join(traceback.format_exception_only(type(error), error)).strip() or "?"
    except BaseException as error:
        said = repr(error)
    finally:
        os.write(writing, said.encode()[:60000])
        os._exit(0)


def run(function: str) -> None:
    """Run the kit's tests of one function."""
    kit = type("TestMutant", (Conformance,), {"backend": _NAME, "__module__": __name__})()
    be = ca.get_backend(_NAME)
    if function in DECLARATIONS:
        kit.test_function(be, function, lambda *_: None)
        kit.test_ways(be, function)
    for check in OF_FUNCTION.get(function, ()):
        if check in CHECKS:
            kit.test_check(be, check)
        for dtype in kit.dtypes() if check in OF_DTYPE else ():
            kit.test_check_of_dtype(be, check, dtype)


def told(mutant: Mutant, said: str) -> str:
    """Write a line on a mutant, and one on how it was caught or why it may survive."""
    if said:
        return f"caught    {mutant.name}\n          {said.splitlines()[0]}"
    return f"survives  {mutant.name}\n          {mutant.rule}: {SURVIVORS.get(mutant.name, 'NO REASON')}"


def report(outcomes: dict[Mutant, str], seconds: float) -> int:
    """Print how many mutants are caught; return 1 if too many survive, one has no reason, or a reason is out of date."""
    alive = [mutant for mutant, said in outcomes.items() if not said]
    total = len(outcomes)
    by_function = Counter(mutant.function for mutant in outcomes)
    real = [mutant for mutant in alive if mutant.name not in SURVIVORS]
    known = {mutant.name for mutant in outcomes}
    stale = [name for name in SURVIVORS if name in known and name not in {mutant.name for mutant in alive}]
    print(
        f"{total} mutants of {len(by_function)} functions in {seconds:.0f} s: {total - len(alive)} caught, "
        f"{len(alive)} survive ({len(alive) / max(total, 1):.1%}), {len(real)} of them without a reason"
    )
    for name in stale:
        print(f"listed in survivors.py, and caught: {name}")
    return int(bool(real or stale) or len(alive) > max(_MAY_SURVIVE * total, 3))


if __name__ == "__main__":
    sys.exit(main())
