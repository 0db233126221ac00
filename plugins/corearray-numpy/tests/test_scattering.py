"""Many rows, of which sums are SciPy's products and others are sorted, beside few, for which NumPy has `ufunc.at`."""

from __future__ import annotations

import numpy as np
import pytest

import corearray as ca

be = ca.get_backend("numpy")


_LEAST = {"max": -np.inf, "min": np.inf}


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min"])
@pytest.mark.parametrize("dtype", ["int8", "uint16", "int64", "uint64", "float16", "float32", "float64", "complex64"])
@pytest.mark.parametrize(("shape", "of_ids"), [((3000,), 1), ((700, 5), 1), ((20, 35, 5), 2), ((700, 5, 2), 1)])
def test_many_rows_are_joined_as_few_are(dtype, shape, of_ids, name):
    if dtype == "complex64" and name in ("max", "min"):
        pytest.skip("complex numbers have no order")
    rng = np.random.default_rng(0)
    x = (rng.normal(size=shape) * 50 + (1j * rng.normal(size=shape) if dtype == "complex64" else 0)).astype(dtype)
    if x.dtype.kind in "fc":
        x.flat[3], x.flat[77], x.flat[100] = np.inf, np.nan, -np.inf
    if name == "prod" and dtype != "complex64":
        x = np.sign(x)
    ids = rng.integers(-2, 12, shape[:of_ids])
    inside = (ids >= 0) & (ids < 10)
    ufunc = {"sum": np.add, "prod": np.multiply, "max": np.maximum, "min": np.minimum}[name]
    limits = np.iinfo(dtype) if x.dtype.kind in "iu" else np.finfo(dtype)
    empty = {"sum": 0, "prod": 1, "max": limits.min, "min": limits.max}[name]
    if x.dtype.kind == "f" and name in _LEAST:
        empty = _LEAST[name]
    want = np.full((10, *shape[of_ids:]), empty, dtype)
    with np.errstate(all="ignore"):
        ufunc.at(want, ids[inside], x[inside])
        for given in (x, np.asfortranarray(x)):
            got = getattr(be.native, f"unsorted_segment_{name}")(given, ids, 10)
            assert got.dtype == want.dtype
            np.testing.assert_array_equal(got, want)
