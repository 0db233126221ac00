"""Keras's models on a target, compared with Keras: outputs, gradients of all weights, and the losses of twenty steps.

python tests/models/keras_judge.py --to torch                   # all models, a line each
python tests/models/keras_judge.py --to torch resnet50 attention
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
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


#: Models that are trained too, and applications.
TRAINED = {"convolutional": convolutional, "recurrent": recurrent, "attention": attention}
MODELS = TRAINED | {name.lower(): application(name, edge) for name, edge in APPLICATIONS.items()}


def judge(name: str, target: str) -> Verdict:
    """Return the verdict on a model; one in float64 decides where float32 is off."""
    start = time.perf_counter()
    limit, errors = TOLERANCE, measured(name, target)
    if max(errors.values()) > limit:
        limit, errors = WIDE, measured(name, target, wide=True)
    return Verdict(name, over(errors, limit), errors, time.perf_counter() - start)


def measured(name: str, target: str, *, wide: bool = False) -> dict[str, float]:
    """Return the largest relative errors: of outputs, and where the target differentiates of gradients and twenty losses."""
    keras.backend.clear_session()
    keras.utils.set_random_seed(3)
    keras.backend.set_floatx("float64" if wide else "float32")
    try:
        model = MODELS[name]()
    finally:
        keras.backend.set_floatx("float32")
    x = np.random.default_rng(1).normal(size=(2, *model.input_shape[1:])).astype("float64" if wide else "float32")
    t = ca.transpile(model, tf.constant(x), to=target)
    xs = t.backend.asarray(x)
    with tf.GradientTape() as tape:
        outputs = model(x)
        loss = tf.reduce_mean(tf.square(outputs))
    errors = {"outputs": error_of([t(xs)], [outputs])}
    if "reverse_mode" not in t.backend.facts:
        return errors

    def loss_of(parameters: Any) -> Any:
        return ca.mean(ca.square(t.apply(parameters, xs)))

    found = ca.grad(loss_of)(t.parameters)
    paths = [
        weight.path.removeprefix(f"{model.name}/") for weight in model.trainable_variables
    ]  # a Sequential has its name
    slopes = [reduce(getitem, path.split("/"), found) for path in paths]
    errors["gradients"] = error_of(slopes, tape.gradient(loss, model.trainable_variables))
    if name in TRAINED:
        errors["losses"] = trained(model, t.parameters, loss_of, x)
    return errors


def trained(model: keras.Model, parameters: Any, loss_of: Callable[[Any], Any], x: Any) -> float:
    """Take twenty steps here and twenty in Keras; return the largest difference of losses as a share of the first."""
    mine, theirs = [], []
    for _ in range(20):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x)))
        for weight, slope in zip(
            model.trainable_variables, tape.gradient(loss, model.trainable_variables), strict=True
        ):
            weight.assign_sub(0.1 * slope)
        theirs.append(float(loss))
        found, slopes = ca.value_and_grad(loss_of)(parameters)
        parameters = parameters - 0.1 * slopes
        mine.append(float(found))
    return float(np.abs(np.subtract(mine, theirs)).max() / theirs[0])


def main() -> int:
    """Judge models and print a line each; return 1 if one is not right."""
    asked = parser(__doc__).parse_args()
    return printed(judge, asked.names or MODELS, asked.to)


if __name__ == "__main__":
    sys.exit(main())
