"""`corearray.Module` and `corearray.Linear`: parameters that are taken out and put in, training, and graphs."""

from __future__ import annotations

import copy
import math
import pickle
from itertools import pairwise

import numpy as np
import pytest
from standard.support import array, be, needs_derivatives, numpy_of

import corearray as ca

X = np.random.default_rng(0).normal(size=(6, 3)).astype("float32")
OPTIONS = {"backend": "eager"} if "register_tracing" in be.facts else {}


class Network(ca.Module):
    constants = ("mean",)

    def __init__(self, *sizes, seed=0):
        generator = ca.random.Generator(seed)
        self.layers = [ca.Linear(before, after, generator=generator) for before, after in pairwise(sizes)]
        self.scales = {"in": ca.ones(sizes[0]), "steps": ca.asarray([1, 2])}
        self.mean = ca.zeros(sizes[0])
        self.activation = ca.tanh
        super().__init__()

    def forward(self, x, *, activate=True):
        x = (x - self.mean) * self.scales["in"]
        for layer in self.layers[:-1]:
            x = self.activation(layer(x)) if activate else layer(x)
        return self.layers[-1](x)


class Tied(ca.Module):
    """Two layers with one weight, and an array that stands in two places."""

    def __init__(self):
        self.one = ca.Linear(3, 3)
        self.other = ca.Linear(3, 3)
        self.other.weight = self.one.weight
        self.again = (self.one, 7)

    def forward(self, x):
        return self.again[0](self.other(self.one(x)))


@pytest.fixture(autouse=True)
def on_this_backend():
    with ca.backend_context(be):
        yield


def by_hand(network, x):
    for layer in network.layers[:-1]:
        x = np.tanh(x @ numpy_of(layer.weight).T + numpy_of(layer.bias))
    return x @ numpy_of(network.layers[-1].weight).T + numpy_of(network.layers[-1].bias)


def test_the_parameters_are_those_of_the_attributes():
    network = Network(3, 4, 2)
    parameters = network.parameters()
    assert parameters.key_chains() == [
        "layers.0.weight", "layers.0.bias", "layers.1.weight", "layers.1.bias", "scales.in",
    ]  # fmt: skip
    assert parameters["layers.0.weight"] is network.layers[0].weight
    np.testing.assert_allclose(numpy_of(network(array(X))), by_hand(network, X), rtol=1e-5, atol=1e-6)
    assert ca.Module().parameters().equals(ca.Container())
    with pytest.raises(NotImplementedError, match="'Module' has no method 'forward'"):
        ca.Module()(array(X))


def test_others_are_put_in():
    network, x = Network(3, 2), array(X)
    before = network.parameters()
    other = network.with_parameters(2.0 * before)
    assert network.parameters().equals(before) and other.parameters().equals(2.0 * before)
    assert other.layers[0] is not network.layers[0] and other.mean is network.mean
    np.testing.assert_allclose(numpy_of(network.apply((2.0 * before).to_dict(), x)), numpy_of(other(x)))
    layer = network.layers[0]
    network.set_parameters(2.0 * before)
    assert network.layers[0] is layer and network.parameters().equals(other.parameters())
    with pytest.raises(ValueError, match=r"the parameters given for 'Network' .* 'scales\.in' is missing"):
        network.set_parameters(before.prune("scales.in"))
    with pytest.raises(TypeError, match="parameters of 'Network' are a Container or a dictionary, got list"):
        network.with_parameters([1, 2])


def test_what_stands_in_two_places_is_one_parameter():
    network = Tied()
    assert network.parameters().key_chains() == ["one.weight", "one.bias", "other.bias"]
    for made in (network.with_parameters(0.0 * network.parameters()), copy.deepcopy(network)):
        assert made.other.weight is made.one.weight and made.again[0] is made.one and made.again[1] == 7
    network.set_parameters(3.0 * network.parameters())
    assert network.other.weight is network.one.weight and network.again[0] is network.one
    network.itself = network
    assert len(network.parameters().leaves()) == 3 and "..." in repr(network)
    assert network.with_parameters(network.parameters()).itself is not network


def test_native_arrays_are_parameters_too():
    network = ca.Module()
    network.w = array(X).native
    assert network.parameters()["w"] is network.w
    assert repr(network) == "Module(w=float32[6, 3])" or "w=" in repr(network)


def test_pickled_and_saved(tmp_path):
    network = Tied()
    found = pickle.loads(pickle.dumps(network))
    assert found.parameters().equals(network.parameters()) and found.other.weight is found.one.weight
    network.parameters().save(tmp_path / "parameters.npz")
    other = Tied()
    other.set_parameters(ca.Container.load(tmp_path / "parameters.npz"))
    assert other(array(X)).tolist() == network(array(X)).tolist()


def test_linear():
    layer = ca.Linear(300, 200, generator=ca.random.Generator(1), dtype=ca.float32)
    weight, bound = numpy_of(layer.weight), 1 / math.sqrt(300)
    assert weight.shape == (200, 300) and abs(weight).max() <= bound
    assert weight.std() == pytest.approx(bound / math.sqrt(3), rel=0.01) and weight.mean() == pytest.approx(0, abs=1e-3)
    assert layer.bias.shape == (200,) and abs(numpy_of(layer.bias)).max() <= bound
    again = ca.Linear(300, 200, generator=ca.random.Generator(1), dtype=ca.float32)
    assert again.parameters().equals(layer.parameters())
    without = ca.Linear(3, 2, bias=False)
    assert without.bias is None and without.parameters().key_chains() == ["weight"]
    np.testing.assert_allclose(numpy_of(without(array(X))), X @ numpy_of(without.weight).T, rtol=1e-5, atol=1e-6)
    assert repr(without) == "Linear(weight=float32[2, 3], bias=None)"


def test_linear_refuses():
    with pytest.raises(TypeError, match=r"'in_features' of 'Linear' is an integer, got 2\.0"):
        ca.Linear(2.0, 3)
    with pytest.raises(ValueError, match="'out_features' of 'Linear' is at least 1, got 0"):
        ca.Linear(2, 0)
    with pytest.raises(TypeError, match=r"generator of 'Linear' is a corearray\.random\.Generator, not int"):
        ca.Linear(2, 3, generator=7)
    with pytest.raises(TypeError, match="dtype 'int64'"):
        ca.Linear(2, 3, dtype=ca.int64)
    with pytest.raises(ValueError, match="'linear' got vectors"):
        ca.Linear(2, 3)(array(X))


def trained(step, network, rounds):
    x = array(X)
    y = ca.sum(x * x, axis=1, keepdims=True)
    losses, parameters = [], network.parameters()
    for _ in range(rounds):
        value, parameters = step(parameters, x, y)
        losses.append(float(value))
    return losses


def step_of(network, apply):
    def loss(parameters, x, y):
        return ca.mean(ca.square(apply(parameters, x) - y))

    def step(parameters, x, y):
        value, slopes = ca.value_and_grad(loss)(parameters, x, y)
        return value, ca.gradient_descent_update(parameters, slopes, 0.05)

    return step


@needs_derivatives
def test_training_is_the_same_however_it_is_run():
    ways = {
        "eager": lambda network: step_of(network, network.apply),
        "compiled": lambda network: ca.compile(step_of(network, network.apply), **OPTIONS),
        "graph": lambda network: step_of(network, network.compile_graph(array(X))),
    }
    losses = {}
    for name, way in ways.items():
        network = Network(3, 8, 1)
        losses[name] = trained(way(network), network, 30)
    assert losses["eager"][-1] < losses["eager"][0] / 4
    np.testing.assert_allclose(losses["compiled"], losses["eager"], rtol=1e-4)
    np.testing.assert_allclose(losses["graph"], losses["eager"], rtol=1e-4)


@needs_derivatives
def test_slopes_are_those_of_both_places():
    network = Tied()

    def total(parameters):
        return ca.sum(network.apply(parameters, array(X)))

    slopes = ca.grad(total)(network.parameters())
    assert slopes.same_structure(network.parameters())
    step = 1e-2
    weight = network.parameters()["one.weight"]
    moved = {**network.parameters().flatten(), "one.weight": weight + step * ca.sign(slopes["one.weight"])}
    expected = float(ca.sum(ca.abs(slopes["one.weight"]))) * step
    change = float(total(ca.Container(moved))) - float(total(network.parameters()))
    assert change == pytest.approx(expected, rel=0.2)


@pytest.mark.skipif("traced_calls" not in be.facts, reason="this backend shows no calls")
def test_a_module_and_code_clean_and_unclean_give_the_same_graph(capsys):
    class Network(ca.Module):
        def __init__(self):
            self.layer = ca.Linear(3, 3)
            super().__init__()

        def forward(self, x):
            return self.layer(x)

    def clean(w, b, x):
        return ca.linear(x, w, bias=b)

    def unclean(w, b, x):
        y = b + w + x
        print("message")
        wx = ca.linear(x, w)
        temp = y * w  # noqa: F841
        return ca.linear(x, w, bias=b) if wx.shape else wx

    network, x = Network(), array(X[0])
    w, b = network.layer.weight, network.layer.bias
    graph = network.compile_graph(x)
    assert graph == ca.compile_graph(clean, w, b, x) == ca.compile_graph(unclean, w, b, x)
    capsys.readouterr()
    np.testing.assert_allclose(numpy_of(graph(network.parameters(), x)), numpy_of(network(x)), rtol=1e-6)
    assert not capsys.readouterr().out
    kept = ca.compile_graph(network, x)  # with the parameters of now
    assert len(kept) <= len(graph)
    np.testing.assert_allclose(numpy_of(kept(x)), numpy_of(network(x)), rtol=1e-6)
