"""Elements that move and are not changed: exact against NumPy, on every dtype."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from standard.support import (
    ALL,
    ANY,
    NAME,
    PROMOTION,
    array,
    arrays,
    axes_of,
    axis_of,
    be,
    check,
    covers,
    dtypes_of,
    examples,
    shapes,
)

import corearray as ca


@st.composite
def any_array(draw, shape=shapes):
    return draw(arrays(draw(dtypes_of(ALL)), shape, ANY))


def agree(what, got, want):
    """Compare several results, which must be as many."""
    assert len(got) == len(want), f"{what}: expected {len(want)} arrays, found {len(got)}"
    for one, other in zip(got, want, strict=True):
        check(what, one, other)


@st.composite
def _broadcastable(draw):
    count = draw(st.integers(1, 4))
    found = draw(hnp.mutually_broadcastable_shapes(num_shapes=count, max_dims=3, min_side=0, max_side=3))
    return [draw(any_array(shape)) for shape in found.input_shapes], found.result_shape


@covers("broadcast_arrays", "broadcast_shapes", "broadcast_to")
@examples
@given(_broadcastable())
def test_broadcasting(drawn):
    found, shape = drawn
    got = be.broadcast_arrays(*map(array, found))
    assert isinstance(got, (list, tuple))
    agree(("broadcast_arrays", *found), got, np.broadcast_arrays(*found))
    common = be.broadcast_shapes(*(x.shape for x in found))
    assert isinstance(common, ca.Shape)
    assert common == shape
    for x in found:
        check(("broadcast_to", x, shape), be.broadcast_to(array(x), shape), np.broadcast_to(x, shape))


def test_no_shapes_broadcast_to_none():
    assert be.broadcast_shapes() == ()


@st.composite
def _joinable(draw):
    """Draw arrays that differ in length along one axis, and in dtype."""
    shape = draw(hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=3))
    axis = draw(axis_of(len(shape)))
    first = draw(dtypes_of(ALL))
    found, common = [], first
    for dtype in [first, *draw(st.lists(st.just(first) | dtypes_of(ALL), max_size=3))]:
        sides = list(shape)
        sides[axis] = draw(st.integers(0, 3))
        found.append(draw(arrays(dtype, tuple(sides))))
        assume(PROMOTION[common, dtype] is not None)
        common = PROMOTION[common, dtype]
    return found, axis, common


@covers("concat")
@examples
@given(_joinable())
def test_concat(drawn):
    found, axis, common = drawn
    want = np.concatenate([x.astype(common) for x in found], axis=axis)
    check(("concat", found, axis), be.concat([array(x) for x in found], axis=axis), want)
    check(("concat", found, axis), be.concat(tuple(array(x) for x in found), axis=axis), want)
    flat = np.concatenate([x.astype(common).reshape(-1) for x in found])
    check(("concat", found, None), be.concat([array(x) for x in found], axis=None), flat)


@covers("concat")
def test_concat_of_arrays_without_axes_is_flat():
    check("concat", be.concat([array(np.int8(1)), array(np.int16([[2]]))], axis=None), np.int16([1, 2]))


@st.composite
def _of_one_shape(draw):
    shape = draw(shapes)
    first = draw(dtypes_of(ALL))
    found, common = [], first
    for dtype in [first, *draw(st.lists(st.just(first) | dtypes_of(ALL), max_size=3))]:
        found.append(draw(arrays(dtype, shape)))
        assume(PROMOTION[common, dtype] is not None)
        common = PROMOTION[common, dtype]
    return found, draw(axis_of(len(shape) + 1)), common


@covers("stack", "unstack")
@examples
@given(_of_one_shape())
def test_stack_and_unstack(drawn):
    found, axis, common = drawn
    want = np.stack([x.astype(common) for x in found], axis=axis)
    got = be.stack([array(x) for x in found], axis=axis)
    check(("stack", found, axis), got, want)
    back = be.unstack(got, axis=axis)
    assert isinstance(back, tuple)
    agree(("unstack", want, axis), back, [x.astype(common) for x in found])


@covers("expand_dims", "squeeze")
@examples
@given(any_array(), st.data())
def test_expand_dims_and_squeeze(x, data):
    count = data.draw(st.integers(1, 2))
    ndim = x.ndim + count
    axes = data.draw(st.lists(axis_of(ndim), min_size=count, max_size=count, unique_by=lambda axis: axis % ndim))
    axis = tuple(axes) if count > 1 or data.draw(st.booleans()) else axes[0]
    want = np.expand_dims(x, axis)
    got = be.expand_dims(array(x), axis)
    check(("expand_dims", x, axis), got, want)
    check(("squeeze", want, axis), be.squeeze(got, axis), x)


@covers("squeeze")
def test_squeeze_takes_out_only_what_was_asked_for():
    x = np.arange(3).reshape(1, 3, 1, 1)
    check("squeeze", be.squeeze(array(x), 0), x[0])
    check("squeeze", be.squeeze(array(x), (0, -1)), x[0, ..., 0])
    check("squeeze", be.squeeze(array(x), ()), x)
    with pytest.raises(ValueError):
        be.squeeze(array(x), 1)


@covers("flip")
@examples
@given(any_array(), st.data())
def test_flip(x, data):
    axis = data.draw(axes_of(x.ndim))
    check(("flip", x, {"axis": axis}), be.flip(array(x), axis=axis), np.flip(x, axis))


@covers("moveaxis")
@examples
@given(any_array(), st.data())
def test_moveaxis(x, data):
    count = data.draw(st.integers(0, x.ndim))
    axes = st.lists(axis_of(max(x.ndim, 1)), min_size=count, max_size=count, unique_by=lambda a: a % x.ndim)
    source, destination = (tuple(data.draw(axes)) for _ in range(2))
    if count == 1 and data.draw(st.booleans()):
        source, destination = source[0], destination[0]
    want = np.moveaxis(x, source, destination)
    check(("moveaxis", x, source, destination), be.moveaxis(array(x), source, destination), want)


@covers("permute_dims")
@examples
@given(any_array(), st.data())
def test_permute_dims(x, data):
    order = data.draw(st.permutations(range(x.ndim)))
    axes = tuple(data.draw(st.sampled_from((axis, axis - x.ndim))) for axis in order)
    check(("permute_dims", x, axes), be.permute_dims(array(x), axes), np.transpose(x, axes))


@covers("repeat")
@examples
@given(any_array(), st.data())
def test_repeat(x, data):
    axis = data.draw(st.none() | axis_of(x.ndim)) if x.ndim else None
    length = x.size if axis is None else x.shape[axis]
    form = data.draw(st.sampled_from(("int", "one", "each")))
    if form == "int":
        repeats = counts = data.draw(st.integers(0, 3))
    else:
        dtype = data.draw(dtypes_of(("int64", "int32", "uint8")))
        counts = data.draw(hnp.arrays(dtype, (1 if form == "one" else length,), elements=st.integers(0, 3)))
        repeats = array(counts)
    want = np.repeat(x, np.asarray(counts, dtype=np.int64), axis)
    check(("repeat", x, counts, {"axis": axis}), be.repeat(array(x), repeats, axis=axis), want)


@covers("reshape")
@examples
@given(any_array(), st.data())
def test_reshape(x, data):
    size, sides = x.size, []
    for _ in range(data.draw(st.integers(0, 3))):
        side = data.draw(st.sampled_from([n for n in range(1, 7) if size % n == 0] if size else [0, 1, 2]))
        sides.append(side)
        size = size // side if side else size
    if x.size:
        sides.append(size)
    elif 0 not in sides:
        sides.append(0)
    if x.size and data.draw(st.booleans()):
        sides[data.draw(st.integers(0, len(sides) - 1))] = -1
    shape = tuple(sides)
    want = x.reshape(shape)
    check(("reshape", x, shape), be.reshape(array(x), shape), want)
    check(("reshape", x, shape, "copy"), be.reshape(array(x), shape, copy=True), want)


@covers("reshape")
def test_reshape_makes_a_copy_when_asked_for_one():
    x = array(np.arange(4))
    y = be.reshape(x, (2, 2), copy=True)
    y[0, 0] = 9
    check("x", x, np.arange(4))
    check("y", y, np.asarray([[9, 1], [2, 3]]))


@covers("roll")
@examples
@given(any_array(), st.data())
def test_roll(x, data):
    shifts = st.integers(-7, 7)
    axis = data.draw(axes_of(x.ndim, empty=False))
    shift = tuple(data.draw(shifts) for _ in axis) if isinstance(axis, tuple) else data.draw(shifts)
    check(("roll", x, shift, {"axis": axis}), be.roll(array(x), shift, axis=axis), np.roll(x, shift, axis))


@covers("tile")
@examples
@given(any_array(), st.lists(st.integers(0, 3), max_size=4).map(tuple))
def test_tile(x, repetitions):
    check(("tile", x, repetitions), be.tile(array(x), repetitions), np.tile(x, repetitions))


@covers("transpose")
@examples
@given(any_array(), st.data())
def test_transpose(x, data):
    order = data.draw(st.permutations(range(x.ndim)))
    for axes in (None, tuple(order), [axis - x.ndim for axis in order]):
        check(("transpose", x, axes), be.transpose(array(x), axes), np.transpose(x, axes))


@covers("transpose")
def test_an_order_names_each_axis_once():
    x = be.zeros((2, 3))
    for axes in ((0,), (0, 0), (0, 2), (0, 1, 2)):
        with pytest.raises(ValueError, match="'transpose' on backend"):
            be.transpose(x, axes)
    assert be.transpose(x, axes=(1, 0)).shape == (3, 2)


@covers("roll")
def test_more_shifts_than_axes():
    x = array(np.arange(4.0).reshape(2, 2))
    check("roll", be.roll(x, 1, axis=()), np.arange(4.0).reshape(2, 2))
    with pytest.raises(ValueError, match="'roll' got 2 shifts for 0 axes"):
        be.roll(x, (1, 2), axis=())


def test_what_some_frameworks_make_something_of():
    x, empty = be.asarray([[1.0, 2.0, 3.0]]), be.zeros((0, 3))
    for _ in range(2):
        with pytest.raises(ValueError, match="'roll' got 2 shifts for 1 axes; give one shift or one for each axis"):
            be.roll(x, (1, 2), axis=0)
        if NAME != "strict":  # which knows no better than NumPy
            with pytest.raises(TypeError, match="'permute_dims' got axes=0; it takes a sequence of integers"):
                be.permute_dims(x[0, :], 0)
        with pytest.raises(ValueError, match="with 0 elements, which do not fit into the shape"):
            be.reshape(empty, (-1, 0))
    assert be.reshape(empty, (-1, 3)).shape == (0, 3)


def test_odd_keys_are_one_error():
    x = be.asarray([[1.0, 2.0], [3.0, 4.0]])
    for key in (slice(0.5, None), (0, slice("a")), slice(None, None, 1.0)):
        with pytest.raises(TypeError, match="a slice holds integers and None, not"):
            x[key]
        with pytest.raises(TypeError, match="a slice holds integers and None, not"):
            x[key] = 0
    if NAME != "strict":
        with pytest.raises(
            IndexError, match=r"the arrays of the shapes \(2,\) and \(3,\) in it do not broadcast to one"
        ):
            x[be.asarray([0, 1]), be.asarray([0, 1, 0])]


def test_sizes_beyond_all_memory():
    x = be.asarray([1.0, 2.0, 3.0])
    for call in (lambda: be.tile(x, 10**18), lambda: be.repeat(x, 2**62)):
        with pytest.raises((ValueError, MemoryError, OverflowError, RuntimeError)):
            call()
