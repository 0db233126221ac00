"""Two programs for TensorFlow, without `tf.function`."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

__all__ = ["digits", "network"]


def digits(training: Any, held_out: Any, components: int, groups: int, classes: int) -> dict[str, Any]:
    """Do what `examples/digits.py` does."""
    (images, labels), (new_images, new_labels) = training, held_out
    targets, new_targets = tf.one_hot(labels, classes), tf.one_hot(new_labels, classes)

    mean, deviation = tf.reduce_mean(images, 0), tf.math.reduce_std(images, 0)
    deviation = tf.where(deviation > 0, deviation, 1.0)
    pixels = (images - mean) / deviation
    values, _, directions = tf.linalg.svd(pixels)
    shares = values**2 / tf.reduce_sum(values**2)
    directions = directions[:, :components]
    features, new_features = pixels @ directions, (new_images - mean) / deviation @ directions

    gram = tf.matmul(features, features, transpose_a=True) + tf.eye(components)
    ridge = tf.linalg.solve(gram, tf.matmul(features, targets, transpose_a=True))

    scaled = tf.transpose(features) / len(features)
    weights = tf.zeros((components, classes))
    velocity = tf.zeros_like(weights)
    for _ in range(100):
        gradient = scaled @ (tf.nn.softmax(features @ weights) - targets) + 1e-3 * weights
        velocity = 0.9 * velocity - 0.1 * gradient
        weights = weights + velocity
    probabilities = tf.nn.softmax(new_features @ weights)

    centres = images[:groups]
    for _ in range(20):
        members = tf.one_hot(tf.argmin(_distances(images, centres), 1), groups)
        sizes = tf.reduce_sum(members, 0)[:, None]
        means = tf.matmul(members, images, transpose_a=True) / tf.maximum(sizes, 1)
        centres = tf.where(sizes > 0, means, centres)
    distances = _distances(images, centres)
    table = tf.matmul(tf.one_hot(tf.argmin(distances, 1), groups), targets, transpose_a=True)

    return {
        "accuracy": _accuracy(probabilities, new_labels),
        "ridge_accuracy": _accuracy(new_features @ ridge, new_labels),
        "loss": -float(tf.reduce_mean(tf.math.log(tf.reduce_sum(probabilities * new_targets, 1)))),
        "explained_variance": float(tf.reduce_sum(shares[:components])),
        "explained_variance_ratios": shares[:10].numpy().tolist(),
        "weight_norms": tf.norm(weights, axis=0).numpy().tolist(),
        "purity": float(tf.reduce_sum(tf.reduce_max(table, 1))) / len(labels),
        "rms_pixel_distance": float(tf.sqrt(tf.reduce_mean(tf.reduce_min(distances, 1)) / images.shape[1])),
    }


def _accuracy(scores: Any, labels: Any) -> float:
    return float(tf.reduce_mean(tf.cast(tf.argmax(scores, 1) == labels, tf.float32)))


def _distances(points: Any, centres: Any) -> Any:
    squares = tf.reduce_sum(points**2, 1)[:, None] + tf.reduce_sum(centres**2, 1)
    return squares - 2 * tf.matmul(points, centres, transpose_b=True)


def network(weights: Any, images: Any, labels: Any, batch: int, passes: int, rate: float) -> tuple[list[float], Any]:
    """Train two layers by gradient descent; return the losses and the weights."""
    weights = [tf.Variable(w) for w in weights]
    w1, b1, w2, b2 = weights
    losses = []
    for start in [*range(0, len(images) - batch + 1, batch)] * passes:
        x, y = images[start : start + batch], labels[start : start + batch]
        with tf.GradientTape() as tape:
            hidden = tf.nn.relu(tf.matmul(x, w1, transpose_b=True) + b1)
            logits = tf.matmul(hidden, w2, transpose_b=True) + b2
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits))
        for w, slope in zip(weights, tape.gradient(loss, weights), strict=True):
            w.assign_sub(rate * slope)
        losses.append(float(loss))
    return losses, [w.value() for w in weights]
