"""Elements by indices of several axes: exact against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from standard.support import ALL, ANY, INTEGER, array, arrays, axis_of, be, check, covers, dtypes_of, examples

_SHAPES = hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=3)


def _indices(draw, dtype, sizes, shape):
    """Draw indices of an axis, or for each of several one along the last axis."""
    sizes = np.asarray(sizes)
    low = 0 if dtype.startswith("u") else -1
    drawn = draw(hnp.arrays("int64", shape, elements=st.integers(0, 5))) % sizes
    signs = draw(hnp.arrays("int64", shape, elements=st.integers(low, 0)))
    return (drawn + signs * sizes).astype(dtype)


@covers("gather")
@examples
@given(st.data(), dtypes_of(ALL), dtypes_of(INTEGER))
def test_gather(data, dtype, index_dtype):
    x = data.draw(arrays(dtype, _SHAPES, ANY))
    axis = data.draw(axis_of(x.ndim))
    place = axis % x.ndim
    batch = data.draw(st.integers(0, place))
    new = data.draw(hnp.array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=3))
    indices = _indices(data.draw, index_dtype, x.shape[place], (*x.shape[:batch], *new))
    options = {"axis": axis} if batch == 0 and data.draw(st.booleans()) else {"axis": axis, "batch_dims": batch}
    want = np.empty((*x.shape[:place], *new, *x.shape[place + 1 :]), dtype)
    for key in np.ndindex(x.shape[:batch]):
        want[key] = np.take(x[key], indices[key].astype("int64"), place - batch)
    check(("gather", x, indices, options), be.gather(array(x), array(indices), **options), want)


@covers("gather_nd")
@examples
@given(st.data(), dtypes_of(ALL), dtypes_of(INTEGER))
def test_gather_nd(data, dtype, index_dtype):
    x = data.draw(arrays(dtype, _SHAPES, ANY))
    batch = data.draw(st.integers(0, x.ndim))
    count = data.draw(st.integers(0, x.ndim - batch))
    new = data.draw(hnp.array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=3))
    indices = _indices(data.draw, index_dtype, x.shape[batch : batch + count], (*x.shape[:batch], *new, count))
    want = np.empty((*x.shape[:batch], *new, *x.shape[batch + count :]), dtype)
    for key in np.ndindex(want.shape[: batch + len(new)]):
        want[key] = x[key[:batch]][tuple(indices[key].astype("int64"))]
    options = {"batch_dims": batch} if batch else {}
    check(("gather_nd", x, indices, options), be.gather_nd(array(x), array(indices), **options), want)


@covers("choose")
@examples
@given(st.data(), dtypes_of(ALL), dtypes_of(("int64", "int8", "uint8", "uint32")))
def test_choose(data, dtype, index_dtype):
    count = data.draw(st.integers(1, 4))
    found = data.draw(hnp.mutually_broadcastable_shapes(num_shapes=count + 1, max_dims=2, max_side=3))
    first, *shapes = found.input_shapes
    low = 0 if index_dtype.startswith("u") else -6
    x = data.draw(hnp.arrays(index_dtype, first, elements=st.integers(low, 6)))
    choices = [data.draw(arrays(dtype, shape, ANY)) for shape in shapes]
    options = data.draw(st.sampled_from(({}, {"mode": "clip"}, {"mode": "wrap"})))
    want = np.choose(x.astype("int64"), choices, mode=options.get("mode", "clip"))
    check(("choose", x, choices, options), be.choose(array(x), [array(c) for c in choices], **options), want)


def test_without_indices_an_array_on_one_device_stays_as_it_is():
    x = be.asarray([[1.0, 2.0], [3.0, 4.0]])
    for y in (be.gather(x), be.gather(x, None), be.wrap(be.native.gather(x.native))):
        assert y.tolist() == x.tolist()
    assert be.gather(be.asarray(3)).tolist() == 3
    for options in ({"axis": 0}, {"batch_dims": 1}):
        with pytest.raises(TypeError, match="without indices"):
            be.gather(x, **options)


def test_what_cannot_be_gathered():
    x, i = be.zeros((2, 3)), be.zeros((2, 1), dtype="int64")
    for options in ({"batch_dims": 2}, {"batch_dims": -1}, {"axis": 0, "batch_dims": 1}):
        with pytest.raises(ValueError):
            be.gather(x, i, **options)
    with pytest.raises(ValueError):
        be.gather(x, be.zeros((3, 1), dtype="int64"), batch_dims=1)
    with pytest.raises(IndexError):
        be.gather(x, i, axis=2)
    for indices in (be.zeros((1, 3), dtype="int64"), be.zeros((), dtype="int64")):
        with pytest.raises(ValueError, match="gather_nd"):
            be.gather_nd(x, indices)
    with pytest.raises(TypeError):
        be.gather(x, be.zeros(2))
    with pytest.raises(TypeError):
        be.gather_nd(x, be.zeros((2, 1)))
    with pytest.raises(ValueError, match="mode"):
        be.choose(i, [x], mode="raise")
    with pytest.raises(ValueError, match="no arrays"):
        be.choose(i, [])
    with pytest.raises(TypeError, match="integers"):
        be.choose(x, [x])


@covers("as_strided")
@examples
@given(
    st.sampled_from(["float64", "int8", "bool"]),
    st.sampled_from(
        [
            ((12,), (3, 4), (4, 1), 0),
            ((3, 4), (5, 3), (1, 2), 2),
            ((3, 4), (2, 3), (-4, -1), 11),
            ((2,), (2, 2, 2), (0, 1, 0), 0),
            ((3, 4), (), (), 7),
            ((0,), (0, 5), (9, 9), 0),
        ]
    ),
)
def test_as_strided(dtype, case):
    own, shape, strides, offset = case
    x = np.arange(int(np.prod(own))).reshape(own).astype(dtype)
    size = x.dtype.itemsize
    view = np.lib.stride_tricks.as_strided(x.reshape(-1)[offset:], shape, [size * step for step in strides])
    options = {"offset": offset} if offset else {}
    check(("as_strided", x, shape, strides), be.as_strided(array(x), shape, strides, **options), view)


@pytest.mark.parametrize(
    ("shape", "strides", "offset"),
    [((2, 2), (1,), 0), ((3,), (2,), 0), ((2,), (-1,), 0), ((1,), (1,), 4), ((), (), -1), ((-1,), (1,), 0)],
)
def test_what_cannot_be_strided(shape, strides, offset):
    with pytest.raises(ValueError, match="'as_strided' got shape="):
        be.as_strided(be.ones((2, 2)), shape, strides, offset=offset)
