"""Transpositions of compiled programs: cancelled where that saves elements, with equal results and derivatives."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf
from corearray_tensorflow import gradients, layouts

import corearray as ca

be = ca.get_backend("tensorflow")

TO_LAST, TO_FIRST = (0, 2, 3, 1), (0, 3, 1, 2)


@pytest.fixture
def graphs(monkeypatch):
    """The graphs of the programs that are compiled, with their results."""
    found = []

    def settle(graph, results):
        results = list(results)
        layouts.settle(graph, results)
        found.append((graph, results))

    monkeypatch.setattr(gradients, "settle", settle)
    return found


def count(found, kind="Transpose", least=0):
    """Count the operations of a kind on more than `least` elements that results need."""
    graph, results = found
    needed = layouts._needed(graph.get_operations(), [x for x in results if not hasattr(x, "numpy")])
    return sum(one.type == kind and layouts._size(one.outputs[0]) > least for one in needed)


def random(*shape):
    return be.asarray(np.random.default_rng(sum(shape)).normal(size=shape).astype("float32"))


def parts(found):
    return found if isinstance(found, tuple) else (found,)


def to_last(x):
    return be.permute_dims(x, TO_LAST)


def to_first(x):
    return be.permute_dims(x, TO_FIRST)


SCALE = random(5, 4)

#: Programs of an array of shape `(2, 4, 3, 5)`, and the number of its transpositions.
PROGRAMS = {
    "pair": (lambda x: to_first(to_last(x)) + 0, 0),
    "relu": (lambda x: be.sum(to_first(be.relu(to_last(x))) ** 2), 0),
    "numbers": (lambda x: to_first(1 - 2 * to_last(x)) * 1, 0),
    "scale": (lambda x: to_first(to_last(x) * SCALE) * 1, 0),
    "mean": (lambda x: be.mean(to_last(x) ** 2, axis=(0, 1, 2)) * 2, 0),
    "mean of pixels": (lambda x: be.mean(to_last(x) ** 2, axis=(1, 2)) * 2, 0),
    "sum in another order": (lambda x: be.sum(to_last(x) ** 2, axis=0) * 2, 1),
    "kept axes": (lambda x: be.sum(to_last(x), axis=(1, 2), keepdims=True) * 2, 1),
    "residual": (lambda x: to_first(to_last(x) + be.tanh(to_last(x))) * x, 0),
    "two ways out": (lambda x: be.concat([to_first(be.exp(to_last(x))).ravel(), be.exp(to_last(x)).ravel()]), 1),
    "chain that ends in another order": (lambda x: be.reshape(be.tanh(be.exp(to_last(x))), (-1,)), 1),
    "other order": (lambda x: be.permute_dims(be.exp(to_last(x)), (3, 0, 1, 2)) * 1, 2),
    "where": (lambda x: to_first(be.where(to_last(x) > 0, to_last(x), 0.5)) * 1, 0),
    "result within": (lambda x: (lambda y: (y, to_first(y) * 1))(be.exp(to_last(x))), 2),
    "large operand": (lambda x: to_first(to_last(x) + random(2, 3, 5, 4)) * 1, 2),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_results_and_derivatives_are_equal(name, graphs):
    program, transposes = PROGRAMS[name]
    x = random(2, 4, 3, 5)
    compiled = ca.compile(program)
    for one, other in zip(parts(program(x)), parts(compiled(x)), strict=True):
        np.testing.assert_allclose(one.native, other.native, rtol=1e-6)
    assert count(graphs[0], least=40) == transposes

    def loss(function):
        return lambda x: sum(be.sum(be.sin(y)) for y in parts(function(x)))

    expected = ca.grad(loss(program))(x).native
    np.testing.assert_allclose(ca.compile(ca.grad(loss(program)))(x).native, expected, rtol=1e-5)
    np.testing.assert_allclose(ca.grad(loss(compiled))(x).native, expected, rtol=1e-5)  # through the program
    with tf.GradientTape() as tape:
        tape.watch(x.native)
        value = loss(compiled)(x).native
    np.testing.assert_allclose(tape.gradient(value, x.native), expected, rtol=1e-5)


def test_unknown_sizes(graphs):
    compiled = ca.compile(lambda x: to_first(be.relu(to_last(x)) * 2) * 1, dynamic=True)
    for size in (2, 3, 4):
        x = random(size, 4, 3, 5)
        np.testing.assert_allclose(compiled(x).native, 2 * np.maximum(x.native, 0))
    assert [count(found) for found in graphs] == [0] * len(graphs)


@pytest.mark.parametrize("seed", range(30))
def test_random_programs(seed):
    """Elementwise operations, reductions and transpositions in any order compute what they compute one by one."""
    random_of = np.random.default_rng(seed)
    choices = [random_of.integers(0, 10, 3) for _ in range(14)]
    orders = [tuple(int(axis) for axis in random_of.permutation(4)) for _ in range(3)] + [TO_LAST, TO_FIRST] * 2

    def program(x):
        made = [x, be.permute_dims(x, TO_LAST)]
        results = []
        for kind, one, other in choices:
            x, y = made[one % len(made)], made[other % len(made)]
            if kind < 4:
                made.append(be.permute_dims(x, orders[(one + other) % len(orders)]))
            elif kind == 4:
                made.append(be.tanh(x))
            elif kind == 5 and x.shape == y.shape:
                made.append(x * y + 0.5)
            elif kind == 6:
                made.append(x / (1 + be.mean(x * x, axis=other % 4, keepdims=True)))
            elif kind == 7:
                results.append(be.sum(x * x, axis=(one % 4, (one + 1) % 4)))
            elif kind == 8:
                results.append(x)
            else:
                made.append(be.where(x > 0, x, -0.5 * x))
        return [*results, made[-1], made[-2] * 2]

    def total(x):
        return sum(be.sum(be.sin(y)) for y in program(x))

    x = random(2, 2, 2, 2) if seed % 2 else random(2, 3, 4, 5)
    for one, two in zip(program(x), ca.compile(program)(x), strict=True):
        np.testing.assert_allclose(two.native, one.native, rtol=1e-5, atol=1e-6)
    slope = ca.grad(total)(x).native
    np.testing.assert_allclose(ca.compile(ca.grad(total))(x).native, slope, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("stride", [1, 2, 3])
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_every_padding_is_that_of_a_padded_array(size, stride):
    """TensorFlow names two paddings, whose kernels of gradients are faster; the others are padded before."""
    for length in (6, 7):
        for widths in ((0, 0), (0, 1), (1, 1), (1, 0), (1, 2), (2, 2)):
            x, filters = random(2, 3, length, 5), random(4, 3, size, 1)

            def padded(x, filters, widths=widths):
                return be.conv_general_dilated(x, filters, strides=(stride, 1), padding=(widths, (0, 0)))

            def before(x, filters, widths=widths):
                x = be.pad(x, ((0, 0), (0, 0), widths, (0, 0)))
                return be.conv_general_dilated(x, filters, strides=(stride, 1), padding="valid")

            def slopes(function):
                return ca.grad(lambda both: be.sum(be.sin(function(*both))))

            np.testing.assert_allclose(padded(x, filters).native, before(x, filters).native, rtol=1e-4, atol=1e-5)
            for one, two in zip(slopes(padded)((x, filters)), slopes(before)((x, filters)), strict=True):
                np.testing.assert_allclose(one.native, two.native, rtol=1e-4, atol=1e-4)
            if widths in ((0, 1), (1, 1)):
                for one, two in zip(
                    ca.compile(slopes(padded))((x, filters)), slopes(before)((x, filters)), strict=True
                ):
                    np.testing.assert_allclose(one.native, two.native, rtol=1e-4, atol=1e-4)


def test_a_step_of_a_convolutional_network_transposes_what_goes_in_and_out(graphs):
    from corearray import nn, optim

    with ca.backend_context("tensorflow"):
        ca.random.seed(0)
        model = nn.Sequential(
            nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(8, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(32, 3),
        )  # fmt: skip
        state = {name: ca.asarray(x, copy=True) for name, x in model.state_dict().items()}
        x, y = random(16, 3, 8, 8), be.asarray(np.arange(16) % 3)
        losses = []
        for options in ({"compile": False}, {}):
            model.load_state_dict(state)
            ca.random.seed(0)
            train = nn.TrainStep(model, lambda m, x, y: ca.sparse_cross_entropy(m(x), y), optim.sgd(0.1), **options)
            losses.append([float(train(x, y)) for _ in range(5)])
    np.testing.assert_allclose(*losses, rtol=1e-5)
    assert count(graphs[-1], least=8 * 8 * 9) <= 3  # the batch, and what is flattened with its derivative
