"""Graphs of TensorFlow's operations."""

from __future__ import annotations

import pytest
import tensorflow as tf

import corearray as ca


@pytest.fixture(autouse=True)
def on_tensorflow():
    with ca.backend_context("tensorflow"):
        yield


def controlled(x):
    _, y = tf.while_loop(lambda i, y: tf.reduce_sum(y) < 100.0, lambda i, y: (i + 1, y * 2.0 + x), (tf.constant(0), x))
    return tf.function(tf.sin)(tf.cond(tf.reduce_sum(x) > 3.0, lambda: y + x, lambda: y * x))


def slope_of(fn, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = fn(x)
    return tape.gradient(y, x)


def test_branches_and_loops(tmp_path):
    x = tf.constant([1.0, 2.0])
    graph = ca.compile_graph(controlled, x)
    for z in (x, x * 0.1):
        assert graph(z).numpy() == pytest.approx(controlled(z).numpy())
        assert slope_of(graph, z).numpy() == pytest.approx(slope_of(controlled, z).numpy(), rel=1e-4)
    assert graph.to_backend_compile()(x).numpy() == pytest.approx(controlled(x).numpy())
    assert graph.functions["tensorflow.raw_ops.StatelessWhile"] == 1
    graph.save(tmp_path / "graph")
    loaded = ca.load_graph(tmp_path / "graph")
    assert loaded == graph
    for z in (x, x * 0.1):
        assert loaded(z).numpy() == pytest.approx(graph(z).numpy())
        assert slope_of(loaded, z).numpy() == pytest.approx(slope_of(graph, z).numpy())


def test_functions_in_a_file_call_only_what_a_graph_may_call(tmp_path):
    @tf.function
    def inner(x):
        tf.io.write_file(str(tmp_path / "written"), "text")
        return x + 1.0

    x = tf.constant([1.0])
    graph = ca.compile_graph(lambda x: inner(x) * 2.0, x)
    (tmp_path / "written").unlink(missing_ok=True)
    graph.save(tmp_path / "graph")
    with pytest.raises(ca.FileFormatError, match="'WriteFile', which is no name that a graph may use"):
        ca.load_graph(tmp_path / "graph")(x)
    assert not (tmp_path / "written").exists()


def test_a_rule_of_custom_gradient_cannot_be_saved(tmp_path):
    with pytest.raises(TypeError, match=r"cannot be saved: .* derivative by a rule of tf\.custom_gradient"):
        ca.compile_graph(ca.i0, ca.asarray([0.5, 1.0])).save(tmp_path / "graph")


def test_gradients_by_tensorflows_own_tape():
    w = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    x = tf.constant([[1.0, 2.0]])

    def program(x):
        return tf.reduce_sum(tf.tanh(x @ w))

    graph = ca.compile_graph(program, x)
    assert slope_of(graph, x).numpy() == pytest.approx(slope_of(program, x).numpy())


@pytest.mark.parametrize("program", [lambda x: x**3.0, ca.prod, ca.i0], ids=["pow", "prod", "i0"])
def test_gradients_that_functions_define_themselves_hold_in_graphs(program):
    x = ca.asarray([0.5, 1.0, 2.0])
    graph = ca.compile_graph(program, x)
    wanted = ca.grad(lambda x: ca.sum(program(x)))(x).tolist()
    assert ca.grad(lambda x: ca.sum(graph(x)))(x).tolist() == pytest.approx(wanted)
