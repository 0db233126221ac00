"""Unique elements in ascending order, their places and counts; membership."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from standard.support import (
    ALL,
    ANY,
    INTEGER,
    PROMOTION,
    Domain,
    array,
    arrays,
    axis_of,
    be,
    check,
    covers,
    dtypes_of,
    examples,
    shapes,
)

_FEW = Domain(-2, 2, step=1.0)


@st.composite
def _repeating(draw):
    return draw(arrays(draw(dtypes_of(ALL)), shapes, draw(st.sampled_from((ANY, _FEW, _FEW)))))


@covers("unique_all", "unique_counts", "unique_inverse", "unique_values")
@examples
@given(_repeating())
def test_unique(x):
    values, indices, inverse, counts = np.unique(x, return_index=True, return_inverse=True, return_counts=True)
    inverse = inverse.reshape(x.shape)
    found = be.unique_all(array(x))
    assert found._fields == ("values", "indices", "inverse_indices", "counts")
    check(("unique_all.values", x), found.values, values)
    check(("unique_all.indices", x), found.indices, indices, "int64")
    check(("unique_all.inverse_indices", x), found.inverse_indices, inverse, "int64")
    check(("unique_all.counts", x), found.counts, counts, "int64")
    found = be.unique_counts(array(x))
    assert found._fields == ("values", "counts")
    check(("unique_counts.values", x), found.values, values)
    check(("unique_counts.counts", x), found.counts, counts, "int64")
    found = be.unique_inverse(array(x))
    assert found._fields == ("values", "inverse_indices")
    check(("unique_inverse.values", x), found.values, values)
    check(("unique_inverse.inverse_indices", x), found.inverse_indices, inverse, "int64")
    check(("unique_values", x), be.unique_values(array(x)), values)


@covers("unique_all", "unique_counts", "unique_inverse", "unique_values")
def test_each_nan_is_an_element_of_its_own():
    x = np.asarray([np.nan, 1.0, np.nan, 1.0], "float32")
    values = np.asarray([1.0, np.nan, np.nan], "float32")
    check("unique_values", be.unique_values(array(x)), values)
    check("unique_counts", be.unique_counts(array(x)).values, values)
    check("unique_counts", be.unique_counts(array(x)).counts, np.asarray([2, 1, 1]))
    found = be.unique_all(array(x))
    check("unique_all", found.values, values)
    check("unique_all", found.indices, np.asarray([1, 0, 2]))
    check("unique_all", found.inverse_indices, np.asarray([1, 0, 2, 0]))
    check("unique_all", found.counts, np.asarray([2, 1, 1]))
    check("unique_inverse", be.unique_inverse(array(x)).inverse_indices, np.asarray([1, 0, 2, 0]))


@covers("isin")
@examples
@given(st.data(), dtypes_of(ALL), st.sampled_from(({}, {"invert": False}, {"invert": True})))
def test_isin(data, dtype, options):
    other = data.draw(st.just(dtype) | dtypes_of(ALL))
    common = PROMOTION[dtype, other]
    assume(common is not None)
    x1, x2 = data.draw(arrays(dtype, shapes, _FEW)), data.draw(arrays(other, shapes, _FEW))
    want = np.isin(x1.astype(common), x2.astype(common), **options)
    check(("isin", x1, x2, options), be.isin(array(x1), array(x2), **options), want)


@covers("isin")
@examples
@given(st.data(), dtypes_of(INTEGER), st.integers(0, 3))
def test_isin_with_a_python_integer(data, dtype, scalar):
    x = data.draw(arrays(dtype, shapes, _FEW))
    check(("isin", x, scalar), be.isin(array(x), scalar), np.isin(x, [scalar]))
    check(("isin", scalar, x), be.isin(scalar, array(x)), np.isin(scalar, x))


@covers("isin")
def test_nan_is_in_nothing():
    x = np.asarray([np.nan, 1.0, -0.0], "float32")
    check("isin", be.isin(array(x), array(np.asarray([np.nan, 0.0], "float32"))), np.asarray([False, False, True]))


@covers("unique_consecutive")
@examples
@given(st.data(), _repeating())
def test_unique_consecutive(data, x):
    axis = data.draw(st.none() | axis_of(x.ndim)) if x.ndim else None
    rows = x.reshape(-1, 1) if axis is None else np.moveaxis(x, axis, 0)
    begins = np.asarray([i == 0 or (rows[i] != rows[i - 1]).any() for i in range(len(rows))], bool)
    starts = np.flatnonzero(begins)
    found = be.unique_consecutive(array(x), axis=axis)
    assert found._fields == ("values", "inverse_indices", "counts")
    values = x.reshape(-1)[starts] if axis is None else np.take(x, starts, axis)
    inverse = (np.cumsum(begins) - 1).reshape(x.shape if axis is None else -1)
    check(("unique_consecutive.values", x, axis), found.values, values)
    check(("unique_consecutive.inverse_indices", x, axis), found.inverse_indices, inverse, "int64")
    check(("unique_consecutive.counts", x, axis), found.counts, np.diff(starts, append=len(rows)), "int64")


@covers("unique_consecutive")
def test_each_nan_is_a_run():
    check("counts", be.unique_consecutive(array(np.asarray([np.nan, np.nan, 1.0, 1.0]))).counts, np.asarray([1, 1, 2]))
