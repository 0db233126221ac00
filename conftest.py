"""For all tests: what JAX has compiled is forgotten before it fills the memory.

A program that JAX has lowered keeps its MLIR context, 1.1 MB. With thousands of them memory is short, and each further program
takes longer to compile. The contexts are of no use once a program is compiled, so that they go after every test; the programs
themselves, a fourth of a MB each, go after some hundred tests.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

#: After how many tests compiled programs are forgotten.
_TESTS = 300
_run = 0


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Iterator[object]:
    """Let JAX forget how it lowered the programs of a test, and after some tests the programs."""
    global _run
    result = yield
    _run += 1
    if "jax" in sys.modules:
        _forget_lowered()
        if _run % _TESTS == 0:
            sys.modules["jax"].clear_caches()
    return result


def _forget_lowered() -> None:
    """Clear the caches of lowered programs. JAX has no public function for them; without them only `clear_caches` is left."""
    pjit, pxla = sys.modules.get("jax._src.pjit"), sys.modules.get("jax._src.interpreters.pxla")
    for cached in (getattr(pjit, "_pjit_lower", None), getattr(pxla, "_cached_lowering_to_hlo", None)):
        if cached is not None:
            cached.cache_clear()
