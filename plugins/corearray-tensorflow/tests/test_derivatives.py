"""Derivatives that TensorFlow has not, or not right: traced, of higher order, under its own tapes."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import corearray as ca

be = ca.get_backend("tensorflow")


@pytest.fixture(autouse=True)
def on_tensorflow():
    with ca.backend_context(be):
        yield


def array(values):
    return be.asarray(np.asarray(values, "float64"), dtype="float64")


SEGMENTS = be.asarray([0, 1, 0, 0, 1, -1, 7])
NUMBERS = np.asarray([1.5, -2.0, 0.5, 3.0, -1.25, 0.75, 2.5])
WEIGHTS = array([0.5, 2.0])


def singular(x):
    """Return 3x3 matrices that have rank 2 and 1 where `x` is `NUMBERS`."""
    moved = x - array(NUMBERS)
    row = array(NUMBERS[:3])
    return be.stack(
        [
            be.stack([x[:3], x[3:6], row]),
            be.stack([x[:3], 2.0 * row + moved[3:6], -row - 3.0 * moved[1:4]]),
        ]
    )


#: Functions of seven numbers; those that end in "zeros" are computed where the first and the third are zero.
FUNCTIONS = {
    "det, singular": lambda x: be.sum(be.linalg.det(singular(x)) * WEIGHTS),
    "complex det": lambda x: be.imag(be.linalg.det(be.complex(be.reshape(x[:4], (2, 2)), be.reshape(x[3:], (2, 2))))),
    "complex prod": lambda x: be.imag(be.prod(be.complex(x, x[::-1]))),
    "complex segments": lambda x: be.sum(
        be.imag(be.unsorted_segment_prod(be.complex(x, x[::-1]), SEGMENTS, 2)) * WEIGHTS
    ),
    "complex sign": lambda x: be.imag(be.sum(be.sign(be.complex(x, x[::-1])))),
    "logaddexp": lambda x: be.sum(be.logaddexp(x, array(NUMBERS)) * x),
    "prod, zeros": be.prod,
    "prods, zeros": lambda x: be.sum(be.prod(be.reshape(x[:6], (2, 3)), axis=1) * WEIGHTS),
    "segments": lambda x: be.sum(be.unsorted_segment_prod(x, SEGMENTS, 2) * WEIGHTS),
    "segments, zeros": lambda x: be.sum(be.unsorted_segment_prod(x, SEGMENTS, 2) * WEIGHTS),
    "sign of slogdet": lambda x: be.imag(
        be.linalg.slogdet(be.complex(be.reshape(x[:4], (2, 2)), be.reshape(x[3:], (2, 2)))).sign
    ),
}


def differences(function, x, step=1e-5):
    sides = [[float(function(array(x + sign * step * unit))) for sign in (1, -1)] for unit in np.eye(x.size)]
    return np.asarray([(right - left) / (2 * step) for right, left in sides])


def summed_derivative(function, weights):
    return lambda x: be.sum(ca.grad(function)(x) * weights)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_derivatives_are_those_of_differences(name):
    x = np.array(NUMBERS)
    if name.endswith("zeros"):
        x[[0, 2]] = 0.0
    orders = [FUNCTIONS[name]]
    while len(orders) < (2 if name.endswith("singular") else 3):  # of these one inner derivative divides
        orders.append(summed_derivative(orders[-1], array(np.roll(NUMBERS, len(orders)))))
    for function in orders:
        expected = differences(function, x)
        for gradient in (ca.grad(function), ca.compile(ca.grad(function))):
            np.testing.assert_allclose(be.to_numpy(gradient(array(x))), expected, rtol=1e-5, atol=1e-5)
        _, found = ca.jvp(function, (array(x),), (array(NUMBERS[::-1]),))
        np.testing.assert_allclose(float(found), expected @ NUMBERS[::-1], rtol=1e-5, atol=1e-5)


def test_determinants_of_singular_matrices():
    x = [[[1.0, 2.0], [2.0, 4.0]], [[1.0, 2.0], [3.0, 4.0]], [[0.0, 0.0], [0.0, 0.0]]]
    gradient = ca.grad(lambda x: be.sum(be.linalg.det(x)))
    expected = [[[4.0, -2.0], [-2.0, 1.0]], [[4.0, -3.0], [-2.0, 1.0]], [[0.0, 0.0], [0.0, 0.0]]]
    second = ca.grad(lambda x: be.sum(gradient(x)))
    for how in (lambda function: function, ca.compile):
        np.testing.assert_allclose(be.to_numpy(how(gradient)(array(x))), expected, atol=1e-12)
        np.testing.assert_allclose(be.to_numpy(how(second)(array(x))), [[[1, -1], [-1, 1]]] * 3, atol=1e-12)
    single = ca.grad(be.linalg.det)
    np.testing.assert_allclose(be.to_numpy(ca.vmap(single)(array(x))), expected, atol=1e-12)
    growth = ca.grad(lambda x: be.linalg.slogdet(x).logabsdet)(array(x[0]))
    assert growth.tolist() == [[np.inf, -np.inf], [-np.inf, np.inf]]


def test_powers_of_zero():
    x, exponents = array([0.0, 0.0, 0.0, 2.0, 0.0]), array([0.0, 1.0, 2.0, 0.0, 0.5])

    def power(x, exponents):
        return be.sum(be.pow(x, exponents))

    for how in (lambda function: function, ca.compile):
        by_base, by_exponent = how(ca.grad(power, argnums=(0, 1)))(x, exponents)
        assert by_base.tolist() == [0.0, 1.0, 0.0, 0.0, np.inf]
        np.testing.assert_allclose(be.to_numpy(by_exponent), [0.0, 0.0, 0.0, np.log(2.0), 0.0])
        second = how(ca.grad(lambda x: be.sum(ca.grad(power)(x, exponents[:4]))))(x[:4])
        assert second.tolist() == [0.0, 0.0, 2.0, 0.0]
    turned = be.complex(array([3.0]), array([4.0]))
    found = ca.grad(lambda y: be.real(be.pow(turned, be.complex(y, y)))[0])(array([0.0]))
    np.testing.assert_allclose(be.to_numpy(found), [np.log(5.0) - np.angle(3.0 + 4.0j)])


def test_tapes_of_the_framework_are_seen():
    x = tf.constant([[1.0, 2.0], [2.0, 4.0]], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        value = be.native.linalg.det(x)
    np.testing.assert_allclose(tape.gradient(value, x), [[4.0, -2.0], [-2.0, 1.0]], atol=1e-12)
    with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
        value = be.native.linalg.det(x)
    np.testing.assert_allclose(accumulator.jvp(value), 1.0, atol=1e-12)


def test_products_of_segments_of_unknown_length():
    @tf.function(autograph=False, input_signature=[tf.TensorSpec([None], "float64"), tf.TensorSpec([None], "int64")])
    def gradient(x, ids):
        with tf.GradientTape() as tape:
            tape.watch(x)
            value = tf.reduce_sum(be.native.unsorted_segment_prod(x, ids, 2))
        return tape.gradient(value, x)

    assert gradient([0.0, 3.0, 4.0, 5.0], [0, 0, 1, 9]).numpy().tolist() == [3.0, 0.0, 1.0, 0.0]


def test_mapped_functions_keep_their_own_derivatives():
    """`pow` has one of the plugin; TensorFlow maps its operations, which stop gradients."""
    x, exponent = array([1.0, 2.0]), array(3.0)

    def loss(exponent, x):
        return ca.sum(ca.vmap(lambda v: ca.pow(v, exponent) + ca.sum(ca.vmap(lambda w: ca.pow(w, exponent))(x)))(x))

    expected = 3 * 8 * np.log(2.0), [9.0, 36.0]
    for grad in (ca.grad(loss, argnums=(0, 1)), ca.compile(ca.grad(loss, argnums=(0, 1)))):
        by_exponent, by_x = grad(exponent, x)
        assert np.isclose(float(by_exponent), expected[0]) and np.allclose(by_x.tolist(), expected[1])
    with tf.GradientTape() as tape:
        tape.watch(x.native)
        value = loss(exponent, x)
    assert np.allclose(tape.gradient(value.native, x.native), expected[1])
