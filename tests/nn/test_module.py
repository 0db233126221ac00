"""`Module`: names, state, freezing, casting, replacing, text, and its place in trees."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from standard.support import array, be, needs_derivatives, numpy_of

import corearray as ca
from corearray import nn

X = np.random.default_rng(0).normal(size=(6, 3)).astype("float32")


class Counting(nn.Module):
    def __init__(self):
        self.calls = nn.Buffer(ca.asarray(0))
        self.mean = nn.Buffer(ca.zeros(3), persistent=False)
        self.scale = ca.ones(3)

    def forward(self, x):
        self.calls = self.calls + 1
        self.mean = 0.5 * self.mean + 0.5 * ca.mean(x, axis=0)
        return self.scale * (ca.dropout(x, 0.5) if self.training else x)


class Network(nn.Module):
    def __init__(self):
        self.layers = [nn.Linear(3, 4), nn.Linear(4, 4)]
        self.head = nn.Linear(4, 2, bias=False)
        self.state = Counting()

    def forward(self, x):
        x = self.state(x)
        for layer in self.layers:
            x = ca.tanh(layer(x))
        return self.head(x)


@pytest.fixture(autouse=True)
def on_this_backend():
    with ca.backend_context(be):
        ca.random.seed(0)
        yield


def same(one, other):
    assert list(one) == list(other)
    for name in one:
        np.testing.assert_array_equal(numpy_of(one[name]), numpy_of(other[name]))


def test_parameters_and_buffers_by_name():
    network = Network()
    assert list(network.parameters()) == [
        "layers.0.weight", "layers.0.bias", "layers.1.weight", "layers.1.bias", "head.weight", "state.scale",
    ]  # fmt: skip
    assert list(network.buffers()) == ["state.calls", "state.mean"]
    assert set(network.state_dict()) == {*network.parameters(), "state.calls"}
    network(array(X))
    assert int(network.state.calls) == 1 and list(network.buffers()) == ["state.calls", "state.mean"]


def test_apply_is_pure_and_returns_buffers():
    network, x = Network(), array(X)
    before = network.state_dict()
    value, buffers = network.apply(network.parameters(), x, buffers=network.buffers(), generator=ca.random.Generator(3))
    assert int(buffers["state.calls"]) == 1 and int(network.state.calls) == 0
    again = network.apply(network.parameters(), x, generator=ca.random.Generator(3))
    np.testing.assert_array_equal(numpy_of(value), numpy_of(again))
    same(network.state_dict(), before)
    np.testing.assert_allclose(numpy_of(buffers["state.mean"]), 0.5 * X.mean(0), rtol=1e-5, atol=1e-6)
    with pytest.raises(ValueError, match=r"'state.call' is not one of them .near: 'state.calls'"):
        network.apply(network.parameters(), x, buffers={"state.call": ca.asarray(1), "state.mean": ca.zeros(3)})


def test_training_mode_is_an_attribute():
    network = Network()
    assert network.training and network.eval() is network
    assert not any(module.training for module in network.modules())
    np.testing.assert_array_equal(numpy_of(network(array(X))), numpy_of(network(array(X))))
    assert all(module.training for module in network.train().modules())


def test_frozen_parameters():
    network = Network().freeze("layers", "state.sc*")
    assert list(network.parameters(trainable=True)) == ["head.weight"]
    assert len(network.parameters(trainable=False)) == 5 and len(network.parameters()) == 6
    network.unfreeze("layers.1.*")
    assert list(network.parameters(trainable=True)) == ["layers.1.weight", "layers.1.bias", "head.weight"]
    assert copy.deepcopy(network).parameters(trainable=True).key_chains() == list(network.parameters(trainable=True))
    assert len(network.unfreeze().parameters(trainable=True)) == 6
    with pytest.raises(KeyError, match=r"'Network' has no parameter 'heads'; near it are 'head.weight'"):
        network.freeze("heads")
    assert len(network.freeze().parameters(trainable=True)) == 0


@needs_derivatives
def test_gradients_of_a_module_are_those_of_its_trainable_parameters():
    network, x = Network().eval().freeze("layers.0"), array(X)
    slopes = ca.grad(lambda m: ca.sum(m(x) ** 2))(network)
    assert type(slopes) is Network and slopes.layers[0].weight is None and slopes.state.calls is None
    expected = ca.grad(lambda p: ca.sum(network.apply(p, x) ** 2))(network.parameters(trainable=True))
    np.testing.assert_allclose(numpy_of(slopes.head.weight), numpy_of(expected["head.weight"]), rtol=1e-5)
    value, found = nn.value_and_grad(lambda m, x: ca.sum(m(x) ** 2), network)(x)
    assert list(found) == list(network.parameters(trainable=True)) and float(value) > 0
    np.testing.assert_allclose(numpy_of(found["head.weight"]), numpy_of(slopes.head.weight), rtol=1e-5)
    assert int(network.state.calls) == 1, "a call of value_and_grad updates buffers, and nothing else does"


def test_an_ensemble_by_vmap():
    members, x = [nn.Linear(3, 2) for _ in range(4)], array(X)
    parts = zip(*[member.tree_flatten()[0] for member in members], strict=True)
    together = nn.Module.tree_unflatten(members[0].tree_flatten()[1], [ca.stack(list(part)) for part in parts])
    found = ca.vmap(lambda m, x: m(x), in_axes=(0, None))(together, x)
    assert found.shape == (4, 6, 2)
    for i, member in enumerate(members):
        np.testing.assert_allclose(numpy_of(found[i]), numpy_of(member(x)), rtol=1e-5, atol=1e-6)


def test_structures_compare_classes_names_and_configuration():
    _, one = Network().tree_flatten()
    assert one == Network().tree_flatten()[1] and hash(one) == hash(Network().tree_flatten()[1])
    assert one != Network().eval().tree_flatten()[1]
    assert one != nn.Linear(3, 2).tree_flatten()[1]
    arrays, structure = Network().tree_flatten()
    restored = pickle.loads(pickle.dumps(structure))
    assert restored == structure
    assert restored.filled(arrays).layers[1].bias is arrays[3]


def test_state_is_loaded_and_reported():
    network, other = Network(), Network()
    report = other.load_state_dict(network.state_dict())
    assert report == nn.LoadReport((), (), ())
    same(other.state_dict(), network.state_dict())
    state = {f"model.{name}": numpy_of(x) for name, x in network.state_dict().items()}
    third = Network()
    third.load_state_dict(state, rename=[(r"^model\.", "")])
    same(third.state_dict(), network.state_dict())
    del state["model.head.weight"]
    state["more"] = np.zeros(1)
    report = third.load_state_dict(state, rename=[(r"^model\.", "")], strict=False)
    assert report == nn.LoadReport(("head.weight",), ("more",), ())


def test_what_does_not_fit_is_refused_and_changes_nothing():
    network = Network()
    before, state = network.state_dict(), Network().state_dict()
    wrong = {**state, "layers.0.wieght": state["layers.0.weight"]}
    del wrong["layers.0.weight"]
    with pytest.raises(KeyError, match=r"(?s)1 names are missing.*missing: 'layers.0.weight', near 'layers.0.wieght'"):
        network.load_state_dict(wrong)
    with pytest.raises(
        ValueError, match=r"'head.weight' of 'Network' has the shape \(2, 4\) and the state has \(4, 2\)"
    ):
        network.load_state_dict({**state, "head.weight": ca.ones((4, 2))})
    with pytest.raises(TypeError, match=r"'head.weight' of 'Network' is float32 and the state has int64"):
        network.load_state_dict({**state, "head.weight": ca.ones((2, 4), dtype="int64")})
    with pytest.raises(TypeError, match="takes a dictionary of arrays by name, got list"):
        network.load_state_dict([1])
    same(network.state_dict(), before)
    report = network.load_state_dict({**state, "head.weight": ca.ones((4, 2))}, strict=False)
    assert report.reshaped == ("head.weight",) and network.head.weight.shape == (2, 4)


def test_buffer_takes_arrays():
    with pytest.raises(TypeError, match="'Buffer' marks an array, got float"):
        nn.Buffer(1.0)


def test_cast_and_moved():
    network = Network().astype("float64")
    assert {x.dtype.name for x in network.parameters().values()} == {"float64"}
    assert network.state.calls.dtype == ca.int64 and network.state.mean.dtype == ca.float64
    with pytest.raises(TypeError, match="takes a floating dtype, got 'int32'"):
        network.astype("int32")
    assert network.to_device(network.head.weight.device) is network


def test_replace():
    network = Network()
    network.replace("head", nn.Linear(4, 5)).replace("layers.1", nn.Identity())
    assert network(array(X)).shape == (6, 5) and len(network.parameters()) == 5
    with pytest.raises(KeyError, match=r"'Network' has no module 'layer.0'; near it are 'layers.0'"):
        network.replace("layer.0", nn.Identity())


def test_text():
    network = Network()
    assert "head=Linear(weight=float32[2, 4], bias=None)" in repr(network) and "  0=Linear(" in repr(network)
    lines = network.summary().splitlines()
    assert lines[0].split() == ["name", "class", "arrays", "parameters"]
    assert any(line.split()[:2] == ["layers.1", "Linear"] and line.endswith("20") for line in lines)
    assert lines[-1] == "47 parameters, 47 trainable, 4 in buffers"


def test_containers_of_modules():
    chain = nn.Sequential({"first": nn.Linear(3, 4), "second": nn.Linear(4, 2)})
    assert list(chain.parameters()) == ["first.weight", "first.bias", "second.weight", "second.bias"]
    assert chain(array(X)).shape == (6, 2) and chain[-1] is chain.second and len(chain) == 2
    items = nn.ModuleList([nn.Linear(1, 1), nn.Identity()])
    items.insert(0, nn.Identity())
    items.append(nn.Linear(2, 2))
    del items[1]
    assert [type(item).__name__ for item in items] == ["Identity", "Identity", "Linear"]
    items[0] = nn.Linear(5, 5)
    assert items[0].weight.shape == (5, 5) and len(items[1:]) == 2
    with pytest.raises(IndexError, match="'ModuleList' has 3 items and none at 7"):
        items[7]
    with pytest.raises(TypeError, match="'ModuleList' holds modules, got int"):
        items.append(1)
    table = nn.ModuleDict({"a": nn.Linear(1, 1)})
    table["b"] = nn.Identity()
    assert "b" in table and table.keys() == ["a", "b"] and table["a"].bias.shape == (1,)
    with pytest.raises(KeyError, match="'ModuleDict' has no key 'c'; it has a, b"):
        table["c"]
    with pytest.raises(KeyError, match="which has an attribute of that name"):
        table["forward"] = nn.Identity()
    with pytest.raises(TypeError, match="'ParameterList' holds parameters, which are floating arrays, got an array"):
        nn.ParameterList([ca.asarray([1, 2])])
    assert list(nn.ParameterDict({"w": ca.ones(2)}).parameters()) == ["w"]


def test_arrays_in_tuples_and_dictionaries_are_replaced():
    module = nn.Module()
    module.pair = (ca.ones(2), {"x": ca.zeros(2)})
    module.set_parameters({"pair.0": ca.zeros(2), "pair.1.x": ca.ones(2)})
    assert module.pair[0].tolist() == [0.0, 0.0] and module.pair[1]["x"].tolist() == [1.0, 1.0]


def test_copies_are_apart():
    network = Network()
    for other in (copy.deepcopy(network), pickle.loads(pickle.dumps(network))):
        same(other.state_dict(), network.state_dict())
        other.set_parameters(0.0 * other.parameters())
        assert list(other.buffers()) == list(network.buffers())
        assert numpy_of(network.head.weight).any()


def test_parameters_of_containers_are_set():
    model = nn.Sequential(nn.ModuleList([nn.Linear(3, 2)])[0], nn.ModuleDict({"a": nn.Linear(2, 2)})["a"])
    model.set_parameters(0.0 * model.parameters())
    assert numpy_of(model(array(X))).tolist() == [[0.0, 0.0]] * 6
    pair = nn.ModuleList([nn.Linear(3, 2)])
    pair.set_parameters(pair.parameters())
    named = nn.ModuleDict({"a": nn.Linear(3, 2)}).with_parameters({"a.weight": ca.ones((2, 3)), "a.bias": ca.zeros(2)})
    assert numpy_of(named["a"].weight).tolist() == [[1.0] * 3] * 2


def test_buffers_are_replaced():
    norm = nn.BatchNorm1d(2)
    norm.set_buffers({"running_mean": be.ones(2)})
    assert norm.running_mean.tolist() == [1.0, 1.0]
    with pytest.raises(KeyError, match=r"no buffer.*'running_maen'"):
        norm.set_buffers({"running_maen": be.ones(2), "running_mean": be.zeros(2)})
    assert norm.running_mean.tolist() == [1.0, 1.0]


def test_compiled_programs_take_and_return_modules():
    """Other weights are not those of the trace, which a framework that does not know the class would keep."""
    options = {"backend": "eager"} if "register_tracing" in be.facts else {}
    model, x = nn.Linear(2, 3), be.ones((1, 2))
    call = ca.compile(lambda m, x: (m(x), {"same": [m]}), **options)
    for _ in range(2):
        result, tree = call(model, x)
        np.testing.assert_allclose(be.to_numpy(result), be.to_numpy(model(x)), rtol=1e-6)
        assert isinstance(tree["same"][0], nn.Linear)
        np.testing.assert_array_equal(be.to_numpy(tree["same"][0].weight), be.to_numpy(model.weight))
        model.weight = model.weight * 2
