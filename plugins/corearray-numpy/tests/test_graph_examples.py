"""Graphs of NumPy's functions."""

from __future__ import annotations

import numpy as np
import pytest

import corearray as ca


@pytest.fixture(autouse=True)
def on_this_backend():
    with ca.backend_context("numpy"):
        yield


def pure_corearray(x):
    y, z = ca.mean(x), ca.sum(x)
    return ca.stack([ca.cos(z), ca.sin(ca.var(y)), ca.tan(y)], axis=-1)


def native(x):
    """Compute what the others do, as one writes it for speed."""
    z = np.add.reduce(x, axis=None)
    y = z / x.size
    c = np.cos(z)
    apart = y - np.add.reduce(y, axis=None, keepdims=True) / 1
    f = np.add.reduce(np.square(apart), axis=None) / 1.0
    return np.concatenate([part[..., None] for part in (c, np.sin(f), np.tan(y))], -1)


def mix(x):
    y, z = ca.mean(x), np.add.reduce(x.native, axis=None)
    return ca.stack([ca.asarray(np.cos(z)), ca.sin(ca.var(y)), ca.asarray(np.tan(y.native))], axis=-1)


def test_three_programs_and_one_graph():
    x = np.asarray([[1.0, 2.0, 3.0]])
    graph = ca.compile_graph(native, x)
    assert ca.compile_graph(pure_corearray, ca.asarray(x)) == ca.compile_graph(mix, ca.asarray(x)) == graph
    assert np.allclose(graph(x), native(x))


def test_a_diagonal_and_a_product():
    x, y = ca.asarray([1.0, 2.0, 3.0]), ca.asarray([2.0, 3.0, 4.0])
    graph = ca.compile_graph(lambda x, y: ca.matmul(ca.diag(x), y), x, y)
    assert graph(x, y).tolist() == [2.0, 6.0, 12.0]
    assert all(name.startswith("numpy.") for name in graph.functions)
