"""Models of one framework, trained under the optimiser of another: the losses are those of the model's own framework.

python tests/models/training_judge.py                                # all pairs, a line each
python tests/models/training_judge.py flax_under_torch keras_under_optax

A model goes to the target and takes ten steps there, under the target's derivatives and optimiser, and ten steps at home.
Then the trained model goes back, and equals what was trained.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from verdicts import Verdict, error_of, over, parser, printed

import corearray as ca

__all__ = ["LIBRARIES", "PAIRS", "judge"]

TOLERANCE = 1e-5
STEPS, RATE, MOMENTUM = 10, 0.05, 0.9

#: What a pair returns: the losses there and at home, and the outputs there and after the way back.
Trained = tuple[list[float], list[float], Any, Any]

PAIRS: dict[str, Callable[[], Trained]] = {}


def pair(function: Callable[[], Trained]) -> Callable[[], Trained]:
    PAIRS[function.__name__] = function
    return function


def images(*shape: int) -> Any:
    return np.random.default_rng(4).normal(size=shape).astype("float32")


# --- training in each framework's own words


def under_optax(loss_of: Callable[[Any], Any], parameters: Any) -> tuple[list[float], Any]:
    import jax
    import optax

    optimiser = optax.sgd(RATE, momentum=MOMENTUM)

    @jax.jit
    def step(parameters: Any, state: Any) -> Any:
        loss, slopes = jax.value_and_grad(loss_of)(parameters)
        changes, state = optimiser.update(slopes, state, parameters)
        return loss, optax.apply_updates(parameters, changes), state

    losses, state = [], optimiser.init(parameters)
    for _ in range(STEPS):
        loss, parameters, state = step(parameters, state)
        losses.append(float(loss))
    return losses, parameters


def under_torch(module: Any, x: Any) -> list[float]:
    import torch

    optimiser = torch.optim.SGD(module.parameters(), lr=RATE, momentum=MOMENTUM)
    losses = []
    for _ in range(STEPS):
        optimiser.zero_grad()
        loss = module(x).square().mean()
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
    return losses


def under_keras(layer: Any, x: Any) -> list[float]:
    import keras
    import tensorflow as tf

    optimiser = keras.optimizers.SGD(RATE, momentum=MOMENTUM)
    losses = []
    for _ in range(STEPS):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(layer(x)))
        weights = layer.trainable_variables
        optimiser.apply_gradients(zip(tape.gradient(loss, weights), weights, strict=True))
        losses.append(float(loss))
    return losses


# --- models


def keras_model() -> Any:
    import keras

    keras.utils.set_random_seed(5)
    layers = keras.layers
    return keras.Sequential([
        layers.Input((6, 6, 2)), layers.Conv2D(4, 3, activation="gelu"), layers.MaxPooling2D(), layers.Reshape((2, 8)),
        layers.LSTM(5, return_sequences=True), layers.LayerNormalization(), layers.Flatten(), layers.Dense(3),
    ])  # fmt: skip


def torch_model() -> Any:
    import torch
    from torch import nn

    torch.manual_seed(5)
    return nn.Sequential(
        nn.Conv2d(2, 4, 3), nn.GELU(), nn.MaxPool2d(2), nn.Flatten(), nn.LayerNorm(16), nn.Linear(16, 3)
    )


def flax_model() -> Any:
    import jax
    from flax import linen as nn

    class Model(nn.Module):
        @nn.compact
        def __call__(self, x: Any) -> Any:
            x = nn.avg_pool(nn.gelu(nn.Conv(4, (3, 3))(x)), (2, 2), (2, 2))
            x = nn.RNN(nn.LSTMCell(5))(x.reshape(x.shape[0], 3, -1))
            return nn.Dense(3)(nn.LayerNorm()(x))

    model = Model()
    return model, model.init(jax.random.PRNGKey(0), images(2, 6, 6, 2))


def equinox_model() -> Any:
    import equinox as eqx
    import jax

    keys = jax.random.split(jax.random.PRNGKey(0))
    return eqx.nn.Sequential([
        eqx.nn.Conv2d(2, 4, 3, dtype="float32", key=keys[0]), eqx.nn.Lambda(jax.nn.relu), eqx.nn.Lambda(jax.numpy.ravel),
        eqx.nn.MLP(64, 3, 8, 1, activation=jax.nn.gelu, dtype="float32", key=keys[1]),
    ])  # fmt: skip


def of_jax(function: Callable[[Any, Any], Any], parameters: Any, x: Any) -> list[float]:
    """Return the losses of a function of JAX trained at home, by momentum written out."""
    import jax

    def loss_of(parameters: Any) -> Any:
        return jax.numpy.mean(jax.numpy.square(function(parameters, x)))

    step = jax.jit(jax.value_and_grad(loss_of))
    losses, speed = [], jax.tree.map(jax.numpy.zeros_like, parameters)
    for _ in range(STEPS):
        loss, slopes = step(parameters)
        speed = jax.tree.map(lambda v, slope: MOMENTUM * v + slope, speed, slopes)
        parameters = jax.tree.map(lambda p, v: p - RATE * v, parameters, speed)
        losses.append(float(loss))
    return losses


def back_from_torch(module: Any, x: Any, home: str) -> Any:
    """Return the outputs of a module of torch at home again."""
    t = ca.transpile(module, x, to=home)
    return t(t.backend.asarray(x.numpy()))


# --- pairs


@pair
def keras_under_optax() -> Trained:
    import jax
    import tensorflow as tf

    model, x = keras_model(), images(4, 6, 6, 2)
    t = ca.transpile(model, tf.constant(x), to="jax")
    xs = jax.numpy.asarray(x)
    losses, trained = under_optax(lambda p: jax.numpy.mean(jax.numpy.square(t.apply(p, xs))), t.parameters)
    back = ca.transpile(t.apply, trained, xs, to="tensorflow", source="jax")
    home = back(ca.to_backend(trained, "tensorflow"), tf.constant(x))
    return losses, under_keras(model, x), t.apply(trained, xs), home


@pair
def keras_under_torch() -> Trained:
    import tensorflow as tf
    import torch

    model, x = keras_model(), images(4, 6, 6, 2)
    module = ca.transpile(model, tf.constant(x), to="torch").to_module()
    xs = torch.from_numpy(x)
    losses = under_torch(module, xs)
    return losses, under_keras(model, x), module(xs).detach(), back_from_torch(module, xs, "tensorflow")


@pair
def torch_under_optax() -> Trained:
    import copy

    import jax
    import torch

    model, x = torch_model(), torch.from_numpy(images(4, 2, 6, 6))
    t = ca.transpile(copy.deepcopy(model), x, to="jax")
    xs = jax.numpy.asarray(x.numpy())
    losses, trained = under_optax(lambda p: jax.numpy.mean(jax.numpy.square(t.apply(p, xs))), t.parameters)
    back = ca.transpile(t.apply, trained, xs, to="torch", source="jax")
    home = back(ca.to_backend(trained, "torch"), x)
    return losses, under_torch(model, x), t.apply(trained, xs), home


@pair
def torch_under_keras() -> Trained:
    import copy

    import tensorflow as tf
    import torch

    model, x = torch_model(), torch.from_numpy(images(4, 2, 6, 6))
    layer = ca.transpile(copy.deepcopy(model), x, to="tensorflow").to_module()
    xs = tf.constant(x.numpy())
    losses = under_keras(layer, xs)
    t = ca.transpile(layer, xs, to="torch")
    return losses, under_torch(model, x), layer(xs), t(x)


def _jax_under_torch(function: Callable[[Any, Any], Any], parameters: Any, x: Any) -> Trained:
    import jax
    import torch

    model = jax.tree_util.Partial(function, parameters)
    module = ca.transpile(model, jax.numpy.asarray(x), to="torch", source="jax").to_module()
    xs = torch.from_numpy(x)
    losses = under_torch(module, xs)
    return losses, of_jax(function, parameters, x), module(xs).detach(), back_from_torch(module, xs, "jax")


@pair
def flax_under_torch() -> Trained:
    model, parameters = flax_model()
    return _jax_under_torch(model.apply, parameters, images(4, 6, 6, 2))


@pair
def equinox_under_torch() -> Trained:
    import equinox as eqx

    model, x = equinox_model(), images(4, 2, 6, 6)
    arrays, rest = eqx.partition(model, eqx.is_inexact_array)
    return _jax_under_torch(partial(_combined, rest), arrays, x)


def _combined(rest: Any, arrays: Any, x: Any) -> Any:
    import equinox as eqx
    import jax

    return jax.vmap(eqx.combine(arrays, rest))(x)


@pair
def flax_under_keras() -> Trained:
    import jax
    import tensorflow as tf

    model, parameters = flax_model()
    x = images(4, 6, 6, 2)
    function = jax.tree_util.Partial(model.apply, parameters)
    layer = ca.transpile(function, jax.numpy.asarray(x), to="tensorflow", source="jax").to_module()
    xs = tf.constant(x)
    losses = under_keras(layer, xs)
    t = ca.transpile(layer, xs, to="jax")
    return losses, of_jax(model.apply, parameters, x), layer(xs), t(jax.numpy.asarray(x))


#: Pairs that need more than the frameworks.
LIBRARIES = [name for name in PAIRS if any(word in name for word in ("optax", "flax", "equinox"))]


def judge(name: str, target: str = "") -> Verdict:
    """Return the verdict on a pair."""
    start = time.perf_counter()
    losses, wanted, there, back = PAIRS[name]()
    difference = float(np.abs(np.subtract(losses, wanted)).max() / wanted[0])
    errors = {"losses": difference, "there and back": error_of([back], [there])}
    wrong = over(errors, TOLERANCE) or ("" if losses[-1] < losses[0] else "the loss does not fall")
    return Verdict(name, wrong, errors, time.perf_counter() - start)


def main() -> int:
    """Judge pairs and print a line each; return 1 if one is not right."""
    asked = parser(__doc__).parse_args()
    return printed(judge, asked.names or PAIRS, "trained elsewhere")


if __name__ == "__main__":
    sys.exit(main())
