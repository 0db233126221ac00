"""Elements turned round and axes merged: exact against NumPy, on every dtype, and seen through the views."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from standard.support import ALL, ANY, array, arrays, axis_of, be, check, covers, dtypes_of, examples, numpy_of


@st.composite
def _any_array(draw, least=0):
    shape = draw(hnp.array_shapes(min_dims=least, max_dims=4, min_side=0, max_side=3))
    return draw(arrays(draw(dtypes_of(ALL)), shape, ANY))


@covers("fliplr", "flipud", "ravel")
@examples
@given(_any_array(2))
def test_by_name(x):
    for name in ("fliplr", "flipud", "ravel"):
        check((name, x), getattr(be, name)(array(x)), getattr(np, name)(x))


@covers("ravel", "flatten")
def test_an_array_without_axes_gets_one():
    check("ravel", be.ravel(array(np.int8(3))), np.int8([3]))
    check("flatten", be.flatten(array(np.int8(3))), np.int8([3]))


@covers("rot90")
@examples
@given(_any_array(2), st.data())
def test_rot90(x, data):
    first, second = data.draw(st.permutations(range(x.ndim)))[:2]
    options = {"axes": (first, second - x.ndim)} if data.draw(st.booleans()) else {}
    if data.draw(st.booleans()):
        options["k"] = data.draw(st.integers(-6, 6))
    check(("rot90", x, options), be.rot90(array(x), **options), np.rot90(x, **options))


@covers("swapaxes")
@examples
@given(_any_array(1), st.data())
def test_swapaxes(x, data):
    one, other = data.draw(axis_of(x.ndim)), data.draw(axis_of(x.ndim))
    check(("swapaxes", x, one, other), be.swapaxes(array(x), one, other), np.swapaxes(x, one, other))


@covers("flatten", "unflatten")
@examples
@given(_any_array(1), st.data())
def test_flatten_and_unflatten(x, data):
    first = data.draw(st.integers(0, x.ndim - 1))
    last = data.draw(st.integers(first, x.ndim - 1))
    middle = x.shape[first : last + 1]
    options = {"start_axis": first - data.draw(st.sampled_from((0, x.ndim))), "end_axis": last}
    options["copy"] = data.draw(st.sampled_from((None, True)))
    want = x.reshape((*x.shape[:first], int(np.prod(middle)), *x.shape[last + 1 :]))
    got = be.flatten(array(x), **options)
    check(("flatten", x, options), got, want)
    sizes = list(middle)
    if x.size and data.draw(st.booleans()):
        sizes[data.draw(st.integers(0, len(sizes) - 1))] = -1
    axis = first - data.draw(st.sampled_from((0, want.ndim)))
    check(("unflatten", want, axis, sizes), be.unflatten(got, axis, tuple(sizes)), x)


def test_what_cannot_be():
    x = be.zeros((2, 3))
    for sizes in ((2, 2), (-1, -1), (2, -1), (0, -1)):
        with pytest.raises(ValueError, match="unflatten"):
            be.unflatten(x, 1, sizes)
    with pytest.raises(ValueError, match="flatten"):
        be.flatten(x, start_axis=1, end_axis=0)
    for axes in ((0,), (0, 0), (0, 1, 1)):
        with pytest.raises(ValueError, match="rot90"):
            be.rot90(x, axes=axes)
    for call in (lambda: be.fliplr(x[0, :]), lambda: be.swapaxes(x, 0, 2), lambda: be.unflatten(x, 2, (1,))):
        with pytest.raises(IndexError):
            call()


_VIEWS = {
    "flatten": (lambda xp, x: xp.flatten(x, start_axis=1), lambda x: x.reshape(2, 4)),
    "fliplr": (lambda xp, x: xp.fliplr(x), np.fliplr),
    "flipud": (lambda xp, x: xp.flipud(x), np.flipud),
    "ravel": (lambda xp, x: xp.ravel(x), np.ravel),
    "rot90": (lambda xp, x: xp.rot90(x), np.rot90),
    "rot90 not at all": (lambda xp, x: xp.rot90(x, k=4), lambda x: x),
    "rot90 twice": (lambda xp, x: xp.rot90(x, k=2), lambda x: np.rot90(x, 2)),
    "swapaxes": (lambda xp, x: xp.swapaxes(x, 0, 2), lambda x: np.swapaxes(x, 0, 2)),
    "unflatten": (lambda xp, x: xp.unflatten(x, 0, (1, 2)), lambda x: x[None]),
}


@pytest.mark.parametrize("name", sorted(_VIEWS))
def test_results_are_views(name):
    ours, numpys = _VIEWS[name]
    want = np.arange(8.0).reshape(2, 2, 2)
    x = array(want)
    view, wanted = ours(be, x), numpys(want)
    for key, value in (((0, ...), 10.0), ((..., -1), 20.0)):
        view[key] = value
        wanted[key] = value
        np.testing.assert_array_equal(numpy_of(x), want)
    x[0, ...] = -5.0
    want[0] = -5.0
    np.testing.assert_array_equal(numpy_of(view), wanted)


@covers("expand")
@pytest.mark.parametrize(
    ("shape", "wanted"),
    [
        ((3,), (2, 3)),
        ((3,), (2, -1)),
        ((2, 1), (-1, 4)),
        ((2, 1), (5, 2, 3)),
        ((), (2,)),
        ((0, 1), (-1, 2)),
        ((1,), (0,)),
    ],
)
def test_expand(shape, wanted):
    for dtype in ("float32", "int64", "bool"):
        x = np.arange(int(np.prod(shape))).reshape(shape).astype(dtype)
        full = tuple(n if n >= 0 else shape[i - len(wanted)] for i, n in enumerate(wanted))
        check(("expand", x, wanted), be.expand(array(x), wanted), np.broadcast_to(x, full))
    for wrong in ((-1, *shape), ()):
        if shape != wrong:
            with pytest.raises(ValueError, match="'expand' got an array of shape"):
                be.expand(be.ones(shape), wrong)
