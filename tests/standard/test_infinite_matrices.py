"""Matrices that are not finite: an answer at once, and no other matrix of the batch is spoiled."""

from __future__ import annotations

import numpy as np
import pytest
from standard.support import COMPILES, array, be, numpy_of

import corearray as ca

#: One for which LAPACK's loop never ends, see numpy/numpy#32591.
ENDLESS = np.asarray([[np.inf, 0.1, 7, 7], [7, 2, 0, 0], [0.5, 0, 0.1, -3.5], [2, 0.1, 0.5, 0.1]], "float32")


needs_a_look = pytest.mark.skipif(be.name == "strict", reason="it calls LAPACK as it is")


def parts_of(result):
    return list(result) if isinstance(result, tuple) else [result]


@needs_a_look
@pytest.mark.parametrize("name", ["svd", "svdvals", "pinv", "matrix_rank"])
def test_an_infinite_matrix_is_refused_or_nan(name):
    try:
        found = getattr(be.linalg, name)(array(ENDLESS))
    except ca.LinAlgError as error:
        assert "infinity" in str(error)
    else:
        assert name == "matrix_rank" or all(np.isnan(numpy_of(part)).all() for part in parts_of(found))


@needs_a_look
@pytest.mark.parametrize("name", ["svdvals", "svd", "pinv", "eigh", "eigvalsh", "eig", "eigvals", "slogdet", "qr"])
@pytest.mark.parametrize("dtype", ["float32", "complex128"])
def test_a_matrix_with_nan_spoils_no_other(name, dtype):
    good = np.asarray([[[4.0, 1.0], [0.0, 4.0]], [[2.0, 0.0], [0.0, 3.0]]], dtype)
    x = np.stack([good[0], np.asarray([[np.nan, 1], [0, 1]], dtype), good[1]])
    function = getattr(be.linalg, name)
    wanted = parts_of(function(array(good)))
    for compute in (function, ca.compile(function)) if COMPILES and dtype == "float32" else (function,):
        for one, other in zip(parts_of(compute(array(x))), wanted, strict=True):
            assert np.isnan(numpy_of(one)[1]).all()
            np.testing.assert_allclose(numpy_of(one)[[0, 2]], numpy_of(other), rtol=1e-5, atol=1e-6)


@needs_a_look
@pytest.mark.parametrize("ord", [2, -2, "nuc"])
def test_a_matrix_with_nan_spoils_no_other_norm(ord):
    x = np.stack([np.eye(2) * 4, [[np.nan, 1], [0, 1]], np.eye(2) * 2])
    for keepdims in (False, True):
        found = numpy_of(be.linalg.matrix_norm(array(x), ord=ord, keepdims=keepdims))
        want = np.linalg.norm(x[[0, 2]], ord, (-2, -1), keepdims)
        assert np.isnan(found[1]).all()
        np.testing.assert_allclose(found[[0, 2]], want)


@needs_a_look
def test_a_matrix_with_nan_has_a_factor_of_nan():
    x = np.stack([np.eye(2) * 4, [[np.nan, 1], [1, 1]], np.eye(2) * 9])
    found = numpy_of(be.linalg.cholesky(array(x)))
    assert np.isnan(found[1]).any()
    np.testing.assert_allclose(found[[0, 2]], [np.eye(2) * 2, np.eye(2) * 3])


def test_differences_of_any_order_are_taken_at_once():
    for n in (3, 2**40, 2**62):
        assert be.diff(array(np.ones(3)), n=n).shape == (0,)
        assert be.diff(array(np.ones((2, 3))), n=n, axis=0).shape == (0, 3)
    assert be.diff(array(np.ones(3)), n=2**40, prepend=array(np.ones(2))).shape == (0,)
    assert be.diff(array(np.ones(3)), n=4, prepend=array(np.ones(2))).shape == (1,)
