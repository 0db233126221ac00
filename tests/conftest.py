"""Fixtures of the core's tests: toy backends that are gone after the test, and settings that are restored."""

from __future__ import annotations

import signal
import sys
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
