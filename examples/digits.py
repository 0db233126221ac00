"""Reading handwritten digits: one program, every framework.

The data are real: 1,797 images of 8 by 8 pixels, described in `data/README.md`. The program finds the principal
components of the images, learns to read them in two ways (ridge regression in closed form, softmax regression by
gradient descent), judges both on images held out, and groups images by k-means without their labels. No line
knows what computes it:

    corearray run examples/digits.py --backend torch
"""

from __future__ import annotations

import csv
import gzip
import random
from pathlib import Path

import corearray as ca

DATA = Path(__file__).parent / "data" / "digits.csv.gz"
DIGITS = 10
COMPONENTS = 50
GROUPS = 20  # two for each digit: people write a digit in more than one way


def load(held_out: float = 0.25) -> list[tuple[ca.Array, ca.Array]]:
    """Read the data and split them with a fixed seed: (images, labels) for training, then the share held out."""
    with gzip.open(DATA, "rt", newline="") as file:
        rows = [[int(value) for value in row] for row in csv.reader(file)]
    random.Random(0).shuffle(rows)
    cut = round(held_out * len(rows))
    parts = [rows[cut:], rows[:cut]]
    images = [ca.asarray([row[:-1] for row in part], dtype=ca.float32) for part in parts]
    labels = [ca.asarray([row[-1] for row in part], dtype=ca.int64) for part in parts]
    return list(zip(images, labels, strict=True))


def standardise(images: ca.Array, reference: ca.Array) -> ca.Array:
    """Give every pixel mean 0 and deviation 1 over the reference images; pixels constant there are only shifted."""
    deviation = ca.std(reference, axis=0)
    return (images - ca.mean(reference, axis=0)) / ca.where(deviation > 0, deviation, ca.ones_like(deviation))


def principal_components(features: ca.Array) -> tuple[ca.Array, ca.Array]:
    """Return the directions of greatest variance, as columns, and the share of the variance along each."""
    _, singular_values, directions = ca.linalg.svd(features, full_matrices=False)
    variances = singular_values**2
    return ca.matrix_transpose(directions), variances / ca.sum(variances)


def ridge_regression(features: ca.Array, targets: ca.Array, penalty: float = 1.0) -> ca.Array:
    """Return the weights that minimise the squared error plus a penalty on their squares."""
    transposed = ca.matrix_transpose(features)
    gram = transposed @ features + penalty * ca.eye(features.shape[1], dtype=features.dtype)
    return ca.linalg.solve(gram, transposed @ targets)


def softmax_regression(features: ca.Array, targets: ca.Array, steps: int = 100, penalty: float = 1e-3) -> ca.Array:
    """Return the weights of greatest penalised likelihood, by gradient descent with momentum from zero."""
    transposed = ca.matrix_transpose(features) / features.shape[0]
    weights = velocity = ca.zeros((features.shape[1], targets.shape[1]), dtype=features.dtype)
    for _ in range(steps):
        gradient = transposed @ (ca.softmax(features @ weights) - targets) + penalty * weights
        velocity = 0.9 * velocity - 0.1 * gradient
        weights = weights + velocity
    return weights


def squared_distances(points: ca.Array, centres: ca.Array) -> ca.Array:
    """Return the squared distance of every point (row) to every centre (column)."""
    squares = ca.sum(points**2, axis=1)[:, None] + ca.sum(centres**2, axis=1)
    return squares - 2 * (points @ ca.matrix_transpose(centres))


def k_means(points: ca.Array, groups: int, steps: int = 20) -> tuple[ca.Array, ca.Array]:
    """Group points by Lloyd's algorithm from the first points on; return each point's group and squared distance."""
    centres = points[:groups, :]
    for _ in range(steps):
        members = ca.one_hot(ca.argmin(squared_distances(points, centres), axis=1), groups)
        sizes = ca.sum(members, axis=0)[:, None]
        means = ca.matrix_transpose(members) @ points / ca.where(sizes > 0, sizes, ca.ones_like(sizes))
        centres = ca.where(sizes > 0, means, centres)  # an empty group stays where it is
    distances = squared_distances(points, centres)
    return ca.argmin(distances, axis=1), ca.min(distances, axis=1)


def accuracy(scores: ca.Array, labels: ca.Array) -> float:
    """Return the share of rows whose greatest score is the one of their label."""
    return int(ca.count_nonzero(ca.argmax(scores, axis=1) == labels)) / labels.shape[0]


def numbers(vector: ca.Array) -> list[float]:
    """Return the elements of a vector as Python numbers."""
    return [float(vector[i]) for i in range(vector.shape[0])]


def study(training: tuple[ca.Array, ca.Array], held_out: tuple[ca.Array, ca.Array]) -> dict[str, float | list[float]]:
    """Run every step and return its figures, none of which depends on the signs of singular vectors."""
    (images, labels), (new_images, new_labels) = training, held_out
    targets, new_targets = ca.one_hot(labels, DIGITS), ca.one_hot(new_labels, DIGITS)

    pixels = standardise(images, images)
    directions, shares = principal_components(pixels)
    directions = directions[:, :COMPONENTS]
    features, new_features = ca.evaluate((pixels @ directions, standardise(new_images, images) @ directions))

    weights = ca.evaluate(softmax_regression(features, targets))
    probabilities = ca.softmax(new_features @ weights)

    groups, distances = ca.evaluate(k_means(images, GROUPS))
    table = ca.matrix_transpose(ca.one_hot(groups, GROUPS)) @ targets  # how often each digit is in each group

    return {
        "accuracy": accuracy(probabilities, new_labels),
        "ridge_accuracy": accuracy(new_features @ ridge_regression(features, targets), new_labels),
        "loss": float(-ca.mean(ca.log(ca.sum(probabilities * new_targets, axis=1)))),
        "explained_variance": float(ca.sum(shares[:COMPONENTS])),
        "explained_variance_ratios": numbers(shares[:10]),
        "weight_norms": numbers(ca.linalg.vector_norm(weights, axis=0)),
        "purity": float(ca.sum(ca.max(table, axis=1))) / labels.shape[0],
        "rms_pixel_distance": float(ca.sqrt(ca.mean(distances) / images.shape[1])),
    }


def main() -> dict[str, float | list[float]]:
    """Run every step, print a report and return its figures."""
    training, held_out = load()
    print(f"{len(training[1])} images to learn from, {len(held_out[1])} held out")
    found = study(training, held_out)
    pixels = training[0].shape[1]
    print(
        f"principal components  {COMPONENTS} of {pixels} explain {found['explained_variance']:.1%} of the variance\n"
        f"ridge regression      {found['ridge_accuracy']:.1%} of the held-out images read correctly\n"
        f"softmax regression    {found['accuracy']:.1%} of the held-out images read correctly, loss {found['loss']:.3f}\n"
        f"k-means               {GROUPS} groups, {found['purity']:.1%} of the images in a group of their own digit"
    )
    return found


if __name__ == "__main__":
    result = main()
