"""Elements taken by their indices along an axis; see test_array_object.py for `x[key]`."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from standard.support import (
    ALL,
    ANY,
    HAVE,
    INTEGER,
    array,
    arrays,
    axis_of,
    be,
    check,
    covers,
    dtypes_of,
    examples,
    needs_derivatives,
)

import corearray as ca

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


def _updated(x, key, value):
    x = be.asarray(x, copy=True)
    x[key] = value
    return x


#: By name, a call with indices along the last axis of a matrix, and what goes there.
_BY_INDEX = {
    "x[i]": lambda x, i, _: x[0, :][i],
    "x[0, i]": lambda x, i, _: x[0, i],
    "take": lambda x, i, _: be.take(x, i, axis=1),
    "take_along_axis": lambda x, i, _: be.take_along_axis(x, be.stack([i, i]), axis=1),
    "scatter_along_axis": lambda x, i, y: be.scatter_along_axis(x[0, :], i, y, axis=0),
    "scatter_along_axis, sum": lambda x, i, y: be.scatter_along_axis(x[0, :], i, y, axis=0, reduction="sum"),
    "gather": lambda x, i, _: be.gather(x, i, axis=1),
    "gather_nd": lambda x, i, _: be.gather_nd(x[0, :], be.expand_dims(i, axis=1)),
    "scatter_nd": lambda x, i, y: be.scatter_nd(be.expand_dims(i, axis=1), y, base=x[0, :]),
    "scatter_nd, max": lambda x, i, y: be.scatter_nd(be.expand_dims(i, axis=1), y, base=x[0, :], reduction="max"),
    "scatter_flat": lambda x, i, y: be.scatter_flat(i, y, x.shape[1]),
    "unsorted_segment_sum": lambda x, i, y: be.unsorted_segment_sum(y, i, x.shape[1]),
    "embedding": lambda x, i, _: be.embedding(i, x.T),
    "one_hot": lambda x, i, _: be.one_hot(i, x.shape[1]),
    "bincount": lambda x, i, _: be.bincount(be.abs(i), minlength=x.shape[1]),
    "repeat": lambda x, i, y: be.repeat(y, be.abs(i)),
}
if be.name != "strict":  # the standard leaves such keys open
    _BY_INDEX |= {
        "x[:, i]": lambda x, i, _: x[:, i],
        "x[i] = y": lambda x, i, y: _updated(x[0, :], i, y),
        "x[:, i] = 1": lambda x, i, _: _updated(x, (slice(None), i), 1.0),
    }


@pytest.mark.parametrize(("index_dtype", "length"), [("int8", 300), ("uint8", 300), ("int16", 40000), ("int32", 300)])
@pytest.mark.parametrize("name", _BY_INDEX)
def test_dtypes_of_indices_may_be_too_narrow_for_the_length(name, index_dtype, length):
    greatest = min(int(np.iinfo(index_dtype).max), length - 1)
    ends = [0, 1, greatest, *([-2, -greatest] if index_dtype.startswith("i") else [])]
    x, y = array(np.arange(2.0 * length).reshape(2, length)), array(np.arange(1.0, 1 + len(ends)))
    call = _BY_INDEX[name]
    want = be.to_numpy(call(x, array(np.asarray(ends, np.int64)), y))
    if name == "take":
        assert want[0].tolist() == [end % length for end in ends]
    check(name, call(x, array(np.asarray(ends, index_dtype)), y), want)


@covers("take", "get_item", "set_item")
@pytest.mark.parametrize("index", [2, -3])
def test_indices_outside_are_refused_where_nothing_is_selected(index):
    empty, full, indices = array(np.zeros((2, 0))), array(np.ones((2, 3))), array(np.asarray([index]))
    calls = [lambda: be.take(empty, indices, axis=0), lambda: empty[indices], lambda: full[indices, 0:0]]
    calls += [lambda: empty.__setitem__(indices, 1.0), lambda: full.__setitem__((indices, slice(0, 0)), 1.0)]
    for call in calls:
        with pytest.raises(IndexError):
            call()
    inside = array(np.asarray([1, -2]))
    assert be.take(empty, inside, axis=0).shape == empty[inside].shape == full[inside, 3:].shape == (2, 0)
    empty[inside] = 1.0


@needs_derivatives
def test_writes_at_places_that_are_mapped():
    x, places = array(np.zeros((2, 3))), array(np.asarray([0, 2]))
    found = ca.vmap(lambda row, place: row.at[place].set(9.0))(x, places)
    assert found.tolist() == [[9.0, 0.0, 0.0], [0.0, 0.0, 9.0]]
