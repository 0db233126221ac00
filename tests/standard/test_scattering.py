"""Elements written to indices against a loop over them, duplicates included."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from standard.support import (
    ALL,
    INTEGER,
    NUMERIC,
    REAL,
    Domain,
    array,
    arrays,
    axis_of,
    be,
    check,
    covers,
    dtypes_of,
    examples,
    float_dtype,
    needs_derivatives,
    numpy_of,
)
from standard.test_gathering import _indices

import corearray as ca

_FEW = Domain(-8.0, 8.0, step=0.5)
_JOIN = {
    "sum": np.add,
    "prod": np.multiply,
    "min": np.minimum,
    "max": np.maximum,
    "replace": lambda old, new: new,
}
_DTYPES = {"replace": ALL, "sum": NUMERIC, "prod": NUMERIC, "min": REAL, "max": REAL}
_EVERY = pytest.mark.parametrize("reduction", sorted(_JOIN))


def _written(base, keys, updates, reduction):
    """Write one update after the other; without a base the first one takes the place of the zero."""
    want, seen = base[0].copy(), set()
    with np.errstate(all="ignore"):
        for key, update in zip(keys, updates, strict=True):
            first = base[1] and key not in seen
            want[key] = update if first else _JOIN[reduction](want[key], update)
            seen.add(key)
    return want


@covers("scatter_nd")
@_EVERY
@examples
@given(st.data(), dtypes_of(INTEGER))
def test_scatter(reduction, data, index_dtype):
    dtype = data.draw(dtypes_of(_DTYPES[reduction]))
    shape = data.draw(hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=3))
    count = data.draw(st.integers(0, len(shape)))
    new = data.draw(hnp.array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=4))
    indices = _indices(data.draw, index_dtype, shape[:count], (*new, count))
    updates = data.draw(arrays(dtype, (*new, *shape[count:]), _FEW))
    onto = data.draw(st.booleans())
    base = data.draw(arrays(dtype, shape, _FEW)) if onto else np.zeros(shape, dtype)
    keys = [
        tuple(int(i) % size for i, size in zip(row, shape, strict=False))
        for row in indices.reshape(np.prod(new, dtype=int), count)
    ]
    want = _written((base, not onto), keys, updates.reshape(len(keys), *shape[count:]), reduction)
    options = {"reduction": reduction, **({"base": array(base)} if onto else {"shape": shape})}
    what = ("scatter_nd", indices, updates, shape, base, reduction)
    check(what, be.scatter_nd(array(indices), array(updates), **options), want, factor=10, scale=64.0)
    if len(shape) == count == len(new) == 1:
        options = {"reduction": reduction, **({"base": array(base)} if onto else {"size": shape[0]})}
        check(what, be.scatter_flat(array(indices[:, 0]), array(updates), **options), want, factor=10, scale=64.0)


@covers("scatter_flat")
@_EVERY
@examples
@given(st.data())
def test_scatter_flat(reduction, data):
    dtype = data.draw(dtypes_of(_DTYPES[reduction]))
    length, size = data.draw(st.integers(0, 9)), data.draw(st.integers(1, 4))
    indices = data.draw(hnp.arrays("int64", length, elements=st.integers(-size, size - 1)))
    updates = data.draw(arrays(dtype, (length,), Domain(-2.0, 2.0, step=0.5)))
    base = np.zeros(size, dtype)
    want = _written((base, True), [int(i) % size for i in indices], updates, reduction)
    got = be.scatter_flat(array(indices), array(updates), size, reduction=reduction)
    check(("scatter_flat", indices, updates, size, reduction), got, want, factor=10, scale=64.0)


@covers("put_along_axis", "scatter_along_axis")
@_EVERY
@examples
@given(st.data(), dtypes_of(INTEGER))
def test_scatter_along_axis(reduction, data, index_dtype):
    dtype = data.draw(dtypes_of(_DTYPES[reduction]))
    x = data.draw(arrays(dtype, hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=3), _FEW))
    axis = data.draw(axis_of(x.ndim))
    place = axis % x.ndim
    sides = [data.draw(st.sampled_from((1, side))) for side in x.shape]
    sides[place] = data.draw(st.integers(0, 4))
    indices = _indices(data.draw, index_dtype, x.shape[place], tuple(sides))
    target = tuple(sides[i] if i == place else side for i, side in enumerate(x.shape))
    values = data.draw(arrays(dtype, tuple(data.draw(st.sampled_from((1, side))) for side in target), _FEW))
    want = x.copy()
    every, new = np.broadcast_to(indices, target), np.broadcast_to(values, target)
    with np.errstate(all="ignore"):
        for key in np.ndindex(target):
            to = (*key[:place], int(every[key]), *key[place + 1 :])
            want[to] = _JOIN[reduction](want[to], new[key])
    options = {"reduction": reduction} if reduction != "replace" or data.draw(st.booleans()) else {}
    if place != x.ndim - 1:
        options["axis"] = axis
    y = array(x)
    got = be.scatter_along_axis(y, array(indices), array(values), **options)
    check(("scatter_along_axis", x, indices, values, options), got, want, factor=10, scale=64.0)
    check("the argument", y, x)
    view = be.flip(y, axis=0)
    assert be.put_along_axis(y, array(indices), array(values), **options) is y
    check(("put_along_axis", x, indices, values, options), y, want, factor=10, scale=64.0)
    check("a view", view, np.flip(want, 0), factor=10, scale=64.0)


@covers("put_along_axis")
@pytest.mark.parametrize("call", [
    lambda x, i, v: be.put_along_axis(x, i, v, 1),
    lambda x, i, v: be.put_along_axis(x, i, values=v, axis=1),
    lambda x, i, v: be.put_along_axis(x, indices=i, values=v),
])  # fmt: skip
def test_calls_of_put_along_axis(call):
    x = np.arange(6.0).reshape(2, 3)
    y, i, v = x.copy(), np.asarray([[2, 0], [1, 1]]), np.asarray([[7.0, 8.0], [9.0, 10.0]])
    np.put_along_axis(y, i, v, 1)
    z = array(x)
    call(z, array(i), array(v))
    check("put_along_axis", z, y)


@covers("put_along_axis")
def test_put_along_axis_counts_through_all():
    x = array(np.zeros((2, 3)))
    part = x[:, 1:]
    be.put_along_axis(part, array(np.asarray([3, 0])), array(np.asarray([5, 6])), axis=None)  # cast as `x[...] = 5`
    check("put_along_axis", x, np.asarray([[0, 6.0, 0], [0, 0, 5.0]]))
    with pytest.raises(ValueError, match="give one axis"):
        be.put_along_axis(x, be.zeros((1, 1), dtype="int64"), 0.0, axis=None)
    with pytest.raises(TypeError):
        be.put_along_axis(be.zeros(2, dtype="int32"), array(np.asarray([0])), array(np.asarray([1.5])), axis=0)


@covers("scatter_nd")
def test_one_size_is_a_shape():
    indices, updates = be.asarray([[1], [1], [2]]), be.asarray([1.0, 2.0, 3.0])
    assert (
        be.scatter_nd(indices, updates, 4).tolist()
        == be.scatter_nd(indices, updates, (4,)).tolist()
        == [0.0, 3.0, 3.0, 0.0]
    )


@covers("scatter_along_axis")
def test_put_one_number():
    x = np.arange(6, dtype="int32").reshape(2, 3)
    for function in (be.scatter_along_axis, be.put_along_axis):
        got = function(array(x), array(np.asarray([[1]])), 9, axis=1)
        check(function.__name__, got, np.asarray([[0, 9, 2], [3, 9, 5]], "int32"))


_SEGMENTS = {
    "unsorted_segment_max": (np.maximum, REAL),
    "unsorted_segment_mean": (np.add, NUMERIC),
    "unsorted_segment_min": (np.minimum, REAL),
    "unsorted_segment_prod": (np.multiply, NUMERIC),
    "unsorted_segment_sum": (np.add, NUMERIC),
}


def _nothing(name, dtype):
    """What a segment without elements gives."""
    kind = name.rpartition("_")[2]
    if kind in ("max", "min"):
        if dtype in INTEGER:
            return np.iinfo(dtype).min if kind == "max" else np.iinfo(dtype).max
        return -np.inf if kind == "max" else np.inf
    return 1 if kind == "prod" else 0


@covers(*_SEGMENTS)
@pytest.mark.parametrize("name", sorted(_SEGMENTS))
@examples
@given(st.data(), dtypes_of(INTEGER))
def test_segments(name, data, index_dtype):
    join, dtypes = _SEGMENTS[name]
    dtype = data.draw(dtypes_of(dtypes))
    first = data.draw(hnp.array_shapes(min_dims=1, max_dims=2, min_side=0, max_side=5))
    rest = data.draw(hnp.array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=2))
    x = data.draw(arrays(dtype, (*first, *rest), _FEW))
    count = data.draw(st.integers(0, 4))
    ids = data.draw(hnp.arrays(index_dtype, first, elements=st.integers(0 if index_dtype.startswith("u") else -2, 5)))
    result = float_dtype(dtype) if name == "unsorted_segment_mean" else dtype
    want = np.full((count, *rest), _nothing(name, dtype), result)
    with np.errstate(all="ignore"):
        for number in range(count):
            rows = x[ids == number]
            if len(rows):
                want[number] = join.reduce(rows, axis=0, dtype=result)
                if name == "unsorted_segment_mean":
                    want[number] /= len(rows)
    got = getattr(be, name)(array(x), array(ids), count)
    check(
        (name, x, ids, count), got, want, factor=10, scale=np.max(np.abs(want), initial=80.0, where=np.isfinite(want))
    )


@covers("unsorted_segment_min", "unsorted_segment_max")
def test_nan_comes_through_segments():
    x, ids = array(np.asarray([np.nan, 1.0, 2.0, 3.0, np.nan])), array(np.asarray([0, 0, 1, 2, 2]))
    for name in ("unsorted_segment_min", "unsorted_segment_max"):
        check(name, getattr(be, name)(x, ids, 3), [np.nan, 2.0, np.nan])


def test_what_cannot_be_scattered():
    i, u = be.zeros((3, 1), dtype="int64"), be.ones(3)
    with pytest.raises(ValueError, match="reduction"):
        be.scatter_nd(i, u, (4,), reduction="mean")
    for shape, base in ((None, None), ((4,), be.zeros(4))):
        with pytest.raises(ValueError, match="either"):
            be.scatter_nd(i, u, shape, base=base)
    for shape in ((), (4, 2)):
        with pytest.raises(ValueError, match="updates"):
            be.scatter_nd(i, u, shape)
    with pytest.raises(TypeError, match="integers"):
        be.scatter_nd(be.zeros((3, 1)), u, (4,))
    with pytest.raises(ValueError, match="scatter_flat"):
        be.scatter_flat(i, u, 4)
    with pytest.raises(ValueError, match="scatter_along_axis"):
        be.scatter_along_axis(be.zeros((2, 3)), i, 1.0, axis=1)
    with pytest.raises(IndexError):
        be.scatter_along_axis(be.zeros((2, 3)), i, 1.0, axis=2)
    for call in (lambda: be.unsorted_segment_sum(u, i, 2), lambda: be.unsorted_segment_sum(u, i[:, 0], -1)):
        with pytest.raises(ValueError):
            call()
    with pytest.raises(TypeError):
        be.unsorted_segment_sum(u, u, 2)
    with pytest.raises(TypeError):
        be.unsorted_segment_sum(u == 1, i[:, 0], 2)


def _slopes_of_product(x, along, times):
    """Return the derivatives of the derivative of a product along a line, taken some times, from its polynomial."""
    found = []
    for place in range(len(x)):
        others = np.poly1d([1.0])
        for i in range(len(x)):
            if i != place:
                others = others * np.poly1d([along[i], x[i]])
        found.append(math.factorial(times) * others.c[::-1][times] if times <= others.order else 0.0)
    return np.asarray(found)


@needs_derivatives
@covers("unsorted_segment_prod", "scatter_along_axis")
@pytest.mark.parametrize("zeros", [(), (3,), (0, 3), (0, 1, 3), (0, 1, 2)])
def test_products_of_segments_with_zeros_have_three_derivatives(zeros):
    x, along = np.asarray([2.0, -3.0, 0.5, 4.0, 1.5]), np.asarray([1.0, 2.0, -1.0, 0.5, 3.0])
    x[list(zeros)] = 0.0
    ids = np.asarray([1, 1, 1, 1, 0])
    inside = ids == 1

    def of_segments(x):
        return be.sum(be.unsorted_segment_prod(x, array(ids), 2))

    def written(x):
        return be.sum(be.scatter_along_axis(be.ones(2, dtype="float64"), array(ids), x, axis=0, reduction="prod"))

    for function in (of_segments, written):
        slopes = ca.grad(function)
        for times in range(3):
            want = np.where(inside, 0.0, float(times == 0))
            want[inside] = _slopes_of_product(x[inside], along[inside], times)
            np.testing.assert_allclose(numpy_of(slopes(array(x))), want, rtol=1e-12, atol=1e-12)
            slopes = ca.grad(lambda x, slopes=slopes: be.sum(slopes(x) * array(along)))
