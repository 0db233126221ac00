"""NumPy's functions take arrays and return them, in eager mode and in graphs."""

from __future__ import annotations

import numpy as np
import pytest

import corearray as ca

X = [[1.0, 2.0, 3.0]]


@pytest.fixture(autouse=True)
def on_numpy():
    with ca.backend_context("numpy"):
        yield


def pure(x):
    y, z = ca.mean(x), ca.sum(x)
    f = ca.var(y)
    return ca.stack([ca.cos(z), ca.sin(f), ca.tan(y)], axis=-1)


def mix(x):
    y, z = ca.mean(x), np.sum(x)
    f = ca.var(y)
    return ca.stack([np.cos(z), ca.sin(f), np.tan(y)], axis=-1)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: np.cos(x),
        lambda x: np.sum(x, axis=0),
        lambda x: np.stack([x, x], 1),
        lambda x: np.median(x),
        lambda x: np.add.reduce(x, 1),
        lambda x: np.split(x, 3, axis=1)[0],
        lambda x: np.linalg.norm(x),
        lambda x: np.where(x > 1, x, 0.0),
        lambda x: np.divmod(x, 2.0)[1],
    ],
)
def test_functions_give_arrays_back(call):
    x = ca.asarray(X)
    found, wanted = call(x), call(x.native)
    assert isinstance(found, ca.Array) and str(found.dtype) == wanted.dtype.name
    np.testing.assert_allclose(np.asarray(found), wanted, rtol=1e-6)


def test_what_is_no_array_is_returned_as_it_is():
    x = ca.asarray(X)
    assert np.ndim(x) == 2 and np.shape(x) == (1, 3) and np.allclose(x, x) is True
    assert type(np.asarray(x)) is np.ndarray and np.array_equal(x, x.native)


def test_out_and_writes():
    x, out, plain = ca.asarray(X), ca.zeros((1, 3)), np.zeros((1, 3), "float32")
    assert np.add(x, 1, out=out) is out and out.tolist() == [[2.0, 3.0, 4.0]]
    assert np.add(x, 1, out=plain) is plain and plain.tolist() == [[2.0, 3.0, 4.0]]
    plain += x
    assert plain.tolist() == [[3.0, 5.0, 7.0]]


def test_operators_follow_the_librarys_promotion():
    i, x = np.ones(3, "int64"), ca.asarray(X)
    for found in (
        i + x,
        i - x,
        i * x,
        i / x,
        i // x,
        i % x,
        i**x,
        i < x,
        i >= x,
        i == x,
        x + i,
        np.ones((3, 1), "float32") @ x,
    ):
        assert isinstance(found, ca.Array)
    assert (i + x).dtype == (x + i).dtype == np.add(i, x).dtype == ca.float32
    assert (i - x).tolist() == [[0.0, -1.0, -2.0]] and (i < x).tolist() == [[False, True, True]]


def test_graphs():
    x = ca.asarray(X)
    graph = ca.compile_graph(mix, x)
    assert graph == ca.compile_graph(pure, x) and ca.allclose(graph(x), mix(x))


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
def test_matrices_compute_as_arrays():
    matrix = np.matrix([[1.0, 2.0], [3.0, 4.0]])
    for made in (ca.multiply(matrix, 2), ca.softmax(matrix), ca.concat([matrix, matrix]), ca.matmul(matrix, matrix)):
        assert type(made.native) is np.ndarray
    assert ca.sum(matrix, axis=0).tolist() == [4.0, 6.0]
    assert ca.reshape(matrix, (4,)).tolist() == [1.0, 2.0, 3.0, 4.0]
    assert ca.add(matrix, matrix, out=matrix) is matrix and matrix.tolist() == [[2.0, 4.0], [6.0, 8.0]]
