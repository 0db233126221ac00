"""Scales against NumPy in float64, indices exactly."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from standard.support import ALL, FLOAT, INTEGER, array, be, check, covers, dtypes_of, examples, shapes

_NUMS = st.integers(0, 9)


@covers("logspace")
@examples
@given(st.floats(-5, 5), st.floats(-5, 5), _NUMS, dtypes_of(FLOAT), st.sampled_from((None, 2.0, 2.5)), st.booleans())
def test_logspace(start, stop, num, dtype, base, endpoint):
    options = {"endpoint": endpoint, **({"base": base} if base else {})}
    want = np.logspace(start, stop, num, **options)
    check(("logspace", start, stop, num, options), be.logspace(start, stop, num, dtype=dtype, **options), want, dtype)


@covers("geomspace")
@examples
@given(st.floats(1e-30, 1e30), st.floats(1e-30, 1e30), _NUMS, dtypes_of(FLOAT), st.booleans(), st.sampled_from((1, -1)))
def test_geomspace(start, stop, num, dtype, endpoint, sign):
    start, stop = sign * start, sign * stop
    want = np.geomspace(start, stop, num, endpoint=endpoint)
    got = be.geomspace(start, stop, num, dtype=dtype, endpoint=endpoint)
    check(("geomspace", start, stop, num, endpoint), got, want, dtype)


@covers("logspace", "geomspace")
def test_scales_of_integers_and_their_ends():
    check("logspace", be.logspace(0, 4, 5, dtype="int64"), np.asarray([1, 10, 100, 1000, 10000]))
    check("logspace", be.logspace(0, 1, 3, dtype="int32"), np.asarray([1, 3, 10], "int32"))
    check("geomspace", be.geomspace(1, 1000, 4, dtype="int64"), np.asarray([1, 10, 100, 1000]))
    check("geomspace", be.geomspace(1e-300, 1e300, 3, dtype="float64"), [1e-300, 1.0, 1e300], factor=10)
    assert be.logspace(0, 1, 2).dtype == be.geomspace(1, 2, 2).dtype == be.ones(()).dtype
    for start, stop in ((0, 1), (1, 0), (-1, 1)):
        with pytest.raises(ValueError, match="geomspace"):
            be.geomspace(start, stop, 3)
    with pytest.raises(ValueError, match="geomspace"):
        be.geomspace(1, 2, -1)
    with pytest.raises(ValueError):
        be.logspace(1, 2, -1)
    with pytest.raises(ValueError, match="base"):
        be.logspace(1, 2, 3, base=0)


@covers("indices")
@examples
@given(hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=3), st.sampled_from((None, "int32", "float32")))
def test_indices(shape, dtype):
    options = {"dtype": dtype} if dtype else {}
    check(("indices", shape), be.indices(shape, **options), np.indices(shape), dtype or "int64")
    got = be.indices(shape, sparse=True, **options)
    assert isinstance(got, tuple)
    for one, other in zip(got, np.indices(shape, sparse=True), strict=True):
        check(("indices", shape), one, other, dtype or "int64")


def test_indices_of_one_element():
    check("indices", be.indices(()), np.indices(()).astype("int64"))
    assert be.indices((), sparse=True) == ()


@covers("one_hot")
@examples
@given(st.data(), dtypes_of(INTEGER), st.none() | dtypes_of(ALL))
def test_one_hot(data, index_dtype, dtype):
    low = 0 if index_dtype.startswith("u") else -2
    indices = data.draw(hnp.arrays(index_dtype, shapes, elements=st.integers(low, 5)))
    count = data.draw(st.integers(0, 4))
    options = {"axis": data.draw(st.integers(-indices.ndim - 1, indices.ndim))} if data.draw(st.booleans()) else {}
    on, off = 1, 0
    if dtype not in (None, "bool") and data.draw(st.booleans()):
        on, off = options["on_value"], options["off_value"] = 3, 2 if dtype.startswith("u") else -2
    if dtype:
        options["dtype"] = dtype
    want = np.where(indices.astype("int64")[..., None] == np.arange(count), on, off)
    want = np.moveaxis(want, -1, options.get("axis", -1)).astype(dtype or "float32")
    check(("one_hot", indices, count, options), be.one_hot(array(indices), count, **options), want)


@covers("one_hot")
@pytest.mark.parametrize("dtype", ALL)
def test_one_hot_in_every_dtype(dtype):
    for index_dtype in INTEGER:
        for places in ([0, 2, 1], [0, 7, 1]):
            x = np.asarray(places, index_dtype)
            want = (x[:, None] == np.arange(3)).astype(dtype)
            check(("one_hot", x, dtype), be.one_hot(array(x), 3, dtype=dtype), want)


@covers("one_hot")
def test_what_is_not_hot():
    x = be.zeros(2, dtype="int64")
    with pytest.raises(TypeError, match="integers"):
        be.one_hot(be.zeros(2), 3)
    with pytest.raises(ValueError, match="num_classes"):
        be.one_hot(x, -1)
    with pytest.raises(IndexError):
        be.one_hot(x, 3, axis=2)
