"""Programs of JAX, flax and equinox on a backend, compared with JAX; see README.md of this folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

TARGET = os.environ.get("COREARRAY_BACKEND") or "numpy"
LONG = "COREARRAY_TEST_LONG" in os.environ

if TARGET == "strict" or (TARGET == "jax" and not LONG):
    pytest.skip("the programs are JAX's; run scripts/test --models", allow_module_level=True)
jax = pytest.importorskip("jax", reason="the programs are compared with JAX")

from jax_judge import error_of_trees, judge  # noqa: E402
from jax_programs import LIBRARIES, PROGRAMS  # noqa: E402
from verdicts import judged  # noqa: E402

import corearray as ca  # noqa: E402

#: The programs of the normal run, which have loops, branches and a derivative of one's own.
FEW = ("lstm", "normalising_flow", "branches", "derivative_of_ones_own")


@pytest.mark.parametrize("name", [name for name in PROGRAMS if name not in LIBRARIES and (LONG or name in FEW)])
def test_a_program(name):
    verdict = judged(judge, name, TARGET)
    assert not verdict.wrong, verdict


@pytest.mark.skipif(not LONG, reason="flax and equinox are no requirements of development; run scripts/test --models")
def test_models_of_libraries(models_python, models_environment):
    done = subprocess.run(
        [models_python, HERE / "jax_judge.py", "--to", TARGET, "--libraries"],
        capture_output=True,
        text=True,
        env=models_environment,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_wrong_result_is_noticed():
    right = ca.get_backend(TARGET).asarray([1.0, 2.0], dtype="float32")
    wanted = {"a": jax.numpy.asarray(ca.to_numpy(right))}
    assert error_of_trees({"a": right}, wanted) == 0
    assert error_of_trees({"a": right * 1.5}, wanted) > 0.3
    assert error_of_trees({"b": right}, wanted) == float("inf")


@pytest.mark.skipif(TARGET != "torch", reason="modules of torch")
def test_a_function_of_jax_trains_as_a_module_of_torch():
    import numpy as np
    import torch

    function, parameters, x = PROGRAMS["perceptron"]()
    model = jax.tree_util.Partial(function, parameters)
    module = ca.transpile(model, x, to="torch", source="jax").to_module()
    optimiser = torch.optim.SGD(module.parameters(), lr=0.005)
    losses = []
    for _ in range(3):
        optimiser.zero_grad()
        loss = module(torch.from_numpy(np.array(x))).square().sum()
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))

    def loss_of(parameters):
        return jax.numpy.square(function(parameters, x)).sum()

    wanted = []
    for _ in range(3):
        value, slopes = jax.value_and_grad(loss_of)(parameters)
        parameters = jax.tree.map(lambda p, slope: p - 0.005 * slope, parameters, slopes)
        wanted.append(float(value))
    assert losses == pytest.approx(wanted, rel=1e-5)
