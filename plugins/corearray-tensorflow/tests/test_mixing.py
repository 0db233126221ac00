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


def test_datasets_of_arrays_give_tensors():
    x, y = ca.asarray([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), ca.asarray([0, 1, 2])
    slices = tf.data.Dataset.from_tensor_slices
    for one, other in slices((x, y)).batch(2).take(1):
        assert tf.is_tensor(one) and one.numpy().tolist() == [[1.0, 2.0], [3.0, 4.0]] and list(other) == [0, 1]
    found = list(slices({"x": x, "y": y}).map(lambda row: {"sum": ca.sum(row["x"]) + row["y"]}))
    assert [float(row["sum"]) for row in found] == [3.0, 8.0, 13.0]
    assert list(slices(x).reduce(ca.zeros(2), lambda total, row: ca.add(total, row))) == [9.0, 12.0]
    assert [row.numpy().tolist() for row in tf.data.Dataset.from_tensors(x)] == [x.tolist()]


def test_functions_of_datasets_return_arrays():
    x = ca.asarray([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    rows = tf.data.Dataset.from_tensor_slices(x)
    assert len(list(rows.filter(lambda row: ca.sum(row) > 4.0))) == 2
    assert len(list(rows.take_while(lambda row: ca.all(row < 4.0)))) == 1
    assert len(list(rows.flat_map(lambda row: tf.data.Dataset.from_tensor_slices(ca.exp(row))))) == 6
    assert float(list(rows.scan(ca.zeros(()), lambda total, row: (total + ca.sum(row), total)))[-1]) == 10.0
    assert rows.map(ca.exp).element_spec == tf.TensorSpec((2,), tf.float32)
    nested = rows.map(lambda row: tf.nest.map_structure(lambda part: part + 1.0, {"x": ca.square(row)}))
    assert float(next(iter(nested))["x"][1]) == 5.0


def test_keras_fits_datasets_of_arrays_and_takes_arrays():
    keras = pytest.importorskip("keras")
    if keras.backend.backend() != "tensorflow":
        pytest.skip("Keras computes on another framework")
    x, y = ca.asarray(np.eye(4, dtype="float32")), ca.ones((4, 1))
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    rows = tf.data.Dataset.from_tensor_slices((x, y))
    for data in (rows.batch(2), rows.map(lambda row, target: (ca.exp(row), target)).batch(2)):
        assert len(model.fit(data, epochs=2, verbose=0, shuffle=False).history["loss"]) == 2
    assert float(keras.losses.CategoricalCrossentropy()(x, keras.ops.softmax(x))) == pytest.approx(0.7437, abs=1e-3)

    class Softmax(keras.layers.Layer):
        @ca.agnostic
        def call(self, x):
            return ca.softmax(x)

    inputs = keras.Input((4,))
    assert keras.Model(inputs, Softmax()(inputs))(x).shape == (4, 4)


def total(row):
    return ca.sum(row)


@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize("function", [total, ca.agnostic(total)])
def test_functions_over_rows_take_functions_that_return_arrays(function, traced):
    x = ca.asarray([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    n = x.native
    calls = {
        "vectorized_map": (lambda x: tf.vectorized_map(function, x), [3.0, 7.0, 11.0]),
        "map_fn": (lambda x: tf.map_fn(function, x), [3.0, 7.0, 11.0]),
        "map_fn of pairs": (
            lambda x: tf.map_fn(lambda row: (function(row), -row), x, fn_output_signature=(tf.float32, tf.float32))[0],
            [3.0, 7.0, 11.0],
        ),
        "scan": (lambda x: tf.scan(lambda one, row: ca.add(one, row), x)[-1], [9.0, 12.0]),
        "scan of pairs": (
            lambda x: tf.scan(lambda one, row: (one[0] + function(row), one[1]), x, (tf.zeros(()), tf.ones(())))[0],
            [3.0, 10.0, 21.0],
        ),
        "foldl": (lambda x: tf.foldl(lambda one, row: ca.add(one, row), x), [9.0, 12.0]),
        "foldr": (lambda x: tf.foldr(lambda one, row: one + function(row), x, tf.zeros(())), 21.0),
    }
    for name, (call, expected) in calls.items():
        call = tf.function(call, autograph=False) if traced else call
        for rows in (n, x):
            np.testing.assert_array_equal(call(rows), expected, err_msg=name)
    assert tf.is_tensor(tf.map_fn(function, n)) and tf.is_tensor(tf.vectorized_map(function, n))
    assert tf.py_function(lambda row: ca.exp(row), [n], tf.float32).shape == (3, 2)


@pytest.mark.parametrize("traced", [False, True])
def test_branches_and_loops_over_tensors_take_functions_that_return_arrays(traced):
    keras = pytest.importorskip("keras")
    x = tf.constant(X)
    calls = {
        "switch_case": (lambda x: tf.switch_case(tf.constant(1), [lambda: ca.sin(x), lambda: ca.negative(x)]), -x),
        "case": (lambda x: tf.case([(tf.constant(False), lambda: ca.sin(x))], lambda: ca.negative(x)), -x),
        "cond": (lambda x: tf.cond(tf.reduce_any(x > 9.0), lambda: ca.sin(x), lambda: ca.negative(x)), -x),
        "while_loop": (
            lambda x: tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, ca.add(x, x)), (0, x))[1],
            8 * x,
        ),
        "counted by arrays": (
            lambda x: tf.while_loop(lambda i, x: ca.less(i, 3), lambda i, x: (ca.add(i, 1), ca.add(x, x)), (0, x))[1],
            8 * x,
        ),
        "shape_invariants": (
            lambda x: tf.while_loop(
                lambda x: len(x.shape) and tf.shape(x)[0] < 4,
                lambda x: (ca.concat([x, x]),),
                (ca.asarray(x),),
                shape_invariants=(tf.TensorShape((None, 2)),),
            )[0],
            tf.concat([x, x], 0),
        ),
    }
    if keras.backend.backend() == "tensorflow":
        calls["keras.cond"] = (lambda x: keras.ops.cond(x[0, 0] > 9.0, lambda: ca.sin(x), lambda: ca.negative(x)), -x)
        calls["keras.fori_loop"] = (lambda x: keras.ops.fori_loop(0, 3, lambda i, x: ca.add(x, x), x), 8 * x)
    for name, (call, expected) in calls.items():
        call = tf.function(call, autograph=False) if traced else call
        np.testing.assert_array_equal(call(x), expected, err_msg=name)


@pytest.mark.parametrize("traced", [False, True])
@pytest.mark.parametrize("of", ["tensor", "array"])
def test_tapes_and_accumulators_differentiate_arrays(of, traced):
    def derivatives(v):
        x = ca.asarray(v) if of == "array" else v
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = ca.sin(x)
            mean = tf.reduce_sum(y)
        with tf.autodiff.ForwardAccumulator(x, ca.ones_like(x)) as forward:
            z = ca.sin(x)
        return {
            "jacobian": tape.jacobian(y, x),
            "in a loop": tape.jacobian(y, x, experimental_use_pfor=False),
            "batch_jacobian": tape.batch_jacobian(y, x),
            "gradient": tape.gradient(y, x),
            "of a mean": tape.gradient(mean, [x])[0],
            "jvp": forward.jvp(z),
        }

    v = tf.constant(X)
    found = (tf.function(derivatives, autograph=False) if traced else derivatives)(v)
    slope = np.cos(v)
    whole = np.diag(slope.ravel()).reshape(2, 2, 2, 2)
    for name in ("jacobian", "in a loop"):
        np.testing.assert_allclose(found[name], whole, rtol=1e-6)
    np.testing.assert_allclose(found["batch_jacobian"], np.stack([whole[0, :, 0], whole[1, :, 1]]), rtol=1e-6)
    for name in ("gradient", "of a mean", "jvp"):
        np.testing.assert_allclose(found[name], slope, rtol=1e-6)
    assert isinstance(found["gradient"], ca.Array) == (of == "array")


def test_functions_of_tensorflow_without_a_dispatcher_take_arrays():
    x, v = ca.asarray(X), ca.ones(2)
    assert tf.io.parse_tensor(tf.io.serialize_tensor(x), tf.float32).numpy().tolist() == X
    assert tf.linalg.LinearOperatorFullMatrix(x).matvec(v).numpy().tolist() == [3.0, 7.0]
    rows = tf.RaggedTensor.from_row_lengths(tf.constant([1.0, 2.0, 3.0]), [1, 2])
    assert tf.ragged.map_flat_values(ca.negative, rows).to_list() == [[-1.0], [-2.0, -3.0]]
    assert x.shape == (2, 2) and type(x.shape) is ca.Shape and x.dtype is ca.float32


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
