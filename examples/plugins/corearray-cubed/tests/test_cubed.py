"""Programs on Cubed: nothing is computed before it is asked for, and the values are NumPy's."""

from __future__ import annotations

import math

import cubed
import numpy as np
import pytest

import corearray as ca


@pytest.fixture(autouse=True)
def on_cubed():
    with ca.backend_context("cubed"):
        yield


def test_programs_stay_lazy_and_give_the_values_of_numpy():
    values = np.random.default_rng(0).normal(size=(6, 4))
    x = ca.asarray(values)
    y = ca.softmax(x @ x.mT) + ca.std(x, axis=0)[0]
    assert isinstance(y.native, cubed.Array)
    product = values @ values.T
    exponentials = np.exp(product - product.max(1, keepdims=True))
    wanted = exponentials / exponentials.sum(1, keepdims=True) + values.std(0)[0]
    np.testing.assert_allclose(ca.to_numpy(y), wanted, 1e-9)


def test_evaluated_arrays_hold_their_values():
    x, y = ca.evaluate((ca.ones((2, 2)) + 1.0, ca.zeros(3)))
    assert (x.tolist(), y.tolist()) == ([[2.0, 2.0], [2.0, 2.0]], [0.0, 0.0, 0.0])


def test_a_write_makes_a_new_array_and_reaches_views():
    x = ca.asarray([[0.0, 1.0], [2.0, 3.0]])
    row = x[1]
    x[1, 0] = 7.0
    assert (x.tolist(), row.tolist()) == ([[0.0, 1.0], [7.0, 3.0]], [7.0, 3.0])
    assert math.prod(x.shape) == x.size == 4
