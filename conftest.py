"""For all tests: what JAX has compiled is forgotten before it fills the memory, and the collector looks at recent objects.

A program that JAX has lowered keeps its MLIR context, 1.1 MB. With thousands of them memory is short, and each further program
takes longer to compile. The contexts are of no use once a program is compiled, so that they go after every test; the programs
themselves, a fourth of a MB each, go after some hundred tests.

torch's traces stay, some million objects, which a collection would visit, and `gc.get_objects` list: once they have survived
some hundred tests, the collector leaves them alone.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator

import pytest

#: After how many tests compiled programs are forgotten, and what is left is no longer looked at.
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
        if "jax" in sys.modules:
            sys.modules["jax"].clear_caches()
        gc.collect()
        gc.freeze()
    return result


def _forget_lowered() -> None:
    """Clear the caches of lowered programs. JAX has no public function for them; without them only `clear_caches` is left."""
    pjit, pxla = sys.modules.get("jax._src.pjit"), sys.modules.get("jax._src.interpreters.pxla")
    for cached in (getattr(pjit, "_pjit_lower", None), getattr(pxla, "_cached_lowering_to_hlo", None)):
        if cached is not None:
            cached.cache_clear()
