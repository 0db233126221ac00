"""For all tests: what JAX has compiled is forgotten before it fills the memory, and the collector looks at recent objects.

JAX makes an MLIR context for each program that it lowers: an eighth of the time of a small program, and 1.1 MB for as long as
JAX keeps the program. The programs of some hundred tests share one context here. What was lowered is of no use once it is
compiled and goes after every test; compiled programs, a fourth of a MB each, go with the context.

torch's traces stay, some million objects, which a collection would visit, and `gc.get_objects` list: once they have survived
some hundred tests, the collector leaves them alone.
"""

from __future__ import annotations

import functools
import gc
import sys
from collections.abc import Iterator

import pytest

#: After how many tests compiled programs are forgotten, and what is left is no longer looked at.
_TESTS = 300
_run = 0


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Share a context from the first test on, where the collected tests have imported JAX."""
    _share_context()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Iterator[object]:
    """Let JAX forget how it lowered the programs of a test, and after some tests the programs and their context."""
    global _run
    result = yield
    _run += 1
    if "jax" in sys.modules:
        _forget_lowered()
    if _run % _TESTS == 0:
        if "jax" in sys.modules:
            sys.modules["jax"].clear_caches()
            _share_context()
        gc.collect()
        gc.freeze()
    return result


def _forget_lowered() -> None:
    """Clear the caches of lowered programs. JAX has no public function for them; without them only `clear_caches` is left."""
    pjit, pxla = sys.modules.get("jax._src.pjit"), sys.modules.get("jax._src.interpreters.pxla")
    for cached in (getattr(pjit, "_pjit_lower", None), getattr(pxla, "_cached_lowering_to_hlo", None)):
        if cached is not None:
            cached.cache_clear()


def _share_context() -> None:
    """Give JAX a new MLIR context, which the programs that it lowers from now on share."""
    mlir = sys.modules.get("jax._src.interpreters.mlir")
    if mlir is not None:
        mlir.make_ir_context = functools.cache(getattr(mlir.make_ir_context, "__wrapped__", mlir.make_ir_context))
