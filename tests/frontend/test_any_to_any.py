"""The same functions in the words of each source, on every target, and there and back again."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("jax", reason="one of the sources")
pytest.importorskip("tensorflow", reason="one of the sources")

import jax
import jax.numpy as jnp
import tensorflow as tf
import torch
from jax import lax

import corearray as ca

RANDOM = np.random.default_rng(2)
X, W, BIAS = (RANDOM.normal(size=shape).astype(np.float32) for shape in ((5, 4), (4, 3), (3,)))
ARGUMENTS = (X, W, BIAS)


def softmax_numpy(x, w, bias):
    scores = x @ w + bias
    made = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return made / made.sum(axis=-1, keepdims=True)


def norm_numpy(x, w, bias):
    centred = x - x.mean(axis=0)
    return np.maximum(centred / np.sqrt(x.var(axis=0) + 1e-5) @ w, 0) + np.tanh(bias)


def rows_numpy(x, w, bias):
    made = x.copy()
    made[1:3] *= 2
    made[:, 0] = 1
    return np.concatenate([made[::-1], np.sort(x, axis=0)])[:, :3] * bias + np.cumsum(w, axis=0)[0]


def norm_torch(x, w, bias):
    centred = x - x.mean(dim=0)
    return torch.relu(centred / torch.sqrt(x.var(dim=0, correction=0) + 1e-5) @ w) + torch.tanh(bias)


def rows_torch(x, w, bias):
    made = x.clone()
    made[1:3] *= 2
    made[:, 0] = 1
    return torch.cat([made.flip(0), x.sort(dim=0).values])[:, :3] * bias + w.cumsum(0)[0]


def norm_jax(x, w, bias):
    centred = x - x.mean(axis=0)
    return jax.nn.relu(centred / jnp.sqrt(x.var(axis=0) + 1e-5) @ w) + jnp.tanh(bias)


def rows_jax(x, w, bias):
    made = x.at[1:3].multiply(2).at[:, 0].set(1)
    total = lax.scan(lambda c, row: (c + row, c + row), jnp.zeros_like(w[0]), w)[1][0]
    return jnp.concatenate([made[::-1], jnp.sort(x, axis=0)])[:, :3] * bias + total


def norm_tensorflow(x, w, bias):
    centred = x - tf.reduce_mean(x, axis=0)
    return tf.nn.relu(centred * tf.math.rsqrt(tf.math.reduce_variance(x, axis=0) + 1e-5) @ w) + tf.tanh(bias)


def rows_tensorflow(x, w, bias):
    made = tf.concat([x[:1], 2 * x[1:3], x[3:]], axis=0)
    made = tf.concat([tf.ones_like(x[:, :1]), made[:, 1:]], axis=1)
    return tf.concat([made[::-1], tf.sort(x, axis=0)], axis=0)[:, :3] * bias + tf.cumsum(w)[0]


PROGRAMS = {
    ("softmax", "numpy"): softmax_numpy,
    ("softmax", "torch"): lambda x, w, bias: torch.softmax(torch.nn.functional.linear(x, w.T, bias), dim=-1),
    ("softmax", "jax"): lambda x, w, bias: jax.nn.softmax(x @ w + bias),
    ("softmax", "tensorflow"): lambda x, w, bias: tf.nn.softmax(tf.nn.bias_add(x @ w, bias)),
    ("norm", "numpy"): norm_numpy,
    ("norm", "torch"): norm_torch,
    ("norm", "jax"): norm_jax,
    ("norm", "tensorflow"): norm_tensorflow,
    ("rows", "numpy"): rows_numpy,
    ("rows", "torch"): rows_torch,
    ("rows", "jax"): rows_jax,
    ("rows", "tensorflow"): rows_tensorflow,
}
WANTED = {"softmax": softmax_numpy, "norm": norm_numpy, "rows": rows_numpy}


def on(backend, arrays):
    return [ca.get_backend(backend).asarray(x) for x in arrays]


@pytest.mark.parametrize("to", ["numpy", "torch", "jax"])
@pytest.mark.parametrize(("name", "source"), PROGRAMS)
def test_each_source_on_each_target(name, source, to, target):
    to = target if to == "numpy" else to
    example = [x.native for x in on(source, ARGUMENTS)]
    t = ca.transpile(PROGRAMS[name, source], *example, to=to, source=source)
    found = t(*on(to, ARGUMENTS))
    assert found.backend.name == to
    assert str(found.dtype) == "float32"
    np.testing.assert_allclose(ca.to_numpy(found), WANTED[name](*ARGUMENTS), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", ["softmax", "norm"])
@pytest.mark.parametrize(
    ("source", "to"),
    [
        ("numpy", "torch"),
        ("torch", "jax"),
        ("jax", "numpy"),
        ("jax", "torch"),
        ("tensorflow", "torch"),
        ("numpy", "tensorflow"),
    ],
)
def test_there_and_back(name, source, to):
    example = [x.native for x in on(source, ARGUMENTS)]
    there = ca.transpile(PROGRAMS[name, source], *example, to=to, source=source)
    back = ca.transpile(there.graph.native, *(x.native for x in on(to, ARGUMENTS)), to=source, source=to)
    (found,) = back(*on(source, ARGUMENTS))
    np.testing.assert_allclose(ca.to_numpy(found), WANTED[name](*ARGUMENTS), rtol=1e-5, atol=1e-5)


def test_writes_there_and_back():
    """The graph of a program that writes into slices names no private attribute, so that it can be a source."""
    there = ca.transpile(rows_numpy, *ARGUMENTS, to="torch", source="numpy")
    assert "_base" not in there.graph.source
    back = ca.transpile(there.graph.native, *(x.native for x in on("torch", ARGUMENTS)), to="numpy", source="torch")
    (found,) = back(*on("numpy", ARGUMENTS))
    np.testing.assert_allclose(ca.to_numpy(found), rows_numpy(*ARGUMENTS), rtol=1e-5, atol=1e-5)


def test_a_model_of_torch_there_and_back(target):
    """The program for the target is a source in turn; back on torch it has the model's values and derivatives."""
    import torch

    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.GELU(), torch.nn.LayerNorm(3), torch.nn.Linear(3, 2))
    x = torch.linspace(-1, 2, 8).reshape(2, 4)
    there = ca.transpile(model, x, to=target)
    example = ca.get_backend(target).asarray(x.numpy()).native
    back = ca.transpile(there.apply, there.parameters, example, to="torch", source=target)
    parameters = {}
    for name, value in model.named_parameters():
        layer, part = name.split(".")
        parameters.setdefault(layer, {})[part] = value
    found, wanted = back(parameters, x), model(x)
    np.testing.assert_allclose(found.detach().numpy(), wanted.detach().numpy(), rtol=1e-5, atol=1e-6)
    slopes = [torch.autograd.grad(y.square().sum(), list(model.parameters())) for y in (found, wanted)]
    for mine, theirs in zip(*slopes, strict=True):
        np.testing.assert_allclose(mine.numpy(), theirs.numpy(), rtol=1e-4, atol=1e-5)


# --- bad input, for each source


@pytest.mark.parametrize("source", ["jax", "tensorflow"])
def test_bad_input(source):
    """Refusals name the reason before anything runs on the target. Programs of torch and NumPy have tests of their own."""
    one = ca.get_backend(source).ones(2).native
    other = ca.get_backend("tensorflow" if source == "jax" else "jax").ones(2).native

    def doubled(x):
        return x + x

    def branching(x):
        return x if float(x[0]) > 0 else -x

    for program, example, options, kind, text in (
        (3, one, {}, TypeError, "takes a function, a module of a framework or a method of one, got 3"),
        (doubled, other, {}, ca.BackendMismatchError, f"is written in {source} and got an array of"),
        (doubled, one, {"to": "nothing"}, ca.BackendNotFoundError, "there is no backend 'nothing'"),
        (branching, one, {}, ca.CoreArrayError, r"test_any_to_any\.py, line \d+, in `return x if float"),
        (doubled, one, {"rules": {"jax.lax.add_p": 3}}, TypeError, "a rule is a function of arrays"),
    ):
        with pytest.raises(kind, match=text):
            ca.transpile(program, example, **{"to": "numpy", "source": source, **options})
    t = ca.transpile(lambda x: (x + x, "a", None, 3), one, to="numpy", source=source)
    assert t(np.ones(2, np.float32))[1:] == ("a", None, 3)
    assert t(np.ones((3, 1), np.float32))[0].shape == (3, 1)
    with pytest.raises(ca.BackendMismatchError, match="runs on backend 'numpy'"):
        t(one)
    with pytest.raises(TypeError):
        t({"x": np.ones(2, np.float32)})
    assert t(np.ones(2, np.float32))[0].tolist() == [2.0, 2.0]
    with pytest.raises(ValueError, match="'banana' is no version"):
        ca.frontend.get_frontend(source, version="banana")
