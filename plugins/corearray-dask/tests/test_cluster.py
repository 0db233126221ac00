"""Programs on a cluster of two workers, beside the same programs in Dask's own words: results, time and memory.

Time is the processor time of the workers. Other load on the machine changes it little.
"""

from __future__ import annotations

import os
import resource
import time

import pytest

import corearray as ca

pytestmark = [
    pytest.mark.skipif("COREARRAY_TEST_LONG" not in os.environ, reason="takes minutes: scripts/test --long"),
    pytest.mark.filterwarnings("ignore:Creating scratch directories"),  # under load
]
distributed = pytest.importorskip("distributed", minversion="2025.1")
da = pytest.importorskip("dask.array")
np = pytest.importorskip("numpy")

#: Two gigabytes of float32, more than both workers may hold. COREARRAY_TEST_ROWS=100000000 makes 20 GB of them.
ROWS = int(os.environ.get("COREARRAY_TEST_ROWS", "10_000_000"))
CHUNK, FEATURES, CLUSTERS = 100_000, 50, 20

#: Bytes of memory of a worker, and the greatest time beside the program written by hand.
LIMIT, RATIO = 10**9, 1.1


@pytest.fixture(scope="module", autouse=True)
def client():
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, memory_limit=LIMIT, dashboard_address=":0"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        client.run(lambda: ca.get_backend("dask"))
        yield client


def made(rows):
    """Return an array of float32 that the workers make."""

    def chunk(block_info=None):
        (place, _), (count, features) = block_info[None]["chunk-location"], block_info[None]["chunk-shape"]
        values = np.random.default_rng(place % 4).standard_normal((2000, features), dtype="float32")
        values = np.tile(values, (count // 2000, 1))  # random numbers would take most of the time
        values[:, 0] *= 1 + place % 3
        return values + np.float32(place % 5)

    chunks = ((CHUNK,) * (rows // CHUNK), (FEATURES,))
    return da.map_blocks(chunk, chunks=chunks, dtype="float32", meta=np.empty((0, 0), "float32"))


def compared(client, own, by_hand):
    """Return the results of two programs after a comparison of their time, the least of two runs, and of the memory."""

    def spent(program):
        before = sum(client.run(time.process_time).values())
        result = program()
        return result, sum(client.run(time.process_time).values()) - before

    runs = [(spent(own), spent(by_hand)) for _ in range(2)]
    seconds, due = (min(run[place][1] for run in runs) for place in range(2))
    peak = max(client.run(lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024).values())
    print(f"{seconds:.1f} s, by hand {due:.1f} s: {seconds / due:.2f}; peak of a worker {peak / 1e6:.0f} MB")
    assert seconds <= RATIO * due
    assert peak < LIMIT
    return runs[0][0][0], runs[0][1][0]


def test_principal_components(client):
    data = made(ROWS)

    def own():
        x = ca.get_backend("dask").wrap(data)
        deviation = ca.std(x, axis=0)
        scaled = (x - ca.mean(x, axis=0)) / ca.where(deviation > 0.0, deviation, ca.ones_like(deviation))
        values, vectors = ca.evaluate(ca.linalg.eigh(scaled.mT @ scaled))
        return np.asarray(values), np.asarray(vectors)

    def by_hand():
        deviation = data.std(0)
        scaled = (data - data.mean(0)) / da.where(deviation > 0.0, deviation, da.ones_like(deviation))
        return np.linalg.eigh((scaled.T @ scaled).compute())

    (values, vectors), (due, axes) = compared(client, own, by_hand)
    np.testing.assert_allclose(values, due, rtol=1e-4)
    assert abs(axes[:, -1] @ vectors[:, -1]) > 0.9999


def test_k_means(client):
    data = made(ROWS)

    def counted(x, centres):
        distances = ca.sum(centres**2, axis=1) - 2.0 * (x @ centres.mT)
        members = ca.one_hot(ca.argmin(distances, axis=1), CLUSTERS)
        return ca.concat([ca.sum(members, axis=0)[:, None], members.mT @ x], axis=1)

    def counted_by_hand(x, centres):
        distances = (centres**2).sum(1) - 2.0 * (x @ centres.T)
        members = (distances.argmin(1)[:, None] == np.arange(CLUSTERS)).astype("float32")
        return np.concatenate([members.sum(0)[:, None], members.T @ x], axis=1)

    def own():
        x = ca.get_backend("dask").wrap(data)
        centres = ca.evaluate(x[:CLUSTERS])
        for _ in range(3):
            sums = ca.sum(ca.reshape(ca.map_chunks(counted, x, centres=centres), (-1, CLUSTERS, FEATURES + 1)), axis=0)
            centres = ca.evaluate(ca.where(sums[:, :1] > 0.0, sums[:, 1:] / ca.clip(sums[:, :1], min=1.0), centres))
        return np.asarray(centres)

    def by_hand():
        centres = data[:CLUSTERS].compute()
        for _ in range(3):
            parts = data.map_blocks(counted_by_hand, centres, dtype="float32", chunks=(CLUSTERS, FEATURES + 1))
            total = parts.reshape((-1, CLUSTERS, FEATURES + 1)).sum(0).compute()
            centres = np.where(total[:, :1] > 0.0, total[:, 1:] / np.maximum(total[:, :1], 1.0), centres)
        return centres

    found, due = compared(client, own, by_hand)
    np.testing.assert_allclose(found, due, rtol=1e-3, atol=1e-3)


def test_settings_travel_to_the_workers():
    x = ca.get_backend("dask").wrap(da.ones((4, 4), chunks=2))
    with ca.settings(min_denominator=0.5):
        y = ca.stable_divide(x, x * 0.0)
    assert y[0, 0].native.compute() == 2.0
