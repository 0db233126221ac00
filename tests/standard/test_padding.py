"""Padding against NumPy, element by element where NumPy rounds on its way."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from standard.support import (
    ALL,
    ANY,
    MODERATE,
    NUMERIC,
    REAL,
    Domain,
    array,
    arrays,
    axes_of,
    be,
    check,
    covers,
    dtypes_of,
    examples,
    numpy_of,
    wide,
)

_WIDTHS = st.integers(0, 4)
_FULL = hnp.array_shapes(min_dims=0, max_dims=3, min_side=1, max_side=3)


@st.composite
def _pairs(draw, ndim, values=_WIDTHS):
    """Draw what is given for the two sides of each axis, in one of the forms; all mean the same to NumPy."""
    pair = st.tuples(values, values)
    forms = [values, values.map(lambda v: (v,)), pair, pair.map(lambda p: [p])]
    if ndim:
        forms.append(st.lists(pair, min_size=ndim, max_size=ndim).map(tuple))
        forms.append(st.lists(values.map(lambda v: (v,)), min_size=ndim, max_size=ndim))
    return draw(st.one_of(forms))


@covers("pad")
@examples
@given(st.data(), dtypes_of(ALL))
def test_pad_with_constants(data, dtype):
    x = data.draw(arrays(dtype, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=3), ANY))
    width = data.draw(_pairs(x.ndim))
    options = (
        {"constant_values": data.draw(_pairs(x.ndim, MODERATE.elements(dtype)))} if data.draw(st.booleans()) else {}
    )
    check(("pad", x, width, options), be.pad(array(x), width, **options), np.pad(x, width, **options))
    if not x.ndim or data.draw(st.booleans()):
        got = be.pad(array(x), width, mode="empty")
        assert got.dtype == be.asarray(x).dtype
        assert tuple(got.shape) == np.pad(x, width).shape


@covers("pad")
@pytest.mark.parametrize("mode", ["edge", "reflect", "symmetric", "wrap"])
@examples
@given(st.data(), dtypes_of(ALL))
def test_pad_with_elements(mode, data, dtype):
    x = data.draw(arrays(dtype, _FULL, ANY))
    width = data.draw(_pairs(x.ndim, st.integers(0, 9)))
    want = x
    for axis, (before, after) in enumerate(_rows(width, x.ndim)):
        places = [_folded(i, x.shape[axis], mode) for i in range(-before, x.shape[axis] + after)]
        want = np.take(want, places, axis)
    check(("pad", x, width, mode), be.pad(array(x), width, mode=mode), want)


def _rows(width, ndim):
    return np.broadcast_to(np.asarray(width, dtype=object), (ndim, 2)).tolist()


def _folded(place, length, mode):
    """Walk back into the axis step by step."""
    while not 0 <= place < length:
        if mode == "edge" or length == 1:
            place = min(max(place, 0), length - 1)
        elif mode == "wrap":
            place += length if place < 0 else -length
        else:
            out = 1 if mode == "symmetric" else 0
            place = -place - out if place < 0 else 2 * (length - 1) - place + out
    return place


@covers("pad")
@pytest.mark.parametrize("mode", ["reflect", "symmetric"])
@examples
@given(st.data(), dtypes_of(NUMERIC))
def test_pad_turned_to_the_other_side(mode, data, dtype):
    x = data.draw(arrays(dtype, _FULL, Domain(-100.0, 100.0, step=0.25)))
    width = data.draw(_pairs(x.ndim, st.integers(0, 7)))
    want = wide(x)
    for axis, (before, after) in enumerate(_rows(width, x.ndim)):
        want = np.apply_along_axis(_odd, axis, want, before, after, 1 if mode == "symmetric" else 0)
    want = want.astype(dtype) if want.dtype.kind != "O" else np.vectorize(_wrapped, otypes=[dtype])(want, dtype)
    check(("pad", x, width, mode), be.pad(array(x), width, mode=mode, reflect_type="odd"), want)


def _wrapped(value, dtype):
    info = np.iinfo(dtype)
    return (int(value) - int(info.min)) % (2**info.bits) + int(info.min)


def _odd(row, before, after, out):
    """Turn the elements round at both ends, one new element after the other."""
    if len(row) == 1:
        return np.asarray(list(row) * (1 + before + after), dtype=row.dtype)
    known = dict(enumerate(row))
    for place in range(len(row), len(row) + after):
        known[place] = 2 * row[-1] - _at(row, 2 * (len(row) - 1) - place + out, out)
    for place in range(-1, -before - 1, -1):
        known[place] = 2 * row[0] - _at(row, -place - out, out)
    return np.asarray([known[place] for place in range(-before, len(row) + after)], dtype=row.dtype)


def _at(row, place, out):
    if place < 0:
        return 2 * row[0] - _at(row, -place - out, out)
    if place >= len(row):
        return 2 * row[-1] - _at(row, 2 * (len(row) - 1) - place + out, out)
    return row[place]


@covers("pad")
@examples
@given(st.data(), dtypes_of(NUMERIC))
def test_pad_with_ramps(data, dtype):
    x = data.draw(arrays(dtype, _FULL, MODERATE))
    width = data.draw(_pairs(x.ndim))
    ends = data.draw(_pairs(x.ndim, MODERATE.elements(dtype)))
    options = {"mode": "linear_ramp", "end_values": ends}
    got = be.pad(array(x), width, **options)
    if x.dtype.kind in "fc":
        check(("pad", x, width, options), got, np.pad(wide(x), width, **options), dtype, factor=10, scale=1000.0)
    else:
        want = wide(x)
        for axis, (pair, end) in enumerate(zip(_rows(width, x.ndim), _rows(ends, x.ndim), strict=True)):
            want = np.apply_along_axis(_ramped, axis, want, pair, end)
        check(("pad", x, width, options), got, want.astype(dtype))


def _ramped(row, width, ends):
    """Exact ramps of integers, rounded down."""
    front = [end + Fraction(int(row[0]) - end, width[0]) * k for end in ends[:1] for k in range(width[0])]
    back = [end + Fraction(int(row[-1]) - end, width[1]) * k for end in ends[1:] for k in range(width[1])]
    return np.asarray([v.__floor__() for v in front] + list(row) + [v.__floor__() for v in back[::-1]], dtype=object)


@covers("pad")
@pytest.mark.parametrize("mode", ["maximum", "mean", "median", "minimum"])
@examples
@given(st.data(), dtypes_of(NUMERIC))
def test_pad_with_statistics(mode, data, dtype):
    if mode != "mean" and dtype not in REAL:
        dtype = "float64"
    x = data.draw(arrays(dtype, _FULL, Domain(-90.0, 90.0)))
    width = data.draw(_pairs(x.ndim))
    options = {"mode": mode}
    if data.draw(st.booleans()):
        options["stat_length"] = data.draw(_pairs(x.ndim, st.integers(1, 4)))
    want = np.pad(x if x.dtype.kind in "iu" else wide(x), width, **options)
    check(("pad", x, width, options), be.pad(array(x), width, **options), want, dtype, factor=10, scale=90.0)


@covers("pad")
def test_the_median_of_special_values():
    inf, nan = np.inf, np.nan
    for x, want in (
        ([1.0, nan, 3.0], nan),
        ([inf, 2.0, 3.0, inf], inf),
        ([inf, 2.0, 3.0], 3.0),
        ([1e308, 1.5e308], 1.25e308),
        ([-1e308, 1e308], 0.0),
    ):
        check("pad", be.pad(array(np.asarray(x)), 1, mode="median"), [want, *x, want])


@covers("pad")
def test_pad_in_other_forms():
    x = np.arange(6.0).reshape(2, 3)
    check("pad", be.pad(array(x), {-1: (1, 2)}), np.pad(x, ((0, 0), (1, 2))))
    check("pad", be.pad(array(x), {0: 1, 1: (0, 1)}), np.pad(x, ((1, 1), (0, 1))))
    y = be.pad(array(x), 0)
    z = array(x)
    y = be.pad(z, 0)
    y[...] = 1.0
    check("a copy", z, x)
    check("signs", be.pad(array(np.asarray([-0.0, 1.0])), 1, mode="reflect", reflect_type="odd")[1:3], [-0.0, 1.0])
    check("seven axes", be.pad(array(np.ones((1,) * 7)), 1), np.pad(np.ones((1,) * 7), 1))


def test_zeros_of_either_sign():
    """They are equal, so that what is compiled for one must not be found by the other."""
    x = be.asarray([1.0, -1.0])
    for value in (0.0, -0.0, 0.0, 0, -0.0):
        sign = np.signbit(value)
        assert np.signbit(be.to_numpy(be.pad(x, 1, constant_values=value))).tolist() == [sign, False, True, sign]


def test_what_is_not_padded():
    x = be.zeros((2, 3))
    for width in (-1, (0, -1), ((1, 1),) * 3, ((1, 2, 3),) * 2, {0: (1, 2, 3)}):
        for mode in ("constant", "edge"):
            with pytest.raises(ValueError):
                be.pad(x, width, mode=mode)
    for width in (1.5, (0.5, 1)):
        with pytest.raises(TypeError):
            be.pad(x, width)
    with pytest.raises(IndexError):
        be.pad(x, {2: 1})
    with pytest.raises(ValueError, match="'linear_ramp'"):
        be.pad(x, 1, mode="linear")
    with pytest.raises(ValueError, match="reflect_type"):
        be.pad(x, 1, mode="reflect", reflect_type="both")
    with pytest.raises(ValueError, match="stat_length"):
        be.pad(x, 1, mode="mean", stat_length=0)
    for mode in ("edge", "wrap", "mean", "linear_ramp"):
        with pytest.raises(ValueError):
            be.pad(be.zeros((2, 0)), 1, mode=mode)
        check("pad", be.pad(be.zeros((2, 0)), {0: 1}, mode=mode), np.zeros((4, 0), "float32"))
    for options in ({"mode": "mean"}, {"mode": "reflect", "reflect_type": "odd"}):
        with pytest.raises(TypeError, match="truth values"):
            be.pad(be.zeros(2, dtype="bool"), 1, **options)


@covers("pad_sequence")
@examples
@given(st.data(), dtypes_of(ALL))
def test_pad_sequence(data, dtype):
    lengths = data.draw(st.lists(st.integers(0, 4), min_size=1, max_size=4))
    rest = data.draw(hnp.array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=2))
    found = [data.draw(arrays(dtype, (length, *rest), ANY)) for length in lengths]
    options = {"batch_first": data.draw(st.booleans()), "padding_side": data.draw(st.sampled_from(("left", "right")))}
    value = data.draw(MODERATE.elements(dtype))
    want = np.full((len(found), max(lengths), *rest), value, dtype)
    for row, x in zip(want, found, strict=True):
        row[slice(0, len(x)) if options["padding_side"] == "right" else slice(len(row) - len(x), None)] = x
    if not options["batch_first"]:
        want = np.swapaxes(want, 0, 1)
    got = be.pad_sequence([array(x) for x in found], padding_value=value, **options)
    check(("pad_sequence", found, value, options), got, want)


@covers("pad_sequence")
def test_what_is_no_sequence_to_pad():
    with pytest.raises(ValueError, match="pad_sequence"):
        be.pad_sequence([])
    with pytest.raises(ValueError, match="pad_sequence"):
        be.pad_sequence([be.zeros(())])
    with pytest.raises(ValueError):
        be.pad_sequence([be.zeros((2, 3)), be.zeros((2, 4))])
    with pytest.raises(ValueError, match="padding_side"):
        be.pad_sequence([be.zeros(2)], padding_side="front")


@covers("trim_zeros")
@examples
@given(st.data(), dtypes_of(ALL))
def test_trim_zeros(data, dtype):
    shape = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)
    x = data.draw(arrays(dtype, shape, Domain(-1, 1, step=1.0), fill=st.just(0)))
    axis = data.draw(axes_of(x.ndim))
    options = {"axis": axis, "trim": data.draw(st.sampled_from(("f", "b", "fb", "FB")))}
    key = [slice(None)] * x.ndim
    for place in range(x.ndim) if axis is None else np.atleast_1d(np.asarray(axis, int)):
        found = np.unique(np.argwhere(x)[:, place])
        first, last = (found[0], found[-1] + 1) if found.size else (0, 0)
        trim = options["trim"].lower()
        key[place] = slice(first if "f" in trim else 0, last if "b" in trim or not found.size else None)
    check(("trim_zeros", x, options), be.trim_zeros(array(x), **options), x[tuple(key)])


@covers("trim_zeros")
def test_what_is_trimmed_is_a_view():
    x = array(np.asarray([0, 0, 3, 4, 0]))
    y = be.trim_zeros(x)
    y[...] = 7
    np.testing.assert_array_equal(numpy_of(x), [0, 0, 7, 7, 0])
    with pytest.raises(ValueError, match="trim"):
        be.trim_zeros(x, trim="x")
