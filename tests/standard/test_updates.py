"""Steps of optimisers, against their formulas in NumPy, and within derivatives."""

from __future__ import annotations

import numpy as np
import pytest
from standard.support import array, be, needs_derivatives

import corearray as ca

RANDOM = np.random.default_rng(0)
WEIGHTS = {"w": RANDOM.normal(size=(2, 3)), "b": [RANDOM.normal(size=3), np.zeros(2)]}
GRADIENTS = {"w": RANDOM.normal(size=(2, 3)), "b": [RANDOM.normal(size=3), np.ones(2)]}


@pytest.fixture(autouse=True)
def on_this_backend():
    with ca.backend_context(be):
        yield


def arrays(tree):
    return ca.nested_map(lambda x: array(x), tree)


def check(found, wanted):
    ca.nested_multi_map(
        lambda x, y: np.testing.assert_allclose(np.asarray(be.to_numpy(x)), y, rtol=1e-12), [found, wanted]
    )


def mapped(function, *trees):
    return ca.nested_multi_map(function, list(trees))


def norm(x):
    return np.sqrt(np.sum(x * x))


def ratio(above, below):
    return above / below if above * below > 0 else 1.0


def test_gradient_descent():
    check(
        ca.gradient_descent_update(arrays(WEIGHTS), arrays(GRADIENTS), 0.1),
        mapped(lambda w, g: w - 0.1 * g, WEIGHTS, GRADIENTS),
    )
    with pytest.raises(ValueError, match="differ in structure"):
        ca.gradient_descent_update(arrays(WEIGHTS), {"w": be.ones(2)}, 0.1)


def adam(gradients, count, beta1=0.9, beta2=0.999, epsilon=1e-7):
    """Adam as its paper defines it, with the means corrected for their start."""
    mean = square = mapped(np.zeros_like, gradients)
    for _ in range(count):
        mean = mapped(lambda m, g: beta1 * m + (1 - beta1) * g, mean, gradients)
        square = mapped(lambda s, g: beta2 * s + (1 - beta2) * g * g, square, gradients)
    start, root = 1 - beta1**count, np.sqrt(1 - beta2**count)
    direction = mapped(lambda m, s: m / start / ((np.sqrt(s) + epsilon) / root), mean, square)
    return direction, mean, square


def test_adam():
    mean = square = None
    weights, wanted = arrays(WEIGHTS), WEIGHTS
    for step in (1, 2, 3):
        weights, mean, square = ca.adam_update(weights, arrays(GRADIENTS), 0.1, mean, square, step)
        direction, *means = adam(GRADIENTS, step)
        wanted = mapped(lambda w, d: w - 0.1 * d, wanted, direction)
        check((weights, mean, square), (wanted, *means))
    found = ca.adam_step(arrays(GRADIENTS), None, None, 1, beta1=0.5, beta2=0.75, epsilon=0.1)
    check(found, adam(GRADIENTS, 1, 0.5, 0.75, 0.1))


@pytest.mark.parametrize("decay", [0.0, 0.25])
def test_rates_in_proportion_to_norms(decay):
    def lars(w, g):
        return w - 0.1 * ratio(norm(w), norm(g) + decay * norm(w)) * (g + decay * w)

    check(ca.lars_update(arrays(WEIGHTS), arrays(GRADIENTS), 0.1, decay=decay), mapped(lars, WEIGHTS, GRADIENTS))

    def lamb(w, d):
        d = d + decay * w
        return w - 0.1 * min(ratio(norm(w), norm(d)), 0.75) * d

    direction, *means = adam(GRADIENTS, 1)
    found = ca.lamb_update(arrays(WEIGHTS), arrays(GRADIENTS), 0.1, None, None, 1, decay=decay, max_trust_ratio=0.75)
    check(found, (mapped(lamb, WEIGHTS, direction), *means))
    for update in (ca.lars_update, lambda *args, decay: ca.lamb_update(*args, None, None, 1, decay=decay)):
        with pytest.raises(ValueError, match="got decay=-1"):
            update(be.ones(2), be.ones(2), 0.1, decay=-1)


@needs_derivatives
def test_a_step_may_be_differentiated():
    def after(rate, *, stop_gradients):
        weights = array(np.array([1.0, 2.0]))
        return ca.sum(ca.gradient_descent_update(weights, 2 * weights, rate, stop_gradients=stop_gradients))

    assert float(ca.grad(after)(0.1, stop_gradients=False)) == pytest.approx(-6.0)
    assert float(ca.grad(after)(0.1, stop_gradients=True)) == 0.0


@needs_derivatives
@pytest.mark.parametrize("rate", [0.1, 1])
def test_a_step_may_be_differentiated_by_weights(rate):
    def after(weights, *, stop_gradients):
        moved = ca.gradient_descent_update(weights, [3 * w for w in weights], rate, stop_gradients=stop_gradients)
        return ca.sum(moved[0]) + ca.sum(moved[1])

    weights = [array(np.array([1.0, 2.0])), array(np.array(4.0))]
    for constant, slope in ((False, 1 - 3 * rate), (True, 0.0)):
        found = ca.grad(after)(weights, stop_gradients=constant)
        check(found, [np.full(2, slope), np.asarray(slope)])
        rows = ca.vmap(ca.grad(lambda w, c=constant: after([w, w], stop_gradients=c)))(array(np.ones(3)))
        check(rows, np.full(3, 2 * slope))


def test_what_a_step_returns_is_new():
    weights = [array(np.array([1.0, 2.0]))]
    (moved,) = ca.gradient_descent_update(weights, [array(np.zeros(2))], 0.5)
    moved[0] = 7.0
    assert weights[0].tolist() == [1.0, 2.0]


def test_a_step_takes_what_subtraction_takes():
    """Numbers, other dtypes and shapes; what does not fit together is one of corearray's errors."""
    single = ca.asarray([1.0, 2.0], dtype=ca.float32)
    found = ca.gradient_descent_update([single, 3.0], [array(np.ones(2)), single], 0.5)
    assert found[0].dtype is ca.float64 and found[0].tolist() == [0.5, 1.5]
    assert found[1].dtype is ca.float32 and found[1].tolist() == [2.5, 2.0]
    assert ca.gradient_descent_update(array(np.ones((2, 2))), array(np.array([0.0, 2.0])), 0.5).tolist() == [
        [1, 0],
        [1, 0],
    ]
    with pytest.raises(ca.CoreArrayError):
        ca.gradient_descent_update([be.ones(2)], [be.ones(3)], 0.5)
