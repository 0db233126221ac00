"""Graphs of NumPy's functions."""

from __future__ import annotations

import tracemalloc

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


def test_a_long_program_keeps_no_array_that_it_needs_no_more():
    def program(x):
        for _ in range(120):
            kept = ca.cos(x)
            x = ca.sin(x) + 1.0 + kept
        return x

    x = ca.ones((100_000,))
    graph = ca.compile_graph(program, x)
    graph(x)
    tracemalloc.start()
    try:
        graph(x)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4.5 * x.nbytes


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
        lambda x: x * (1 if np.array_equal(x, X) else 2),
        lambda x: np.vectorize(lambda one: one if one > 0 else -one)(x),
        lambda x: x[: len(np.unique(x))],
        lambda x: x + np.random.rand(),
        lambda x: x * np.asarray(x)[::2].strides[0],
    ],
)
def test_what_a_graph_cannot_hold(program):
    with pytest.raises((ca.TracingError, AttributeError)):
        ca.compile_graph(program, X)


def test_functions_of_the_program_are_called_with_what_stands_for_arrays():
    def program(x):
        return (
            np.vectorize(lambda a, b: a * b + np.sin(a))(x, 2.0), np.vectorize(lambda a: (a + 1, a > 0), otypes="fd")(x)[1],
            np.vectorize(lambda row: row.sum() * row, signature="(n)->(n)")(x),
            np.vectorize(lambda a: np.linalg.norm(np.stack([a, a])))(x), np.apply_along_axis(np.sort, 0, x),
            np.piecewise(x, [x < 0, x > 1], [lambda t: t**2, 0.5, lambda t: -t]), np.array_equal(x, x[::-1]),
        )  # fmt: skip

    graph = ca.compile_graph(program, X)
    for x in (X, np.cos(X * 5)):
        for found, wanted in zip(graph(x), program(x), strict=True):
            assert np.asarray(found).dtype == np.asarray(wanted).dtype
            np.testing.assert_allclose(found, wanted, rtol=1e-6)


def test_an_argument_whose_elements_lie_otherwise():
    x = np.arange(4.0).reshape(2, 2)
    graph = ca.compile_graph(lambda x: ca.reshape(x, (-1,)) + 1, ca.asarray(x))
    assert graph(ca.asarray(x.T)).tolist() == [1.0, 3.0, 2.0, 4.0]


ONE_SPELLING = [
    ("np.sum(x)", "x.sum()", "np.add.reduce(x, axis=None)", "np.sum(x, None, np.float32, keepdims=False)"),
    ("np.sum(x, axis=0)", "x.sum(0)", "np.add.reduce(x)", "np.sum(x, 0, dtype='float32')"),
    ("np.sum(i)", "i.sum(dtype=np.int64)", "np.sum(i.astype(np.int64))"),
    ("np.mean(x)", "x.mean()", "np.mean(x, None)"),
    ("np.var(x, 0, ddof=1)", "x.var(axis=0, ddof=1)"),
    ("np.any(x)", "x.any()", "np.logical_or.reduce(x, axis=None)"),
    ("np.stack([x, x])", "np.stack((x, x), 0)", "np.stack([x, x], axis=0)"),
    ("np.concatenate([x, x], 1)", "np.concatenate((x, x), axis=1)"),
    ("np.reshape(x, (3, 2))", "x.reshape(3, 2)", "x.reshape([3, 2])"),
    ("x.T", "np.transpose(x)", "x.transpose()", "x.swapaxes(0, 1)", "x.transpose(1, 0)"),
    ("np.transpose(y, (1, 2, 0))", "y.transpose(1, 2, 0)"),
    ("x.astype(np.float64)", "x.astype('float64')", "x.astype(float, copy=False)"),
    ("np.clip(x, 0.0, 2.0)", "x.clip(0.0, 2.0)", "np.clip(x, a_min=0.0, a_max=2.0)"),
    ("np.cumsum(x, 1)", "x.cumsum(axis=1)", "np.add.accumulate(x, 1)"),
    ("np.take(x, i, 1)", "x.take(i, axis=1)"),
    ("np.rint(x)", "np.round(x)", "x.round()"),
    ("x[0]", "x[0, ...]", "x[0, :]"),
    ("np.expand_dims(x, 0)", "x[None]", "x[None, ...]"),
    ("np.tril(x)", "np.tril(x, 0)", "np.tril(x, k=0)"),
]


@pytest.mark.parametrize("texts", ONE_SPELLING, ids=lambda texts: texts[0])
def test_calls_that_do_the_same_are_one(texts):
    x = np.asarray([[1.0, 2.5, 3.0], [4.0, 6.0, 5.0]], "float32")
    names = {"x": x, "y": np.ones((2, 3, 4)), "i": np.asarray([1, 0], "int32")}
    programs = [eval(f"lambda {', '.join(names)}: {text}", {"np": np}) for text in texts]
    graphs = [ca.compile_graph(program, *names.values()) for program in programs]
    assert all(graph == graphs[0] for graph in graphs), [graph.source for graph in graphs]
    found, wanted = graphs[0](*names.values()), programs[0](*names.values())
    assert found.dtype == wanted.dtype and np.array_equal(found, wanted)


def test_calls_that_do_not_do_the_same_are_not():
    x, i = np.ones((2, 3), "float32"), np.ones((2, 3), "int32")
    for one, other in [
        (lambda x: np.sum(x), lambda x: np.sum(x, dtype=np.float64)),
        (lambda x: np.mean(x), lambda x: np.mean(x, dtype=np.float64)),
        (lambda x: np.var(x), lambda x: np.var(x, ddof=1)),
        (lambda x: np.sort(x, 0), lambda x: np.sort(x, 1)),
        (lambda x: x[0], lambda x: x[0:1]),
    ]:
        assert ca.compile_graph(one, x) != ca.compile_graph(other, x)
    assert ca.compile_graph(lambda i: np.sum(i), i) != ca.compile_graph(lambda i: np.sum(i, dtype=np.int32), i)
