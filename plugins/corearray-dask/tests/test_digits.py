"""The example of handwritten digits on chunks, beside the same program in Dask's own words: figures and tasks."""

from __future__ import annotations

import os
import runpy
from pathlib import Path

import pytest

import corearray as ca

da = pytest.importorskip("dask.array")
dask = pytest.importorskip("dask")
np = pytest.importorskip("numpy")
Callback = pytest.importorskip("dask.callbacks").Callback

pytestmark = pytest.mark.skipif("COREARRAY_TEST_LONG" not in os.environ, reason="half a minute: scripts/test --long")

EXAMPLE = Path(__file__).parents[3] / "examples" / "digits.py"

#: Steps of both iterations, those of the example, and chunks of rows.
STEPS, CHUNKS = (100, 20), 4

#: The greatest number of tasks beside the program written by hand.
RATIO = 1.2


def one_hot(labels, count):
    return (labels[:, None] == da.arange(count, chunks=-1)).astype("float32")


def softmax(scores):
    powers = da.exp(scores - scores.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def squared_distances(points, centres):
    return (points**2).sum(1)[:, None] + (centres**2).sum(1) - 2 * (points @ centres.T)


def accuracy(scores, labels):
    return int(da.count_nonzero(da.argmax(scores, axis=1) == labels)) / labels.shape[0]


def numbers(vector):
    return [float(vector[place]) for place in range(vector.shape[0])]


def by_hand(training, held_out, steps):
    """Return the figures of `study`."""
    (images, labels), (new_images, new_labels) = training, held_out
    targets, new_targets = one_hot(labels, 10), one_hot(new_labels, 10)
    deviation = images.std(0)

    def standardised(x):
        return (x - images.mean(0)) / da.where(deviation > 0, deviation, da.ones_like(deviation))

    pixels = standardised(images)
    _, singular_values, directions = da.linalg.svd(pixels)
    shares = singular_values**2 / (singular_values**2).sum()
    directions = directions.T[:, :50]
    features, new_features = dask.persist(pixels @ directions, standardised(new_images) @ directions)

    transposed = features.T / features.shape[0]
    weights = velocity = da.zeros((50, 10), dtype="float32")
    for _ in range(steps[0]):
        gradient = transposed @ (softmax(features @ weights) - targets) + 1e-3 * weights
        velocity = 0.9 * velocity - 0.1 * gradient
        weights = weights + velocity
    (weights,) = dask.persist(weights)
    probabilities = softmax(new_features @ weights)

    centres = images[:20]
    for _ in range(steps[1]):
        members = one_hot(da.argmin(squared_distances(images, centres), axis=1), 20)
        sizes = members.sum(0)[:, None]
        means = members.T @ images / da.where(sizes > 0, sizes, da.ones_like(sizes))
        centres = da.where(sizes > 0, means, centres)
    distances = squared_distances(images, centres)
    groups, distances = dask.persist(da.argmin(distances, axis=1), distances.min(1))
    table = one_hot(groups, 20).T @ targets

    gram = features.T @ features + da.eye(50, dtype="float32", chunks=-1)
    return {
        "accuracy": accuracy(probabilities, new_labels),
        "ridge_accuracy": accuracy(new_features @ da.linalg.solve(gram, features.T @ targets), new_labels),
        "loss": float(-da.log((probabilities * new_targets).sum(1)).mean()),
        "explained_variance": float(shares[:50].sum()),
        "explained_variance_ratios": numbers(shares[:10]),
        "weight_norms": numbers(da.sqrt((weights**2).sum(0))),
        "purity": float(table.max(1).sum()) / labels.shape[0],
        "rms_pixel_distance": float(da.sqrt(distances.mean() / images.shape[1])),
    }


def counted(program, *args):
    """Return the result of a program and the tasks that it ran."""
    tasks = []
    with dask.config.set(scheduler="sync"), Callback(pretask=lambda key, graph, state: tasks.append(key)):
        return program(*args), len(tasks)


def test_figures_and_tasks():
    example = runpy.run_path(str(EXAMPLE))
    with ca.backend_context("numpy"):
        parts = [[np.asarray(x) for x in part] for part in example["load"]()]
    parts = [[da.from_array(x, chunks=(-(-len(x) // CHUNKS), *x.shape[1:])) for x in part] for part in parts]
    with ca.backend_context("dask") as be:
        found, tasks = counted(example["study"], *[tuple(map(be.wrap, part)) for part in parts])
    due, limit = counted(by_hand, *map(tuple, parts), STEPS)
    assert found.keys() == due.keys()
    for name, figure in found.items():
        np.testing.assert_allclose(figure, due[name], rtol=2e-4, err_msg=name)
    print(f"{tasks} tasks, by hand {limit}: {tasks / limit:.2f}")
    assert tasks <= RATIO * limit
