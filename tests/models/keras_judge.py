"""Keras's models on a target, compared with Keras: outputs, gradients of all weights, and twenty steps of training.

python tests/models/keras_judge.py --to torch                   # all models, a line each
python tests/models/keras_judge.py --to torch resnet50 attention
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from functools import reduce
from operator import getitem
from typing import Any

import keras
import numpy as np
import tensorflow as tf
from verdicts import Verdict, error_of, over, parser, printed

import corearray as ca

LAYERS = keras.layers
TOLERANCE = 1e-5

#: The limit in float64, which decides where float32 is off: there only a wrong rule is.
WIDE = 1e-9

BATCH, STEPS, RATE = 4, 20, 0.001

#: Applications without weights, with the length of an edge of their images.
APPLICATIONS = {
    "ConvNeXtTiny": 32, "DenseNet121": 32, "EfficientNetB0": 32, "EfficientNetV2B0": 32, "InceptionV3": 75, "MobileNet": 32,
    "MobileNetV2": 32, "MobileNetV3Small": 32, "NASNetMobile": 32, "ResNet50": 32, "ResNet50V2": 32, "VGG16": 32,
    "Xception": 71,
}  # fmt: skip


def convolutional() -> keras.Model:
    return keras.Sequential([
        LAYERS.Input((8, 8, 2)), LAYERS.Conv2D(4, 3, activation="relu"), LAYERS.MaxPooling2D(), LAYERS.Flatten(),
        LAYERS.Dense(3),
    ])  # fmt: skip


def recurrent() -> keras.Model:
    return keras.Sequential([
        LAYERS.Input((6, 3)), LAYERS.LSTM(4, return_sequences=True), LAYERS.Bidirectional(LAYERS.GRU(3)), LAYERS.Dense(2),
    ])  # fmt: skip


def attention() -> keras.Model:
    words = LAYERS.Input((7, 8))
    mixed = LAYERS.LayerNormalization()(words + LAYERS.MultiHeadAttention(2, 4)(words, words, use_causal_mask=True))
    hidden = LAYERS.Dense(8)(LAYERS.Dense(16, activation="gelu")(mixed))
    return keras.Model(words, LAYERS.Dense(3)(LAYERS.GlobalAveragePooling1D()(mixed + hidden)))


def application(name: str, edge: int) -> Callable[[], keras.Model]:
    def make() -> keras.Model:
        options = {"weights": None, "input_shape": (edge, edge, 3), "classes": 10, "classifier_activation": None}
        return getattr(keras.applications, name)(**options)

    return make


#: Models of this file, and applications.
SMALL = {"convolutional": convolutional, "recurrent": recurrent, "attention": attention}
MODELS = SMALL | {name.lower(): application(name, edge) for name, edge in APPLICATIONS.items()}


def judge(name: str, target: str) -> Verdict:
    """Return the verdict on a model; one in float64 decides where float32 is off."""
    start = time.perf_counter()
    limit, errors = TOLERANCE, measured(name, target)
    if max(errors.values()) > limit:
        limit, errors = WIDE, measured(name, target, wide=True)
    return Verdict(name, over(errors, limit), errors, time.perf_counter() - start)


def made(name: str, *, wide: bool) -> tuple[keras.Model, Any]:
    """Return a model in float32 or float64, the same in each call, and images or sequences for it."""
    keras.backend.clear_session()
    keras.utils.set_random_seed(3)
    dtype = "float64" if wide else "float32"
    keras.backend.set_floatx(dtype)
    try:
        model = MODELS[name]()
    finally:
        keras.backend.set_floatx("float32")
    return model, np.random.default_rng(1).normal(size=(BATCH, *model.input_shape[1:])).astype(dtype)


def measured(name: str, target: str, *, wide: bool = False) -> dict[str, float]:
    """Return the largest relative errors of outputs and of training, and of gradients where the target differentiates."""
    model, x = made(name, wide=wide)
    t = ca.transpile(model, tf.constant(x), to=target)
    xs = t.backend.asarray(x)
    with tf.GradientTape() as tape:
        outputs = model(x)
        loss = tf.reduce_mean(tf.square(outputs))
    errors = {"outputs": error_of([t(xs)], [outputs])}
    if "reverse_mode" in t.backend.facts:
        found = ca.grad(lambda parameters: ca.mean(ca.square(t.apply(parameters, xs))))(t.parameters)
        errors["gradients"] = error_of(
            [at(found, model, weight) for weight in model.trainable_variables],
            tape.gradient(loss, model.trainable_variables),
        )
        errors["losses"] = trained(model, t, x)
        model, x = made(name, wide=wide)
    return errors | followed(model, x, target)


def at(arrays: Any, model: keras.Model, weight: Any) -> Any:
    """Return the array of a weight of Keras by its path; those of a Sequential begin with its name."""
    return reduce(getitem, weight.path.removeprefix(f"{model.name}/").split("/"), arrays)


def labels_of(model: keras.Model, x: Any) -> Any:
    """Return what the outputs of a model are trained to be."""
    return np.arange(BATCH * model.output_shape[-1]).reshape(BATCH, -1) % 3 - x.dtype.type(1)


def steps_of(model: keras.Model, x: Any, *, training: bool) -> Iterator[tuple[float, list[Any]]]:
    """Train a model of Keras; yield the loss of each step, and the weights after it."""
    labels, weights = labels_of(model, x), model.trainable_variables
    losses = []
    for _ in range(STEPS):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x, training=training) - labels))
        for weight, slope in zip(weights, tape.gradient(loss, weights), strict=True):
            weight.assign_sub(RATE * slope)
        losses.append(float(loss))
        yield losses[-1], weights
    if not training and not losses[-1] < losses[0]:
        raise AssertionError(f"the loss does not fall: {losses}")


def trained(model: keras.Model, t: ca.Transpiled, x: Any) -> float:
    """Take steps with the target's derivatives, and in Keras; return the largest difference of losses as a share of the first.

    Batch normalisation has its first statistics. With those of four images it is chaotic: Keras's own losses then differ
    by a tenth after a change of the images by 1e-12.
    """
    xs, labels = t.backend.asarray(x), t.backend.asarray(labels_of(model, x))
    parameters, losses = t.parameters, []
    for theirs, _ in steps_of(model, x, training=False):
        mine, slopes = ca.value_and_grad(lambda p: ca.mean(ca.square(t.apply(p, xs) - labels)))(parameters)
        parameters = parameters - RATE * slopes
        losses.append((float(mine), theirs))
    return difference(losses)


def followed(model: keras.Model, x: Any, target: str) -> dict[str, float]:
    """Follow the weights of Keras in training mode; return the largest errors of losses and of the statistics at the end."""
    t = ca.transpile(model, tf.constant(x), to=target, training=True)
    xs, labels = t.backend.asarray(x), t.backend.asarray(labels_of(model, x))
    losses = []
    steps = steps_of(model, x, training=True)
    for _ in range(STEPS):
        mine = ca.mean(ca.square(t(xs, training=True) - labels))
        theirs, weights = next(steps)
        losses.append((float(mine), theirs))
        for weight in weights:
            at(t.parameters, model, weight)[...] = weight.numpy()
    errors = {"training mode": difference(losses)}
    others = [weight for weight in model.non_trainable_variables if "seed" not in weight.path]
    if others:
        errors["statistics"] = error_of([at(t.buffers, model, weight) for weight in others], others)
    return errors


def difference(losses: list[tuple[float, float]]) -> float:
    """Return the largest difference of two series as a share of the first number."""
    return max(abs(mine - theirs) for mine, theirs in losses) / losses[0][1]


def main() -> int:
    """Judge models and print a line each; return 1 if one is not right."""
    asked = parser(__doc__).parse_args()
    return printed(judge, asked.names or MODELS, asked.to)


if __name__ == "__main__":
    sys.exit(main())
