"""For all tests: what JAX has compiled is forgotten again and again.

Each program that it keeps makes the next one slower to compile, by some microseconds, and takes memory: with thousands of
them that is more than the compilation itself. What is needed again comes from the cache on disk that `scripts/test` sets up.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

#: After how many tests.
_TESTS = 40
_run = 0


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Iterator[object]:
    """Count the tests, and let JAX forget after some."""
    global _run
    result = yield
    _run += 1
    if _run % _TESTS == 0 and "jax" in sys.modules:
        sys.modules["jax"].clear_caches()
    return result
