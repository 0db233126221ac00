"""Graphs of NumPy's functions."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.ndimage
import scipy.signal

import corearray as ca

X = np.asarray([1.0, 4.0, 2.0, 8.0])


@pytest.fixture(autouse=True)
def on_numpy():
    with ca.backend_context("numpy"):
        yield


def buffers(x):
    y = np.zeros(x.shape)
    y[1:] = x[:-1]
    np.add.at(y, np.arange(2), x[:2])
    z = np.empty_like(x)
    np.multiply(x, y, out=z)
    return np.concatenate([y, z, np.full(2, 3.0)])


def of_scipy(x):
    return scipy.signal.convolve(scipy.ndimage.gaussian_filter1d(x, 1.0), x, mode="same")


@pytest.mark.parametrize(
    "program", [buffers, of_scipy, lambda x: np.linalg.norm(x) * np.median(x), lambda x: np.asarray(x) + 1]
)
def test_what_numpy_shows_to_no_protocol(program):
    graph = ca.compile_graph(program, X)
    for x in (X, X[::-1].copy()):
        np.testing.assert_allclose(graph(x), program(x))


def test_what_makes_arrays_is_as_it_was_behind():
    before = np.zeros, np.asarray, scipy.signal.convolve
    ca.compile_graph(of_scipy, X)
    assert (np.zeros, np.asarray, scipy.signal.convolve) == before


def test_what_is_the_same_in_each_run_may_be_read():
    graph = ca.compile_graph(lambda x: x * int(np.arange(3)[2]) if np.ones(2).any() else x, X)
    assert graph(X).tolist() == (X * 2).tolist()


@pytest.mark.parametrize(
    "program",
    [
        lambda x: x if np.allclose(x, 1) else -x,
        lambda x: x * np.array_equal(x, X),
        lambda x: x[: len(np.unique(x))],
        lambda x: x + np.random.rand(),
        lambda x: x * np.asarray(x).strides[0],
    ],
)
def test_what_a_graph_cannot_hold(program):
    with pytest.raises((ca.TracingError, AttributeError)):
        ca.compile_graph(program, X)


def test_an_argument_whose_elements_lie_otherwise():
    x = np.arange(4.0).reshape(2, 2)
    graph = ca.compile_graph(lambda x: ca.reshape(x, (-1,)) + 1, ca.asarray(x))
    assert graph(ca.asarray(x.T)).tolist() == [1.0, 3.0, 2.0, 4.0]
