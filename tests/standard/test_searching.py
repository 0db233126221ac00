"""Where the elements are: exact against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from standard.support import (
    ALL,
    ANY,
    FLOATING,
    INTEGER,
    MODERATE,
    PROMOTION,
    REAL,
    Domain,
    array,
    arrays,
    axes_of,
    axis_of,
    be,
    check,
    covers,
    dtypes_of,
    examples,
    full_shapes,
    shapes,
    with_scalar,
)

_FEW = Domain(-2, 2, step=1.0)


@covers("argmax", "argmin")
@pytest.mark.parametrize("name", ["argmax", "argmin"])
@examples
@given(st.data())
def test_places_of_extremes(name, data):
    x = data.draw(arrays(data.draw(dtypes_of(REAL)), full_shapes, data.draw(st.sampled_from((ANY, _FEW)))))
    options = {}
    if x.ndim and data.draw(st.booleans()):
        options["axis"] = data.draw(axis_of(x.ndim))
    if data.draw(st.booleans()):
        options["keepdims"] = data.draw(st.booleans())
    want = np.asarray(getattr(np, name)(x, **options), dtype=np.int64)
    check((name, x, options), getattr(be, name)(array(x), **options), want)


@covers("argmax", "argmin")
@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_places_in_nothing(name):
    x = np.zeros((2, 0), "float32")
    check(name, getattr(be, name)(array(x), axis=0), np.zeros(0, "int64"))
    for options in ({}, {"axis": 1}):
        with pytest.raises(ValueError):
            getattr(be, name)(array(x), **options)


@covers("count_nonzero")
@examples
@given(st.data(), dtypes_of(ALL))
def test_count_nonzero(data, dtype):
    x = data.draw(arrays(dtype, shapes, _FEW))
    options = {"axis": data.draw(axes_of(x.ndim)), "keepdims": data.draw(st.booleans())}
    want = np.sum(x != 0, dtype=np.int64, **options)
    check(("count_nonzero", x, options), be.count_nonzero(array(x), **options), want)


@covers("nonzero")
@examples
@given(st.data(), dtypes_of(ALL))
def test_nonzero(data, dtype):
    x = data.draw(arrays(dtype, hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=4), _FEW))
    got = be.nonzero(array(x))
    assert isinstance(got, tuple) and len(got) == x.ndim
    for one, other in zip(got, np.nonzero(x), strict=True):
        check(("nonzero", x), one, other, "int64")


@covers("searchsorted")
@examples
@given(st.data(), dtypes_of(REAL))
def test_searchsorted(data, dtype):
    other = data.draw(st.just(dtype) | dtypes_of(REAL))
    common = PROMOTION[dtype, other]
    assume(common is not None)
    domain = data.draw(st.sampled_from((MODERATE, _FEW)))
    x1 = data.draw(arrays(dtype, st.integers(0, 8).map(lambda n: (n,)), domain))
    x2 = data.draw(arrays(other, shapes, domain))
    options = {"side": data.draw(st.sampled_from(("left", "right")))} if data.draw(st.booleans()) else {}
    want = np.searchsorted(np.sort(x1).astype(common), x2.astype(common), **options)
    if data.draw(st.booleans()):
        order = np.argsort(x1, kind="stable").astype(data.draw(dtypes_of(("int64", "int32"))))
        got = be.searchsorted(array(x1), array(x2), sorter=array(order), **options)
        check(("searchsorted", x1, x2, options, order), got, want, "int64")
    else:
        x1 = np.sort(x1)
        check(("searchsorted", x1, x2, options), be.searchsorted(array(x1), array(x2), **options), want, "int64")


@covers("searchsorted")
@examples
@given(st.data(), dtypes_of(REAL))
def test_searchsorted_of_a_python_scalar(data, dtype):
    x = np.sort(data.draw(arrays(dtype, 5, _FEW)))
    kinds = [int, float] if dtype in FLOATING else [int]
    scalar = data.draw(st.sampled_from(kinds))(data.draw(_FEW.elements(dtype)))
    check(("searchsorted", x, scalar), be.searchsorted(array(x), scalar), np.searchsorted(x, scalar), "int64")


@covers("searchsorted")
@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("dtype", [dtype for dtype in FLOATING if dtype in REAL])
def test_searchsorted_of_nan_and_infinities(dtype, side):
    values = np.array([-np.inf, -2, -1, 0.5, 5, 9, np.inf, np.nan, -np.nan], dtype)
    for length in range(9):
        for nans in (0, 1, 3):
            x = np.sort(np.append(np.linspace(-2, 5, length), [np.inf] * (length % 3) + [np.nan] * nans)).astype(dtype)
            want = np.searchsorted(x, values, side=side)
            check(("searchsorted", x, values, side), be.searchsorted(array(x), array(values), side=side), want, "int64")


@covers("searchsorted")
@pytest.mark.parametrize("dtype", INTEGER)
def test_sorters_of_every_integer_dtype(dtype):
    """Also beside operands whose dtype another one stands in for, which must not touch the indices."""
    for values in (np.asarray([3, 1, 2]), np.asarray([3.0, 1.0, 2.0], "float32"), np.asarray([3, 1, 2], dtype)):
        sorter = np.argsort(values).astype(dtype)
        got = be.searchsorted(array(values), array(values), sorter=array(sorter))
        check(("searchsorted", values, sorter), got, np.asarray([2, 0, 1]), "int64")


def test_what_sorts_nothing():
    for length in (0, 1, 3):
        with pytest.raises(ValueError, match=r"'searchsorted' .*sorter of the shape"):
            be.searchsorted(array(np.asarray([1, 2])), array(np.asarray([1])), sorter=array(np.zeros(length, "int64")))
    for sorter in (np.asarray([0.0, 1.0]), np.asarray([False, True])):
        with pytest.raises(TypeError, match=r"'searchsorted' got sorter of dtype '.*'; they are integers"):
            be.searchsorted(array(np.asarray([1, 2])), array(np.asarray([1])), sorter=array(sorter))


@st.composite
def _choice(draw):
    """Draw a condition and two values: arrays of dtypes with a common one, or one Python scalar."""
    one = draw(dtypes_of(ALL))
    two = draw(st.just(one) | dtypes_of(ALL))
    common = PROMOTION[one, two]
    assume(common is not None)
    found = draw(hnp.mutually_broadcastable_shapes(num_shapes=3, max_dims=3, min_side=0, max_side=3))
    condition = draw(arrays("bool", found.input_shapes[0]))
    x1 = draw(arrays(one, found.input_shapes[1]))
    x2 = draw(arrays(two, found.input_shapes[2]))
    place = draw(st.sampled_from(("arrays", "first", "second")))
    if place == "arrays":
        return common, condition, x1, x2
    array_ = x2 if place == "first" else x1
    scalar = draw(st.sampled_from([True, 3, 0.5, 1j][: {"b": 1, "i": 2, "u": 2, "f": 3, "c": 4}[array_.dtype.kind]]))
    pair = (scalar, array_) if place == "first" else (array_, scalar)
    return with_scalar(str(array_.dtype), scalar), condition, *pair


@covers("where")
@examples
@given(_choice())
def test_where(drawn):
    common, condition, x1, x2 = drawn
    want = np.where(condition, np.asarray(x1).astype(common), np.asarray(x2).astype(common))
    operands = [array(x) if isinstance(x, np.ndarray) else x for x in (x1, x2)]
    check(("where", condition, x1, x2), be.where(array(condition), *operands), want, common)


@covers("argwhere")
@examples
@given(st.data(), dtypes_of(ALL))
def test_argwhere(data, dtype):
    x = data.draw(arrays(dtype, shapes, _FEW))
    want = np.stack(np.nonzero(x.reshape(x.shape or (1,))), axis=1).astype("int64")
    check(("argwhere", x), be.argwhere(array(x)), want if x.ndim else want[:, :0])


@covers("unravel_index", "ravel_multi_index")
@examples
@given(st.data(), dtypes_of(INTEGER), hnp.array_shapes(min_dims=1, max_dims=4, min_side=1, max_side=3))
def test_indices_of_elements_laid_out_flat(data, dtype, shape):
    flat = data.draw(hnp.arrays(dtype, shapes, elements=st.integers(0, int(np.prod(shape)) - 1)))
    want = np.unravel_index(flat.astype("int64"), shape)
    got = be.unravel_index(array(flat), shape)
    assert isinstance(got, tuple) and len(got) == len(want)
    for one, other in zip(got, want, strict=True):
        check(("unravel_index", flat, shape), one, np.asarray(other, "int64"))
    check(("ravel_multi_index", want, shape), be.ravel_multi_index(got, shape), flat.astype("int64"))


@covers("ravel_multi_index")
@examples
@given(st.data(), st.sampled_from((None, "clip", "wrap")))
def test_indices_beyond_the_axes(data, mode):
    one, other = (data.draw(hnp.arrays("int32", 4, elements=st.integers(-9, 9))) for _ in range(2))
    options = {"mode": mode} if mode else {}
    want = np.ravel_multi_index((one, other), (3, 4), mode=mode or "clip")
    check(("ravel_multi_index", one, other), be.ravel_multi_index([array(one), array(other)], (3, 4), **options), want)


def test_indices_that_are_none():
    with pytest.raises(TypeError, match="integers"):
        be.unravel_index(be.zeros(2), (2, 3))
    with pytest.raises(ValueError, match="ravel_multi_index"):
        be.ravel_multi_index([be.zeros(2, dtype="int64")], (2, 3))
    with pytest.raises(ValueError, match="mode"):
        be.ravel_multi_index([be.zeros(2, dtype="int64")], (2,), mode="raise")


@covers("searchsorted")
@pytest.mark.parametrize("side", ["left", "right"])
def test_truth_values_are_searched_for_among_each_other(side):
    x, values = np.asarray([False, False, True]), np.asarray([[True, False], [False, True]])
    found = be.searchsorted(array(x), array(values), side=side)
    assert found.tolist() == np.searchsorted(x, values, side=side).tolist()
