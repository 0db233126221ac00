"""Square roots, logarithms and Sylvester's equation, against SciPy in float64."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
from standard.support import array, be, check, covers, needs_derivatives, numpy_of

import corearray as ca

_RNG = np.random.default_rng(7)
_A, _B = _RNG.normal(size=(4, 4)), _RNG.normal(size=(4, 4))
MATRICES = {
    "general": scipy.linalg.expm(_A / 2),
    "complex": scipy.linalg.expm((_A + 1j * _B) / 2),
    "defective": np.triu(np.ones((4, 4))),
    "ill": _A @ np.diag([1e4, 1.0, 1e-2, 1e-4]) @ np.linalg.inv(_A),
    "positive": _B @ _B.T,
    "hermitian": (_A + 1j * _B) @ (_A - 1j * _B).T,
}


@covers("sqrtm", "logm")
@pytest.mark.parametrize("case", MATRICES)
def test_functions_of_matrices(case):
    x = MATRICES[case]
    scale = 1e7 if case == "ill" else 10.0  # the condition number of the problem
    for name in ("sqrtm", "logm"):
        want = getattr(scipy.linalg, name)(x)
        size = scale * np.abs(want).max() * np.ones(x.shape)
        check((name, case), getattr(be.linalg, name)(array(x)), want, x.dtype.name, factor=200, scale=size)


@covers("sqrtm", "logm")
def test_one_broken_matrix_of_a_batch():
    nan = np.nan
    x = np.asarray(
        [[[4.0, 0.0], [0.0, 9.0]], [[nan, 0.0], [0.0, 1.0]], [[-1.0, 1.0], [0.0, 1.0]], [[2.0, 0.0], [0.0, 0.0]]]
    )
    broken = np.full((2, 2), nan)
    with np.errstate(all="ignore"):
        root, logarithm = numpy_of(be.linalg.sqrtm(array(x))), numpy_of(be.linalg.logm(array(x)))
    wanted = np.asarray([[[2.0, 0.0], [0.0, 3.0]], broken, broken, [[2.0**0.5, 0.0], [0.0, 0.0]]])
    np.testing.assert_allclose(root, wanted, atol=1e-14)
    np.testing.assert_allclose(logarithm[0], np.diag(np.log([4.0, 9.0])), atol=1e-14)
    assert np.isnan(logarithm[1:]).all()


@covers("sqrtm")
def test_roots_of_complex_matrices_with_negative_eigenvalues():
    x = np.asarray([[0.0, 1.0], [1.0, 0.0]], "complex128")
    root = numpy_of(be.linalg.sqrtm(array(x)))
    np.testing.assert_allclose(root @ root, x, atol=1e-14)


@covers("logm")
def test_logarithms_beside_the_identity_keep_their_digits():
    offset = 1e-9 * np.asarray([[1.0, 2.0], [3.0, 4.0]])
    x = np.eye(2) + offset
    exact = x - np.eye(2)
    want = exact - exact @ exact / 2
    np.testing.assert_allclose(numpy_of(be.linalg.logm(array(x))), want, rtol=1e-14)


@covers("solve_sylvester")
@pytest.mark.parametrize("dtype", ["float64", "complex128", "float32"])
def test_solve_sylvester(dtype):
    a, b, q = _A.astype(dtype), _B[:3, :3].astype(dtype), _RNG.normal(size=(2, 4, 3)).astype(dtype)
    found = numpy_of(be.linalg.solve_sylvester(array(a), array(b), array(q)))
    want = np.stack([scipy.linalg.solve_sylvester(a.astype("complex128"), b, one) for one in q])
    np.testing.assert_allclose(found, want, rtol=2e-3 if dtype == "float32" else 1e-10, atol=1e-5)
    assert found.dtype == dtype
    assert be.linalg.solve_sylvester(be.ones((2, 2)), be.ones((0, 0)), be.ones((2, 0))).shape == (2, 0)


@needs_derivatives
@covers("sqrtm", "logm", "solve_sylvester")
@pytest.mark.parametrize("case", ["general", "positive"])
def test_derivatives_of_functions_of_matrices(case):
    x, along = MATRICES[case][:3, :3] + 2.0 * np.eye(3), _B[:3, :3]
    along = along + along.T if case == "positive" else along
    identity = array(np.eye(3))
    functions = {
        "sqrtm": be.linalg.sqrtm,
        "logm": be.linalg.logm,
        "solve_sylvester": lambda z: be.linalg.solve_sylvester(z, identity, z @ z),
    }
    for name, function in functions.items():

        def total(z, function=function):
            return be.sum(function(z) ** 2)

        found = np.sum(numpy_of(ca.grad(total)(array(x))) * along)
        step = 1e-5
        want = (float(total(array(x + step * along))) - float(total(array(x - step * along)))) / (2 * step)
        np.testing.assert_allclose(found, want, rtol=1e-7, err_msg=name)
