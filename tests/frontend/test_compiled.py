"""Transpiled programs under the frameworks' compilers, as modules of the frameworks, and by the fast path of a call."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from frontend.support import close, on
from torch import nn

import corearray as ca


def network(*, training=False):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.GELU(), nn.Linear(8, 2))
    return model.train(training)


X = torch.linspace(-2, 2, 12).reshape(3, 4)


# --- the identity: torch to torch


def test_torch_to_torch():
    model = network()
    t = ca.transpile(model, X, to="torch")
    close(t(X), model(X))
    slopes = torch.autograd.grad(t.apply(t.parameters, X.requires_grad_()).sum(), [X])
    X.requires_grad_(False)
    x = X.clone().requires_grad_()
    close(slopes[0], torch.autograd.grad(model(x).sum(), x)[0])


@pytest.mark.parametrize("wraps", [False, True])
def test_torch_compiles_a_program_whole(wraps):
    model = network()
    t = ca.transpile(model, X, to="torch")
    program = torch.compile(
        lambda x: t(ca.get_backend("torch").wrap(x)) if wraps else t(x), fullgraph=True, backend="eager"
    )
    made = program(X)
    close(made.native if wraps else made, model(X))


def test_torch_compiles_a_module_whole():
    model = network()
    module = ca.transpile(model, X, to="torch").to_module()
    compiled = torch.compile(module, fullgraph=True, backend="eager")
    close(compiled(X).detach(), model(X))
    compiled(X).sum().backward()
    model(X).sum().backward()
    for name, theirs in model.named_parameters():
        close(module.get_parameter(name).grad, theirs.grad)


def test_jax_compiles_a_program():
    jax = pytest.importorskip("jax")
    model = network()
    t = ca.transpile(model, X, to="jax")
    x = t.backend.asarray(X.numpy()).native
    close(jax.jit(t)(x), model(X))
    held = {name: array.native for name, array in t._flat(t.parameters).items()}

    def loss(held, x):
        tree = ca.Container(t.parameters)
        for name, native in held.items():
            node, (*path, last) = tree, name.split(".")
            for part in path:
                node = node[part]
            node[last] = t.backend.wrap(native)
        return t.apply(tree, x).sum()

    slopes = jax.jit(jax.grad(loss))(held, x)
    model(X).sum().backward()
    for name, theirs in model.named_parameters():
        close(slopes[name], theirs.grad)


def test_tensorflow_compiles_a_program(target):
    if target != "tensorflow":
        pytest.skip("TensorFlow takes seconds to import; its own run has it")
    import tensorflow as tf

    model = network()
    t = ca.transpile(model, X, to="tensorflow")
    close(tf.function(t)(tf.constant(X.numpy())), model(X))
    layer = t.to_module()
    close(layer(tf.constant(X.numpy())), model(X))
    assert sorted(x.name for x in layer.trainable_weights) == [
        "0_bias", "0_weight", "1_bias", "1_weight", "3_bias", "3_weight",
    ]  # fmt: skip


# --- modules


def test_a_module_has_the_names_of_the_source():
    model = network()
    model[0].weight.requires_grad_(False)
    module = ca.transpile(model, X, to="torch").to_module()
    assert set(module.state_dict()) == set(model.state_dict())
    assert not module.get_parameter("0.weight").requires_grad
    assert module.get_parameter("3.weight").requires_grad
    module.load_state_dict({name: x + 1 for name, x in model.state_dict().items()})
    close(module.get_parameter("0.weight"), model[0].weight + 1)


def test_a_module_trains_and_keeps_its_statistics():
    model = network(training=True)
    t = ca.transpile(model, X, to="torch")
    module = t.to_module()
    before = t.buffers["1"]["running_mean"].native.clone()
    trained = [torch.optim.SGD(one.parameters(), 0.1) for one in (model, module)]
    for _ in range(3):
        for one, optimizer in zip((model, module), trained, strict=True):
            optimizer.zero_grad()
            one(X).square().sum().backward()
            optimizer.step()
    for name, theirs in model.state_dict().items():
        close(module.state_dict()[name].detach(), theirs, 1e-4)
    close(t.buffers["1"]["running_mean"].native, before)


def test_modules_that_there_are_none_of():
    t = ca.transpile(network(), X, to="numpy")
    with pytest.raises(NotImplementedError, match="backend 'numpy' makes no modules"):
        t.to_module()
    with pytest.raises(TypeError, match="holds no arrays"):
        ca.transpile(torch.relu, X, to="torch", source="torch").to_module()


# --- the fast path


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.ones(4))
        self.register_buffer("seen", torch.zeros(()))

    def forward(self, x, by=None, *, mask=None, plus=0):
        self.seen += 1
        y = self.w * x
        if by is not None:
            y = y * by
        if mask is not None:
            y = y.masked_fill(mask, 0.0)
        return {"y": y + plus, "n": plus, "seen": self.seen}


def test_arguments_of_each_kind_find_their_program(target):
    model = Scaled()
    mask = X > 1
    calls = [
        ((X,), {}),
        ((X, 2), {}),
        ((X, None), {"plus": 3}),
        ((X,), {"mask": mask, "plus": True}),
        ((X,), {"plus": 1}),
        ((X, 2.0), {}),
        ((X[:2],), {"by": 3}),
    ]
    t = ca.transpile(model, to=target)
    count = 0
    for _ in range(2):
        for args, options in calls:
            wanted = model(*args, **options)
            given = [on(target, x) if isinstance(x, torch.Tensor) else x for x in args]
            named = {name: on(target, x) if isinstance(x, torch.Tensor) else x for name, x in options.items()}
            for native in (False, True):
                if native:
                    given = [x.native if isinstance(x, ca.Array) else x for x in given]
                    named = {name: x.native if isinstance(x, ca.Array) else x for name, x in named.items()}
                found = t(*given, **named)
                count += 1
                close(found["y"], wanted["y"])
                assert found["n"] is wanted["n"]
                assert isinstance(found["y"], ca.Array) is not native
                assert int(np.asarray(found["seen"])) == count == int(t.buffers["seen"])
    assert len(t._prepared) == len(calls)


def test_programs_with_other_parameters_keep_their_own_buffers(target):
    t = ca.transpile(Scaled(), X, to=target)
    other = t.with_parameters({"w": t.parameters["w"] * 2})
    x = on(target, X)
    close(other(x)["y"], 2 * X)
    close(t(x)["y"], X)
    t(x)
    assert (int(t.buffers["seen"]), int(other.buffers["seen"])) == (2, 1)
    t.apply(t.parameters, x)
    assert int(t.buffers["seen"]) == 2


def test_writes_into_parameters_are_seen(target):
    t = ca.transpile(Scaled(), X, to=target)
    x = on(target, X)
    t(x)
    weight = t.parameters["w"]
    weight *= 3
    close(t(x)["y"], 3 * X)
