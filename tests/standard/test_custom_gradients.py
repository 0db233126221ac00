"""Derivatives that somebody says, and meta-learning on costs whose steps can be written down."""

from __future__ import annotations

import math

import numpy as np
import pytest
from standard.support import array, be, needs_derivatives, numpy_of

import corearray as ca


@pytest.fixture(autouse=True)
def on_this_backend():
    with ca.backend_context(be):
        yield


def _cube(x, scale):
    return x**3 * scale


def _slope_of_cube(args, value, slope):
    """Five times the true derivative by the first argument, and none by the second."""
    x, scale = args
    assert value.shape == slope.shape == x.shape
    return 15.0 * x**2 * scale * slope, None


def test_the_value_is_that_of_the_function():
    bound = ca.bind_custom_gradient_function(_cube, _slope_of_cube)
    assert bound.__name__ == "_cube"
    assert bound(array(np.asarray([1.0, 2.0])), 2).tolist() == [2.0, 16.0]
    assert type(bound(array(np.asarray([1.0])).native, 2)) is type(array(np.asarray([1.0])).native)


@needs_derivatives
def test_the_derivative_is_the_one_that_is_said():
    bound = ca.bind_custom_gradient_function(_cube, _slope_of_cube)
    x = array(np.asarray([1.0, 2.0]))
    loss = lambda x: ca.sum(bound(x, 2) * 10.0)
    assert ca.grad(loss)(x).tolist() == [300.0, 1200.0]
    assert ca.grad(lambda x: ca.sum(ca.grad(loss)(x)))(x).tolist() == [600.0, 1200.0]
    assert ca.vmap(ca.grad(lambda x: bound(x, 2)))(x).tolist() == [30.0, 120.0]
    assert ca.grad(lambda scale: ca.sum(bound(x, scale)))(array(np.asarray(2.0))).tolist() == 0.0


@needs_derivatives
def test_a_mapped_function_keeps_the_derivative():
    bound = ca.bind_custom_gradient_function(_cube, _slope_of_cube)
    x, other = array(np.asarray([1.0, 2.0])), array(np.asarray(3.0))
    loss = lambda other, x: ca.sum(ca.vmap(lambda v: bound(other * v, 2))(x))
    nested = lambda other, x: ca.sum(ca.vmap(lambda v: ca.vmap(lambda w: bound(other * w, 2) + other * v)(x))(x))
    for function, expected in ((loss, (2430.0, [810.0, 3240.0])), (nested, (4866.0, [1626.0, 6486.0]))):
        slopes = ca.grad(function, argnums=(0, 1))(other, x)
        assert (slopes[0].tolist(), slopes[1].tolist()) == expected


@needs_derivatives
def test_second_derivatives_of_a_composition():
    """f(x) = x² has the custom derivative 10 x. So f(f(x)) has 100 x f(x), and its second is 100 f(x) + 1000 x²."""
    square = ca.bind_custom_gradient_function(lambda x: x * x, lambda args, value, slope: (10 * args[0] * slope,))
    x = array(np.asarray([1.0, 2.0]))
    first = ca.grad(lambda x: ca.sum(square(square(x))))
    assert first(x).tolist() == [100.0, 800.0]
    assert ca.grad(lambda x: ca.sum(first(x)))(x).tolist() == [1100.0, 4400.0]


@needs_derivatives
def test_second_derivatives_pass_through_the_value():
    """f(x) = eˣ, with the slope 2 f(x): the slope of it is 4 f(x)."""
    exp = ca.bind_custom_gradient_function(ca.exp, lambda args, value, slope: (2 * value * slope,))
    x = array(np.asarray([0.5, 1.0]))
    first = ca.grad(lambda x: ca.sum(exp(x)))
    np.testing.assert_allclose(numpy_of(first(x)), 2 * np.exp([0.5, 1.0]), rtol=1e-12)
    np.testing.assert_allclose(numpy_of(ca.grad(lambda x: ca.sum(first(x)))(x)), 4 * np.exp([0.5, 1.0]), rtol=1e-12)


@needs_derivatives
def test_no_derivative_is_not_multiplied_by_an_infinite_one():
    """The slope of a root at zero is infinite, and second derivatives pass through an argument without a first one."""
    scaled = ca.bind_custom_gradient_function(lambda x, k: x * k, lambda args, value, slope: (slope * args[1], None))
    first = ca.grad(lambda x: ca.sum(scaled(x, ca.sqrt(x))))
    assert first(array(np.asarray([0.0, 4.0]))).tolist() == [0.0, 2.0]
    assert ca.grad(lambda x: ca.sum(first(x)))(array(np.asarray([4.0]))).tolist() == [0.25]


@needs_derivatives
def test_within_a_condition_of_a_compiled_function():
    tripled = ca.bind_custom_gradient_function(lambda x: x * x, lambda args, value, slope: (3 * args[0] * slope,))
    call = lambda x: ca.sum(ca.if_else(x[0] > 0, tripled, lambda x: x, x))
    if "register_tracing" not in be.facts:  # a compiler that reads bytecode chooses the branch itself
        call = ca.compile(call)
    assert ca.grad(call)(array(np.asarray([1.0, 2.0]))).tolist() == [3.0, 6.0]


_squared = ca.bind_custom_gradient_function(lambda x: x * x, lambda args, value, slope: (10 * args[0] * slope,))


def _of_itself(x):
    return ca.sum(_squared(_squared(x)))


def _through_the_value(x):
    exp = ca.bind_custom_gradient_function(ca.exp, lambda args, value, slope: (2 * value * slope,))
    return ca.sum(exp(x) * x)


def _with_a_derivative_within(x):
    def rule(args, value, slope):
        _, pull_back = ca.vjp(lambda y: y**3, args[0])
        return (2 * pull_back(slope)[0],)

    return ca.sum(ca.bind_custom_gradient_function(lambda x: x**3, rule)(x))


@needs_derivatives
@pytest.mark.skipif("traced_calls" not in be.facts, reason="this backend shows no calls")
@pytest.mark.parametrize("loss", [_of_itself, _through_the_value, _with_a_derivative_within])
def test_graphs_keep_the_rule(loss):
    """The rules differ from the true derivatives, so that a graph without them is seen."""
    x, other = array(np.asarray([1.0, 2.0])), array(np.asarray([0.5, 3.0]))
    first = ca.grad(loss)
    graph = ca.compile_graph(loss, x)
    np.testing.assert_allclose(numpy_of(graph(other)), numpy_of(loss(other)), rtol=1e-12)
    np.testing.assert_allclose(numpy_of(ca.grad(graph)(other)), numpy_of(first(other)), rtol=1e-12)
    np.testing.assert_allclose(numpy_of(ca.compile_graph(first, x)(other)), numpy_of(first(other)), rtol=1e-12)
    second = ca.grad(lambda x: ca.sum(first(x)))
    np.testing.assert_allclose(numpy_of(ca.compile_graph(second, x)(other)), numpy_of(second(other)), rtol=1e-12)
    twice = ca.grad(lambda x: ca.sum(ca.grad(graph)(x)))
    np.testing.assert_allclose(numpy_of(twice(other)), numpy_of(second(other)), rtol=1e-12)


@needs_derivatives
def test_trees_and_several_values():
    def fn(weights, index, x):
        return {"a": weights["w"] * x, "b": [ca.sum(x[index])]}

    def gradient(args, value, slopes):
        _, index, x = args
        assert set(value) == {"a", "b"} and index.dtype is ca.int64
        return {"w": slopes["a"] * 2.0, "name": None}, None, x * slopes["b"][0]

    bound = ca.bind_custom_gradient_function(fn, gradient)
    weights, x = {"w": array(np.asarray([1.0, 2.0])), "name": "n"}, array(np.asarray([3.0, 4.0]))
    index = be.asarray([0])

    def loss(weights, x):
        value = bound(weights, index, x)
        return ca.sum(value["a"]) + 10.0 * value["b"][0]

    by_weights, by_x = ca.grad(loss, argnums=(0, 1))(weights, x)
    assert by_weights["w"].tolist() == [2.0, 2.0] and by_x.tolist() == [30.0, 40.0]


@needs_derivatives
def test_what_a_gradient_has_to_be():
    x = array(np.asarray([1.0, 2.0]))

    def slope(gradient, fn=lambda x: x * 2.0):
        return ca.grad(lambda x: ca.sum(ca.bind_custom_gradient_function(fn, gradient)(x)))(x)

    for error, words, gradient in (
        (TypeError, "return a tuple", lambda args, value, slope: slope),
        (ValueError, "not like the arguments", lambda args, value, slope: (slope, slope)),
        (ValueError, "changes its shape", lambda args, value, slope: (slope[:1],)),
        (TypeError, "changes its dtype", lambda args, value, slope: (slope > 0.0,)),
    ):
        with pytest.raises(error, match=words):
            slope(gradient)
    with pytest.raises(TypeError, match="real floating"):
        slope(lambda args, value, slope: (slope,), lambda x: x > 0.0)


def test_functions_are_needed():
    with pytest.raises(TypeError, match="takes two functions"):
        ca.bind_custom_gradient_function(_cube, 3)


# --- meta-learning: (v - t)**2 * a / 2, of which each step divides the distance by the same number


def _cost(variables, batch):
    curve, target = batch
    return ca.sum((variables["v"] - target) ** 2) * curve / 2.0


_V = np.asarray([1.0, -2.0])
_TASKS = [((1.0, 3.0), (2.0, -1.0)), ((0.5, -2.0), (1.0, 4.0))]
_RATE = 0.25


def _ends(steps):
    """Where the steps of each task end, and by how much they shrink a distance."""
    for (curve, target), _ in _TASKS:
        shrink = (1 - _RATE * curve) ** steps
        yield target + shrink * (_V - target), shrink


@needs_derivatives
@pytest.mark.parametrize("steps", [1, 3])
@pytest.mark.parametrize("name", ["maml_step", "fomaml_step"])
def test_maml(name, steps):
    found = getattr(ca, name)(_cost, _cost, {"v": array(_V)}, _TASKS, inner_steps=steps, inner_learning_rate=_RATE)
    costs, slopes = [], []
    for (end, shrink), (_, (curve, target)) in zip(_ends(steps), _TASKS, strict=True):
        costs.append(curve / 2 * ((end - target) ** 2).sum())
        slopes.append(curve * (end - target) * (shrink if name == "maml_step" else 1.0))
    assert type(found) is ca.MetaStepResult
    np.testing.assert_allclose(float(found.cost), np.mean(costs), rtol=1e-12)
    np.testing.assert_allclose(numpy_of(found.gradients["v"]), np.mean(slopes, 0), rtol=1e-12)


@needs_derivatives
@pytest.mark.parametrize("steps", [1, 3])
def test_reptile(steps):
    batches = [inner for inner, _ in _TASKS]
    found = ca.reptile_step(_cost, {"v": array(_V)}, batches, inner_steps=steps, inner_learning_rate=_RATE)
    slopes = [(_V - end) / _RATE for end, _ in _ends(steps)]
    np.testing.assert_allclose(numpy_of(found.gradients["v"]), np.mean(slopes, 0), rtol=1e-12)
    costs = [
        curve / 2 * ((target - _V) ** 2).sum() * (1 - _RATE * curve) ** (2 * step)
        for curve, target in batches
        for step in range(steps)
    ]
    assert math.isclose(float(found.cost), np.mean(costs), rel_tol=1e-12)


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (ValueError, lambda v: ca.maml_step(_cost, _cost, v, [])),
        (ValueError, lambda v: ca.fomaml_step(_cost, _cost, v, _TASKS, inner_steps=0)),
        (TypeError, lambda v: ca.maml_step(_cost, _cost, v, [1.0])),
        (ValueError, lambda v: ca.reptile_step(_cost, v, 3)),
    ],
)
def test_meta_steps_refuse_what_does_not_fit(error, call):
    with pytest.raises(error, match=r"'(maml|fomaml|reptile)_step'"):
        call({"v": array(_V)})


def test_a_plugin_without_the_hook_ignores_no_derivative(monkeypatch):
    doubled = ca.bind_custom_gradient_function(lambda x: x * 2.0, lambda args, value, slope: (slope * 10.0,))
    x = be.asarray([1.0])
    monkeypatch.setattr(be, "facts", {"reverse_mode": None})
    with pytest.raises(NotImplementedError, match="'bind_custom_gradient_function' needs the hook 'custom_gradient'"):
        doubled(x)
