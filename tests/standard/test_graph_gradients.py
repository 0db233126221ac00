"""Derivatives and graphs: a graph within a derivative, and derivatives within a graph."""

from __future__ import annotations

import numpy as np
import pytest
from standard.support import array, be, needs_derivatives, numpy_of

import corearray as ca

pytestmark = [needs_derivatives, pytest.mark.skipif("traced_calls" not in be.facts, reason="it shows no calls")]

X = np.asarray([0.5, -1.5, 2.0], "float32")
Y = np.asarray([2.0, 0.25, -1.0], "float32")


@pytest.fixture(autouse=True)
def on_this_backend():
    with ca.backend_context(be):
        yield


def loss(x, y):
    return ca.sum(ca.sin(x) * x * y) + ca.mean(ca.relu(x))


def twice(x, y):
    slope = ca.grad(loss)
    return ca.grad(lambda x: ca.sum(slope(x, y) * slope(x, y)))(x)


def fanned(x, y):
    """Use an argument within a derivative and beside it, and two derivatives by it."""
    one = ca.grad(lambda z: ca.sum(z * x * y))(x)
    other = ca.grad(lambda z: ca.sum(ca.exp(z) * one))(x)
    return one + other, x * 2


def pulled(x, y):
    value, pull_back = ca.vjp(lambda x: x * x * y, x)
    return value, pull_back(y)[0], pull_back(x)[0]


def unused(x, y):
    return ca.grad(lambda pair: ca.sum(pair[0] * 3), argnums=0)([x, y])


PROGRAMS = {
    "gradient": lambda x, y: ca.grad(loss)(x, y),
    "both": lambda x, y: ca.value_and_grad(loss, argnums=(0, 1))(x, y),
    "beside": lambda x, y: ca.value_and_grad(lambda x: (loss(x, y), {"x": x * 2}), has_aux=True)(x),
    "twice": twice,
    "fanned": fanned,
    "pulled": pulled,
    "unused": unused,
    "rows": lambda x, y: ca.jac(lambda x: x[:2] * x[2] * y[:2])(x),
    "forward": lambda x, y: ca.jvp(lambda x: ca.sin(x) * y, (x,), (y,)),
    "mapped": lambda x, y: ca.vmap(lambda a, b: a * b + ca.sin(a))(x, y),
}


def flat(tree):
    if isinstance(tree, dict):
        tree = list(tree.values())
    return [leaf for item in tree for leaf in flat(item)] if isinstance(tree, (list, tuple)) else [tree]


def agree(found, wanted):
    for one, other in zip(flat(found), flat(wanted), strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        np.testing.assert_allclose(numpy_of(one), numpy_of(other), rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("name", PROGRAMS)
def test_derivatives_within(name):
    program = PROGRAMS[name]
    graph = ca.compile_graph(program, array(X), array(Y))
    for pair in ((X, Y), (Y, X)):
        agree(graph(*map(array, pair)), program(*map(array, pair)))


@pytest.mark.parametrize("name", ["gradient", "fanned", "pulled"])
def test_derivatives_of_a_graph_with_derivatives(name):
    def total(fn):
        return lambda x, y: sum(ca.sum(leaf) for leaf in flat(fn(x, y)))

    program = PROGRAMS[name]
    graph = ca.compile_graph(ca.grad(total(program)), array(X), array(Y))
    agree(graph(array(Y), array(X)), ca.grad(total(program))(array(Y), array(X)))


def test_a_graph_within_derivatives():
    graph = ca.compile_graph(loss, array(X), array(Y))
    for transform in (ca.grad, ca.value_and_grad, ca.jac):
        agree(transform(graph)(array(Y), array(X)), transform(loss)(array(Y), array(X)))
    agree(
        ca.jvp(graph, (array(X), array(Y)), (array(Y), array(X))),
        ca.jvp(loss, (array(X), array(Y)), (array(Y), array(X))),
    )


def test_gradients_stop_where_they_are_stopped():
    def program(x):
        return ca.grad(lambda x: ca.sum(x * ca.stop_gradient(x * x)))(x)

    agree(ca.compile_graph(program, array(X))(array(Y)), array(Y * Y))
