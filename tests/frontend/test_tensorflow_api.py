"""TensorFlow's API on every backend: the same expressions on TensorFlow and on the frontend, and gradients by tapes."""

from __future__ import annotations

import inspect
import os
import sys
from operator import attrgetter

import numpy as np
import pytest

pytest.importorskip("tensorflow", reason="the results are compared with TensorFlow's")

import tensorflow as native
from frontend.tensorflow_coverage import COVERAGE
from frontend.tensorflow_samples import SAMPLES, VALUES, names

import corearray as ca
import corearray.frontend.tensorflow as tf
from corearray.frontend.tensorflow.wrapper import Operand

TARGET = os.environ.get("COREARRAY_BACKEND") or "numpy"
#: JAX compiles each shape, so the normal run takes every fifth line there; `scripts/test --long` takes all.
SHORT = TARGET == "jax" and not os.environ.get("COREARRAY_TEST_LONG")
#: Gradients need derivatives, which NumPy has not.
DERIVED = TARGET if TARGET != "numpy" else "torch"


def scope(module):
    made = {"tf": module}
    exec(VALUES, made)
    return made


def value(expression, names):
    try:
        return eval(expression, names)
    except Exception as error:
        return error


def same(found, wanted, tolerance=2e-5):
    if isinstance(wanted, Exception):
        if type(wanted).__name__ in ("InvalidArgumentError", "OutOfRangeError"):
            assert type(found).__name__ == type(wanted).__name__, wanted
        else:
            assert isinstance(
                found,
                next(
                    kind
                    for kind in (TypeError, ValueError, IndexError, NotImplementedError)
                    if isinstance(wanted, kind)
                ),
            )
        return
    if isinstance(found, Exception):
        raise found
    if isinstance(wanted, (native.Tensor, native.Variable)):
        assert isinstance(found, Operand)
        assert (found.dtype.name, tuple(found.shape)) == (wanted.dtype.name, tuple(wanted.shape))
        array = np.asarray(wanted)
        largest = max(1.0, np.abs(array[np.isfinite(array)]).max(initial=0))
        np.testing.assert_allclose(found.numpy(), array, rtol=tolerance, atol=tolerance * largest)
    elif isinstance(wanted, native.RaggedTensor):
        assert isinstance(found, tf.RaggedTensor)
        assert (found.dtype.name, found.shape.as_list()) == (wanted.dtype.name, wanted.shape.as_list())
        for one, other in zip(found.nested_row_splits, wanted.nested_row_splits, strict=True):
            same(one, other)
        same(found.flat_values, wanted.flat_values, tolerance)
    elif isinstance(wanted, (list, tuple)):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            same(one, other, tolerance)
    elif isinstance(wanted, dict):
        assert list(found) == list(wanted)
        same(list(found.values()), list(wanted.values()), tolerance)
    elif isinstance(wanted, (np.ndarray, np.generic)):
        np.testing.assert_allclose(found, wanted, rtol=tolerance)
    elif isinstance(wanted, (native.DType, native.TensorShape)):
        assert repr(found) == repr(wanted)
    else:
        assert found == wanted


@pytest.fixture(scope="module")
def scopes():
    with ca.backend_context(TARGET):
        return scope(tf), scope(native)


@pytest.mark.parametrize("group", SAMPLES)
def test_expressions(group, scopes):
    ours, theirs = scopes
    lines = SAMPLES[group].strip().splitlines()
    with ca.backend_context(TARGET):
        for line in lines[:: 5 if SHORT else 1]:
            found, wanted = value(line, ours), value(line, theirs)
            try:
                same(found, wanted)
            except Exception as error:
                raise AssertionError(f"{line}\nfound {found!r}\nwanted {wanted!r}") from error


def test_a_wrong_result_is_noticed(scopes):
    ours, theirs = scopes
    with ca.backend_context(TARGET):
        for found, wanted in (("x + 1", "x"), ("v", "d"), ("i", "l"), ("x + 1", "x + i")):
            with pytest.raises(AssertionError):
                same(value(found, ours), value(wanted, theirs))


def test_every_name_of_the_samples_exists():
    for name in names() - {"nn", "math"}:
        place = tf
        for part in name.split("."):
            place = getattr(place, part)


def test_signatures_are_those_of_tensorflow():
    """Each function has the parameters of TensorFlow's function, in the same order."""
    wrong = {}
    for namespace in COVERAGE.namespaces:
        for name in COVERAGE.functions(namespace):
            if not COVERAGE.has(namespace, name):
                continue
            pair = [attrgetter(f"{namespace}.{name}".partition(".")[2])(module) for module in (tf, native)]
            if any(isinstance(function, type) for function in pair):
                continue
            ours, theirs = (list(inspect.signature(function).parameters.values()) for function in pair)
            if theirs[-1:] and theirs[-1].kind is inspect.Parameter.VAR_KEYWORD:  # such as einsum, which checks names
                continue
            if [one.name for one in ours] != [one.name for one in theirs]:
                wrong[f"{namespace}.{name}"] = (ours, theirs)
    assert not wrong


def test_text():
    with ca.backend_context(TARGET):
        assert repr(tf.constant([1.0, 2.0])) == repr(native.constant([1.0, 2.0]))
        assert repr(tf.constant(3)) == repr(native.constant(3))
        assert repr(tf.Variable([1, 2], name="w")) == repr(native.Variable([1, 2], name="w"))


def test_printing(capsys):
    with ca.backend_context(TARGET):
        tf.print("sum", tf.constant([1, 2]), sep=": ")
        tf.print(tf.constant(3), output_stream=sys.stdout, end="")
        with pytest.raises(tf.errors.UnimplementedError, match=r"output_stream is sys\.stdout"):
            tf.print(1, output_stream="file://log.txt")
    assert capsys.readouterr() == ("3", "sum: [1 2]\n")


# --- gradients


def polynomial(tf):
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x**3 * 2 + tf.sin(x))
    return tape.gradient(y, x)


def variables(tf):
    w, b, frozen = tf.Variable([[1.0, -1.0], [0.5, 2.0]]), tf.Variable([0.1, 0.2]), tf.Variable(3.0, trainable=False)
    with tf.GradientTape() as tape:
        y = tf.nn.relu(tf.constant([[1.0, 2.0]]) @ w + b) * frozen
        loss = tf.reduce_mean(y)
    return tape.gradient(loss, {"w": w, "b": b, "frozen": frozen}), len(tape.watched_variables())


def assigned_in_between(tf):
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = v * v
        v.assign(5.0)
        y = y + v * 3.0
    return tape.gradient(y, v), y


def second_order(tf):
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = tf.reduce_sum(x**3)
        slope = inner.gradient(y, x)
        total = tf.reduce_sum(slope * x)
    return slope, outer.gradient(total, x)


def penalty(tf):
    """Take a gradient by an intermediate tensor and use it in a loss."""
    w = tf.Variable(2.0)
    x = tf.constant([1.0, 3.0])
    with tf.GradientTape() as outer:
        z = w * x
        with tf.GradientTape() as inner:
            inner.watch(z)
            y = tf.reduce_sum(tf.square(z) * w)
        loss = tf.reduce_sum(tf.square(inner.gradient(y, z)))
    return outer.gradient(loss, w)


def persistent(tf):
    x, u = tf.constant(3.0), tf.constant(1.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        z = y * y
    return (
        tape.gradient(z, x), tape.gradient(y, x), tape.gradient(z, y), tape.gradient(z, u),
        tape.gradient(z, [x, u], unconnected_gradients=tf.UnconnectedGradients.ZERO),
        tape.gradient([z, y], x), tape.gradient(y, x, output_gradients=tf.constant(10.0)),
    )  # fmt: skip


def stopped(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * tf.stop_gradient(x)
        z = tf.stop_gradient(x) * 2.0
        with tape.stop_recording():
            hidden = x * 5.0
        rounded = tf.round(x) * 1.0
        n = tf.cast(x, tf.int32)
    return [tape.gradient(one, x) for one in (y, z, hidden, rounded, n)]


def unwatched(tf):
    v = tf.Variable(1.0)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        y = v * 2.0
    return tape.gradient(y, v)


def jacobians(tf):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.square(x) * tf.constant([1.0, 2.0])
    zero = {"unconnected_gradients": tf.UnconnectedGradients.ZERO}
    apart = tf.constant([[1.0], [2.0]])
    return (
        tape.jacobian(y, x), tape.batch_jacobian(y, x), tape.jacobian(y[0], [x]), tape.jacobian(y, apart),
        tape.jacobian(y, apart, **zero), tape.batch_jacobian(y, apart, **zero),
    )  # fmt: skip


def loops(tf):
    x = tf.Variable(1.5)
    with tf.GradientTape() as tape:
        total, _ = tf.while_loop(lambda t, n: n < 4, lambda t, n: (t * x, n + 1), (tf.constant(1.0), tf.constant(0)))
        values = tf.TensorArray(tf.float32, size=3)
        for place in range(3):
            values = values.write(place, total * place)
        scanned = tf.scan(lambda a, r: a * r, values.stack() + x)
        chosen = tf.cond(total > 0, lambda: total * 2.0, lambda: total)
        loss = tf.reduce_sum(scanned) + chosen + tf.reduce_sum(tf.map_fn(lambda r: r * x, scanned))
    return tape.gradient(loss, x)


def custom(tf):
    @tf.custom_gradient
    def clipped(x):
        return x * 3.0, lambda slope: tf.clip_by_value(slope, -0.5, 0.5)

    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(clipped(x) * [0.1, 7.0])
    return tape.gradient(y, x)


def several_results(tf):
    x = tf.Variable([[1.0, 4.0], [3.0, 2.0]])
    with tf.GradientTape() as tape:
        first, second = tf.split(x, 2, axis=1)
        values, _ = tf.nn.top_k(x)
        y = tf.reduce_sum(first * second) + tf.reduce_sum(values) + tf.reduce_sum(tf.gather(x, [1, 1]) * x[0])
    return tape.gradient(y, x)


def complexes(tf):
    x = tf.Variable([1.0, 2.0, 0.5])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.abs(tf.signal.rfft(x)))
    return tape.gradient(y, x)


def trained(tf):
    class Network(tf.Module):
        def __init__(self):
            super().__init__()
            self.layers = [tf.Variable(tf.ones([2, 3]) * 0.5), tf.Variable(tf.ones([3, 1]) * -0.25)]
            self.bias = tf.Variable(tf.zeros([1]))

        def __call__(self, x):
            return tf.tanh(x @ self.layers[0]) @ self.layers[1] + self.bias

    model = Network()
    x, y = tf.constant([[1.0, 2.0], [-1.0, 0.5], [0.25, -2.0]]), tf.constant([[1.0], [-1.0], [0.5]])

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x) - y))
        for v, slope in zip(model.trainable_variables, tape.gradient(loss, model.trainable_variables), strict=True):
            v.assign_sub(0.1 * slope)
        return loss

    return [step() for _ in range(4)]


PROGRAMS = (
    polynomial, variables, assigned_in_between, second_order, penalty, persistent, stopped, unwatched, jacobians, loops, custom,
    several_results, complexes, trained,
)  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_gradients(program):
    with ca.backend_context(DERIVED):
        same(program(tf), program(native))


def test_random_numbers_are_the_same_in_the_gradient():
    with ca.backend_context(DERIVED):
        x = tf.Variable(tf.ones([50]))
        with tf.GradientTape() as tape:
            y = tf.nn.dropout(x, 0.5)
            loss = tf.reduce_sum(y * y)
        np.testing.assert_allclose(tape.gradient(loss, x).numpy(), 4.0 * y.numpy(), rtol=1e-6)


def test_what_a_tape_refuses():
    with ca.backend_context(DERIVED):
        x = tf.constant(1.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            with pytest.raises(ValueError, match="already recording"):
                tape.__enter__()
            y = x * x
        tape.gradient(y, x)
        with pytest.raises(RuntimeError, match="non-persistent"):
            tape.gradient(y, x)
        with pytest.raises(ValueError, match=r"not tf\.Tensor"):
            tape.watch(3.0)
        with pytest.raises(ValueError, match="not recording"), tape.stop_recording():
            pass


def test_results_forget_tapes_that_are_gone():
    with ca.backend_context(DERIVED):
        state = tf.constant(1.0)
        for _ in range(3):
            with tf.GradientTape() as tape:
                tape.watch(state)
                made = state * 2.0
            del tape
            state = made
        with tf.GradientTape() as tape:
            tape.watch(state)
            made = state * 3.0
        assert made._node.inputs == [state]
        assert state._node is None


def test_variables():
    with ca.backend_context(TARGET):
        v = tf.Variable([1.0, 2.0])
        assert v.assign([3, 4]) is v
        same(v.assign_add([1.0, 1.0]) + 0, native.constant([4.0, 5.0]))
        same(v.assign_sub([1.0, 1.0]).value(), native.constant([3.0, 4.0]))
        same(v.scatter_nd_update([[1]], [9.0]).read_value(), native.constant([3.0, 9.0]))
        for wrong in ([1.0], tf.constant([1, 2])):
            with pytest.raises(ValueError, match=r"Shape mismatch|requested dtype"):
                v.assign(wrong)
        grows = tf.Variable([1.0], shape=[None])
        assert grows.assign([1.0, 2.0]).array.shape == (2,)
        before = v.value()
        v.assign([0.0, 0.0])
        same(before, native.constant([3.0, 9.0]))
        with pytest.raises(TypeError, match="unhashable"):
            hash(v)
        assert {v.ref(): 1}[v.ref()] == 1
        assert v.ref().deref() is v


def test_programs_compile():
    with ca.backend_context("tensorflow"):

        @ca.compile
        def program(array):
            x = tf.constant(array)
            total, _ = tf.while_loop(
                lambda t, n: tf.reduce_max(t) < 100.0, lambda t, n: (t * 2.0, n + 1), (x, tf.constant(0))
            )
            return tf.cond(tf.reduce_sum(x) > 0, lambda: total + x[0], lambda: total).array

        found = program(ca.asarray([1.0, 3.0]))
        np.testing.assert_allclose(ca.to_numpy(found), [65.0, 193.0])


#: Whether the compiler of a backend traces a program by running it, so that `tf.function` compiles.
COMPILED = TARGET in ("jax", "tensorflow")


def test_functions_compile_with_their_variables():
    class Counter(tf.Module):
        def __init__(self):
            self.total, self.runs = tf.Variable([0.0, 0.0]), 0

        @tf.function
        def add(self, x, twice=False):
            self.runs += 1
            self.total.assign_add(x * 2.0 if twice else x)
            return {"total": self.total * 1.0, "twice": twice}

    with ca.backend_context(TARGET):
        one, other = Counter(), Counter()
        for count in range(1, 5):
            made = one.add(np.array([1.0, 2.0], np.float32))
            same(made["total"], native.constant([1.0 * count, 2.0 * count]))
            assert made["twice"] is False
        same(other.add(tf.constant([1.0, 1.0]), twice=True)["total"], native.constant([2.0, 2.0]))
        same(one.total.value(), native.constant([4.0, 8.0]))
        assert one.runs == (2 if COMPILED else 4)
        assert Counter.add.experimental_get_tracing_count() == int(COMPILED)


def test_functions_that_read_elements_run_in_python():
    @tf.function
    def size(x):
        return x if tf.reduce_sum(x) > 0 else -x

    @tf.function
    def wrong(x):
        return tf.matmul(x, x)

    with ca.backend_context(TARGET):
        assert [float(size(tf.constant(v))) for v in (1.0, -2.0, -3.0, 4.0)] == [1.0, 2.0, 3.0, 4.0]
        assert size.experimental_get_tracing_count() == 0
        for _ in range(3):
            with pytest.raises(tf.errors.InvalidArgumentError):
                wrong(tf.ones((2, 3)))


def test_functions_compile_again_for_other_variables_and_run_under_tapes():
    chosen = {"v": tf.Variable(2.0)}

    @tf.function
    def scaled(x):
        return x * chosen["v"]

    with ca.backend_context(DERIVED):
        chosen["v"] = tf.Variable(2.0)
        assert float(scaled(tf.constant(3.0))) == 6.0
        chosen["v"] = v = tf.Variable(5.0)  # not the variable that the first call has read
        for _ in range(2):
            assert float(scaled(tf.constant(3.0))) == 15.0
        with tf.GradientTape() as tape:
            y = scaled(tf.constant(3.0))
        assert float(tape.gradient(y, v)) == 3.0
        v.assign(7.0)
        assert float(scaled(tf.constant(3.0))) == 21.0


def test_operations_take_tensors_and_arrays():
    with ca.backend_context(TARGET):
        assert isinstance(tf.raw_ops.AddV2(x=tf.constant(1.0), y=2.0), Operand)
        assert isinstance(tf.raw_ops.AddV2(ca.asarray(1.0), ca.asarray(2.0)), ca.Array)
        with pytest.raises(tf.errors.InvalidArgumentError, match="expected to be a float32"):
            tf.raw_ops.AddV2(x=tf.constant(1.0), y=tf.constant(2))


def test_what_there_is_not():
    with pytest.raises(
        AttributeError, match=r"no rule for 'tensorflow\.nn\.reelu'; near it are 'tensorflow\.nn\.relu'"
    ):
        tf.nn.reelu


def test_gradients_through_ragged_tensors():
    def slopes(module):
        weights = module.constant([0.5, -2.0, 3.0])
        rows = module.ragged.constant([[0, 2], [], [1, 1, 0]])
        with module.GradientTape() as tape:
            tape.watch(weights)
            picked = module.gather(weights, rows)
            loss = module.reduce_sum(
                module.square(module.reduce_sum(module.sin(picked), axis=1)) + picked.to_tensor()[:, 0]
            )
        return module.convert_to_tensor(tape.gradient(loss, weights))

    with ca.backend_context(DERIVED):
        same(slopes(tf), slopes(native))


def test_ragged_tensors_in_functions():
    with ca.backend_context(TARGET):
        double = tf.function(lambda rows: (rows * 2, tf.reduce_sum(rows, axis=1)))
        for rows in ([[1.0], []], [[2.0, 3.0]], [[1.0], []]):
            made, sums = double(tf.ragged.constant(rows, ragged_rank=1, dtype=tf.float32))
            assert made.to_list() == [[2 * x for x in row] for row in rows]
            assert sums.array.tolist() == [sum(row) for row in rows]
        rows = tf.ragged.constant([[1.0], []])
        assert rows.ragged.tolist() == [[1.0], []]
        with pytest.raises(TypeError, match=r"tf.det takes no ragged tensors; x.to_tensor\(\)"):
            tf.linalg.det(rows)
        with pytest.raises(ValueError, match="same nesting depth"):
            tf.ragged.constant([[1.0], 2.0])
