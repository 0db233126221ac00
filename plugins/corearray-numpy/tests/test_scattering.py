"""Sums of many rows, which SciPy computes, beside those of NumPy itself."""

from __future__ import annotations

import numpy as np
import pytest

import corearray as ca

be = ca.get_backend("numpy")


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int64", "uint64", "float16", "float32", "float64", "complex64"])
@pytest.mark.parametrize(("shape", "of_ids"), [((3000,), 1), ((700, 5), 1), ((20, 35, 5), 2), ((700, 5, 2), 1)])
def test_many_rows_are_summed_as_few_are(dtype, shape, of_ids):
    rng = np.random.default_rng(0)
    x = (rng.normal(size=shape) * 50 + (1j * rng.normal(size=shape) if dtype == "complex64" else 0)).astype(dtype)
    if x.dtype.kind in "fc":
        x.flat[3], x.flat[77], x.flat[100] = np.inf, np.nan, -np.inf
    ids = rng.integers(-2, 12, shape[:of_ids])
    inside = (ids >= 0) & (ids < 10)
    want = np.zeros((10, *shape[of_ids:]), dtype)
    with np.errstate(all="ignore"):
        np.add.at(want, ids[inside], x[inside])
        for given in (x, np.asfortranarray(x)):
            got = be.native.unsorted_segment_sum(given, ids, 10)
            assert got.dtype == want.dtype
            np.testing.assert_array_equal(got, want)
