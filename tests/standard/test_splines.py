"""Cubic splines against SciPy's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from standard.support import array, be, check, covers, needs_derivatives, numpy_of

import corearray as ca

_BOUNDARIES = ("not-a-knot", "natural", "clamped", "periodic")


def _points(count):
    rng = np.random.default_rng(count)
    return np.sort(rng.normal(size=count) * 3), rng.normal(size=(2, count, 3)), rng.uniform(-4, 4, (3, 2))


@covers("cubic_spline")
@pytest.mark.parametrize("boundary", _BOUNDARIES)
@pytest.mark.parametrize("count", [2, 3, 4, 7])
def test_cubic_spline(count, boundary):
    places, values, x = _points(count)
    if boundary == "periodic":
        values[:, -1] = values[:, 0]
    oracle = CubicSpline(places, values, axis=1, bc_type=boundary)
    for derivative in (0, 1) if count < 7 else (0, 1, 2, 3):
        want = oracle(x, derivative)
        options = {"axis": 1, "boundary": boundary, "derivative": derivative}
        got = be.cubic_spline(array(x), array(places), array(values), **options)
        check(
            ("cubic_spline", count, options),
            got,
            want,
            "float64",
            factor=1000,
            scale=np.abs(want).max() * np.ones(want.shape),
        )


@covers("cubic_spline")
def test_cubic_splines_outside_of_the_points():
    places, values = np.arange(4.0), np.asarray([0.0, 1.0, 0.5, 2.0])
    x = array(np.asarray([-0.5, 1.0, np.nan, 3.5]))
    found = numpy_of(be.cubic_spline(x, array(places), array(values), extrapolate=False))
    np.testing.assert_array_equal(np.isnan(found), [True, False, True, True])
    assert found[1] == 1.0
    assert be.cubic_spline(be.zeros((0, 2), dtype="float64"), array(places), array(values)).shape == (0, 2)
    single = [be.asarray(z, dtype="float32") for z in ([0.5], [0.0, 1.0], [2.0, 4.0])]
    check("cubic_spline", be.cubic_spline(*single), np.asarray([3.0]), "float32")


@needs_derivatives
@covers("cubic_spline")
def test_derivatives_of_cubic_splines():
    places, values, x = _points(7)
    x = x.ravel()
    slope = ca.grad(lambda z: be.sum(be.cubic_spline(z, array(places), array(values[0]))))(array(x))
    want = CubicSpline(places, values[0])(x, 1).sum(axis=1)
    np.testing.assert_allclose(numpy_of(slope), want, rtol=1e-9)
    weights = ca.grad(lambda y: be.sum(be.cubic_spline(array(x), array(places), y)))(array(values[0, :, 0]))
    want = [CubicSpline(places, row)(x).sum() for row in np.eye(7)]
    np.testing.assert_allclose(numpy_of(weights), want, rtol=1e-8, atol=1e-9)
