"""Programs on a cluster of two workers, beside the same programs in Dask's own words."""

from __future__ import annotations

import os

import pytest

import corearray as ca

pytestmark = pytest.mark.skipif("COREARRAY_TEST_LONG" not in os.environ, reason="takes a minute: scripts/test --long")
distributed = pytest.importorskip("distributed", minversion="2025.1")
da = pytest.importorskip("dask.array")
np = pytest.importorskip("numpy")

ROWS, CHUNK, FEATURES, CLUSTERS = 1_000_000, 100_000, 50, 20


@pytest.fixture(scope="module", autouse=True)
def client():
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, memory_limit="1GB", dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture
def data():
    """0.2 GB in float32, made by the workers."""

    def chunk(block_info=None):
        (place, _), (rows, features) = block_info[None]["chunk-location"], block_info[None]["chunk-shape"]
        values = np.random.default_rng(place).standard_normal((rows, features), dtype="float32")
        values[:, 0] *= 1 + place % 3
        return values + np.float32(place % 5)

    chunks = ((CHUNK,) * (ROWS // CHUNK), (FEATURES,))
    return da.map_blocks(chunk, chunks=chunks, dtype="float32", meta=np.empty((0, 0), "float32"))


def test_principal_components(data):
    x = ca.get_backend("dask").wrap(data)
    deviation = ca.std(x, axis=0)
    scaled = (x - ca.mean(x, axis=0)) / ca.where(deviation > 0.0, deviation, ca.ones_like(deviation))
    values, vectors = ca.linalg.eigh(scaled.mT @ scaled)

    deviation = data.std(0)
    scaled = (data - data.mean(0)) / da.where(deviation > 0.0, deviation, da.ones_like(deviation))
    due, axes = np.linalg.eigh((scaled.T @ scaled).compute())
    np.testing.assert_allclose(values, due, rtol=1e-4)
    assert abs(axes[:, -1] @ np.asarray(vectors[:, -1])) > 0.9999


def test_k_means(data):
    x = ca.get_backend("dask").wrap(data)

    def counted(x, centres):
        distances = ca.sum(centres**2, axis=1) - 2.0 * (x @ centres.mT)
        members = ca.one_hot(ca.argmin(distances, axis=1), CLUSTERS)
        return ca.concat([ca.sum(members, axis=0)[:, None], members.mT @ x], axis=1)

    def counted_by_hand(x, centres):
        distances = (centres**2).sum(1) - 2.0 * (x @ centres.T)
        members = (distances.argmin(1)[:, None] == np.arange(CLUSTERS)).astype("float32")
        return np.concatenate([members.sum(0)[:, None], members.T @ x], axis=1)

    centres, due = ca.evaluate(x[:CLUSTERS]), data[:CLUSTERS].compute()
    for _ in range(3):
        sums = ca.sum(ca.reshape(ca.map_chunks(counted, x, centres=centres), (-1, CLUSTERS, FEATURES + 1)), axis=0)
        centres = ca.evaluate(ca.where(sums[:, :1] > 0.0, sums[:, 1:] / ca.clip(sums[:, :1], min=1.0), centres))
        parts = data.map_blocks(counted_by_hand, due, dtype="float32", chunks=(CLUSTERS, FEATURES + 1))
        total = parts.reshape((-1, CLUSTERS, FEATURES + 1)).sum(0).compute()
        due = np.where(total[:, :1] > 0.0, total[:, 1:] / np.maximum(total[:, :1], 1.0), due)
    np.testing.assert_allclose(centres, due, rtol=1e-3, atol=1e-3)


def test_settings_travel_to_the_workers():
    x = ca.get_backend("dask").wrap(da.ones((4, 4), chunks=2))
    with ca.settings(min_denominator=0.5):
        y = ca.stable_divide(x, x * 0.0)
    assert y[0, 0].native.compute() == 2.0
