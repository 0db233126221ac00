"""Training steps for TensorFlow: Keras layers with `keras.optimizers.AdamW`, and one `tf.function`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import keras
import numpy as np
import tensorflow as tf

__all__ = ["step"]


class Block(keras.layers.Layer):
    """Attention and a network of two layers."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.ln1 = keras.layers.LayerNormalization(epsilon=1e-5)
        self.qkv, self.out = keras.layers.Dense(3 * width), keras.layers.Dense(width)
        self.ln2 = keras.layers.LayerNormalization(epsilon=1e-5)
        self.up, self.down = keras.layers.Dense(4 * width), keras.layers.Dense(width)

    def call(self, x: Any) -> Any:
        """Pass on a batch of sequences of vectors."""
        count, length, width = x.shape
        parts = tf.reshape(self.qkv(self.ln1(x)), (count, length, 3, self.heads, width // self.heads))
        q, k, v = tf.unstack(tf.transpose(parts, (2, 0, 3, 1, 4)))
        scores = tf.matmul(q, k, transpose_b=True) * (width // self.heads) ** -0.5
        places = tf.range(length)
        scores = tf.where(places[:, None] >= places, scores, -np.inf)
        mixed = tf.transpose(tf.nn.softmax(scores) @ v, (0, 2, 1, 3))
        x = x + self.out(tf.reshape(mixed, (count, length, width)))
        return x + self.down(tf.nn.gelu(self.up(self.ln2(x))))


class GPT(keras.Model):
    """Logits of the next token."""

    def __init__(self, vocab: int, width: int, heads: int, layers: int, context: int) -> None:
        super().__init__()
        self.tok, self.pos = keras.layers.Embedding(vocab, width), keras.layers.Embedding(context, width)
        self.blocks = [Block(width, heads) for _ in range(layers)]
        self.ln = keras.layers.LayerNormalization(epsilon=1e-5)
        self.head = keras.layers.Dense(vocab, use_bias=False)

    def call(self, tokens: Any) -> Any:
        """Compute the logits for integers of the shape `(N, L)`."""
        x = self.tok(tokens) + self.pos(tf.range(tokens.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.ln(x))


def _model(name: str, sizes: dict[str, int]) -> Any:
    layers = keras.layers
    if name == "GPT":
        return GPT(**sizes)
    if name == "MLP":
        _, hidden, out = sizes.values()
        dense = [layers.Dense(hidden, "relu"), layers.Dense(hidden, "relu"), layers.Dense(out)]
        return keras.Sequential(dense)
    found: list[Any] = [layers.Permute((2, 3, 1))]
    for channels in (16, 32):
        found += [
            layers.Conv2D(channels, 3, padding="same"), layers.BatchNormalization(momentum=0.9, epsilon=1e-5),
            layers.ReLU(), layers.MaxPooling2D(2),
        ]  # fmt: skip
    return keras.Sequential([*found, layers.Permute((3, 1, 2)), layers.Flatten(), layers.Dense(sizes["out"])])


def _laid_out(name: str, x: Any) -> Any:
    """Transpose an array from torch's layout to Keras's."""
    if x.ndim == 4:
        return x.transpose(2, 3, 1, 0)
    return x.T if x.ndim == 2 and name not in ("tok.weight", "pos.weight") else x


def step(
    name: str, sizes: dict[str, int], state: dict[str, Any], rate: float, compiler: str | None
) -> Callable[[Any, Any], Any]:
    """Return a step of training from the given weights."""
    model = _model(name, sizes)
    optimizer = keras.optimizers.AdamW(rate, weight_decay=0.01, epsilon=1e-8)
    ready: list[Any] = []

    @tf.function
    def program(x: Any, y: Any) -> Any:
        with tf.GradientTape() as tape:
            logits = model(x, training=True)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits))
        slopes = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(slopes, model.trainable_variables, strict=True))
        return loss

    def train(x: Any, y: Any) -> Any:
        if not ready:
            model(x)
            trainable = [_laid_out(key, v) for key, v in state.items() if "running" not in key and "tracked" not in key]
            for weight, value in zip(model.trainable_variables, trainable, strict=True):
                weight.assign(value)
            optimizer.build(model.trainable_variables)
            ready.append(True)
        return program(x, y)

    return train
