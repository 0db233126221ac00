"""Random tensors: shapes, ranks and orthonormal columns; the numbers are those of the generator."""

from __future__ import annotations

import numpy as np
import pytest
from standard.support import be, compare, numpy_of

import corearray as ca


@pytest.fixture(autouse=True)
def on_this_backend():
    with ca.backend_context(be):
        yield


def rank_of(x, mode):
    x = np.moveaxis(numpy_of(x), mode, 0)
    return int(np.linalg.matrix_rank(x.reshape(x.shape[0], -1)))


def orthonormal(x):
    compare("columns", numpy_of(x).T @ numpy_of(x), np.eye(x.shape[1]), "float64", factor=100, scale=1.0)


def test_factors():
    core, factors = ca.random_tucker((3, 4, 5), (2, 3, 2), rng=1, dtype="float64", orthogonal=True)
    assert [core.shape, *(f.shape for f in factors)] == [(2, 3, 2), (3, 2), (4, 3), (5, 2)]
    for factor in factors:
        orthonormal(factor)
    weights, factors = ca.random_cp((3, 4, 5), 2, rng=1)
    assert [weights.tolist(), *(tuple(f.shape) for f in factors)] == [[1.0, 1.0], (3, 2), (4, 2), (5, 2)]
    assert {f.dtype for f in (core, weights, *factors)} == {ca.float64, ca.float32}
    assert all(bool(be.all((f >= 0) & (f < 1))) for f in factors)
    assert [tuple(f.shape) for f in ca.random_tt((3, 4), (1, 3, 1))] == [(1, 3, 3), (3, 4, 1)]
    assert [tuple(f.shape) for f in ca.random_tr((3, 4), (2, 3, 2))] == [(2, 3, 3), (3, 4, 2)]


def test_whole_tensors():
    x = ca.random_tucker((4, 4, 5), 2, rng=3, full=True, dtype="float64")
    assert [rank_of(x, mode) for mode in range(3)] == [2, 2, 2]
    x = ca.random_cp((4, 4, 5), 3, rng=3, full=True, dtype="float64")
    assert [rank_of(x, mode) for mode in range(3)] == [3, 3, 3]
    one, factors = ca.random_tt((4, 4, 5), 2, rng=3, full=True), ca.random_tt((4, 4, 5), 2, rng=ca.random.Generator(3))
    compare("random_tt", numpy_of(one), numpy_of(be.tt_to_tensor(factors)), "float32")
    assert ca.random_tr((4, 4, 5), 2, full=True).shape == (4, 4, 5)


def test_slices_of_different_heights():
    shapes = [(3, 4), (5, 4)]
    weights, (A, B, C), projections = ca.random_parafac2(shapes, 2, rng=3, dtype="float64")
    slices = ca.random_parafac2(shapes, 2, rng=3, full=True, dtype="float64")
    assert weights.tolist() == [1.0, 1.0]
    a, b, c = map(numpy_of, (A, B, C))
    for i, (projection, part) in enumerate(zip(projections, slices, strict=True)):
        orthonormal(projection)
        assert part.shape == shapes[i]
        compare(
            "slice", numpy_of(part), numpy_of(projection) @ b @ np.diag(a[i]) @ c.T, "float64", factor=100, scale=1.0
        )


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ca.random_tucker((3, 4), (2,)), "one for each mode"),
        (lambda: ca.random_tucker((3, 4), (4, 1), orthogonal=True), "at most the length"),
        (lambda: ca.random_cp((3, 4), 0), "ranks of at least 1"),
        (lambda: ca.random_cp((), 1), "a mode at least"),
        (lambda: ca.random_tt((3, 4), (1, 2)), "or 3 of them"),
        (lambda: ca.random_tt((3, 4), (2, 2, 1)), "the first and the last rank are 1"),
        (lambda: ca.random_tr((3, 4), (2, 2, 1)), "the first again"),
        (lambda: ca.random_parafac2([(3, 2), (3, 4)], 1), "of one width"),
        (lambda: ca.random_parafac2([(3, 2)], 4), "at most the length"),
    ],
)
def test_what_cannot_be_drawn(call, message):
    with pytest.raises(ValueError, match=message):
        call()
