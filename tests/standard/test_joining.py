"""Arrays side by side and apart again: exact against NumPy, on every dtype; parts are views."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from standard.support import (
    ALL,
    ANY,
    PROMOTION,
    array,
    arrays,
    axis_of,
    be,
    check,
    covers,
    dtypes_of,
    examples,
    numpy_of,
    shapes,
)

import corearray as ca

#: Which axis may differ in length, given the number of axes, and what is asked of the first array.
_STACKS = {
    "column_stack": lambda ndim: 1,
    "dstack": lambda ndim: 2,
    "hstack": lambda ndim: min(ndim - 1, 1),
    "vstack": lambda ndim: 0,
}


@st.composite
def _stackable(draw, name):
    """Draw arrays that differ in dtype, and in length along the axis of the joint if they have it."""
    shape = draw(hnp.array_shapes(min_dims=0, max_dims=2 if name == "column_stack" else 3, min_side=0, max_side=3))
    axis = _STACKS[name](len(shape)) if shape and (name != "vstack" or len(shape) > 1) else -1
    first = draw(dtypes_of(ALL))
    found, common = [], first
    for dtype in [first, *draw(st.lists(st.just(first) | dtypes_of(ALL), max_size=3))]:
        sides = list(shape)
        if 0 <= axis < len(shape):
            sides[axis] = draw(st.integers(0, 3))
        found.append(draw(arrays(dtype, tuple(sides), ANY)))
        assume(PROMOTION[common, dtype] is not None)
        common = PROMOTION[common, dtype]
    return found, common


@covers("column_stack", "dstack", "hstack", "vstack")
@pytest.mark.parametrize("name", sorted(_STACKS))
@examples
@given(st.data())
def test_stacks(name, data):
    found, common = data.draw(_stackable(name))
    want = getattr(np, name)([x.astype(common) for x in found])
    check((name, found), getattr(be, name)([array(x) for x in found]), want)


@covers("column_stack", "dstack", "hstack", "vstack")
@pytest.mark.parametrize("name", sorted(_STACKS))
def test_nothing_and_what_does_not_fit_is_not_joined(name):
    with pytest.raises(ValueError):
        getattr(be, name)([])
    with pytest.raises(ValueError):
        getattr(be, name)(
            [be.zeros((2, 3, 2)[: 2 + (name == "dstack")]), be.zeros((3, 2, 2)[: 2 + (name == "dstack")])]
        )


@covers("concat_from_sequence")
@examples
@given(st.data(), dtypes_of(ALL))
def test_concat_from_sequence(data, dtype):
    found = [data.draw(arrays(dtype, (2, 3), ANY)) for _ in range(data.draw(st.integers(1, 3)))]
    axis = data.draw(axis_of(2))
    given_ = [array(x) for x in found]
    check("concat", be.concat_from_sequence(given_, axis=axis), np.concatenate(found, axis))
    axis = data.draw(axis_of(3))
    check("stack", be.concat_from_sequence(given_, new_axis=True, axis=axis), np.stack(found, axis))


@covers("atleast_1d", "atleast_2d", "atleast_3d")
@pytest.mark.parametrize("name", ["atleast_1d", "atleast_2d", "atleast_3d"])
@examples
@given(st.lists(dtypes_of(ALL).flatmap(lambda dtype: arrays(dtype, shapes, ANY)), max_size=3))
def test_atleast(name, found):
    got = getattr(be, name)(*map(array, found))
    want = getattr(np, name)(*found)
    if len(found) == 1:
        got, want = (got,), (want,)
    assert isinstance(got, tuple) and len(got) == len(found)
    for one, other in zip(got, want, strict=True):
        check((name, found), one, other)


#: The parts of an array along the axis that each function splits.
_SPLITS = {"hsplit": 1, "vsplit": 2, "dsplit": 3, "split": 1, "array_split": 1}


@covers(*_SPLITS)
@pytest.mark.parametrize("name", sorted(_SPLITS))
@examples
@given(st.data())
def test_splits(name, data):
    x = data.draw(
        arrays(data.draw(dtypes_of(ALL)), hnp.array_shapes(min_dims=_SPLITS[name], max_dims=4, min_side=0), ANY)
    )
    options = {"axis": data.draw(axis_of(x.ndim))} if name in ("split", "array_split") else {}
    axis = options.get("axis", {"hsplit": min(x.ndim - 1, 1), "vsplit": 0, "dsplit": 2}.get(name))
    if data.draw(st.booleans()):
        wanted = data.draw(st.lists(st.integers(-5, 5), max_size=3).map(tuple))
    else:
        wanted = data.draw(st.sampled_from([n for n in range(1, 8) if name == "array_split" or not x.shape[axis] % n]))
    got, want = getattr(be, name)(array(x), wanted, **options), getattr(np, name)(x, wanted, **options)
    assert isinstance(got, tuple) and len(got) == len(want)
    for one, other in zip(got, want, strict=True):
        check((name, x, wanted, options), one, other)


@covers(*_SPLITS)
@pytest.mark.parametrize("name", sorted(_SPLITS))
def test_parts_are_views(name):
    x = array(np.arange(24.0).reshape(2, 2, 6))
    for part in getattr(be, name)(x, 2):
        part[...] = -1.0
    np.testing.assert_array_equal(numpy_of(x), -1.0)
    first, _ = getattr(be, name)(x, (1,))
    x[...] = 3.0
    np.testing.assert_array_equal(numpy_of(first), 3.0)


@covers("split", "array_split")
@pytest.mark.filterwarnings("ignore")
def test_splits_of_several_lengths():
    function = ca.compile(lambda x: [list(ca.split(x, 3)), list(ca.array_split(x, (2, -1, 1)))], dynamic=True)
    for length in (6, 9, 12):
        x = np.arange(float(length))
        for found, want in zip(function(array(x)), (np.split(x, 3), np.split(x, (2, -1, 1))), strict=True):
            for part, expected in zip(found, want, strict=True):
                np.testing.assert_array_equal(numpy_of(part), expected)


@covers("split", "array_split")
@pytest.mark.filterwarnings("ignore")
def test_splits_that_cannot_be():
    x = be.zeros((5, 2))
    for name, parts in (("split", 2), ("split", 0), ("array_split", 0), ("split", -1)):
        function = getattr(ca, name)
        with pytest.raises(ValueError, match=name) as eager:
            getattr(be, name)(x, parts)
        with pytest.raises(ValueError, match=name) as compiled:
            ca.compile(lambda x, function=function, parts=parts: list(function(x, parts)))(x)
        assert str(compiled.value) == str(eager.value)
    with pytest.raises(IndexError):
        be.split(x, 2, axis=2)
    for name in ("hsplit", "vsplit", "dsplit"):
        with pytest.raises(ValueError, match=name):
            getattr(be, name)(be.zeros(()), 1)
