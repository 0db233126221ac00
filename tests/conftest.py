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

import toys

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
def toy() -> Iterator[Callable[..., toys.ToyPlugin]]:
    """Register toy backends, each with an array type of its own."""
    made: list[str] = []

    def make(name: str = "toy", **described: Any) -> toys.ToyPlugin:
        kind = type(f"{name.title()}Array", (toys.ToyArray,), {"__module__": f"{name}_framework"})
        plugin = toys.ToyPlugin(name, kind, **described)
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


#: How many parts the cases of a test are dealt into, of which each backend runs one; `scripts/test` says so, and by default
#: there is one.
PARTS = int(os.environ.get("COREARRAY_TEST_PARTS") or 1)

#: The backends in the order in which they take the parts, so that all of them together run every case.
DEALT_TO = ("torch", "jax", "tensorflow", "strict", "numpy")

#: A test with fewer cases runs in full.
FEW = 8


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep one part of the cases of each test that has many, on each backend another one."""
    backend = os.environ.get("COREARRAY_BACKEND")
    if PARTS == 1 or backend not in DEALT_TO:
        return
    here = Path(__file__).parent
    cases = Counter(_test_of(item) for item in items)
    others = [
        item
        for item in items
        if cases[_test_of(item)] >= FEW
        and item.path.is_relative_to(here)
        and (zlib.crc32(item.nodeid.encode()) + DEALT_TO.index(backend)) % PARTS
    ]
    if others:
        config.hook.pytest_deselected(items=others)
        left_out = set(others)
        items[:] = [item for item in items if item not in left_out]


def _test_of(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]
