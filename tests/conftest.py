"""Fixtures of the core's tests: toy backends that are gone after the test, and settings that are restored."""

from __future__ import annotations

import gc
import os
import signal
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import fake_frameworks

import corearray as ca
from corearray.contract.declaration import DECLARATIONS
from corearray.manager import manager
from corearray.settings import context


def pytest_configure() -> None:
    """Take Ctrl-C, which a shell has programs ignore that it starts in the background, as their children would too.

    Cycles are collected less often: traces of compilers are many objects, which the default visits for a fifteenth of the time.
    """
    gc.set_threshold(50_000)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[object]:
    """Give each test, with its fixtures, settings of its own."""
    context._read_environment()
    former = context._process["default"]
    record = context._variable.get()
    context._variable.set(context._UNSET)
    try:
        return (yield)
    finally:
        context._process["default"] = former
        context._variable.set(record)


@pytest.fixture
def toy() -> Iterator[Callable[..., fake_frameworks.ToyPlugin]]:
    """Register toy backends, each with an array type of its own; no backend is in force, whatever `COREARRAY_BACKEND` says."""
    ca.unset_backend()
    made: list[str] = []

    def make(name: str = "toy", **described: Any) -> fake_frameworks.ToyPlugin:
        kind = type(f"{name.title()}Array", (fake_frameworks.ToyArray,), {"__module__": f"{name}_framework"})
        plugin = fake_frameworks.ToyPlugin(name, kind, **described)
        manager.register(plugin)
        made.append(name)
        return plugin

    yield make
    for name in made:
        manager.unregister(name)


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheels of the core and of the plugins, once for all tests of wheels."""
    from environments import build_wheels

    return build_wheels(tmp_path_factory.mktemp("wheels"))


@pytest.fixture
def run_python() -> Callable[..., str]:
    """Run a program in a Python of its own and return what it prints, or its standard error if it is to fail."""
    import os
    import subprocess

    def run(program: str, *, fails: bool = False, seconds: int = 120, **environment: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            env={**os.environ, **environment},
            timeout=seconds,
            check=False,
        )
        assert (done.returncode != 0) == fails, done.stderr
        return (done.stderr if fails else done.stdout).strip()

    return run


#: The parts of the tests that this process runs, in twelfths: of tests with many cases, of those of compositions, and of the
#: derivatives of all functions. `scripts/test` deals them out to the backends.
_PARTS = 12
_MANY, _COMPOSED, _DERIVATIVES = (
    range(int(first), int(last) + 1)
    for first, last in (part.split("-") for part in os.environ.get("COREARRAY_TEST_PART", "0-11 0-11 0-11").split())
)

#: The least number of many cases.
MANY = 8

#: What runs in full: the plugins' own tests, and what chooses by itself.
IN_FULL = {"plugins", "fuzz", "models", "test_containers.py", "test_options.py"}

#: Tests of the kit that do not: one is about the core, one about compositions too, and `test_every_derivative.py` makes the
#: checks of the last.
OF_THE_CORE, VALUES, REPEATED = "test_ways", "test_function", "test_derivative"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep some parts of the tests, whichever tests there are besides."""
    if "COREARRAY_TEST_PART" not in os.environ:
        return
    cases = Counter(_test_of(item) for item in items)
    here = [item for item in items if _is_run(item, cases[_test_of(item)])]
    config.hook.pytest_deselected(items=list(set(items) - set(here)))
    items[:] = here


def _is_run(item: pytest.Item, cases: int) -> bool:
    file, *_, name = _test_of(item).split("::")
    if name == REPEATED:
        return False
    if IN_FULL.intersection(file.split("/")) and name not in (OF_THE_CORE, VALUES):
        return True
    if file.endswith("test_every_derivative.py"):
        parts = _DERIVATIVES
    elif cases >= MANY and name != VALUES:
        parts = _MANY
    else:
        parts = _COMPOSED
    is_here = zlib.crc32(_subject(item).encode()) % _PARTS in parts
    return is_here or (parts is _COMPOSED and not _is_of_compositions(item))


def _is_of_compositions(item: pytest.Item) -> bool:
    """Whether a test is about layers, or about functions that are all composed on this backend."""
    covered = getattr(getattr(item, "function", None), "covers", ())
    names = [name for name in (*covered, _subject(item)) if name in DECLARATIONS]
    be = ca.get_backend(os.environ["COREARRAY_BACKEND"])
    return "tests/nn/" in item.nodeid or (bool(names) and all(be.binding(name).kind == "composed" for name in names))


def _subject(item: pytest.Item) -> str:
    """Return the unit that is dealt out: the function of a test, so that one backend compiles all its programs, or the test."""
    values = list(getattr(getattr(item, "callspec", None), "params", {}).values())
    return values[0] if len(values) == 1 and isinstance(values[0], str) and values[0] in DECLARATIONS else item.nodeid


def _test_of(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]
