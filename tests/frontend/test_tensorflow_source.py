"""Programs of TensorFlow on another backend, compared with TensorFlow: values, dtypes, derivatives, models, what is refused."""

from __future__ import annotations

import os
import runpy

import numpy as np
import pytest

pytest.importorskip("tensorflow", reason="TensorFlow is the source")
pytest.importorskip("keras", reason="models are Keras's")

import keras
import tensorflow as tf
from frontend.tensorflow_programs import PROGRAMS, W, X, gradient, looped

import corearray as ca
from corearray.transforms.tree import Tree

#: Programs whose many shapes JAX compiles for seconds run with `scripts/test --long`, on each backend.
LONG = {"elementwise", "integers", "reductions", "arranged", "indexed", "products", "images"}
TARGET = os.environ.get("COREARRAY_BACKEND") or "numpy"
EACH = bool(os.environ.get("COREARRAY_TEST_LONG")) or TARGET in ("numpy", "torch")
LAYERS = keras.layers


def on(target, array):
    return ca.get_backend(target).asarray(np.asarray(array))


def check(found, wanted, tolerance=2e-5):
    found, wanted = Tree(found).leaves, tf.nest.flatten(wanted)
    for mine, theirs in zip(found, wanted, strict=True):
        assert str(mine.dtype) == theirs.dtype.name
        assert tuple(mine.shape) == tuple(theirs.shape)
        np.testing.assert_allclose(ca.to_numpy(mine), theirs.numpy(), rtol=tolerance, atol=tolerance * 5)


@pytest.mark.parametrize("name", [name for name in PROGRAMS if EACH or name not in LONG])
def test_values(name, target):
    program, *args = PROGRAMS[name]
    given = [tf.constant(x) for x in args]
    t = ca.transpile(program, *given, to=target, source="tensorflow")
    check(t(*(on(target, x) for x in args)), tf.function(program)(*given))


def test_derivatives_on_torch():
    def program(x):
        return tf.reduce_sum(tf.square(looped(x)[1])) + tf.reduce_sum(PROGRAMS["derivative of one's own"][0](x) * x)

    x = tf.Variable(X)
    with tf.GradientTape() as tape:
        loss = program(x)
    t = ca.transpile(program, tf.constant(X), to="torch", source="tensorflow")
    found = ca.grad(lambda x: t(x))(on("torch", X))
    np.testing.assert_allclose(ca.to_numpy(found), tape.gradient(loss, x).numpy(), rtol=1e-5, atol=1e-5)


# --- models


def convolutional():
    return [
        LAYERS.Input((8, 8, 2)), LAYERS.Conv2D(4, 3, strides=2, padding="same", activation="silu"), LAYERS.BatchNormalization(),
        LAYERS.Conv2DTranspose(3, 3, strides=2, padding="same"), LAYERS.MaxPooling2D(), LAYERS.GlobalAveragePooling2D(),
        LAYERS.Dropout(0.5), LAYERS.Dense(3, activation="softmax"),
    ]  # fmt: skip


def recurrent():
    return [LAYERS.Input((6, 3)), LAYERS.LSTM(4, return_sequences=True), LAYERS.GRU(3), LAYERS.Dense(2)]


MODELS = {"convolutional": (convolutional, (4, 8, 8, 2)), "recurrent": (recurrent, (2, 6, 3))}


@pytest.mark.parametrize("name", MODELS if EACH else ["recurrent"])
def test_a_model_trains_as_in_keras(name, target):
    """The same weights, random numbers and running statistics give the same losses."""
    make, shape = MODELS[name]
    keras.utils.set_random_seed(3)
    model, x = keras.Sequential(make()), np.random.default_rng(1).normal(size=shape).astype(np.float32)
    t = ca.transpile(model, tf.constant(x), to=target, training=True)
    assert all(not key.startswith("sequential") for key in t.parameters.key_chains())
    with_gradients = "reverse_mode" in t.backend.facts
    xs = on(target, x)
    for _ in range(3):
        with tf.GradientTape() as tape:
            theirs = tf.reduce_mean(tf.square(model(x, training=True)))
        slopes = tape.gradient(theirs, model.trainable_variables)
        held = t.parameters
        if with_gradients:
            found = ca.grad(lambda held: ca.mean(ca.square(t.apply(held, xs, training=True))))(held)
            for mine, slope in zip(Tree(found).leaves, slopes, strict=True):
                np.testing.assert_allclose(ca.to_numpy(mine), slope.numpy(), rtol=1e-4, atol=1e-6)
        mine = ca.mean(ca.square(t(xs, training=True)))
        np.testing.assert_allclose(float(mine), float(theirs), rtol=1e-5)
        moved = [
            on(target, ca.to_numpy(w) - 0.1 * slope.numpy()) for w, slope in zip(Tree(held).leaves, slopes, strict=True)
        ]
        t.parameters = Tree(held).of(moved)
        for variable, slope in zip(model.trainable_variables, slopes, strict=True):
            variable.assign_sub(0.1 * slope)
    for variable in model.non_trainable_variables:
        buffer = t.buffers
        for part in variable.path.removeprefix(f"{model.name}/").split("/"):
            buffer = buffer[part]
        np.testing.assert_allclose(ca.to_numpy(buffer), variable.numpy(), rtol=1e-5, atol=1e-6)


def test_layers_that_are_not_trained_are_frozen(target):
    layer = LAYERS.Dense(2)
    layer.build((None, 3))
    layer.trainable = False
    t = ca.transpile(layer, tf.ones((1, 3)), to=target)
    assert sorted(t.parameters.key_chains()) == ["bias", "kernel"]
    assert t._first.program.frozen == {"kernel", "bias"}


class Affine(tf.Module):
    def __init__(self):
        super().__init__()
        self.weights = [tf.Variable(W), tf.Variable(W[:1] * 2)]
        self.calls = tf.Variable(0, trainable=False)

    def __call__(self, x):
        self.calls.assign_add(1)
        return x @ self.weights[0] + self.weights[1]


def test_modules_and_their_counters(target):
    module = Affine()
    t = ca.transpile(module, tf.constant(X), to=target)
    assert t.parameters.key_chains() == ["weights/0", "weights/1"]
    for count in (1, 2):
        check(t(on(target, X)), X @ W + tf.constant(W[:1] * 2))
        assert int(t.buffers["calls"]) == count
    assert int(module.calls) == 0


def test_variables_that_a_function_names(target):
    scale, seen = tf.Variable(2.0), tf.Variable(1.0, trainable=False)

    @tf.function
    def program(x):
        before = seen.read_value()
        seen.assign(tf.reduce_sum(x))
        return x * scale, before, seen * 1.0

    t = ca.transpile(program, tf.constant(X), to=target)
    assert t.parameters.key_chains() == ["scale"]
    x, before, after = t(on(target, X))
    assert float(before) == 1.0
    np.testing.assert_allclose([float(after), float(t.buffers["seen"])], X.sum(), rtol=1e-5)
    assert float(seen) == 1.0
    check(x, tf.constant(X * 2))


def test_shapes_in_derivatives_of_variables(target):
    """Those of a variable (`VariableShape`) and of parts of a joined array (`ConcatOffset`), with gradients in products."""
    scale, weights = tf.Variable(0.5), tf.Variable(np.ones((4, 4), np.float32))

    @tf.function(input_signature=[tf.TensorSpec([None, 4], tf.float32)])
    def loss(x):
        joined = tf.concat([x, x * scale], 0)
        return tf.reduce_sum(tf.square(joined[None] @ weights[None]))

    def program(x):
        with tf.GradientTape() as tape:
            value = loss(x)
        return value, tape.gradient(value, [scale, weights])

    check(ca.transpile(program, tf.constant(X), to=target)(on(target, X)), program(tf.constant(X)))
    words = tf.constant([3, 1, 3, 2, 1])
    check(ca.transpile(tf.unique_with_counts, words, to=target)(on(target, words)), tf.unique_with_counts(words))


def test_the_text_and_files_keep_loops(target, tmp_path):
    t = ca.transpile(looped, tf.constant(X), to=target)
    scope = {}
    exec(t.source, scope)
    constants = [on(target, x.numpy()) for x in t._first.program.constants.values()]
    with ca.backend_context(target):
        found = scope[t._first.program.name](*([constants] if constants else []), on(target, X))
    check(found, looped(tf.constant(X)))
    t.save(tmp_path / "program.zip")
    check(ca.Transpiled.load(tmp_path / "program.zip", to="torch")(on("torch", X)), looped(tf.constant(X)))


# --- what is refused


def test_missing_rules_are_named_with_their_lines():
    report = ca.transpile_report(lambda x: tf.math.special.bessel_y0(x) + 1, tf.constant(X))
    ((name, places),) = report.missing.items()
    assert name == "tensorflow.raw_ops.BesselY0"
    assert "test_tensorflow_source.py" in next(iter(places))
    with pytest.raises(NotImplementedError, match="BesselY0"):
        ca.transpile(lambda x: tf.math.special.bessel_y0(x), tf.constant(X), to="numpy")


def test_branches_on_elements_are_refused_with_the_line():
    def program(x):
        if tf.reduce_sum(x) > 0:
            return x
        return -x

    with pytest.raises(ca.TracingError, match=r"(?s)test_tensorflow_source.*tf\.function"):
        ca.transpile(program, tf.constant(X), to="numpy")


def test_assignments_to_weights_are_refused():
    weight = tf.Variable(1.0)

    def program(x):
        weight.assign_add(1.0)
        return x * weight

    with pytest.raises(ca.TracingError, match="trainable=False"):
        ca.transpile(program, tf.constant(X), to="numpy")


def test_arrays_of_another_framework_are_refused():
    import torch

    with pytest.raises(ca.BackendMismatchError, match="torch"):
        ca.transpile(gradient, tf.constant(X), torch.ones(4, 5), to="numpy", source="tensorflow")


def test_rules_of_the_caller():
    own = {"tensorflow.raw_ops.Sin": lambda x: x * 100}
    t = ca.transpile(lambda x: tf.sin(x), tf.constant(X), to="numpy", rules=own)
    np.testing.assert_allclose(t(X), X * 100)


def test_checks_and_prints_are_dropped(target):
    @tf.function
    def program(x):
        tf.debugging.assert_positive(tf.abs(x) + 1)
        tf.print(x)
        return x + 1

    check(ca.transpile(program, tf.constant(X), to=target)(on(target, X)), tf.constant(X + 1))


def test_the_namespace():
    frontend = ca.frontend.get_frontend("tensorflow", "2.20")
    assert frontend.raw_ops.AddV2(x=ca.asarray([1.0]), y=2.0).tolist() == [3.0]


def test_a_report_names_the_line_in_a_folder_with_a_similar_name(tmp_path):
    file = tmp_path / "corearray_mine" / "program.py"
    file.parent.mkdir()
    file.write_text("import tensorflow as tf\n\n\ndef program(x):\n    return tf.math.special.bessel_y0(x)\n")
    program = runpy.run_path(str(file))["program"]
    assert f"{file}:5" in str(ca.transpile_report(program, tf.constant(X)))


def test_a_function_that_calls_others_by_name_keeps_its_derivative():
    """`tf.nn.ctc_loss` has a derivative of its own, a condition, and inner functions of an unknown number of axes."""
    labels, lengths = tf.constant([[1, 2, 2], [3, 1, 0]]), tf.constant([3, 2])

    def loss(x):
        found = tf.nn.ctc_loss(labels, x, lengths, tf.constant([6, 5]), blank_index=4)
        return tf.reduce_sum(found)

    x = tf.Variable(np.random.default_rng(0).normal(size=(6, 2, 5)).astype(np.float32))
    with tf.GradientTape() as tape:
        value = loss(x)
    slope = tape.gradient(value, x).numpy()
    for to in ("torch", "jax"):
        t = ca.transpile(loss, tf.constant(x), to=to)
        given = on(to, x)
        np.testing.assert_allclose(float(t(given)), float(value), rtol=1e-6)
        np.testing.assert_allclose(ca.to_numpy(ca.grad(t)(given)), slope, rtol=1e-4, atol=1e-6)


@tf.custom_gradient
def steep(x):
    """A function whose custom derivative is twice the true one and uses two intermediate values."""
    product = tf.sin(x) * x
    power = tf.exp(product)
    return power, lambda slope: slope * 2 * power * product


@tf.custom_gradient
def weighted(x, weight):
    root = tf.sqrt(x) * weight
    return root * x, lambda slope: (slope * 3 * root, slope * tf.sqrt(x))


FACTOR = tf.Variable(np.array(1.5))


@tf.custom_gradient
def with_a_variable(x):
    scaled = tf.sin(x) * FACTOR

    def slopes(slope, variables=None):
        return slope * scaled * FACTOR * 2, [tf.reduce_sum(slope * scaled)]

    return scaled * scaled, slopes


def with_a_function_around(x):
    factor = tf.tanh(x) * x

    @tf.custom_gradient
    def inner(y):
        product = y * factor
        return product * y, lambda slope: slope * (product * 2 + factor)

    return inner(x)


@tf.custom_gradient
def cube(x):
    return x * x * x, lambda slope: slope * 3 * square(x)


@tf.custom_gradient
def square(x):
    return x * x, lambda slope: slope * 2 * cube(x) / (x * x)


DERIVED = {
    "values on the way": steep,
    "two arguments": lambda x: weighted(x, x + 1),
    "composed": lambda x: steep(steep(x * 0.5) * 0.5),
    "a variable": with_a_variable,
    "values around": with_a_function_around,
    "in a loop": lambda x: tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, steep(y * 0.5)), [0, x])[1],
    "in a condition": lambda x: tf.cond(x[0] > 0, lambda: steep(x), lambda: x),
    "functions that call one another": cube,
}


def derivatives(program, x, orders):
    """Return the derivatives of the first orders by TensorFlow's own tape."""
    with tf.GradientTape() as tape:
        tape.watch(x)
        made = derivatives(program, x, orders - 1) if orders else [program(x)]
        total = tf.reduce_sum(made[-1])
    return [*made, tape.gradient(total, x)] if orders else [total]


@pytest.mark.parametrize("name", DERIVED)
def test_derivatives_of_derivatives_of_ones_own(name, target):
    if target == "numpy":
        pytest.skip("NumPy has no derivatives")
    program, x = DERIVED[name], np.array([0.5, 1.5, 2.0])
    call = ca.transpile(lambda x: tf.reduce_sum(program(x)), tf.constant(x), to=target)
    for wanted in derivatives(program, tf.constant(x), 3)[1:]:
        call = (lambda inner: ca.grad(lambda x: ca.sum(inner(x))))(call)
        np.testing.assert_allclose(ca.to_numpy(call(on(target, x))), wanted.numpy(), rtol=1e-9)


def test_values_on_the_way_have_no_first_derivative_of_their_own(target):
    """The slope of a root at zero is infinite."""
    if target == "numpy":
        pytest.skip("NumPy has no derivatives")
    t = ca.transpile(lambda x: tf.reduce_sum(weighted(x, x + 1)), tf.constant([0.0]), to=target)
    assert ca.grad(t)(on(target, [0.0])).tolist() == [0.0]


def test_a_derivative_that_was_not_recorded(target):
    """A derivative that calls its function again has no last order."""
    if target == "numpy":
        pytest.skip("NumPy has no derivatives")
    call = ca.transpile(lambda x: tf.reduce_sum(cube(x)), tf.constant([2.0]), to=target)
    for _ in range(4):
        call = (lambda inner: ca.grad(lambda x: ca.sum(inner(x))))(call)
    with pytest.raises(NotImplementedError, match="fourth derivative of a function is not recorded"):
        call(on(target, [2.0]))


def test_a_loop_that_was_differentiated_before():
    """Differentiating a loop changes its graph, and the function around it."""

    @tf.function
    def repeated(x):
        for _ in tf.range(3):
            x = x * tf.sin(x)
        return x

    x = tf.constant(X)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = repeated(x)
    assert tape.gradient(y, x) is not None
    check(ca.transpile(repeated, x, to="torch")(on("torch", x)), repeated(x))


def test_reads_are_answered_by_the_example(target):
    count = tf.Variable(1.0, trainable=False)

    def reading(x):
        count.assign_add(1.0)
        if tf.reduce_max(x) > 1:
            x = x / tf.reduce_max(x)
        return x * float(x[0]) + x[1].numpy() + np.asarray(x)[0] + count

    x = tf.constant([1.0, 4.0])
    with pytest.raises(ca.TracingError, match="a Python value is made of a tensor's elements"):
        ca.transpile(reading, x, to=target)
    t = ca.transpile(reading, x, to=target, reads="assume")
    assert float(count) == 1.0  # the original is not changed
    found = t(on(target, x))
    check(found, reading(x))
    assert [read.rpartition(": ")[2] for read in t.report.reads] == [
        f"'{name}' reads an element" for name in ("__bool__", "__float__", "numpy", "__array__")
    ]


def test_reads_without_one_value_are_refused(target):
    def program(x):
        return tf.cond(x[0] > 0, lambda: x * float(x[0]), lambda: x)

    with pytest.raises(
        ca.TracingError, match="an element is read within a loop, a condition or a function that Tensor"
    ):
        ca.transpile(program, tf.constant(X[0]), to=target, reads="assume")
    with pytest.raises(TypeError):
        tf.function(lambda x: float(x[0]), autograph=False)(tf.constant(X[0]))  # TensorFlow's tensors are as before
