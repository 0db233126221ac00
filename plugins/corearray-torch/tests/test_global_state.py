"""Loading and using the plugin changes nothing in torch."""

from __future__ import annotations

import subprocess
import sys

import pytest

STATE = """
import torch

def state():
    x = torch.tensor([1, 2], dtype=torch.int32)
    return {
        "default dtype": torch.get_default_dtype(),
        "default device": torch.get_default_device(),
        "gradients": torch.is_grad_enabled(),
        "threads": torch.get_num_threads(),
        "deterministic": torch.are_deterministic_algorithms_enabled(),
        "matmul precision": torch.get_float32_matmul_precision(),
        "print options": repr(torch.tensor(3.14159265)),
        "random numbers": torch.get_rng_state().sum().item(),
        "flush denormal": (torch.tensor(1e-40) * 1).item(),
        "integer division": (x / x).dtype,
        "promotion": (x + torch.tensor(1.5)).dtype,
        "indexing": torch.arange(3)[torch.tensor([0, 1, 1], dtype=torch.uint8).bool()].tolist(),
        "methods": sorted(dir(torch.Tensor)),
        "functions": sorted(dir(torch)),
        "addition": torch.Tensor.__add__,
        "warnings": torch.is_warn_always_enabled(),
    }

import torch.utils._pytree
before = state()
"""

USE = """
import corearray as ca
be = ca.get_backend("torch")
x = be.asarray([[1.0, 2.0], [3.0, 4.0]])
be.linalg.solve(x, be.sort(be.sin(x))[::-1]), be.max(be.asarray([1, 2], dtype="uint64")), repr(x), be.devices()
"""

COMPARE = """
after = state()
print(*(name for name in before if before[name] != after[name]), sep="; ")
"""

#: Changes, and where each is noticed.
CHANGES = {
    "torch.set_default_dtype(torch.float64)": "default dtype",
    "torch.set_printoptions(precision=2)": "print options",
    "torch.rand(1)": "random numbers",
    "torch.set_grad_enabled(False)": "gradients",
    "torch.Tensor.mine = 1": "methods",
}


def run(*parts):
    return subprocess.run([sys.executable, "-c", "".join(parts)], capture_output=True, text=True, timeout=120)


def test_loading_and_using_the_plugin_changes_nothing():
    done = run(STATE, USE, COMPARE)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "\n"


def test_changes_would_be_noticed():
    done = run(STATE, "\n".join(["", *CHANGES]), COMPARE)
    assert done.returncode == 0, done.stderr
    assert {*CHANGES.values()} <= {*done.stdout.strip().split("; ")}


@pytest.mark.parametrize("mode", ["torch.no_grad()", "torch.inference_mode()", 'torch.device("meta")'])
def test_the_first_use_may_stand_in_a_mode(mode):
    """A plugin that was loaded within a mode differentiates outside of it."""
    done = run(
        "import corearray as ca, torch\n"
        f"with {mode}:\n"
        "    assert tuple(ca.softmax(torch.zeros(2)).shape) == (2,)\n"
        "x = torch.ones(2, requires_grad=True)\n"
        "ca.sum(ca.sin(x)).native.backward()\n"
        "assert torch.allclose(x.grad, torch.cos(torch.ones(2)))\n"
        "slope = ca.grad(lambda x: ca.sum(x * x))(ca.asarray(torch.ones(2)))\n"
        "assert slope.tolist() == [2.0, 2.0]\n"
    )
    assert done.returncode == 0, done.stderr
