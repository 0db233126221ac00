"""Programs in the words of frontends that `torch.compile` follows: one graph, with the values of the program as it is."""

from __future__ import annotations

import numpy as np
import pytest
import torch as native

import corearray as ca
import corearray.frontend.jax as jax
import corearray.frontend.jax.numpy as jnp
import corearray.frontend.tensorflow as tf
import corearray.frontend.torch as torch
from corearray.frontend.holding import Tree
from corearray.frontend.torch import nn

WHOLE = {"backend": "eager", "fullgraph": True}


@pytest.fixture(autouse=True)
def on_torch():
    native.compiler.reset()
    with ca.backend_context("torch"):
        yield


def leaves(x):
    return [one.array if hasattr(one, "array") else one for one in Tree(x).leaves]


def check(program, *args):
    wanted = program(*args)
    found = ca.compile(program, **WHOLE)(*args)
    for one, other in zip(leaves(found), leaves(wanted), strict=True):
        assert type(one) is type(other)
        if isinstance(one, ca.Array):
            assert one.dtype == other.dtype
            np.testing.assert_allclose(ca.to_numpy(one), ca.to_numpy(other), rtol=1e-6, atol=1e-6)
        else:
            assert one == other
    return found


def calls(x):
    y = torch.softmax(x, -1) + torch.nn.functional.gelu(-x) * 2 - 1 / (x + 3)
    low, high = y.chunk(2, dim=1)
    places = y[torch.tensor([0, 2])], y[None, ..., 1], y[y > 0.5].sum(), y.gather(1, torch.tensor([[0], [1], [2]]))
    return y.max(dim=1).values, y.std(dim=0), torch.cat((low, high)), y.T.ndim, y.dtype == torch.float32, places


def writes(x):
    y = x.clone()
    y[0] = 1.0
    y.view(-1)[3:5] = 9.0
    y[y < 0] = 0
    return y.mul_(2), torch.nn.functional.relu(x.clone(), inplace=True)


@torch.no_grad()
def modes(x):
    with torch.enable_grad():
        y = x + torch.zeros(4)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        z = torch.matmul(y, y.T)
    return y.detach(), z


@pytest.mark.parametrize("program", [calls, writes, modes])
def test_calls(program):
    check(program, torch.sin(torch.arange(12.0)).reshape(3, 4))


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(4, 2, batch_first=True)
        self.layers = nn.ModuleList([nn.Linear(4, 4), nn.LayerNorm(4)])
        self.register_buffer("scale", torch.full((4,), 0.5))
        self.layers[0].register_forward_hook(lambda module, args, result: result * 2)

    def forward(self, x):
        y, _ = self.attention(x, x, x, need_weights=False)
        for layer in self.layers:
            y = y + layer(y * self.scale)
        return y.flatten(1)


def test_modules():
    x = torch.sin(torch.arange(24.0)).reshape(2, 3, 4)
    check(Network(), x)
    recurrent = nn.LSTM(4, 3)
    check(lambda x: recurrent(x)[0], x)


def test_statistics_of_batches():
    layer, other, x = nn.BatchNorm1d(4), nn.BatchNorm1d(4), torch.sin(torch.arange(12.0)).reshape(3, 4)
    program = ca.compile(lambda x: layer(x), **WHOLE)
    for _ in range(2):
        np.testing.assert_allclose(ca.to_numpy(program(x).array), ca.to_numpy(other(x).array), rtol=1e-6)
        np.testing.assert_allclose(layer.running_mean.tolist(), other.running_mean.tolist(), rtol=1e-6)


def test_gradients():
    layer, x = nn.Linear(3, 2), torch.ones(4, 3)

    def slopes(weights, x):
        def loss(weights):
            return torch.func.functional_call(layer, weights, (x,)).pow(2).sum().array

        return ca.grad(loss)(weights)

    check(slopes, {name: weight.detach() for name, weight in layer.named_parameters()}, x)


def test_the_compiler_of_torch():
    model = Network()
    program = native.compile(lambda x: model(torch.as_tensor(x)).array.native, **WHOLE)
    x = native.ones(2, 3, 4)
    np.testing.assert_allclose(program(x).detach(), model(torch.as_tensor(x)).detach().numpy(), rtol=1e-6)


def in_words_of_jax(x):
    y = jnp.where(x > 0, x, 0.0) + jnp.arange(4) * 2 - jnp.einsum("ij,kj->ik", x, x).sum()
    rows = jax.vmap(lambda row: (row * row).sum())(y), jax.grad(lambda z: (z**3).sum())(x)
    return rows, jax.nn.softmax(y), y.at[0, 1].add(5.0), jax.jit(jnp.sin)(y), y.std(), jax.tree.map(jnp.cos, {"x": y})


def in_words_of_tensorflow(x):
    y = tf.where(x > 0.0, x, tf.zeros_like(x)) + tf.cast(tf.range(4), tf.float32) * 2.0
    parts = tf.split(y, 2, axis=1), tf.gather(y, [1, 0]), y[:, 1:], tf.argmax(y, 1)
    return parts, tf.matmul(y, y, transpose_b=True), tf.nn.softmax(y), tf.function(tf.sin)(y), tf.reshape(y, (2, 6))


def test_other_frontends():
    numbers = np.sin(np.arange(12.0)).reshape(3, 4).astype("float32")
    check(in_words_of_jax, jnp.asarray(numbers))
    check(in_words_of_tensorflow, tf.constant(numbers))
