"""Rematerialised functions: the same values, derivatives, random numbers and buffers, and a second forward pass."""

from __future__ import annotations

import threading
from functools import wraps

import numpy as np
import pytest
from standard.support import array, be, needs_derivatives, numpy_of

import corearray as ca
from corearray import nn
from corearray.transforms.rematerialized import _program
from corearray.transforms.tree import Tree

OPTIONS = {"backend": "eager", "fullgraph": True} if "register_tracing" in be.facts else {}

X = np.linspace(-1.0, 2.0, 8).reshape(4, 2)


@pytest.fixture(autouse=True)
def on_this_backend():
    with ca.backend_context(be):
        yield


def test_the_value_and_the_name_are_those_of_the_function():
    def doubled(x, *, by=2):
        return {"a": x * by, "n": "text"}

    made = ca.remat(doubled)
    assert made.__name__ == "doubled"
    found = made(array(X), by=3)
    assert found["n"] == "text" and (numpy_of(found["a"]) == 3 * X).all()
    with pytest.raises(TypeError, match="'remat' takes a function"):
        ca.remat(3)


@needs_derivatives
def test_arguments_and_arrays_that_the_function_refers_to_have_their_derivatives():
    def slopes(change):
        def loss(x, w):
            block = change(lambda tree: [ca.tanh(tree["x"] * w), ca.sum(w * w)])
            one, two = block({"x": x, "n": 3})
            return ca.sum(one * one) * two

        return ca.grad(loss, argnums=(0, 1))(array(X), array(np.asarray([2.0, 0.5])))

    for found, want in zip(slopes(ca.remat), slopes(lambda f: f), strict=True):
        np.testing.assert_allclose(numpy_of(found), numpy_of(want), rtol=1e-12)


@needs_derivatives
def test_the_second_pass_draws_the_same_numbers():
    """Of the context's generator, and of one of the function's own; without `remat` they are the same too."""

    def loss(x, change):
        own = ca.random.Generator(5)

        def block(x):
            return ca.dropout(ca.sin(ca.dropout(x * x, 0.5) * own.uniform(shape=2)), 0.25)

        return ca.sum(change(block)(x) ** 2)

    found = []
    for change in (lambda f: f, ca.remat, lambda f: ca.remat(ca.remat(f))):
        ca.random.seed(3)
        found.append((ca.grad(loss)(array(X), change), ca.random.default_generator().uniform(shape=2)))
    for slope, after in found[1:]:
        np.testing.assert_allclose(numpy_of(slope), numpy_of(found[0][0]), rtol=1e-12)
        assert after.tolist() == found[0][1].tolist()
    assert 0 < np.count_nonzero(numpy_of(found[0][0])) < X.size


@needs_derivatives
def test_further_derivatives_and_vmap():
    block = ca.remat(lambda x: x**3)
    assert ca.grad(ca.grad(block))(array(np.asarray(2.0))).tolist() == 12.0
    assert ca.vmap(ca.grad(block))(array(np.asarray([1.0, 2.0]))).tolist() == [3.0, 12.0]
    value, slope = ca.jvp(block, (array(np.asarray(2.0)),), (array(np.asarray(1.0)),))
    assert float(value) == 8.0 and float(slope) == 12.0


class _Net(nn.Module):
    def __init__(self, how):
        self.how = how
        self.linear = nn.Linear(2, 2, generator=ca.random.Generator(1))
        self.norm, self.drop = nn.BatchNorm1d(2), nn.Dropout(0.5)

    def block(self, x):
        return self.drop(self.norm(self.linear(x)))

    def forward(self, x):
        if self.how == "method":
            return ca.remat(self.block)(x)
        if self.how == "closure":
            return ca.remat(lambda y: self.block(y))(x)
        if self.how == "module":
            return ca.remat(nn.Sequential(self.linear, self.norm, self.drop))(x)
        return self.block(x)


def _steps(how, compile):
    ca.random.seed(3)
    net = _Net(how)
    x = be.astype(array(X), "float32")
    descent = ca.optim.sgd(0.1)
    options = OPTIONS if compile else {}
    step = nn.TrainStep(net, lambda net, x: ca.mean(ca.square(net(x))), descent, compile=compile, **options)
    losses = [float(step(x)) for _ in range(3)]
    return [*losses, *net.norm.running_mean.tolist(), int(net.norm.num_batches_tracked)]


@needs_derivatives
@pytest.mark.parametrize("how", ["method", "closure", "module"])
def test_modules_of_training_steps(how):
    """The model holds no arrays any more when the second pass runs; running statistics change once a step."""
    np.testing.assert_allclose(_steps(how, False), _steps("", False), rtol=1e-5)


@needs_derivatives
def test_a_compiled_step():
    np.testing.assert_allclose(_steps("method", True), _steps("", False), rtol=2e-4)


@needs_derivatives
def test_a_second_pass_in_another_thread_and_other_settings():
    """It sees the settings and the generator of the first one."""
    ca.random.seed(3)
    with ca.settings(default_float_dtype="float64"):
        value, pull_back = ca.vjp(ca.remat(lambda x: ca.dropout(x, 0.5) * ca.ones(2)), array(X))
    found = []
    thread = threading.Thread(target=lambda: found.extend(pull_back(be.ones_like(value))))
    thread.start()
    thread.join()
    ca.random.seed(3)
    (want,) = ca.vjp(lambda x: ca.dropout(x, 0.5), array(X))[1](be.ones_like(value))
    assert found[0].tolist() == want.tolist()


@needs_derivatives
def test_what_is_computed_again():
    """A backend that traces sees the function once; others call it once more for the derivative."""
    calls = []

    def block(x):
        calls.append(type(x.native).__name__)
        return ca.sin(ca.exp(x))

    x = array(X)
    ca.grad(lambda x: ca.sum(ca.remat(block)(x)))(x)
    calls.clear()
    ca.grad(lambda x: ca.sum(ca.remat(block)(x)))(x)
    assert len(calls) == (1 if any("Tracer" in name for name in calls) else 2)


@needs_derivatives
def test_functions_of_one_decorator_are_programs_of_their_own():
    """torch calls a new program once more, because the first call composes functions."""

    def decorated(fn):
        @wraps(fn)
        def inner(*args):
            return fn(*args)

        return inner

    functions = [decorated(fn) for fn in (lambda x: x * x, lambda x: x + x)]
    assert len({_program(be, fn, Tree((array(X),))) for fn in functions}) == 2
    for fn in (ca.cbrt, ca.sinc):
        again, plain = (ca.grad(lambda x, f=f: ca.sum(f(x)))(array(X)) for f in (ca.remat(decorated(fn)), fn))
        assert np.allclose(numpy_of(again), numpy_of(plain), rtol=1e-4)
