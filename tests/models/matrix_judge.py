"""Three models in the words of each framework, with the same weights, on every other one.

python tests/models/matrix_judge.py --to jax                    # all models of all sources, a line each
python tests/models/matrix_judge.py --to jax numpy_perceptron tensorflow_recurrent

Outputs are those that NumPy computes from the same weights; gradients of the loss by the input are those of torch. Then the
program of the target goes back to its source.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import keras
import numpy as np
import torch
from torch import nn
from verdicts import Verdict, error_of, over, parser, printed

import corearray as ca

__all__ = ["MODELS", "judge"]

TOLERANCE = 1e-5
RANDOM = np.random.default_rng(8)


def drawn(*shape: int) -> Any:
    return (0.4 * RANDOM.normal(size=shape)).astype("float32")


#: Weights as Keras lays them out: filters (height, width, in, out), dense (in, out), gates of an LSTM i, f, g, o.
W = {
    "first": drawn(4, 6), "first_bias": drawn(6), "second": drawn(6, 3), "second_bias": drawn(3), "scale": drawn(6),
    "filters": drawn(3, 3, 2, 4), "filters_bias": drawn(4), "dense": drawn(16, 3), "dense_bias": drawn(3),
    "x": drawn(3, 20), "h": drawn(5, 20), "gates": drawn(20), "out": drawn(5, 2), "out_bias": drawn(2),
}  # fmt: skip
X = {"perceptron": drawn(5, 4), "convolutional": drawn(2, 6, 6, 2), "recurrent": drawn(2, 7, 3)}

#: Models by source and name: each maker returns a function of the framework's arrays, or a module of it.
MODELS: dict[str, Callable[[], Any]] = {}


def model(function: Callable[[], Any]) -> Callable[[], Any]:
    MODELS[function.__name__] = function
    return function


# --- NumPy's words


@model
def numpy_perceptron() -> Any:
    def run(x):
        hidden = np.maximum(x @ W["first"] + W["first_bias"], 0)
        centred = hidden - hidden.mean(axis=-1, keepdims=True)
        normed = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + np.float32(1e-3)) * W["scale"]
        return normed @ W["second"] + W["second_bias"]

    return run


@model
def numpy_convolutional() -> Any:
    def run(x):
        windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(1, 2))
        made = np.tanh(np.einsum("nhwcij,ijco->nhwo", windows, W["filters"]) + W["filters_bias"])
        pooled = made.reshape(2, 2, 2, 2, 2, 4).max(axis=(2, 4))
        return pooled.reshape(2, -1) @ W["dense"] + W["dense_bias"]

    return run


@model
def numpy_recurrent() -> Any:
    def sigmoid(x):
        return 1 / (1 + np.exp(-x))

    def run(x):
        hidden = state = np.zeros((2, 5), np.float32)
        for part in np.moveaxis(x, 1, 0):
            i, f, g, o = np.split(part @ W["x"] + hidden @ W["h"] + W["gates"], 4, axis=-1)
            state = sigmoid(f) * state + sigmoid(i) * np.tanh(g)
            hidden = sigmoid(o) * np.tanh(state)
        return hidden @ W["out"] + W["out_bias"]

    return run


# --- torch's words


def of_torch(name: str) -> Any:
    return torch.from_numpy(W[name].copy())


def filled(layer: nn.Module, **weights: Any) -> Any:
    """Give a layer weights by name; the others are zero."""
    state = {name: torch.zeros_like(value) for name, value in layer.state_dict().items()}
    layer.load_state_dict(state | {name.replace("__", "."): value for name, value in weights.items()})
    return layer


@model
def torch_perceptron() -> Any:
    return nn.Sequential(
        filled(nn.Linear(4, 6), weight=of_torch("first").T, bias=of_torch("first_bias")), nn.ReLU(),
        filled(nn.LayerNorm(6, eps=1e-3), weight=of_torch("scale")),
        filled(nn.Linear(6, 3), weight=of_torch("second").T, bias=of_torch("second_bias")),
    )  # fmt: skip


@model
def torch_convolutional() -> Any:
    class Network(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.filters = filled(
                nn.Conv2d(2, 4, 3), weight=of_torch("filters").permute(3, 2, 0, 1), bias=of_torch("filters_bias")
            )
            self.dense = filled(nn.Linear(16, 3), weight=of_torch("dense").T, bias=of_torch("dense_bias"))

        def forward(self, x):
            made = torch.nn.functional.max_pool2d(torch.tanh(self.filters(x.permute(0, 3, 1, 2))), 2)
            return self.dense(made.permute(0, 2, 3, 1).flatten(1))

    return Network()


@model
def torch_recurrent() -> Any:
    class Network(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.cell = filled(
                nn.LSTM(3, 5, batch_first=True),
                weight_ih_l0=of_torch("x").T, weight_hh_l0=of_torch("h").T, bias_ih_l0=of_torch("gates"),
            )  # fmt: skip
            self.out = filled(nn.Linear(5, 2), weight=of_torch("out").T, bias=of_torch("out_bias"))

        def forward(self, x):
            return self.out(self.cell(x)[0][:, -1])

    return Network()


# --- JAX's words


def of_jax(function: Callable[[Any, Any], Any], *names: str) -> Any:
    return jax.tree_util.Partial(function, {name: jnp.asarray(W[name]) for name in names})


@model
def jax_perceptron() -> Any:
    def run(p, x):
        hidden = jax.nn.relu(x @ p["first"] + p["first_bias"])
        normed = jax.nn.standardize(hidden, axis=-1, epsilon=1e-3) * p["scale"]
        return normed @ p["second"] + p["second_bias"]

    return of_jax(run, "first", "first_bias", "scale", "second", "second_bias")


@model
def jax_convolutional() -> Any:
    def run(p, x):
        layout = ("NHWC", "HWIO", "NHWC")
        made = jax.lax.conv_general_dilated(x, p["filters"], (1, 1), "VALID", dimension_numbers=layout)
        made = jnp.tanh(made + p["filters_bias"])
        made = jax.lax.reduce_window(made, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        return made.reshape(2, -1) @ p["dense"] + p["dense_bias"]

    return of_jax(run, "filters", "filters_bias", "dense", "dense_bias")


@model
def jax_recurrent() -> Any:
    def run(p, x):
        def cell(carry, part):
            hidden, state = carry
            i, f, g, o = jnp.split(part @ p["x"] + hidden @ p["h"] + p["gates"], 4, axis=-1)
            state = jax.nn.sigmoid(f) * state + jax.nn.sigmoid(i) * jnp.tanh(g)
            return (jax.nn.sigmoid(o) * jnp.tanh(state), state), None

        start = jnp.zeros((2, 5), jnp.float32)
        (hidden, _), _ = jax.lax.scan(cell, (start, start), jnp.moveaxis(x, 1, 0))
        return hidden @ p["out"] + p["out_bias"]

    return of_jax(run, "x", "h", "gates", "out", "out_bias")


# --- TensorFlow's words


def of_keras(layers: list[Any], weights: list[str]) -> Any:
    made = keras.Sequential(layers)
    made.set_weights([np.zeros(6, "float32") if name == "zeros" else W[name] for name in weights])
    return made


@model
def tensorflow_perceptron() -> Any:
    layers = keras.layers
    return of_keras(
        [layers.Input((4,)), layers.Dense(6, activation="relu"), layers.LayerNormalization(epsilon=1e-3), layers.Dense(3)],
        ["first", "first_bias", "scale", "zeros", "second", "second_bias"],
    )  # fmt: skip


@model
def tensorflow_convolutional() -> Any:
    layers = keras.layers
    return of_keras(
        [
            layers.Input((6, 6, 2)), layers.Conv2D(4, 3, activation="tanh"), layers.MaxPooling2D(), layers.Flatten(),
            layers.Dense(3),
        ],
        ["filters", "filters_bias", "dense", "dense_bias"],
    )  # fmt: skip


@model
def tensorflow_recurrent() -> Any:
    layers = keras.layers
    return of_keras([layers.Input((7, 3)), layers.LSTM(5), layers.Dense(2)], ["x", "h", "gates", "out", "out_bias"])


# --- what is right


@cache
def wanted(name: str) -> tuple[Any, Any]:
    """Return the outputs of NumPy's program, and torch's gradient of the sum of their squares by the input."""
    x = torch.from_numpy(X[name].copy()).requires_grad_()
    MODELS[f"torch_{name}"]()(x).square().sum().backward()
    assert x.grad is not None
    return MODELS[f"numpy_{name}"]()(X[name]), x.grad.numpy()


def judge(full_name: str, target: str) -> Verdict:
    """Return the verdict on a model."""
    start = time.perf_counter()
    source, _, name = full_name.partition("_")
    x, (outputs, slope) = X[name], wanted(name)
    home, away = ca.get_backend(source), ca.get_backend(target)
    t = ca.transpile(MODELS[full_name](), home.asarray(x).native, to=target, source=source)
    xs = away.asarray(x)
    errors = {"outputs": error_of([t(xs)], [outputs])}
    if "reverse_mode" in away.facts:
        with ca.backend_context(target):
            found = ca.grad(lambda x: ca.sum(ca.square(t(x))))(xs)
        errors["gradients"] = error_of([found], [slope])
    back = ca.transpile(t.apply, t.parameters, xs.native, to=source, source=target)
    errors["there and back"] = error_of([back(ca.to_backend(t.parameters, source), home.asarray(x))], [outputs])
    return Verdict(full_name, over(errors, TOLERANCE), errors, time.perf_counter() - start)


def main() -> int:
    """Judge models and print a line each; return 1 if one is not right."""
    asked = parser(__doc__).parse_args()
    return printed(judge, asked.names or MODELS, asked.to)


if __name__ == "__main__":
    sys.exit(main())
