"""Interpolation against loops over the places in NumPy's double precision; `interp` against NumPy's."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import ndimage
from standard.support import (
    FLOAT,
    FLOATING,
    HAVE,
    INTEGER,
    SMALL,
    Domain,
    array,
    arrays,
    be,
    check,
    covers,
    dtypes_of,
    examples,
    float_dtype,
    needs_derivatives,
    numpy_of,
    wide,
)

import corearray as ca

# --- the oracle


def _kernel(kind, t):
    """The kernels as they are written in the papers."""
    t = abs(t)
    if kind == "linear":
        return max(0.0, 1 - t)
    if kind == "gaussian":
        return math.exp(-(t**2) / (2 * 0.5**2)) if t < 1.5 else 0.0
    if kind.startswith("lanczos"):
        r = int(kind[-1])
        return float(np.sinc(t) * np.sinc(t / r)) if t < r else 0.0
    b, c = (1 / 3, 1 / 3) if kind == "mitchellcubic" else (0.0, 0.5 if kind == "keys" else 0.75)
    if t < 1:
        return ((12 - 9 * b - 6 * c) * t**3 + (-18 + 12 * b + 6 * c) * t**2 + 6 - 2 * b) / 6
    if t < 2:
        return ((-b - 6 * c) * t**3 + (6 * b + 30 * c) * t**2 + (-12 * b - 48 * c) * t + 8 * b + 24 * c) / 6
    return 0.0


def _weights(before, after, factor, kind, corners, antialias):
    """For each new place, the weight of each element."""
    found = np.zeros((after, before))
    steps = kind == "cubic" and not (corners or antialias) and factor not in (None, 1)
    if before == after and kind not in ("gaussian", "mitchellcubic") and not steps:
        return np.eye(before)
    step = before / after if factor is None else 1 / factor
    for i in range(after):
        if kind in ("nearest", "nearest_exact"):
            found[i, min(int((i + 0.5 * (kind == "nearest_exact")) * step + 1e-9), before - 1)] = 1
            continue
        if kind == "area":
            cells = range(i * before // after, -(-(i + 1) * before // after))
            found[i, cells] = 1 / len(cells)
            continue
        centre = (i + 0.5) * step - 0.5
        if corners:
            centre = i * (before - 1) / (after - 1) if after > 1 else 0.0
        if kind == "cubic" and not antialias:
            for j in range(math.floor(centre) - 2, math.floor(centre) + 4):
                found[i, min(max(j, 0), before - 1)] += _kernel(kind, j - centre)
            continue
        stretch = max(step, 1.0) if antialias else 1.0
        for j in range(before):
            found[i, j] = _kernel("keys" if kind == "cubic" else kind, round((j - centre) / stretch, 12))
        found[i] /= found[i].sum()
    return found


_KINDS = {"bilinear": "linear", "trilinear": "linear", "bicubic": "cubic"}


def _resized(x, sizes, factors, mode, corners, antialias):
    """The oracle, channels first."""
    for place, (after, factor) in enumerate(zip(sizes, factors, strict=True), 2):
        weights = _weights(x.shape[place], after, factor, _KINDS.get(mode, mode), corners, antialias)
        x = np.moveaxis(np.tensordot(weights, x, (1, place)), 0, place)
    return x


# --- interpolate

#: Lengths before, and sizes or factors, for the modes of one, two and three axes.
_CASES = [
    ((4,), {"size": 6}),
    ((6,), {"size": (3,)}),
    ((4,), {"scale_factor": 1.7}),
    ((6, 4), {"size": (4, 6)}),
]
_OF_EACH = ["linear", "nearest", "nearest_exact", "area", "cubic", "lanczos3", "lanczos5", "mitchellcubic", "gaussian"]
_MODES = {1: _OF_EACH, 2: ["bilinear", "bicubic"]}
_TURNING = ("linear", "bilinear", "trilinear", "cubic", "bicubic")


@covers("interpolate")
@examples
@given(st.data(), dtypes_of(FLOATING))
def test_interpolate(data, dtype):
    lengths, options = data.draw(st.sampled_from(_CASES))
    mode = data.draw(st.sampled_from(_MODES[len(lengths)]))
    way = data.draw(st.sampled_from(("", "align_corners", "antialias")))
    if (way == "align_corners" and mode in _TURNING) or (way == "antialias" and mode not in _OF_EACH[1:4]):
        options = {**options, way: True}
    else:
        way = ""
    last = data.draw(st.booleans())
    x = data.draw(arrays(dtype, (2, 2, *lengths), SMALL))
    _compare(x, mode, way, last, options)


def _compare(x, mode, way, last, options):
    lengths = x.shape[2:]
    if "size" in options:
        sizes, factors = np.broadcast_to(options["size"], len(lengths)), [None] * len(lengths)
    else:
        factors = np.broadcast_to(options["scale_factor"], len(lengths))
        sizes = [int(n * factor) for n, factor in zip(lengths, factors, strict=True)]
    want = _resized(wide(x), sizes, factors, mode, way == "align_corners", way == "antialias")
    given = np.moveaxis(x, 1, -1) if last else x
    want = np.moveaxis(want, 1, -1) if last else want
    got = be.interpolate(array(given), mode=mode, **options, **({"data_format": "channels_last"} if last else {}))
    check(("interpolate", given, mode, options), got, want, str(x.dtype), factor=10, scale=4.0)


@covers("interpolate")
@pytest.mark.parametrize("mode", ["trilinear", "area"])
def test_volumes_larger_and_smaller(mode):
    x = np.random.default_rng(4).normal(size=(1, 2, 4, 2, 6)).astype("float32")
    _compare(x, mode, "", False, {"scale_factor": (1.5, 1.0, 0.7)})


@covers("interpolate")
@pytest.mark.parametrize("mode", ["bilinear", "lanczos3", "nearest"])
def test_images_larger_and_smaller(mode):
    """Single precision, where frameworks have kernels, with all ways of the mode."""
    x = np.random.default_rng(3).normal(size=(2, 3, 4, 6)).astype("float32")
    ways = ["", *(["align_corners"] if mode in _TURNING else []), *(["antialias"] if mode[0] in "bl" else [])]
    for way in ways:
        _compare(x, mode, way, way == "", {"size": (8, 3), **({way: True} if way else {})})


@covers("interpolate")
@pytest.mark.parametrize("mode", ["bilinear", "bicubic"])
@pytest.mark.parametrize("last", [False, True])
def test_images_of_one_column(mode, last):
    for columns in (1, 6):
        x = np.random.default_rng(7).normal(size=(2, 3, 6, columns)).astype("float32")
        for way in ("", "antialias"):
            given = {way: True} if way else {}
            for rows in (3, 9):
                _compare(x, mode, way, last, {"size": (rows, 1), **given})
            _compare(x, mode, way, last, {"scale_factor": (0.5, 1.25 / columns), **given})


@covers("interpolate")
@pytest.mark.parametrize("mode", ["bilinear", "bicubic", "lanczos3", "nearest"])
def test_factors_that_keep_a_length(mode):
    x = np.random.default_rng(8).normal(size=(1, 2, 3, 4)).astype("float32")
    ways = ["", *(["align_corners"] if mode in _TURNING else []), *(["antialias"] if mode[0] in "bl" else [])]
    for factors in ((1.0, 1.2), (1.2, 1.2), (1.2, 2.0), (0.5, 1.1)):
        for way in ways:
            _compare(x, mode, way, way == "", {"scale_factor": factors, **({way: True} if way else {})})


@covers("interpolate")
@pytest.mark.parametrize("mode", ["nearest", "nearest_exact", "linear", "area"])
def test_the_dtypes_of_what_is_interpolated(mode):
    x = np.asarray([[[1, 0, 1, 1]]])
    for dtype in ("bool", *INTEGER):
        if dtype in HAVE:
            want = _resized(x.astype("float64"), (3,), (None,), mode, False, False)
            check(("interpolate", dtype), be.interpolate(array(x.astype(dtype)), size=3, mode=mode), want,
                  dtype if "nearest" in mode else "float32")  # fmt: skip


@covers("interpolate")
def test_only_neighbours_count():
    x = np.asarray([[[1.0, 2.0, 3.0, np.nan, np.inf, -1.0]]])
    got = numpy_of(be.interpolate(array(x), size=12, mode="linear"))[0, 0]
    np.testing.assert_array_equal(got[:5], [1, 1.25, 1.75, 2.25, 2.75])
    np.testing.assert_array_equal(np.isfinite(got), [True] * 5 + [False] * 6 + [True])
    got = numpy_of(be.interpolate(array(x), size=3, mode="area"))[0, 0]
    np.testing.assert_array_equal(got, [1.5, np.nan, np.inf])


@covers("interpolate")
def test_the_nearest_element_is_exact():
    """A quotient of whole numbers in floating point may lie below the whole number that it is."""
    x = np.arange(7, dtype="float32")[None, None]
    for factor in (41, 49):
        got = numpy_of(be.interpolate(array(x), size=7 * factor))[0, 0]
        np.testing.assert_array_equal(got, np.repeat(np.arange(7), factor))


@covers("interpolate")
def test_what_is_interpolated_is_a_copy():
    x = array(np.ones((1, 1, 3)))
    for mode in ("nearest", "linear", "area"):
        be.interpolate(x, size=3, mode=mode)[...] = 7.0
        check("interpolate", x, np.ones((1, 1, 3)))
    assert be.interpolate(be.zeros((0, 2, 3)), size=2, mode="linear").shape == (0, 2, 2)


def test_what_is_not_interpolated():
    x = be.zeros((1, 1, 4, 4))
    for options, words in (
        ({"size": 2, "mode": "cubical"}, "'mitchellcubic'"),
        ({"size": 2, "mode": "trilinear"}, "3 more"),
        ({}, "one of size and scale_factor"),
        ({"size": 2, "scale_factor": 2.0}, "one of size and scale_factor"),
        ({"size": (2, 2, 2)}, "2 spatial axes"),
        ({"size": 0}, "at least 1"),
        ({"scale_factor": 0.1}, "at least 1"),
        ({"size": 2, "align_corners": True}, "align"),
        ({"size": 2, "mode": "bilinear", "align_corners": True, "antialias": True}, "align"),
        ({"size": 2, "mode": "area", "antialias": True}, "antialias"),
        ({"size": 2, "data_format": "NCHW"}, "data_format"),
    ):
        with pytest.raises(ValueError, match=words):
            be.interpolate(x, **options)
    with pytest.raises(ValueError, match="at least 1 more"):
        be.interpolate(be.zeros((2, 3)), size=2)
    with pytest.raises(ValueError, match="at least 1"):
        be.interpolate(be.zeros((2, 3, 0)), size=2)
    with pytest.raises(TypeError):
        be.interpolate(x, size=1.5)


@covers("interpolate")
@needs_derivatives
@pytest.mark.parametrize(
    "options", [{"mode": "bilinear"}, {"mode": "lanczos3"}, {"mode": "bilinear", "antialias": True}]
)
def test_derivatives_of_images_in_single_precision(options):
    """Derivatives of the framework's kernels against the weights."""
    x = np.random.default_rng(5).normal(size=(1, 1, 5, 4)).astype("float32")
    push = np.random.default_rng(6).normal(size=(1, 1, 3, 6))
    with ca.backend_context(be):
        got = ca.grad(lambda x: ca.sum(ca.interpolate(x, size=(3, 6), **options) * array(push.astype("float32"))))(
            array(x)
        )
    rows, columns = (
        _weights(n, m, None, _KINDS.get(options["mode"], options["mode"]), False, "antialias" in options)
        for n, m in ((5, 3), (4, 6))
    )
    check(("interpolate", options), got, (rows.T @ push[0, 0] @ columns)[None, None], "float32", factor=10, scale=4.0)


# --- interp


@st.composite
def _points(draw, dtype):
    count = draw(st.sampled_from((1, 4)))
    whole = draw(hnp.arrays("int64", count, elements=st.integers(-20, 20), unique=True))
    low = 0 if np.dtype(dtype).kind == "u" else None
    places = np.unique(whole if low is None else np.abs(whole))
    return places.astype(dtype), draw(arrays(dtype, places.shape, Domain(-50.0, 50.0)))


@covers("interp")
@examples
@given(st.data(), dtypes_of(("int8", "uint16", "int64", *FLOAT)))
def test_interp(data, dtype):
    places, values = data.draw(_points(dtype))
    x = data.draw(arrays(dtype, st.sampled_from(((), (0,), (2, 3))), Domain(-25.0, 25.0, step=0.25)))
    options = {}
    if data.draw(st.booleans()):
        options = {"left": -7.5, "right": 9.0}
    elif data.draw(st.booleans()):
        options = {"period": 8.0625}  # of which no distance of two places is a multiple: NumPy leaves their order open
    given = [z.astype("float64") for z in (x, places, values)]
    want = np.interp(*given, **options)
    got = be.interp(array(x), array(places), array(values), **options)
    check(("interp", x, places, values, options), got, want, float_dtype(dtype), factor=20, scale=50.0)


@covers("interp")
@pytest.mark.parametrize("dtype", FLOAT)
def test_interp_of_special_values(dtype):
    inf, nan = np.inf, np.nan
    places = np.asarray([0.0, 1.0, 2.0, 4.0], dtype)
    x = np.asarray([-inf, -1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, inf, nan], dtype)
    for values in ([1.0, 2.0, inf, 3.0], [nan, 1.0, 2.0, 3.0], [inf, inf, -inf, nan]):
        values = np.asarray(values, dtype)
        want = np.interp(x.astype("float64"), places.astype("float64"), values.astype("float64"))
        with np.errstate(invalid="ignore"):
            check(("interp", x, places, values), be.interp(array(x), array(places), array(values)), want, dtype)


def test_what_is_not_interpolated_on_a_line():
    x = be.zeros(3)
    for places, values in (
        (be.zeros(2), be.zeros(3)),
        (be.zeros((2, 2)), be.zeros((2, 2))),
        (be.zeros(0), be.zeros(0)),
    ):
        with pytest.raises(ValueError, match="'interp'"):
            be.interp(x, places, values)
    with pytest.raises(ValueError, match="period"):
        be.interp(x, x, x, period=0)
    with pytest.raises(TypeError):
        be.interp(x, x, be.zeros(3, dtype="complex64"))


#: Names of SciPy for what lies beyond the edges, by whether corners are aligned.
_BEYOND = {
    ("zeros", False): "grid-constant",
    ("zeros", True): "grid-constant",
    ("border", False): "nearest",
    ("border", True): "nearest",
    ("reflection", False): "reflect",
    ("reflection", True): "mirror",
}


@covers("grid_sample")
@pytest.mark.parametrize("align_corners", [False, True])
@pytest.mark.parametrize("padding_mode", ["zeros", "border", "reflection"])
def test_grid_sample(padding_mode, align_corners):
    rng = np.random.default_rng(3)
    x, grid = rng.normal(size=(2, 3, 4, 5)), rng.uniform(-1.6, 1.6, (2, 3, 4, 2))
    sides = np.asarray(x.shape[2:])
    place = grid[..., ::-1]
    place = (place + 1) / 2 * (sides - 1) if align_corners else ((place + 1) * sides - 1) / 2
    options = {"padding_mode": padding_mode, "align_corners": align_corners}
    for mode, order in (("bilinear", 1), ("nearest", 0)):
        beyond = _BEYOND[padding_mode, align_corners]
        want = np.stack(
            [
                [ndimage.map_coordinates(plane, np.moveaxis(at, -1, 0), order=order, mode=beyond) for plane in image]
                for image, at in zip(x, place, strict=True)
            ]
        )
        got = be.grid_sample(array(x), array(grid), mode=mode, **options)
        check(("grid_sample", mode, options), got, want, "float64", factor=10, scale=np.full(want.shape, 5.0))


@covers("grid_sample")
def test_grids_of_volumes():
    rng = np.random.default_rng(4)
    x, grid = rng.normal(size=(1, 2, 3, 4, 2)), rng.uniform(-1, 1, (1, 2, 1, 3, 3))
    place = np.moveaxis((grid[0, ..., ::-1] + 1) / 2 * (np.asarray(x.shape[2:]) - 1), -1, 0)
    want = np.stack([ndimage.map_coordinates(volume, place, order=1) for volume in x[0]])[None]
    got = be.grid_sample(array(x), array(grid), align_corners=True)
    check("grid_sample", got, want, "float64", factor=10, scale=np.full(want.shape, 5.0))
    with pytest.raises(ValueError, match="for volumes"):
        be.grid_sample(array(x), array(grid), mode="bicubic")


@needs_derivatives
@covers("grid_sample")
def test_derivatives_of_sampled_grids():
    rng = np.random.default_rng(5)
    x, grid = rng.normal(size=(1, 1, 3, 4)), rng.uniform(-0.9, 0.9, (1, 1, 2, 2))
    for mode in ("bilinear", "bicubic"):

        def total(x, grid, mode=mode):
            return be.sum(be.grid_sample(x, grid, mode=mode) ** 2)

        slopes = ca.grad(total, argnums=(0, 1))(array(x), array(grid))
        for place, slope in enumerate(slopes):
            along = rng.normal(size=(x, grid)[place].shape)
            values = []
            for sign in (1, -1):
                moved = [x, grid]
                moved[place] = moved[place] + sign * 1e-6 * along
                values.append(float(total(*map(array, moved))))
            want = (values[0] - values[1]) / 2e-6
            np.testing.assert_allclose(np.sum(numpy_of(slope) * along), want, rtol=1e-6, err_msg=mode)


def _check_elements_of_no_weight(resize, number):
    """Which places do not depend on an element is found with finite numbers."""
    x = np.random.default_rng(9).uniform(1, 2, size=(1, 1, 4, 4)).astype("float32")

    def made(value):
        x[0, 0, 1, 2] = value
        return numpy_of(resize(array(x)))

    first, second, spoiled = made(1.25), made(1.75), made(number)
    np.testing.assert_allclose(spoiled[first == second], first[first == second], rtol=1e-5)
    assert (first == second).any()


@covers("interpolate")
@pytest.mark.parametrize("number", [np.nan, np.inf])
@pytest.mark.parametrize(
    "options",
    [
        {"size": 7, "mode": "bilinear", "align_corners": True},
        {"size": 12, "mode": "bicubic"},
        {"size": 3, "mode": "bilinear", "antialias": True},
    ],
    ids=["corners", "cubic", "antialias"],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # NumPy warns of infinities of both signs in a sum
def test_elements_of_no_weight_may_be_missing(options, number):
    _check_elements_of_no_weight(lambda x: be.interpolate(x, **options), number)


@covers("grid_sample")
@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_elements_of_no_weight_may_be_missing_in_samples(number):
    grid = array(np.asarray([[[[-1, -1], [0, 0.5], [1, 1]]]], "float32"))
    _check_elements_of_no_weight(lambda x: be.grid_sample(x, grid, align_corners=True), number)
