"""TensorFlow's functions take arrays and return them, in eager mode, in graphs and in `tf.function`."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import corearray as ca

X = [[1.0, 2.0], [3.0, 4.0]]


@pytest.fixture(autouse=True)
def on_tensorflow():
    with ca.backend_context("tensorflow"):
        yield


def pure(x):
    y, z = ca.mean(x), ca.sum(x)
    f = ca.var(y)
    return ca.stack([ca.cos(z), ca.sin(f), ca.tan(y)], axis=-1)


def mix(x):
    y, z = ca.mean(x), tf.reduce_sum(x)
    f = ca.var(y)
    return ca.stack([tf.cos(z), ca.sin(f), tf.tan(y)], axis=-1)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: tf.reduce_sum(x, axis=0),
        lambda x: tf.stack([x, x]),
        lambda x: tf.matmul(x, x),
        lambda x: tf.nn.softmax(x),
        lambda x: tf.where(x > 2, x, 0.0),
        lambda x: tf.split(x, 2)[0],
        lambda x: tf.einsum("ij,jk->ik", x, x),
        lambda x: tf.math.top_k(x, 1).values,
        lambda x: tf.raw_ops.Sin(x=x),
        lambda x: tf.norm(x),
    ],
)
def test_functions_give_arrays_back(call):
    x = ca.asarray(X)
    found = call(x)
    assert isinstance(found, ca.Array) and found.tolist() == call(x.native).numpy().tolist()
    traced = tf.function(call, autograph=False)(x)
    assert isinstance(traced, ca.Array) and traced.tolist() == found.tolist()


def test_conversions_give_tensors():
    x = ca.asarray(X)
    for found in (tf.convert_to_tensor(x), tf.constant(x), tf.Variable(x), tf.keras.layers.Dense(2)(x)):
        assert isinstance(found, (tf.Tensor, tf.Variable))
    assert tf.convert_to_tensor(x) is x.native
    assert tf.convert_to_tensor(x, dtype=tf.float64).dtype == tf.float64, "as it casts NumPy's arrays"


def test_operators_give_arrays_back_and_follow_the_librarys_promotion():
    i, x = tf.ones(2, tf.int64), ca.asarray(X)
    for found in (i + x, i - x, i * x, i / x, i // x, i % x, i**x, i < x, i >= x, i == x, x + i, tf.ones((2, 2)) @ x):
        assert isinstance(found, ca.Array)
    assert (i + x).dtype == ca.float32


def test_gradients_flow_through_both():
    slope = ca.grad(lambda x: ca.sum(tf.sin(x) * x))(ca.asarray(X))
    x = tf.constant(X)
    assert ca.allclose(slope, tf.sin(x) + x * tf.cos(x))


def test_graphs_and_compilers():
    x = ca.asarray(X)
    graph = ca.compile_graph(mix, x)
    assert graph == ca.compile_graph(pure, x) and ca.allclose(graph(x), mix(x))
    for compiled in (tf.function(mix), ca.compile(mix)):
        assert isinstance(compiled(x), ca.Array) and ca.allclose(compiled(x), mix(x))


def test_errors_of_tensorflow_are_its_own():
    with pytest.raises((tf.errors.InvalidArgumentError, ValueError)):
        tf.matmul(ca.asarray(X), ca.ones((3, 3)))
    with pytest.raises((TypeError, ValueError)):
        tf.sin(object())


class Offers:
    """An object with `__tf_tensor__` alone."""

    def __init__(self, tensor):
        self.tensor = tensor

    def __tf_tensor__(self, dtype=None, name=None):
        return self.tensor


def test_objects_with_tf_tensor_are_arguments_and_operands_within_derivatives():
    be = ca.get_backend("tensorflow")
    x, v = be.asarray([2.0, 3.0]), tf.constant([0.5, 1.5])
    for compute in (lambda o: be.exp(o), lambda o: x * o, lambda o: o * x, lambda o: x @ o, lambda o: be.stack([x, o])):
        gradients = []
        for offered in (be.asarray, Offers):
            with tf.GradientTape() as tape:
                tape.watch(v)
                made = compute(offered(v))
                assert type(made) is be.Array
                total = be.sum(made).native
            gradients.append(tape.gradient(total, v))
        np.testing.assert_array_equal(*gradients)
    x += Offers(v)
    x[:1] = Offers(v[:1])
    np.testing.assert_array_equal(x, [0.5, 4.5])
    assert ca.get_backend("numpy").asarray(Offers(v)).tolist() == [0.5, 1.5]
    with tf.GradientTape() as tape:
        tape.watch(v)
        with pytest.raises(ca.BackendMismatchError):
            ca.get_backend("numpy").asarray(Offers(v))


def test_datasets_of_arrays_give_arrays():
    x, y = ca.asarray([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), ca.asarray([0, 1, 2])
    slices = tf.data.Dataset.from_tensor_slices
    for one, other in slices((x, y)).batch(2).take(1):
        assert type(one) is type(x) and one.tolist() == [[1.0, 2.0], [3.0, 4.0]] and other.tolist() == [0, 1]
    found = list(slices({"x": x, "y": y}).map(lambda row: {"sum": ca.sum(row["x"]) + row["y"]}))
    assert [float(row["sum"]) for row in found] == [3.0, 8.0, 13.0]
    assert slices(x).reduce(ca.zeros(2), lambda total, row: total + row).tolist() == [9.0, 12.0]
    assert [row.tolist() for row in tf.data.Dataset.from_tensors(x)] == [x.tolist()]


def test_loops_carry_arrays():
    x = ca.asarray([1.0, 2.0])

    def doubled(x):
        return tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * 2.0), (ca.asarray(0), x))[1]

    @tf.function
    def by_autograph(x, count):
        for _ in tf.range(count):
            x = x * 2.0
        return x

    for found in (doubled(x), tf.function(doubled)(x), by_autograph(x, 3)):
        assert type(found) is type(x) and found.tolist() == [8.0, 16.0]
    assert tf.nest.map_structure(lambda part: None, [x]) == [None]
