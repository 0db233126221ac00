"""Jacobians and second derivatives in both modes, of arrays and trees, against their formulas."""

from __future__ import annotations

import numpy as np
import pytest
from standard.support import array, be, needs_derivatives, numpy_of

import corearray as ca

pytestmark = needs_derivatives


@pytest.fixture(autouse=True)
def on_this_backend():
    with ca.backend_context(be):
        yield


@pytest.mark.parametrize("name", ["jac", "jacrev", "jacfwd"])
def test_jacobians(name):
    x = np.asarray([[1.0, 2.0, 3.0], [0.5, -1.0, 2.0]])
    jacobian = getattr(ca, name)(lambda x, y: ca.sum(x * x, axis=0) * y, argnums=0)
    found = numpy_of(jacobian(array(x), array(np.asarray([1.0, 2.0, 3.0]))))
    want = np.zeros((3, 2, 3))
    for i in range(3):
        want[i, :, i] = 2 * x[:, i] * (i + 1)
    np.testing.assert_allclose(found, want, rtol=1e-12)


@pytest.mark.parametrize("name", ["jacrev", "jacfwd"])
def test_jacobians_of_trees(name):
    point = {"a": array(np.asarray([1.0, 2.0])), "b": [array(np.asarray(3.0))]}
    found = getattr(ca, name)(lambda p: (p["a"] * p["b"][0], ca.sum(p["a"])))(point)
    np.testing.assert_allclose(numpy_of(found[0]["a"]), 3.0 * np.eye(2))
    np.testing.assert_allclose(numpy_of(found[0]["b"][0]), [1.0, 2.0])
    np.testing.assert_allclose(numpy_of(found[1]["a"]), [1.0, 1.0])
    np.testing.assert_allclose(numpy_of(found[1]["b"][0]), 0.0)


def test_hessians():
    x = np.asarray([0.5, -1.0, 2.0])
    found = ca.hessian(lambda x: ca.sum(x**3) + x[0] * x[1] * x[2])(array(x))
    want = np.diag(6 * x) + np.asarray([[0, x[2], x[1]], [x[2], 0, x[0]], [x[1], x[0], 0]])
    np.testing.assert_allclose(numpy_of(found), want, rtol=1e-12)


def test_what_is_refused():
    with pytest.raises(TypeError, match="place of one argument"):
        ca.jacfwd(ca.sin, argnums=(0, 1))
    with pytest.raises(TypeError, match="takes a function"):
        ca.jacfwd(3)
    with pytest.raises(TypeError, match="differentiates by arrays"):
        ca.jacfwd(lambda p: p[0])([be.ones(1), "text"])
    with pytest.raises(ValueError, match="tree_map"):
        ca.tree_map(ca.add, [be.ones(1)], [be.ones(1)] * 2)
