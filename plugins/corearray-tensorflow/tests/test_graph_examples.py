"""Graphs of TensorFlow's functions."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import corearray as ca


@pytest.fixture(autouse=True)
def on_this_backend():
    with ca.backend_context("tensorflow"):
        yield


def pure_corearray(x):
    y, z = ca.mean(x), ca.sum(x)
    return ca.stack([ca.cos(z), ca.sin(ca.var(y)), ca.tan(y)], axis=-1)


def native(x):
    y, z = tf.reduce_mean(x), tf.reduce_sum(x)
    return tf.stack([tf.cos(z), tf.sin(tf.math.reduce_variance(y)), tf.tan(y)])


def mix(x):
    y, z = ca.mean(x), tf.reduce_sum(x.native)
    return ca.stack([ca.asarray(tf.cos(z)), ca.sin(ca.var(y)), ca.asarray(tf.tan(y.native))], axis=-1)


def test_three_programs_and_one_graph():
    x = tf.constant([[1.0, 2.0, 3.0]])
    graph = ca.compile_graph(native, x)
    assert ca.compile_graph(pure_corearray, ca.asarray(x)) == ca.compile_graph(mix, ca.asarray(x)) == graph
    assert np.allclose(graph(x), native(x))


def test_a_diagonal_and_a_product():
    x, y = ca.asarray([1.0, 2.0, 3.0]), ca.asarray([2.0, 3.0, 4.0])
    graph = ca.compile_graph(lambda x, y: ca.matmul(ca.diag(x), y), x, y)
    assert graph(x, y).tolist() == [2.0, 6.0, 12.0]
    assert all(name.startswith("tensorflow.") for name in graph.functions)
