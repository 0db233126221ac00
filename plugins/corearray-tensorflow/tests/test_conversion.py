"""`nn.to_keras`: a module trains under Keras, with the same values."""

from __future__ import annotations

import importlib.util
import os

import numpy as np
import pytest

import corearray as ca

os.environ.setdefault("KERAS_BACKEND", "tensorflow")
pytestmark = pytest.mark.skipif(importlib.util.find_spec("keras") is None, reason="Keras is optional")


def test_a_module_becomes_a_layer_and_trains_there():
    import keras

    nn = ca.nn
    with ca.backend_context("tensorflow"):
        ca.random.seed(0)
        model = nn.Sequential(
            nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Linear(256, 3)
        )  # fmt: skip
        x = np.random.default_rng(0).random((8, 1, 8, 8), dtype="float32")
        expected = ca.to_numpy(model.eval()(ca.asarray(x)))
        layer = nn.to_keras(model.train())
        assert len(layer.trainable_weights) == 6 and len(layer.non_trainable_weights) == 3
        chain = keras.Sequential([keras.Input((1, 8, 8)), layer])
        np.testing.assert_allclose(chain(x).numpy(), expected, rtol=1e-4, atol=1e-5)
        chain.compile(keras.optimizers.Adam(1e-2), keras.losses.SparseCategoricalCrossentropy(from_logits=True))
        history = chain.fit(x, np.arange(8) % 3, epochs=20, batch_size=8, verbose=0).history["loss"]
    assert history[-1] < 0.5 * history[0]
    assert int(layer.non_trainable_weights[2].numpy()) == 20
