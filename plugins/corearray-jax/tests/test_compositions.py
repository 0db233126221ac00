"""Compositions that are compiled as a whole: one program for each meaning of a call, within JAX's transforms too."""

from __future__ import annotations

import subprocess
import sys

import jax
import numpy as np
import pytest
from corearray_jax.gradients import _WHOLE

import corearray as ca
from corearray.contract.declaration import DECLARATIONS

be = ca.get_backend("jax")
X = np.random.default_rng(0).normal(size=(4, 6))


@pytest.fixture
def programs():
    """Count how often XLA gets a program."""
    compiled = []
    jax.monitoring.register_event_duration_secs_listener(
        lambda event, duration, **_: compiled.append(event) if event.endswith("backend_compile_duration") else None
    )
    yield compiled
    jax.monitoring.clear_event_listeners()


def test_all_are_compositions():
    assert [name for name in _WHOLE if name not in DECLARATIONS or not DECLARATIONS[name].compositional] == []
    assert {"layer_norm", "lgamma", "embedding"} <= _WHOLE


def test_a_call_is_one_program(programs):
    x = be.asarray(X[:, :5])
    jax.block_until_ready(x.native)
    programs.clear()
    first = be.layer_norm(x, eps=0.125)
    assert len(programs) == 1
    assert np.allclose(np.asarray(first), np.asarray(be.layer_norm(x, eps=0.125)))
    assert len(programs) == 1
    be.layer_norm(x, eps=0.25)
    assert len(programs) == 2


def test_a_case_is_one_program_for_its_options(programs):
    x, counts = (be.asarray(np.arange(16).reshape(1, 1, 4, 4), dtype=dtype).native for dtype in ("float32", "int32"))
    be.native.max_pool2d(x, 2)  # by the long way, if it is the first with such an array
    first = be.native.max_pool2d(x, 2)
    programs.clear()
    assert np.array_equal(be.native.max_pool2d(x, 2), first) and not programs
    for two in (np.int64(2), [2, 2], (2, 2)):
        assert np.array_equal(be.native.max_pool2d(x, two), first)
    for wrong in (2.0, "2", 5):
        with pytest.raises((TypeError, ValueError), match="'max_pool2d' got"):
            be.native.max_pool2d(x, wrong)
    assert be.native.max_pool2d(counts, 2).tolist() == first.tolist()
    slopes = jax.grad(lambda x: be.native.avg_pool2d(x, 2, strides=1).sum())(x)
    assert slopes[0, 0].tolist()[0] == [0.25, 0.5, 0.5, 0.25]
    assert jax.vmap(lambda x: be.native.max_pool2d(x, 2))(x[None]).tolist() == [first.tolist()]


def test_numbers_of_other_types_and_settings_are_other_programs():
    x = be.asarray(X)
    assert be.huber_loss(x, x + 3.0, delta=1).dtype is be.huber_loss(x, x + 3.0, delta=1.0).dtype is ca.float64
    counts = be.asarray([3, 4])
    assert be.exp2(counts).dtype is ca.float32
    with ca.settings(default_float_dtype="float64"):
        assert be.exp2(counts).dtype is ca.float64
    assert be.exp2(counts).dtype is ca.float32


def test_errors_are_those_of_the_composition():
    with pytest.raises(ValueError, match="'layer_norm' got parameters of shape"):
        be.layer_norm(be.asarray(X), weight=be.ones(3))
    with pytest.raises(ValueError, match="reduction"):
        be.l1_loss(be.asarray(X), be.asarray(X), reduction="most")


def test_lists_of_arrays_and_tuples_of_results():
    found = be.cp_to_tensor(be.ones(2), [be.ones((3, 2)), be.ones((4, 2))])
    assert found.shape == (3, 4) and found.tolist()[0][0] == 2.0
    result = be.batch_norm(be.asarray(X), be.zeros(6), be.ones(6), training=True)
    assert type(result) is ca.BatchNormResult and all(type(part) is be.Array for part in result)
    assert be.multi_head_attention(be.asarray(X), num_heads=2).weights is None


def test_within_transforms():
    w = be.asarray(X)

    def loss(w):
        return be.sum(be.layer_norm(w) ** 3)

    slope = jax.grad(lambda w: loss(be.wrap(w)).native)(w.native)
    compiled = jax.jit(jax.grad(lambda w: loss(be.wrap(w)).native))(w.native)
    assert np.allclose(slope, compiled)
    assert np.allclose(np.asarray(ca.grad(loss)(w)), slope)
    step = np.zeros_like(X)
    step[1, 2] = 1e-6
    difference = float(loss(be.asarray(X + step))) - float(loss(be.asarray(X - step)))
    assert float(slope[1, 2]) == pytest.approx(difference / 2e-6, rel=1e-5)
    rows = jax.vmap(lambda row: be.layer_norm(be.wrap(row)).native)(w.native)
    assert np.allclose(rows, np.asarray(be.layer_norm(w)))


_NAN = """
import corearray as ca
be = ca.get_backend("jax")
x = be.asarray([1.0, float("nan")])
with ca.settings(nan_policy="raise"):
    try:
        be.layer_norm(x)
    except ca.NaNError as error:
        print(error)
"""


def test_nan_policy_looks_at_the_result():
    """In a Python of its own: once such a mode was switched, calls do not take the short ways any more."""
    assert (
        "layer_norm" in subprocess.run([sys.executable, "-c", _NAN], capture_output=True, text=True, check=True).stdout
    )


def test_an_argument_that_cannot_be_told_apart_runs_step_by_step():
    class Number(float):
        pass

    x = be.asarray(X)
    assert np.allclose(np.asarray(be.layer_norm(x, eps=Number(0.5))), np.asarray(be.layer_norm(x, eps=0.5)))
