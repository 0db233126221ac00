"""Two programs for JAX, without `jax.jit`."""

from __future__ import annotations

from typing import Any

import jax
from jax import numpy as jnp

__all__ = ["digits", "network"]


def digits(training: Any, held_out: Any, components: int, groups: int, classes: int) -> dict[str, Any]:
    """Do what `examples/digits.py` does."""
    (images, labels), (new_images, new_labels) = training, held_out
    targets, new_targets = jax.nn.one_hot(labels, classes), jax.nn.one_hot(new_labels, classes)

    mean, deviation = images.mean(0), images.std(0)
    deviation = jnp.where(deviation > 0, deviation, 1)
    pixels = (images - mean) / deviation
    _, values, directions = jnp.linalg.svd(pixels, full_matrices=False)
    shares = values**2 / (values**2).sum()
    directions = directions[:components].T
    features, new_features = pixels @ directions, (new_images - mean) / deviation @ directions

    gram = features.T @ features + jnp.eye(components)
    ridge = jnp.linalg.solve(gram, features.T @ targets)

    scaled = features.T / len(features)
    weights = jnp.zeros((components, classes))
    velocity = jnp.zeros_like(weights)
    for _ in range(100):
        gradient = scaled @ (jax.nn.softmax(features @ weights) - targets) + 1e-3 * weights
        velocity = 0.9 * velocity - 0.1 * gradient
        weights = weights + velocity
    probabilities = jax.nn.softmax(new_features @ weights)

    centres = images[:groups]
    for _ in range(20):
        members = jax.nn.one_hot(_distances(images, centres).argmin(1), groups)
        sizes = members.sum(0)[:, None]
        centres = jnp.where(sizes > 0, members.T @ images / jnp.maximum(sizes, 1), centres)
    distances = _distances(images, centres)
    table = jax.nn.one_hot(distances.argmin(1), groups).T @ targets

    return {
        "accuracy": float((probabilities.argmax(1) == new_labels).mean()),
        "ridge_accuracy": float(((new_features @ ridge).argmax(1) == new_labels).mean()),
        "loss": -float(jnp.log((probabilities * new_targets).sum(1)).mean()),
        "explained_variance": float(shares[:components].sum()),
        "explained_variance_ratios": shares[:10].tolist(),
        "weight_norms": jnp.linalg.norm(weights, axis=0).tolist(),
        "purity": float(table.max(1).sum()) / len(labels),
        "rms_pixel_distance": float(jnp.sqrt(distances.min(1).mean() / images.shape[1])),
    }


def _distances(points: Any, centres: Any) -> Any:
    return (points**2).sum(1)[:, None] + (centres**2).sum(1) - 2 * (points @ centres.T)


def network(weights: Any, images: Any, labels: Any, batch: int, passes: int, rate: float) -> tuple[list[float], Any]:
    """Train two layers by gradient descent; return the losses and the weights."""

    def loss(weights: Any, x: Any, y: Any) -> Any:
        w1, b1, w2, b2 = weights
        logits = jax.nn.relu(x @ w1.T + b1) @ w2.T + b2
        return -jnp.take_along_axis(jax.nn.log_softmax(logits), y[:, None], 1).mean()

    losses = []
    for start in [*range(0, len(images) - batch + 1, batch)] * passes:
        x, y = images[start : start + batch], labels[start : start + batch]
        value, slopes = jax.value_and_grad(loss)(weights, x, y)
        weights = jax.tree.map(lambda w, slope: w - rate * slope, weights, slopes)
        losses.append(float(value))
    return losses, weights
