"""Elements taken by their indices along an axis; see test_array_object.py for `x[key]`."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from standard.support import ALL, ANY, HAVE, INTEGER, array, arrays, axis_of, be, check, covers, dtypes_of, examples

_SHAPES = hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=4)


def _indices(draw, dtype, length, shape):
    low = 0 if dtype.startswith("u") else -length
    return draw(hnp.arrays(dtype, shape, elements=st.integers(low, length - 1)))


@covers("take")
@examples
@given(st.data(), dtypes_of(ALL), dtypes_of(INTEGER))
def test_take(data, dtype, index_dtype):
    x = data.draw(arrays(dtype, _SHAPES, ANY))
    axis = data.draw(axis_of(x.ndim))
    indices = _indices(data.draw, index_dtype, x.shape[axis], data.draw(st.integers(0, 5)))
    options = {} if x.ndim == 1 and data.draw(st.booleans()) else {"axis": axis}
    want = np.take(x, indices.astype(np.int64), axis)
    check(("take", x, indices, options), be.take(array(x), array(indices), **options), want)


@covers("take")
@pytest.mark.parametrize("index_dtype", [name for name in INTEGER if name in HAVE])
@pytest.mark.parametrize("length", [127, 128, 300, 40000])
def test_take_along_axes_longer_than_the_dtype_of_indices_counts(length, index_dtype):
    limits = np.iinfo(index_dtype)
    ends = [0, 1, min(length - 1, limits.max), min(length // 2, limits.max)]
    ends += [-1, max(-length, limits.min)] if limits.min else []
    x, indices = np.arange(2.0 * length).reshape(2, length), np.asarray(ends, index_dtype)
    check("take", be.take(array(x), array(indices), axis=1), x[:, ends])
    for index in (length, -length - 1):
        if limits.min <= index <= limits.max:
            with pytest.raises(IndexError):
                be.take(array(x), array(np.asarray([index], index_dtype)), axis=1)


@covers("take")
def test_take_needs_an_axis_of_several():
    with pytest.raises(ValueError):
        be.take(array(np.ones((2, 2))), array(np.zeros(1, int)))


@covers("take_along_axis")
@examples
@given(st.data(), dtypes_of(ALL), dtypes_of(INTEGER))
def test_take_along_axis(data, dtype, index_dtype):
    x = data.draw(arrays(dtype, _SHAPES, ANY))
    axis = data.draw(axis_of(x.ndim))
    sides = [data.draw(st.sampled_from((1, side))) for side in x.shape]
    sides[axis] = data.draw(st.integers(0, 4))
    indices = _indices(data.draw, index_dtype, x.shape[axis], tuple(sides))
    options = {} if axis in (-1, x.ndim - 1) and data.draw(st.booleans()) else {"axis": axis}
    want = np.take_along_axis(x, indices.astype(np.int64), axis)
    check(("take_along_axis", x, indices, options), be.take_along_axis(array(x), array(indices), **options), want)
