"""Matrices that are not finite: an answer at once, and no other matrix of the batch is spoiled."""

from __future__ import annotations

import numpy as np
import pytest
from standard.support import COMPILES, array, be, needs_derivatives, numpy_of

import corearray as ca

#: One for which LAPACK's loop never ends, see numpy/numpy#32591.
ENDLESS = np.asarray([[np.inf, 0.1, 7, 7], [7, 2, 0, 0], [0.5, 0, 0.1, -3.5], [2, 0.1, 0.5, 0.1]], "float32")


needs_a_look = pytest.mark.skipif(be.name == "strict", reason="it calls LAPACK as it is")


def parts_of(result):
    return list(result) if isinstance(result, tuple) else [result]


#: Functions of one matrix whose result is NaN if the matrix is not finite.
FUNCTIONS = {
    **{
        name: getattr(be.linalg, name)
        for name in ("svdvals svd pinv eigh eigvalsh eig eigvals slogdet qr inv det cond cholesky".split())
    },
    "matrix_power": lambda x: be.linalg.matrix_power(x, -2),
    "solve": lambda x: be.linalg.solve(x, x),
    "lstsq": lambda x: be.linalg.lstsq(x, x).solution,
    **{f"norm {ord}": lambda x, ord=ord: be.linalg.matrix_norm(x, ord=ord) for ord in (2, -2, "nuc")},
    "norm with axes": lambda x: be.linalg.matrix_norm(x, ord=2, keepdims=True),
}
BROKEN = {
    "nan": [[np.nan, 1], [1, 1]],
    "infinite diagonal": [[np.inf, 1], [1, 2]],
    "infinite side": [[1, -np.inf], [-np.inf, 2]],
    "singular beside it": [[1, 0], [np.inf, 1]],
}


@needs_a_look
@pytest.mark.parametrize("name", ["svd", "svdvals", "pinv", "matrix_rank"])
def test_a_matrix_for_which_lapack_never_ends_has_nan(name):
    found = getattr(be.linalg, name)(array(ENDLESS))
    assert numpy_of(found) == 0 if name == "matrix_rank" else all(np.isnan(numpy_of(x)).all() for x in parts_of(found))


@needs_a_look
@pytest.mark.filterwarnings("ignore:invalid value encountered in matmul")  # NumPy's, of products with NaN
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_a_matrix_that_is_not_finite_spoils_no_other(name, dtype):
    good, function = np.asarray([[[4.0, 1.0], [1.0, 4.0]], [[2.0, 0.0], [0.0, 3.0]]], dtype), FUNCTIONS[name]
    wanted = parts_of(function(array(good)))
    x = np.stack([good[0], *np.asarray(list(BROKEN.values()), dtype), good[1]])
    for compute in [function, ca.compile(function)] if COMPILES and dtype == "float32" else [function]:
        for one, other in zip(parts_of(compute(array(x))), wanted, strict=True):
            assert np.isnan(numpy_of(one)[1:-1]).all()
            np.testing.assert_allclose(numpy_of(one)[[0, -1]], numpy_of(other), rtol=1e-5, atol=1e-6)


@needs_a_look
@pytest.mark.parametrize("broken", BROKEN)
def test_a_matrix_that_is_not_finite_has_the_rank_zero(broken):
    x = np.stack([np.eye(2) * 4, BROKEN[broken], np.ones((2, 2))])
    for options in ({}, {"rtol": 1e-3}):
        assert numpy_of(be.linalg.matrix_rank(array(x), **options)).tolist() == [2, 0, 1]


@needs_a_look
@needs_derivatives
@pytest.mark.parametrize(
    "name", ["inv", "det", "slogdet", "solve", "svdvals", "eigvalsh", "cholesky", "pinv", "norm nuc"]
)
def test_derivatives_beside_a_matrix_that_is_not_finite(name):
    good, function = np.asarray([[[4.0, 1.0], [1.0, 3.0]], [[2.0, 0.5], [0.5, 3.0]]]), FUNCTIONS[name]
    total = lambda x: be.sum(parts_of(function(x))[-1])
    wanted = numpy_of(ca.grad(total)(array(good)))
    found = numpy_of(ca.grad(total)(array(np.stack([good[0], *map(np.asarray, BROKEN.values()), good[1]]))))
    np.testing.assert_allclose(found[[0, -1]], wanted, rtol=1e-9)


@needs_a_look
def test_right_sides_are_broadcast_beside_a_matrix_that_is_not_finite():
    one, sides = np.asarray([[np.inf, 0], [0, 1]]), np.ones((3, 2, 1))
    assert np.isnan(numpy_of(be.linalg.solve(array(one), array(sides)))).all()
    found = numpy_of(be.linalg.solve(array(np.stack([np.eye(2), one])), array(np.ones((3, 1, 2, 1)))))
    assert found.shape == (3, 2, 2, 1)
    np.testing.assert_array_equal(found[:, 0], 1)
    assert np.isnan(found[:, 1]).all()


@needs_a_look
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_tridiagonal_matrix_that_is_not_finite_has_nan(value):
    for d, e in (([value, 1, 2], [1, 1]), ([1, 1, 2], [1, value])):
        for part in be.linalg.eigh_tridiagonal(array(np.asarray(d, float)), array(np.asarray(e, float))):
            assert np.isnan(numpy_of(part)).all()


@needs_a_look
def test_matrices_of_large_finite_numbers_are_no_infinite_ones():
    big = float(np.finfo("float32").max) / 4
    found = be.linalg.svdvals(array(np.asarray([[big, 0], [0, 1]], "float32")))
    np.testing.assert_allclose(numpy_of(found), [big, 1], rtol=1e-5)
    np.testing.assert_allclose(
        numpy_of(be.linalg.det(array(np.asarray([[big, 0], [0, 2]], "float32")))), 2 * big, rtol=1e-5
    )


def test_differences_of_any_order_are_taken_at_once():
    for n in (3, 2**40, 2**62):
        assert be.diff(array(np.ones(3)), n=n).shape == (0,)
        assert be.diff(array(np.ones((2, 3))), n=n, axis=0).shape == (0, 3)
    assert be.diff(array(np.ones(3)), n=2**40, prepend=array(np.ones(2))).shape == (0,)
    assert be.diff(array(np.ones(3)), n=4, prepend=array(np.ones(2))).shape == (1,)
