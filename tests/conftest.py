"""Fixtures of the core's tests: toy backends that are gone after the test, and settings that are restored."""

from __future__ import annotations

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

from corearray.manager import manager
from corearray.settings import context


def pytest_configure() -> None:
    """Take Ctrl-C, which a shell has programs ignore that it starts in the background, as their children would too."""
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
    """Register toy backends, each with an array type of its own."""
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


#: The parts of the cases that this process runs, and how many there are: `scripts/test` deals them out to the backends.
_parts, _, _count = os.environ.get("COREARRAY_TEST_PART", "0/1").partition("/")
PARTS, COUNT = {int(part) for part in _parts.split(",")}, int(_count)

#: A test with fewer cases runs in full, and so do these modules, which choose by themselves.
FEW = 8
IN_FULL = {"test_containers.py", "test_options.py"}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep some parts of the cases of each test that has many, whichever tests there are besides."""
    here = Path(__file__).parent
    cases = Counter(_test_of(item) for item in items)
    others = {
        item
        for item in items
        if zlib.crc32(item.nodeid.encode()) % COUNT not in PARTS
        and cases[_test_of(item)] >= FEW
        and item.path.name not in IN_FULL
        and item.path.is_relative_to(here)
    }
    if others:
        config.hook.pytest_deselected(items=list(others))
        items[:] = [item for item in items if item not in others]


def _test_of(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]
