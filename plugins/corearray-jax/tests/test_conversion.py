"""Modules as objects with the protocol of Flax's Linen modules: pure functions for `jax.jit`, `jax.grad` and loops of JAX."""

from __future__ import annotations

import jax
import numpy as np
import pytest
from jax import numpy as jnp

import corearray as ca
from corearray import nn

X = jnp.asarray(np.random.default_rng(0).normal(size=(6, 3)).astype("float32"))


@pytest.fixture
def model():
    with ca.backend_context("jax"):
        ca.random.seed(0)
        yield nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Dropout(0.5), nn.Linear(4, 2)).freeze("3")


def test_a_step_of_training(model):
    linen = nn.to_flax(model)
    variables = linen.init(jax.random.key(0), X)
    assert sorted(variables) == ["batch_stats", "frozen", "params"]
    assert sorted(variables["params"]["0"]) == ["bias", "weight"] and sorted(variables["frozen"]) == ["3"]

    @jax.jit
    def step(variables, key):
        def loss(params):
            value, new = linen.apply(
                {**variables, "params": params}, X, train=True, rngs={"dropout": key}, mutable=["batch_stats"]
            )
            return jnp.mean(value**2), new

        (value, new), slopes = jax.value_and_grad(loss, has_aux=True)(variables["params"])
        params = jax.tree.map(lambda p, g: p - 0.1 * g, variables["params"], slopes)
        return value, {**variables, **new, "params": params}

    one, after = step(variables, jax.random.key(1))
    again, _ = step(variables, jax.random.key(1))
    other, _ = step(variables, jax.random.key(2))
    assert float(one) == float(again) != float(other)
    np.testing.assert_allclose(
        after["batch_stats"]["1"]["running_mean"],
        0.1 * np.mean(X @ variables["params"]["0"]["weight"].T + variables["params"]["0"]["bias"], 0),
        rtol=1e-4,
        atol=1e-6,
    )
    assert int(model[1].num_batches_tracked) == 0, "the module stays as it is"
    assert not np.array_equal(after["params"]["0"]["weight"], variables["params"]["0"]["weight"])


def test_evaluation_is_that_of_the_module(model):
    linen = nn.to_flax(model)
    expected = model.eval()(ca.asarray(X)).native
    np.testing.assert_allclose(linen.apply(linen.variables, X), expected, rtol=1e-6)
    restored = jax.tree.map(np.asarray, linen.variables)
    np.testing.assert_allclose(linen.apply(restored, np.asarray(X)), expected, rtol=1e-6)
    assert repr(linen) == "Sequential(variables=['batch_stats', 'frozen', 'params'])"
    with pytest.raises(KeyError, match=r"the variables have no 'params' of the name '0.weight'; take those of 'init'"):
        linen.apply({}, X)
