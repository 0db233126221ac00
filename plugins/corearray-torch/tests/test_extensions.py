"""The example extension `corearray-fused`: a declared function with a kernel of torch."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import corearray as ca
from corearray.contract.declaration import DECLARATIONS
from corearray.testing import ExtensionConformance

FOLDER = Path(__file__).parents[3] / "examples" / "plugins" / "corearray-fused"


@pytest.fixture
def multiply_add(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    import corearray_fused

    for described in (corearray_fused.info, corearray_fused.on_torch):
        ca.register_extension(described)
    yield corearray_fused.multiply_add
    for described in (corearray_fused.info, corearray_fused.on_torch):
        ca.unregister_extension(described.name)
    DECLARATIONS.pop("multiply_add")
    for name in [name for name in sys.modules if name.startswith("corearray_fused")]:
        del sys.modules[name]


@pytest.fixture
def kernel_calls(monkeypatch):
    calls = []
    native = torch.addcmul
    monkeypatch.setattr(torch, "addcmul", lambda *args: calls.append(1) or native(*args))
    return calls


def test_the_kernel_is_used_and_left_out(multiply_add, kernel_calls):
    be = ca.get_backend("torch")
    held = be.multiply_add
    x = be.asarray([1.0, 2.0])
    for found in (
        multiply_add(x, x, x), held(x, x, x), multiply_add(x, be.asarray([1, 2]), x),
        be.wrap(be.native.multiply_add(x.native, x.native, x.native)),
        multiply_add(ca.Container(a=x), x, x).a, multiply_add(x, x, x, out=be.zeros(2)),
    ):  # fmt: skip
        assert (found.tolist(), found.dtype) == ([2.0, 6.0], ca.float32)
    assert len(kernel_calls) == 6
    truth = be.asarray([True, False])
    assert multiply_add(truth, truth, truth).tolist() == [True, False]
    assert ca.grad(lambda x: ca.sum(multiply_add(x, x, x)))(x).tolist() == [3.0, 5.0]
    compiled = torch.compile(lambda x: multiply_add(x, x, x), backend="eager", fullgraph=True)
    assert compiled(x).tolist() == [2.0, 6.0]
    kernel_calls.clear()
    ca.unregister_extension("fused_torch")
    assert multiply_add(x, x, x).tolist() == held(x, x, x).tolist() == [2.0, 6.0]
    assert not kernel_calls
    import corearray_fused

    ca.register_extension(corearray_fused.on_torch)
    assert held(x, x, x).tolist() == [2.0, 6.0]
    assert kernel_calls == [1]


def test_the_kit_proves_it(multiply_add):
    class Fused(ExtensionConformance):
        extension, backend = "fused_torch", "torch"
        samples = {  # noqa: RUF012
            "multiply_add": [
                (
                    np.asarray([1.0, -2.0], "float32"),
                    np.asarray([3.0, 0.5], "float32"),
                    np.asarray([0.0, 1.0], "float32"),
                ),
                (np.ones((2, 1), "float64"), np.arange(3.0), np.asarray(2.0)),
                (np.arange(4), np.arange(4, dtype="int8"), np.asarray([True, False, True, True])),
                (np.asarray([True, False]), np.asarray([True, True]), np.asarray([False, False])),
            ]
        }

    be = ca.get_backend("torch")
    Fused().test_is_used(be)
    Fused().test_declared(be, "multiply_add")


def test_a_compiled_program_follows_functions_that_are_composed_anew():
    """torch.compile traces again where a function that it inlined is another one."""
    be = ca.get_backend("torch")
    held, x = be.add, be.asarray([1.0, 2.0])

    @torch.compile(backend="eager")
    def program(x, y):
        return ca.multiply(x, y) + held(x, y)

    for _ in range(2):
        assert program(x, x).tolist() == [3.0, 8.0]
        be.forget()
