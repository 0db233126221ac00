"""Two programs for NumPy, which has no derivatives: those of the network are derived by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["digits", "network"]


def digits(training: Any, held_out: Any, components: int, groups: int, classes: int) -> dict[str, Any]:
    """Do what `examples/digits.py` does."""
    (images, labels), (new_images, new_labels) = training, held_out
    targets, new_targets = np.eye(classes, dtype=np.float32)[labels], np.eye(classes, dtype=np.float32)[new_labels]

    mean, deviation = images.mean(axis=0), images.std(axis=0)
    deviation[deviation == 0] = 1
    pixels = (images - mean) / deviation
    _, values, directions = np.linalg.svd(pixels, full_matrices=False)
    shares = values**2 / np.sum(values**2)
    directions = directions[:components].T
    features, new_features = pixels @ directions, (new_images - mean) / deviation @ directions

    gram = features.T @ features + np.eye(components, dtype=np.float32)
    ridge = np.linalg.solve(gram, features.T @ targets)

    scaled = features.T / len(features)
    weights = np.zeros((components, classes), dtype=np.float32)
    velocity = np.zeros_like(weights)
    for _ in range(100):
        gradient = scaled @ (_softmax(features @ weights) - targets) + 1e-3 * weights
        velocity = 0.9 * velocity - 0.1 * gradient
        weights = weights + velocity
    probabilities = _softmax(new_features @ weights)

    centres = images[:groups]
    for _ in range(20):
        members = np.eye(groups, dtype=np.float32)[_distances(images, centres).argmin(axis=1)]
        sizes = members.sum(axis=0)[:, None]
        centres = np.where(sizes > 0, members.T @ images / np.maximum(sizes, 1), centres)
    distances = _distances(images, centres)
    table = np.eye(groups, dtype=np.float32)[distances.argmin(axis=1)].T @ targets

    return {
        "accuracy": float(np.mean(probabilities.argmax(axis=1) == new_labels)),
        "ridge_accuracy": float(np.mean((new_features @ ridge).argmax(axis=1) == new_labels)),
        "loss": float(-np.mean(np.log(np.sum(probabilities * new_targets, axis=1)))),
        "explained_variance": float(shares[:components].sum()),
        "explained_variance_ratios": shares[:10].tolist(),
        "weight_norms": np.linalg.norm(weights, axis=0).tolist(),
        "purity": float(table.max(axis=1).sum()) / len(labels),
        "rms_pixel_distance": float(np.sqrt(distances.min(axis=1).mean() / images.shape[1])),
    }


def _softmax(scores: Any) -> Any:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def _distances(points: Any, centres: Any) -> Any:
    return (points**2).sum(axis=1)[:, None] + (centres**2).sum(axis=1) - 2 * (points @ centres.T)


def network(weights: Any, images: Any, labels: Any, batch: int, passes: int, rate: float) -> tuple[list[float], Any]:
    """Train two layers by gradient descent; return the losses and the weights."""
    w1, b1, w2, b2 = weights
    rows = np.arange(batch)
    losses = []
    for start in [*range(0, len(images) - batch + 1, batch)] * passes:
        x, y = images[start : start + batch], labels[start : start + batch]
        hidden = np.maximum(x @ w1.T + b1, 0)
        logits = hidden @ w2.T + b2
        shifted = logits - logits.max(axis=1, keepdims=True)
        logarithms = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        losses.append(float(-logarithms[rows, y].mean()))
        slope = np.exp(logarithms)
        slope[rows, y] -= 1
        slope /= batch
        behind = (slope @ w2) * (hidden > 0)
        slopes = behind.T @ x, behind.sum(axis=0), slope.T @ hidden, slope.sum(axis=0)
        w1, b1, w2, b2 = (w - rate * s for w, s in zip((w1, b1, w2, b2), slopes, strict=True))
    return losses, [w1, b1, w2, b2]
