"""Derivatives where formulas divide by zero, tie or jump, though the function itself is smooth there.

The expected numbers are worked out by hand; what complex numbers give is held against central differences.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from standard.support import be, needs_derivatives

import corearray as ca

pytestmark = [needs_derivatives, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(autouse=True)
def on_this_backend():
    with ca.backend_context(be):
        yield


def array(values):
    return ca.asarray(np.asarray(values, "float64"), dtype="float64")


def slopes(function):
    return ca.grad(lambda x: ca.sum(function(x)))


ROOT = math.sqrt(math.pi) / 2.0

#: Name, function of one array, where, and the derivative of the sum of its results.
FIRST = [
    ("det of zeros", ca.linalg.det, np.zeros((3, 3)), np.zeros((3, 3))),
    ("det of one zero", ca.linalg.det, [[0.0]], [[1.0]]),
    ("erfinv", ca.erfinv, [0.0, -0.0, 1.0, -1.0, 1.5], [ROOT, ROOT, math.inf, math.inf, math.nan]),
    ("logaddexp of equal numbers", lambda x: ca.logaddexp(x, array([2.0, 3.0])), [2.0, 3.0], [0.5, 0.5]),
    ("logaddexp to equal numbers", lambda x: ca.logaddexp(array([2.0]), x), [2.0], [0.5]),
    ("logaddexp2 of equal numbers", lambda x: ca.logaddexp2(x, 2.0), [2.0], [0.5]),
    ("logaddexp2 to equal numbers", lambda x: ca.logaddexp2(2.0, x), [2.0], [0.5]),
    ("logsigmoid", ca.logsigmoid, [0.0], [0.5]),
    # where there is no derivative, torch's
    ("clip at its bounds", lambda x: ca.clip(x, -1.0, 1.0), [-2.0, -1.0, 0.0, 1.0, 2.0], [0.0, 1.0, 1.0, 1.0, 0.0]),
    ("clip at one bound", lambda x: ca.clip(x, 0.0), [-1.0, 0.0, 1.0], [0.0, 1.0, 1.0]),
    ("clip by a bound", lambda x: ca.clip(array([-1.0, 0.0, 1.0]), x), [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]),
    ("clip by the other bound", lambda x: ca.clip(array([-1.0, 0.0, 1.0]), max=x), [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]),
    ("square roots of what is clipped", lambda x: ca.sqrt(ca.clip(x, 0.0)), [-1.0, 4.0], [0.0, 0.25]),
    ("relu6", ca.relu6, [0.0, 3.0, 6.0], [0.0, 1.0, 0.0]),
    ("hardtanh", ca.hardtanh, [-1.0, 0.5, 1.0], [0.0, 1.0, 0.0]),
    ("hardsigmoid", ca.hardsigmoid, [-3.0, 0.0, 3.0], [0.0, 1.0 / 6.0, 0.0]),
    ("hardswish", ca.hardswish, [-3.0, 0.0, 3.0], [0.0, 0.5, 1.0]),
    ("softshrink", ca.softshrink, [-0.5, 0.0, 0.5, 2.0], [0.0, 0.0, 0.0, 1.0]),
    ("leaky_relu", lambda x: ca.leaky_relu(x, negative_slope=0.25), [-1.0, 0.0, 1.0], [0.25, 0.25, 1.0]),
    ("fmax of equal numbers", lambda x: ca.fmax(x, array([2.0, math.nan])), [2.0, 2.0], [1.0, 1.0]),
    ("fmax to an equal number", lambda x: ca.fmax(array([2.0, math.nan]), x), [2.0, 2.0], [0.0, 1.0]),
    ("fmin of equal numbers", lambda x: ca.fmin(x, array([2.0, math.nan])), [2.0, 2.0], [1.0, 1.0]),
    ("margin_ranking_loss", lambda x: ca.margin_ranking_loss(x, array([1.0]), array([1.0])), [1.0], [-1.0]),
    ("hinge_embedding_loss", lambda x: ca.hinge_embedding_loss(x, array([-1.0])), [1.0], [-1.0]),
    ("abs", ca.abs, [0.0, -0.0, 2.0, -2.0], [0.0, 0.0, 1.0, -1.0]),
    ("digamma", ca.digamma, [0.0, -0.0], [math.inf, math.inf]),
    ("floor_divide", lambda x: ca.floor_divide(x, array([0.0, 2.0, math.inf])), [1.0, 4.0, 2.0], [0.0, 0.0, 0.0]),
    ("floor_divide by a number", lambda x: ca.floor_divide(1.0, x), [0.0, 2.0, math.inf], [0.0, 0.0, 0.0]),
    ("hypot of zeros", lambda x: ca.hypot(x, array([0.0, 0.0, 2.0])), [0.0, -3.0, 0.0], [0.0, -1.0, 0.0]),
    ("pinv of equal singular values", ca.linalg.pinv, [[1.0, 0.0], [0.0, 1.0]], [[-1.0, -1.0], [-1.0, -1.0]]),
    ("pinv of a column", ca.linalg.pinv, [[1.0], [0.0]], [[-1.0], [1.0]]),
    ("remainder of a multiple", lambda x: ca.remainder(x, array([2.0, -2.0])), [4.0, 4.0], [1.0, 1.0]),
    ("remainder by a divisor", lambda x: ca.remainder(4.0, x), [2.0, -2.0, 3.0], [-2.0, 2.0, -1.0]),
    ("xlogy of zeros", lambda x: ca.xlogy(array([0.0, 0.0, 2.0]), x), [0.0, 2.0, 4.0], [0.0, 0.0, 0.5]),
    ("igamma at zero", lambda x: ca.igamma(array([1.0, 2.0, 0.5]), x), [0.0, 0.0, 0.0], [1.0, 0.0, math.inf]),
    ("igammac at zero", lambda x: ca.igammac(array([1.0, 2.0, 0.5]), x), [0.0, 0.0, 0.0], [-1.0, 0.0, -math.inf]),
    ("logaddexp to infinities", lambda x: ca.logaddexp(x, 2.0), [math.inf, -math.inf], [1.0, 0.0]),
    ("logaddexp2 to infinities", lambda x: ca.logaddexp2(x, 2.0), [math.inf, -math.inf], [1.0, 0.0]),
    ("logaddexp of a number", lambda x: ca.logaddexp(x, array([math.inf, -math.inf])), [2.0, 2.0], [0.0, 1.0]),
    ("logaddexp2 of a number", lambda x: ca.logaddexp2(x, array([math.inf, -math.inf])), [2.0, 2.0], [0.0, 1.0]),
    ("x**0", lambda x: x**0, [0.0, 2.0], [0.0, 0.0]),
    ("x**1", lambda x: x**1, [0.0, 2.0], [1.0, 1.0]),
    ("float_power", lambda x: ca.float_power(x, 0), [0.0, 2.0], [0.0, 0.0]),
    ("softplus", lambda x: ca.softplus(x, beta=2.0), [0.0], [0.5]),
    ("the imaginary part of complex", lambda x: ca.imag(ca.complex(1.0, x)), [0.0, 2.0], [1.0, 1.0]),
]

#: The same of the derivative of the sum of the derivatives.
SECOND = [
    ("i0", ca.i0, [0.0, -0.0], [0.5, 0.5]),
    ("igamma at zero", lambda x: ca.igamma(array([1.0, 2.0, 3.0]), x), [0.0, 0.0, 0.0], [-1.0, 1.0, 0.0]),
    ("logaddexp to infinities", lambda x: ca.logaddexp(x, 2.0), [math.inf, -math.inf], [0.0, 0.0]),
    ("powers of zero by the exponent", lambda x: ca.pow(0.0, x), [1.0, 2.0], [0.0, 0.0]),
    ("logaddexp", lambda x: ca.logaddexp(x, array([2.0])), [2.0], [0.25]),
    ("logaddexp2", lambda x: ca.logaddexp2(x, array([2.0])), [2.0], [0.25 * math.log(2.0)]),
    ("logaddexp of numbers far apart", lambda x: ca.logaddexp(x, 0.0), [-800.0, 800.0], [0.0, 0.0]),
    ("logaddexp2 of numbers far apart", lambda x: ca.logaddexp2(0.0, x), [-1100.0, 1100.0], [0.0, 0.0]),
    ("mish of great numbers", ca.mish, [-800.0, 0.0, 800.0], [0.0, 0.64, 0.0]),
    ("hardsigmoid", lambda x: ca.hardsigmoid(x) * x, [-4.0, 0.0, 1.0, 4.0], [0.0, 1 / 3, 1 / 3, 0.0]),
    ("logsigmoid", ca.logsigmoid, [0.0], [-0.25]),
    ("norm beside a zero", ca.linalg.vector_norm, [0.0, 3.0, 4.0], [0.2, 0.032, -0.024]),
    (
        "norm of complex numbers beside a zero",
        lambda x: ca.linalg.vector_norm(ca.complex(x, array([0.0, 0.0, 4.0]))),
        [0.0, 3.0, 0.0],
        [0.2, 0.128, 0.2],
    ),
    ("pinv of equal singular values", ca.linalg.pinv, [[1.0, 0.0], [0.0, 1.0]], [[4.0, 4.0], [4.0, 4.0]]),
    ("prod of one zero", ca.prod, [0.0, 2.0, 3.0], [5.0, 3.0, 2.0]),
    ("prod of two zeros", ca.prod, [0.0, 0.0, 3.0], [3.0, 3.0, 0.0]),
    ("prod along an axis", lambda x: ca.prod(x, axis=0), [[0.0, 2.0], [3.0, 5.0]], [[1.0, 1.0], [1.0, 1.0]]),
]


@pytest.mark.parametrize(("function", "x", "expected"), [case[1:] for case in FIRST], ids=[case[0] for case in FIRST])
def test_first_derivatives(function, x, expected):
    np.testing.assert_allclose(ca.to_numpy(slopes(function)(array(x))), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("function", "x", "expected"), [case[1:] for case in SECOND], ids=[case[0] for case in SECOND])
def test_second_derivatives(function, x, expected):
    np.testing.assert_allclose(ca.to_numpy(slopes(slopes(function))(array(x))), expected, rtol=1e-9, atol=1e-9)


#: Compositions of functions that frameworks have too: name, where, and the first and second derivatives.
COMPOSED = [
    ("asin", [0.0, -0.0, 1.0, -1.0], [1.0, 1.0, math.inf, math.inf], None),
    ("asinh", [0.0, -0.0, 3.0, -math.inf], [1.0, 1.0, 0.1**0.5, 0.0], [0.0, 0.0, -3.0 * 0.1**1.5, 0.0]),
    ("atanh", [0.0, -0.0, 1.0, -1.0], [1.0, 1.0, math.inf, math.inf], None),
    ("celu", [0.0, -0.0, 2.0], [1.0, 1.0, 1.0], [1.0, 1.0, 0.0]),
    ("cosh", [0.0, -0.0, 800.0, -math.inf], [0.0, 0.0, math.inf, -math.inf], [1.0, 1.0, math.inf, math.inf]),
    ("elu", [0.0, -0.0, 2.0], [1.0, 1.0, 1.0], [1.0, 1.0, 0.0]),
    ("expm1", [0.0, -0.0, 1e-300, -math.inf, math.inf], [1.0, 1.0, 1.0, 0.0, math.inf], [1.0, 1.0, 1.0, 0.0, math.inf]),
    ("log10", [1.0, 1000.0, math.inf], [1.0 / math.log(10.0), 1e-3 / math.log(10.0), 0.0], None),
    ("log1p", [0.0, -0.0, 1e-300, -1.0, math.inf], [1.0, 1.0, 1.0, math.inf, 0.0], [-1.0, -1.0, -1.0, -math.inf, 0.0]),
    ("log2", [1.0, 8.0, math.inf], [1.0 / math.log(2.0), 0.125 / math.log(2.0), 0.0], None),
    ("logsigmoid", [-800.0, 0.0, 800.0], [1.0, 0.5, 0.0], [0.0, -0.25, 0.0]),
    ("sinh", [0.0, -0.0, 800.0, -800.0], [1.0, 1.0, math.inf, math.inf], [0.0, 0.0, math.inf, -math.inf]),
    ("softplus", [-800.0, 0.0, 800.0], [0.0, 0.5, 1.0], [0.0, 0.25, 0.0]),
    ("tanh", [0.0, -0.0, 20.0, -math.inf], [1.0, 1.0, 4.0 * math.exp(-40.0), 0.0], [0.0, 0.0, -8.0 * math.exp(-40.0), 0.0]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "x", "first", "second"), COMPOSED, ids=[case[0] for case in COMPOSED])
def test_derivatives_of_compositions(name, x, first, second):
    composition = ca.get_backend(be).binding(name).composition
    slope = slopes(composition)
    np.testing.assert_allclose(ca.to_numpy(slope(array(x))), first, rtol=1e-12, atol=1e-15)
    if second is not None:
        np.testing.assert_allclose(ca.to_numpy(slopes(slope)(array(x))), second, rtol=1e-12, atol=1e-15)


#: Exponents, and the first three derivatives of powers of zero.
POWERS = [(0, [0, 0, 0]), (1, [1, 0, 0]), (2, [0, 2, 0]), (3, [0, 0, 6]), (4, [0, 0, 0])]


@pytest.mark.parametrize("way", [lambda n: n, float, lambda n: array(float(n)), lambda n: array([float(n)] * 2)])
@pytest.mark.parametrize("compiled", [False, True])
def test_derivatives_of_powers_of_zero(way, compiled):
    """All exponents are compiled as one program, because a compiler takes seconds for each program."""
    exponents = [way(exponent) for exponent, _ in POWERS]

    def derivatives(x):
        found = []
        for exponent in exponents:
            function = lambda x, n=exponent: ca.pow(x, n)
            for _ in range(3):
                function = slopes(function)
                found.append(function(x))
        return found

    found = iter((ca.compile(derivatives) if compiled else derivatives)(array([0.0, 2.0])))
    for exponent, expected in POWERS:
        for order, want in enumerate(expected, 1):
            at_two = math.prod(range(exponent, exponent - order, -1)) * 2.0 ** (exponent - order)
            np.testing.assert_allclose(
                ca.to_numpy(next(found)), [want, at_two], atol=1e-12, err_msg=f"{exponent}, {order}"
            )


@pytest.mark.parametrize("order", [1, 2, 3, 2.5, 0.5, -1, math.inf, -math.inf])
def test_derivatives_of_norms_of_zeros(order):
    found = slopes(lambda x: ca.linalg.vector_norm(x, axis=1, ord=order))(array([[0.0, 0.0], [3.0, 0.0]]))
    np.testing.assert_allclose(ca.to_numpy(found), [[0.0, 0.0], [float(order > 0), 0.0]], atol=1e-12)


@pytest.mark.parametrize("function", [ca.logaddexp, ca.logaddexp2])
@pytest.mark.parametrize("x", [math.inf, -math.inf])
def test_equal_infinities_have_shares_of_the_derivative_of_logaddexp(function, x):
    found = ca.grad(lambda x, y: ca.sum(function(x, y)), argnums=(0, 1))(array([x]), array([x]))
    assert sum(float(ca.sum(part)) for part in found) == 1.0


@pytest.mark.parametrize("function", [ca.logaddexp, ca.logaddexp2])
def test_equal_numbers_share_the_derivative_of_logaddexp(function):
    found = ca.grad(lambda x, y: ca.sum(function(x, y)), argnums=(0, 1))(array([1.0]), array([1.0]))
    np.testing.assert_allclose([float(ca.sum(part)) for part in found], [0.5, 0.5], rtol=1e-12)


#: Functions of complex numbers whose derivatives take a conjugate, of which one is easily forgotten.
COMPLEX = {
    "det": lambda z: ca.linalg.det(ca.reshape(z, (2, 2))),
    "prod": ca.prod,
    "scatter_along_axis": lambda z: ca.scatter_along_axis(z, ca.asarray([1, 1]), z[:2], axis=0, reduction="prod"),
    "scatter_flat": lambda z: ca.scatter_flat(ca.asarray([0, 1, 0, 0]), z, 2, reduction="prod"),
    "sign": ca.sign,
    "sign of the determinant": lambda z: ca.linalg.slogdet(ca.reshape(z, (2, 2))).sign,
    "size of the determinant": lambda z: ca.linalg.slogdet(ca.reshape(z, (2, 2))).logabsdet,
    "unsorted_segment_prod": lambda z: ca.unsorted_segment_prod(z, ca.asarray([0, 1, 0, 0]), 2),
}


@pytest.mark.parametrize("name", COMPLEX)
def test_derivatives_of_complex_numbers(name):
    random = np.random.default_rng(3)
    point, other, along = (random.normal(size=4) for _ in range(3))
    weights = random.normal(size=2)

    def function(x):
        found = ca.reshape(COMPLEX[name](ca.complex(x, x * array(other))), (-1,))
        return ca.sum(ca.real(found)) * weights[0] + ca.sum(ca.imag(found)) * weights[1]

    def second(x):
        return ca.sum(ca.grad(function)(x) * array(along))

    for whole in (function, second):
        sides = [[float(whole(array(point + step * unit))) for step in (1e-5, -1e-5)] for unit in np.eye(4)]
        expected = [(right - left) / 2e-5 for right, left in sides]
        np.testing.assert_allclose(ca.to_numpy(ca.grad(whole)(array(point))), expected, rtol=1e-5, atol=1e-5)


def test_forward_mode_in_a_compiled_program():
    x, direction = array([[0.5, 1.0], [3.0, 9.0]]), array([[1.0, 2.0], [3.0, 4.0]])
    for function in (ca.linalg.det, ca.prod, lambda x: ca.sum(ca.i0(x)), lambda x: ca.sum(ca.remainder(x, 2.0))):
        expected = ca.sum(ca.grad(function)(x) * direction)
        found = ca.compile(lambda x, direction, function=function: ca.jvp(function, (x,), (direction,))[1])(
            x, direction
        )
        np.testing.assert_allclose(ca.to_numpy(found), ca.to_numpy(expected), rtol=1e-9)
