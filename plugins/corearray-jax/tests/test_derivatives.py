"""Derivatives that are the plugin's own, since those of JAX are wrong or no number at places."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

import corearray as ca

be = ca.get_backend("jax")


def slopes(function, x, dtype="float64", order=1):
    """Derivatives of a function of one array, element by element."""
    for _ in range(order):
        function = ca.grad(lambda x, inner=function: ca.sum(inner(x)))
    with ca.backend_context(be):
        return be.to_numpy(function(be.asarray(x, dtype=dtype)))


def test_higher_derivatives_of_the_bessel_function():
    x = np.asarray([0.0, 1e-3, 0.009, 0.011, -1.0, 30.0])
    for order in range(5):
        found = slopes(be.i0, x, order=order) if order else be.to_numpy(be.i0(be.asarray(x)))
        np.testing.assert_allclose(found, special.ivp(0, x, order) if order else special.i0(x), rtol=1e-9, atol=1e-9)


def test_the_bessel_function_up_to_the_largest_number():
    x = np.asarray([88.0, 90.0, -91.5], "float32")
    np.testing.assert_allclose(be.to_numpy(be.i0(be.asarray(x))), special.i0(x.astype("float64")), rtol=1e-5)
    np.testing.assert_allclose(slopes(be.i0, x, "float32"), special.i1(x.astype("float64")), rtol=1e-5)
    assert be.i0(be.asarray([93.0, -ca.inf], dtype="float32")).tolist() == [ca.inf, ca.inf]


def test_the_length_of_nothing_has_the_derivative_zero():
    assert slopes(lambda x: be.hypot(x, 0.0), [0.0, -2.0]).tolist() == [0.0, -1.0]
    assert slopes(lambda x: be.hypot(3, x), [4.0], "float32").tolist() == pytest.approx([0.8])


@pytest.mark.parametrize("x", [[2.0, 3.0, 4.0, 5.0], [0.0, 3.0, 4.0, 5.0], [0.0, 3.0, 0.0, 5.0], [0.0, 0.0, 0.0, 0.0]])
def test_derivatives_of_products_with_zeros(x):
    segments = be.asarray([0, 0, 0, 1])

    def scattered(x):
        return be.scatter_flat(segments, x, 2, reduction="prod")

    def written(x):
        return x[0] * x[1] * x[2] + x[3]

    for order in (1, 2, 3):
        want = slopes(written, x, order=order)
        for function in (lambda x: be.unsorted_segment_prod(x, segments, 2), scattered):
            np.testing.assert_allclose(slopes(function, x, order=order), want, atol=1e-12)


@pytest.mark.parametrize("order", [3, 2.5, 0.5, -1, -3])
def test_norms_of_vectors_with_zeros(order):
    x = np.asarray([[0.0, 0.0], [3.0, 4.0], [0.0, 2.0]])
    found = slopes(lambda x: be.linalg.vector_norm(x, axis=1, ord=order), x)
    np.testing.assert_allclose(found[1], (x[1] / np.linalg.norm(x[1], order)) ** (order - 1))
    np.testing.assert_allclose(found[[0, 2]], [[0.0, 0.0], [0.0, float(order > 0)]])
    assert be.linalg.vector_norm(be.asarray(x), axis=1, ord=order).tolist()[0] == 0.0


@pytest.mark.parametrize("shape", [(0, 0), (2, 0, 0)])
def test_the_determinant_of_a_matrix_without_elements(shape):
    """JAX's own derivative raises an IndexError."""
    x = be.zeros(shape)
    assert ca.all(be.linalg.det(x) == 1)
    assert ca.grad(lambda x: ca.sum(be.linalg.det(x)))(x).shape == shape


@pytest.mark.parametrize(
    ("shape", "dtype"),
    [((4, 2), "float64"), ((4, 2), "complex128"), ((2, 4), "complex128"), ((2, 5, 2), "float64")],
)
def test_full_singular_value_decompositions(shape, dtype):
    """Projectors on the added vectors have the derivatives of finite differences; the vectors alone are arbitrary."""
    random = np.random.default_rng(0)
    x, step = (be.asarray(random.standard_normal(shape) + 1j * random.standard_normal(shape)) for _ in range(2))
    if dtype == "float64":
        x, step = be.real(x), be.real(step)
    least = min(shape[-2:])
    weights = [be.asarray(random.standard_normal((n, n))) for n in shape[-2:]]

    def loss(t):
        u, s, vh = be.linalg.svd(x + t * step)
        bases = u[..., least:], be.conj(vh.mT)[..., least:]
        projectors = [b @ be.conj(b.mT) for b in bases]
        return ca.sum(be.sin(s)) + sum(ca.sum(be.real(p * w)) for p, w in zip(projectors, weights, strict=True)) ** 2

    zero, near = be.asarray(0.0, dtype="float64"), be.asarray(1e-5, dtype="float64")
    with ca.backend_context(be):
        for function in (loss, ca.grad(loss)):
            wanted = (float(function(near)) - float(function(-near))) / 2e-5
            assert float(ca.grad(function)(zero)) == pytest.approx(wanted, rel=1e-5, abs=1e-6)
