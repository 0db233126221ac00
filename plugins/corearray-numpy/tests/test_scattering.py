"""Many rows, of which sums are SciPy's products and others are sorted, beside few, for which NumPy has `ufunc.at`."""

from __future__ import annotations

import numpy as np
import pytest

import corearray as ca

be = ca.get_backend("numpy")


_LEAST = {"max": -np.inf, "min": np.inf}


_ORDERED = ("int8", "uint16", "int64", "uint64", "float16", "float32", "float64")


@pytest.mark.parametrize(
    ("name", "dtype"),
    [(name, dtype) for name in ("sum", "prod", "max", "min") for dtype in _ORDERED]
    + [("sum", "complex64"), ("prod", "complex64")],
)
@pytest.mark.parametrize(("shape", "of_ids"), [((3000,), 1), ((700, 5), 1), ((20, 35, 5), 2), ((700, 5, 2), 1)])
def test_many_rows_are_joined_as_few_are(dtype, shape, of_ids, name):
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
    want = np.full((10, *shape[of_ids:]), empty, np.float32 if dtype == "float16" else dtype)  # in which it accumulates
    with np.errstate(all="ignore"):
        ufunc.at(want, ids[inside], x[inside])
        want = want.astype(dtype)
        for given in (x, np.asfortranarray(x)):
            got = getattr(be.native, f"unsorted_segment_{name}")(given, ids, 10)
            assert got.dtype == want.dtype
            np.testing.assert_array_equal(got, want)


def test_many_rows_in_a_graph():
    rng = np.random.default_rng(0)
    x, ids = rng.normal(size=(3000, 5)), rng.integers(0, 9, 3000)
    want = be.unsorted_segment_sum(be.asarray(x), be.asarray(ids), 9) + be.unsorted_segment_max(
        be.asarray(x), be.asarray(ids), 9
    )

    def joined(x, ids, y):
        return y + ca.unsorted_segment_sum(x, ids, 9) + ca.unsorted_segment_max(x, ids, 9)

    x, ids, y = be.asarray(x), be.asarray(ids), be.zeros((9, 5))
    held = ca.compile_graph(lambda y: joined(x, ids, y), y)
    for got in (held(y), ca.compile_graph(joined, x, ids, y)(x, ids, y)):
        np.testing.assert_allclose(np.asarray(got), np.asarray(want))
