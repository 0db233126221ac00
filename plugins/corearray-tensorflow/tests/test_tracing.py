"""A program of public functions under `tf.function`, arrays in and out of it, batches of any size."""

from __future__ import annotations

import math

import numpy as np
import pytest
import tensorflow as tf

import corearray as ca

be = ca.get_backend("tensorflow")


def classify(x, w, b):
    """Standardise, a linear layer, softmax, and what is said of the result."""
    x = (x - ca.mean(x, axis=0)) / (ca.std(x, axis=0) + 1e-3)
    h = x @ w + b
    e = ca.exp(h - ca.max(h, axis=1, keepdims=True))
    p = e / ca.sum(e, axis=1, keepdims=True)
    best = ca.argmax(p, axis=1)
    sure = ca.where(p > 0.5, p, 0.0)
    right = ca.sum(ca.astype(best == 1, ca.float32))
    return {"p": p, "best": best, "rows": sure[::2, 1:], "right": right, "all": ca.concat([p, sure], axis=1)}


def write(x):
    """What changes an array in place."""
    y = ca.zeros_like(x) + x
    y[0] = 5.0
    y[1:, 0] = x[1:, 1]
    y[y > 4] = 3
    y += 1
    y *= x
    return {"y": y}


def compose(x):
    """Composed functions, extensions, dtypes that must be promoted."""
    gram = ca.matmul(x.T, x) + ca.eye(4)
    mixed = ca.arange(4) + x, ca.where(x > 0.5, 1, x), ca.asarray([1, 2]) * 2.5
    names = be.hypot(x, 2.0), be.linalg.det(gram), be.wrap(be.native.log1p(x.native))
    found = [ca.linalg.solve(gram, ca.sum(x, axis=0)), ca.sort(x, axis=0), ca.flip(x), ca.stack([x, x]), *mixed, *names]
    return dict(enumerate([*found, ca.var(x, axis=0), ca.reshape(x, (-1,)), ca.square(ca.Container(a=x)).a]))


def arrays(*shapes):
    generator = np.random.default_rng(0)
    return tuple(be.asarray(generator.random(shape), dtype="float32") for shape in shapes)


PROGRAMS = {
    "classify": (classify, arrays((6, 4), (4, 3), (3,))),
    "write": (write, arrays((3, 4))),
    "compose": (compose, arrays((3, 4))),
}


def same(found, expected):
    assert found.keys() == expected.keys()
    for name, other in expected.items():
        assert type(found[name]) is type(other)
        assert found[name].dtype is other.dtype
        np.testing.assert_allclose(np.asarray(found[name]), np.asarray(other), rtol=1e-5, err_msg=str(name))


@pytest.mark.parametrize("name", PROGRAMS)
def test_public_functions_are_traced(name):
    program, inputs = PROGRAMS[name]
    count = []

    def counted(*args):
        count.append(1)
        return program(*args)

    traced = tf.function(counted)
    for _ in range(3):
        same(traced(*inputs), program(*inputs))
    assert len(count) == 1


@pytest.mark.parametrize("name", PROGRAMS)
def test_batches_of_any_size_are_traced_once(name):
    program, (x, *others) = PROGRAMS[name]
    signature = [tf.TensorSpec([None, 4])] + [tf.TensorSpec(other.shape) for other in others]
    traced = tf.function(lambda *args: ca.to_native(program(*map(ca.asarray, args))), input_signature=signature)
    for size in (3, 2):
        found = traced(x.native[:size], *(other.native for other in others))
        same({key: ca.asarray(value) for key, value in found.items()}, program(x[:size], *others))


def test_the_backend_in_force_is_traced_too():
    x, w, b = PROGRAMS["classify"][1]
    with ca.backend_context("tensorflow"):
        traced = tf.function(classify)
        same(traced(x, w, b), classify(x, w, b))


def test_native_arrays_go_in_and_out():
    inputs = [x.native for x in PROGRAMS["classify"][1]]
    traced = tf.function(lambda *args: ca.to_native(classify(*args)))
    found = traced(*inputs)
    assert all(tf.is_tensor(value) for value in found.values())
    same({key: ca.asarray(value) for key, value in found.items()}, classify(*inputs))


def test_a_mistake_is_told_while_it_is_traced():
    @tf.function
    def wrong(x):
        return ca.reshape(x, (5,))

    with pytest.raises(ValueError, match=r"'reshape' on backend 'tensorflow' got an array of the shape \(6, 4\)"):
        wrong(PROGRAMS["classify"][1][0])


def test_a_step_of_training():
    """The tape within the traced function, on a variable."""
    x, w, b = PROGRAMS["classify"][1]
    variable = tf.Variable(w.native)

    def gradient(x):
        with tf.GradientTape() as tape:
            loss = ca.mean(ca.square(ca.tanh(ca.matmul(x, variable) + b))).native
        return tape.gradient(loss, variable)

    np.testing.assert_allclose(tf.function(gradient)(x), gradient(x), rtol=1e-5)


def test_sizes_that_are_unknown_are_none():
    seen = []
    tf.function(lambda x: seen.append(ca.asarray(x).shape), input_signature=[tf.TensorSpec([None, 4])])(
        tf.zeros((2, 4))
    )
    assert seen[0] == (None, 4)


def test_a_traced_array_has_no_truth():
    with pytest.raises(TypeError, match="needs the elements"):
        tf.function(lambda x: 1 if x > 0 else 2)(be.asarray(1.0))


def test_autograph_does_not_rewrite_functions():
    """They are marked as TensorFlow's own decorator marks what it returns."""
    (mark,) = set(vars(tf.autograph.experimental.do_not_convert(len))) - {"__wrapped__"}
    for function in (ca.add, be.add, be.linalg.det, be.native.add, ca.Array.tolist):
        assert hasattr(function, mark)


def test_autograph_rewrites_what_an_agnostic_function_calls_and_nothing_around_it(capfd):
    @ca.agnostic
    def scaled(x):
        if tf.reduce_sum(x.native) > 0:  # AutoGraph makes a graph's condition of it
            scale = 2.0
        else:
            scale = 3.0
        return x * scale * ca.asarray([1.0, 2.0])

    traced = tf.function(scaled)
    assert traced(tf.constant([1.0, 2.0])).numpy().tolist() == [2.0, 8.0]
    assert traced(tf.constant([-1.0, -2.0])).numpy().tolist() == [-3.0, -12.0]
    assert "AutoGraph" not in capfd.readouterr().err


def test_a_compiled_program_takes_tensors_and_its_constants_are_no_arguments(monkeypatch):
    """Arrays that are arguments by place and by name, beside others in trees and numbers."""
    made = []
    monkeypatch.setattr(
        tf, "function", lambda *args, kind=tf.function, **options: made.append(kind(*args, **options)) or made[-1]
    )
    small = tf.constant([1.0, 2.0])

    def program(x, tree, number, *, bias):
        return {
            "y": ca.sum(ca.reshape(x, (2, 2)), axis=(0, 1)) * number + tree["a"] * ca.zeros(()) + bias * be.wrap(small)
        }

    one, two = be.asarray([1.0, 2.0, 3.0, 4.0]), be.ones(2)
    compiled = ca.compile(program)
    for _ in range(2):
        found = compiled(one, {"a": two}, 2.0, bias=two)["y"]
        assert isinstance(found, be.Array) and found.tolist() == [21.0, 22.0]
    assert compiled(one.native, {"a": two}, 2.0, bias=two)["y"].tolist() == [21.0, 22.0]
    assert len(made) == 2
    concrete = made[0].get_concrete_function(one.native, {"a": two}, 2.0, bias=two.native)
    assert [x.numpy().tolist() for x in concrete.captured_inputs] == [[1.0, 2.0]]
    with tf.GradientTape() as tape:
        tape.watch(small)
        total = tf.reduce_sum(compiled(one, {"a": two}, 2.0, bias=two)["y"].native)
    assert tape.gradient(total, small).numpy().tolist() == [1.0, 1.0]


def test_a_variable_may_hold_nan_later():
    variable = tf.Variable([1.0, 3.0, 2.0])
    place = tf.function(lambda: be.native.argmax(variable, axis=0))
    assert int(place()) == 1
    variable.assign([1.0, 3.0, math.nan])
    assert int(place()) == 2


def test_sizes_that_are_not_known_are_told():
    specs = [tf.TensorSpec([None, 4])]
    with pytest.raises(
        ca.TracingError, match=r"'lstsq' .* the shape \(None, 4\) are not known while the program is traced"
    ):
        tf.function(lambda x: be.linalg.lstsq(be.asarray(x), be.ones(4)), input_signature=specs).get_concrete_function()
