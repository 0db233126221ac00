"""Two programs for torch."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import functional

__all__ = ["digits", "network"]


def digits(training: Any, held_out: Any, components: int, groups: int, classes: int) -> dict[str, Any]:
    """Do what `examples/digits.py` does."""
    (images, labels), (new_images, new_labels) = training, held_out
    targets, new_targets = (functional.one_hot(y, classes).float() for y in (labels, new_labels))

    mean, deviation = images.mean(0), images.std(0, correction=0)
    deviation[deviation == 0] = 1
    pixels = (images - mean) / deviation
    _, values, directions = torch.linalg.svd(pixels, full_matrices=False)
    shares = values**2 / (values**2).sum()
    directions = directions[:components].T
    features, new_features = pixels @ directions, (new_images - mean) / deviation @ directions

    gram = features.T @ features + torch.eye(components)
    ridge = torch.linalg.solve(gram, features.T @ targets)

    scaled = features.T / len(features)
    weights = torch.zeros(components, classes)
    velocity = torch.zeros_like(weights)
    for _ in range(100):
        gradient = scaled @ (torch.softmax(features @ weights, 1) - targets) + 1e-3 * weights
        velocity = 0.9 * velocity - 0.1 * gradient
        weights = weights + velocity
    probabilities = torch.softmax(new_features @ weights, 1)

    centres = images[:groups]
    for _ in range(20):
        members = functional.one_hot(_distances(images, centres).argmin(1), groups).float()
        sizes = members.sum(0)[:, None]
        centres = torch.where(sizes > 0, members.T @ images / sizes.clamp(min=1), centres)
    distances = _distances(images, centres)
    table = functional.one_hot(distances.argmin(1), groups).float().T @ targets

    return {
        "accuracy": (probabilities.argmax(1) == new_labels).float().mean().item(),
        "ridge_accuracy": ((new_features @ ridge).argmax(1) == new_labels).float().mean().item(),
        "loss": -(probabilities * new_targets).sum(1).log().mean().item(),
        "explained_variance": shares[:components].sum().item(),
        "explained_variance_ratios": shares[:10].tolist(),
        "weight_norms": torch.linalg.vector_norm(weights, dim=0).tolist(),
        "purity": table.amax(1).sum().item() / len(labels),
        "rms_pixel_distance": (distances.amin(1).mean() / images.shape[1]).sqrt().item(),
    }


def _distances(points: Any, centres: Any) -> Any:
    return (points**2).sum(1)[:, None] + (centres**2).sum(1) - 2 * (points @ centres.T)


def network(weights: Any, images: Any, labels: Any, batch: int, passes: int, rate: float) -> tuple[list[float], Any]:
    """Train two layers by gradient descent; return the losses and the weights."""
    weights = [w.clone().requires_grad_() for w in weights]
    w1, b1, w2, b2 = weights
    losses = []
    for start in [*range(0, len(images) - batch + 1, batch)] * passes:
        x, y = images[start : start + batch], labels[start : start + batch]
        hidden = functional.relu(functional.linear(x, w1, b1))
        loss = functional.cross_entropy(functional.linear(hidden, w2, b2), y)
        slopes = torch.autograd.grad(loss, weights)
        with torch.no_grad():
            for w, slope in zip(weights, slopes, strict=True):
                w.sub_(slope, alpha=rate)
        losses.append(loss.item())
    return losses, [w.detach() for w in weights]
