"""Moments against `math.fsum`, as they do without `np.mean` and `np.var`; scans with their initial value."""

from __future__ import annotations

import math

import numpy as np
import pytest

import corearray as ca

be = ca.get_backend("numpy")
values = np.random.default_rng(0).normal(3.0, 2.0, 10_000)


@pytest.mark.parametrize(("dtype", "accuracy"), [("float16", 1e-3), ("float32", 1e-6), ("float64", 1e-14)])
def test_moments_are_accurate(dtype, accuracy):
    x = be.asarray(values, dtype=dtype)
    exact = [float(value) for value in x.native]
    mean = math.fsum(exact) / len(exact)
    variance = math.fsum((value - mean) ** 2 for value in exact) / len(exact)
    for got, expected in ((be.mean(x), mean), (be.var(x), variance), (be.std(x), math.sqrt(variance))):
        assert got.dtype is x.dtype
        assert math.isclose(got.item(), expected, rel_tol=accuracy)
    assert abs(be.mean(x).item() - mean) <= abs(float(np.mean(x.native)) - mean)


def test_means_do_not_overflow_in_half_precision():
    assert be.mean(be.full(10_000, 60_000.0, dtype="float16")).item() == 60_000.0


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "complex128"])
def test_empty_means_are_nan_and_warn_of_nothing(dtype):
    x = be.zeros((2, 0, 3), dtype=dtype)
    for function in (be.mean, be.var, be.std):
        for axis, shape in ((None, ()), (1, (2, 3)), ((0, 1), (3,)), (0, (0, 3))):
            got = function(x, axis=axis)
            assert got.shape == shape
            assert be.all(be.isnan(got))


@pytest.mark.parametrize("axis", [0, 1, -1, -2])
def test_scans_with_an_initial_value(axis):
    x = be.reshape(be.arange(1, 7), (2, 3))
    for function, scan, start in ((be.cumulative_sum, np.cumsum, 0), (be.cumulative_prod, np.cumprod, 1)):
        expected = np.insert(scan(x.native, axis), 0, start, axis)
        assert function(x, axis=axis, include_initial=True).tolist() == expected.tolist()
    with pytest.raises(IndexError):
        be.cumulative_sum(x, axis=2, include_initial=True)
    with pytest.raises(ValueError, match="one axis only"):
        be.cumulative_sum(x)
