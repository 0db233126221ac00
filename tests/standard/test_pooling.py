"""Pooling against the elements of each window, gathered one place of the windows after the other."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from standard.support import array, be, check, covers, dtypes_of, examples, float_dtype, needs_derivatives, numpy_of

import corearray as ca

#: Shape of the array with channels first, shape of the windows, options.
CASES = [
    ((2, 3, 7), 3, {}),
    ((2, 3, 7), (2,), {"strides": 3, "padding": 1}),
    ((1, 2, 8), 3, {"strides": 2, "ceil_mode": True}),
    ((1, 2, 5), 3, {"strides": 2, "padding": ((0, 2),), "ceil_mode": True}),
    ((1, 2, 3), 5, {"strides": 3, "ceil_mode": True}),  # one window, longer than the axis
    ((2, 2, 5, 4), 2, {}),
    ((1, 2, 5, 6), (3, 2), {"strides": (2, 1), "padding": "same"}),
    ((1, 2, 5, 4), 3, {"strides": 1, "padding": ((1, 2), (0, 1))}),
    ((2, 1, 6, 5), (2, 3), {"strides": 3, "padding": 1, "ceil_mode": True}),
    ((2, 1, 3, 4, 3), 2, {"padding": "SAME"}),
    ((1, 2, 3, 4, 3), (1, 2, 3), {"strides": 1, "padding": (0, 1, 1)}),
    ((0, 3, 7), 3, {}),
    ((2, 0, 4, 4), 2, {"padding": 1}),
    ((1, 2, 4), 1, {}),
]


def several(value, count):
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * count


def windows_of(x, window_shape, strides=None, padding="valid", dilations=1, ceil_mode=False, value=0):
    """Return the elements of all windows over the axes behind the first two, along a last axis."""
    count = x.ndim - 2
    kernel, dilations = several(window_shape, count), several(dilations, count)
    strides = kernel if strides is None else several(strides, count)
    widths, lengths = [], []
    for axis, (n, k, s, d) in enumerate(zip(x.shape[2:], kernel, strides, dilations, strict=True)):
        span = (k - 1) * d + 1
        if isinstance(padding, str):
            total = max((-(-n // s) - 1) * s + span - n, 0) if padding.lower() == "same" else 0
            before, after = total // 2, total - total // 2
        else:
            row = several(padding, count)[axis]
            before, after = row if isinstance(row, tuple) else (row, row)
        number = (n + before + after - span) // s + 1
        if ceil_mode and (number - 1) * s + span < n + before + after and number * s < n + before:
            number += 1
        lengths.append(number)
        widths.append((before, max(after, (number - 1) * s + span - n - before)))
    x = np.pad(x, [(0, 0), (0, 0), *widths], constant_values=value)
    taps = [
        x[
            (
                ...,
                *(
                    slice(p * d, p * d + (n - 1) * s + 1, s)
                    for p, d, n, s in zip(place, dilations, lengths, strides, strict=True)
                ),
            )
        ]
        for place in product(*map(range, kernel))
    ]
    return np.stack(taps, axis=-1)


def means(
    x, window_shape, strides=None, padding="valid", ceil_mode=False, count_include_pad=True, divisor_override=None
):
    """Return the means of windows; what lies beyond the padding is never counted."""
    options = {"strides": strides, "padding": padding, "ceil_mode": ceil_mode}
    total = windows_of(x, window_shape, **options).sum(-1)
    if divisor_override is not None:
        return total / divisor_override
    counted = np.ones_like(x, dtype="float64")
    if count_include_pad and padding not in ("valid", "same", "SAME"):
        rows = [row if isinstance(row, tuple) else (row, row) for row in several(padding, x.ndim - 2)]
        counted = np.pad(counted, [(0, 0), (0, 0), *rows], constant_values=1)
        found = windows_of(counted, window_shape, strides, "valid", 1, ceil_mode).sum(-1)
        return total / found[tuple(map(slice, total.shape))]
    value = float(count_include_pad and padding != "valid")
    return total / windows_of(counted, window_shape, **options, value=value).sum(-1)


def numbers(random, shape, dtype):
    """Return small multiples of a half, or small integers."""
    found = random.integers(0 if dtype.startswith("u") else -6, 7, shape)
    return (found * (1 if np.dtype(dtype).kind in "iu" else 0.5)).astype(dtype)


def least(dtype):
    return np.iinfo(dtype).min if np.dtype(dtype).kind in "iu" else -np.inf


def drawn(data, case, dtype):
    """Draw an array, and the same with the channels where they are wanted, with the option that says so."""
    x = numbers(np.random.default_rng(data.draw(st.integers(0, 999))), case[0], dtype)
    if data.draw(st.booleans()):
        return x, np.moveaxis(x, 1, -1), {"data_format": "channels_last"}
    return x, x, {}


def placed(want, formats):
    return np.moveaxis(want, 1, -1) if formats else want


def of_rank(cases, name):
    return st.sampled_from([case for case in cases if len(case[0]) == int(name[-2]) + 2])


@covers("max_pool1d", "max_pool2d", "max_pool3d")
@pytest.mark.parametrize("name", ["max_pool1d", "max_pool2d", "max_pool3d"])
@examples
@given(st.data(), dtypes_of(("float32", "float64", "int16", "uint8")))
def test_max_pooling(name, data, dtype):
    case = data.draw(of_rank(CASES, name))
    first, x, formats = drawn(data, case, dtype)
    _, window_shape, options = case
    if "padding" not in options and "strides" not in options and case[0][2] > 4:
        options = {**options, "dilations": data.draw(st.sampled_from((1, 2)))}
    want = placed(windows_of(first, window_shape, **options, value=least(dtype)).max(-1), formats)
    got = getattr(be, name)(array(x), window_shape, **options, **formats)
    check((name, x, window_shape, options, formats), got, want, dtype)


@covers("avg_pool1d", "avg_pool2d", "avg_pool3d")
@pytest.mark.parametrize("name", ["avg_pool1d", "avg_pool2d", "avg_pool3d"])
@examples
@given(st.data(), dtypes_of(("float32", "float64", "complex64", "int16")))
def test_average_pooling(name, data, dtype):
    case = data.draw(of_rank(CASES, name))
    first, x, formats = drawn(data, case, dtype)
    _, window_shape, options = case
    options = {**options, **data.draw(st.sampled_from(({}, {"count_include_pad": False}, {"divisor_override": 3})))}
    want = placed(
        means(first.astype("complex128" if dtype == "complex64" else "float64"), window_shape, **options), formats
    )
    got = getattr(be, name)(array(x), window_shape, **options, **formats)
    check((name, x, window_shape, options, formats), got, want, float_dtype(dtype), factor=5, scale=4.0)


@covers("pool")
@examples
@given(st.data(), dtypes_of(("float32", "float64", "int16")), st.sampled_from(("min", "sum", "avg", "max")))
def test_pooling(data, dtype, mode):
    case = data.draw(st.sampled_from(CASES[::4]))
    first, x, formats = drawn(data, case, dtype)
    _, window_shape, options = case
    value = {"min": np.iinfo(dtype).max if dtype == "int16" else np.inf, "max": least(dtype)}.get(mode, 0)
    windows = windows_of(first, window_shape, **options, value=value)
    want = means(first.astype("float64"), window_shape, **options) if mode == "avg" else getattr(windows, mode)(-1)
    got = be.pool(array(x), window_shape, mode=mode, **options, **formats)
    dtype = float_dtype(dtype) if mode == "avg" else dtype
    check(("pool", x, window_shape, mode, options, formats), got, placed(want, formats), dtype, factor=5, scale=4.0)


ADAPTIVE = [
    ((2, 3, 7), 3),
    ((1, 2, 6), (2,)),
    ((1, 2, 3), 5),
    ((2, 1, 5, 4), (3, 2)),
    ((1, 2, 5, 4), (None, 1)),
    ((0, 2, 5, 4), 3),
    ((1, 1, 3, 4, 5), 2),
    ((1, 2, 3, 4, 2), (2, None, 3)),
]


def adaptive(x, output_size, reduction):
    """Reduce the windows that divide each axis."""
    for axis, size in enumerate(several(output_size, x.ndim - 2), 2):
        n = x.shape[axis]
        size = n if size is None else size
        parts = [
            reduction(np.take(x, range(i * n // size, -(-(i + 1) * n // size)), axis), axis=axis) for i in range(size)
        ]
        x = np.stack(parts, axis)
    return x


@covers(*(f"adaptive_{kind}_pool{n}d" for kind in ("avg", "max") for n in (1, 2, 3)), "adaptive_pool")
@pytest.mark.parametrize(("dtype", "last"), [("float64", False), ("float32", True), ("int16", False)])
def test_adaptive_pooling(dtype, last):
    formats = {"data_format": "channels_last"} if last else {}
    for (shape, output_size), kind in product(ADAPTIVE if dtype != "int16" else ADAPTIVE[::3], ("avg", "max")):
        x = numbers(np.random.default_rng(len(shape)), shape, dtype)
        want = adaptive(x.astype("float64"), output_size, np.mean if kind == "avg" else np.max)
        x, want = (np.moveaxis(v, 1, -1) if last else v for v in (x, want))
        result = float_dtype(dtype) if kind == "avg" else dtype
        name = f"adaptive_{kind}_pool{len(shape) - 2}d"
        got = getattr(be, name)(array(x), output_size, **formats)
        check((name, x, output_size), got, want, result, factor=5, scale=4.0)
    got = be.adaptive_pool(array(x), output_size, mode=kind, **formats)
    check(("adaptive_pool", x, output_size, kind), got, want, result, factor=5, scale=4.0)


@covers("max_pool1d", "max_pool2d", "avg_pool1d", "adaptive_max_pool1d", "adaptive_avg_pool1d")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_what_is_not_a_number_and_infinity(dtype):
    x = np.asarray([[[-np.inf, -np.inf, np.nan, 1.0, 2.0, np.inf, -3.0, -4.0]]], dtype)
    for options in ({}, {"strides": 1, "padding": "same"}, {"strides": 3, "padding": 1, "ceil_mode": True}):
        want = windows_of(x, 2, **options, value=-np.inf).max(-1)
        check("max_pool1d", be.max_pool1d(array(x), 2, **options), want, dtype)
        check("max_pool2d", be.max_pool2d(array(x[..., None]), (2, 1), **_for_two(options)), want[..., None], dtype)
    with np.errstate(invalid="ignore"):
        check("avg_pool1d", be.avg_pool1d(array(x), 2), windows_of(x, 2).mean(-1), dtype)
        for size in (3, 4):
            for name, reduction in (("adaptive_max_pool1d", np.max), ("adaptive_avg_pool1d", np.mean)):
                check(name, getattr(be, name)(array(x), size), adaptive(x, size, reduction), dtype, factor=5)


def _for_two(options):
    """Return the options of one axis for two, of which the second has one element."""
    more = {"strides": (options["strides"], 1)} if "strides" in options else {}
    return {**options, **more, **({"padding": (1, 0)} if options.get("padding") == 1 else {})}


@covers("max_pool1d")
def test_the_smallest_integer_is_an_element_as_any():
    x = np.asarray([[[-128, -128, 5]]], "int8")
    check("max_pool1d", be.max_pool1d(array(x), 2, strides=1, padding=1), np.asarray([[[-128, -128, 5, 5]]], "int8"))
    check("max_pool1d", be.max_pool1d(array(x[..., :1]), 2, padding=1, strides=2), np.asarray([[[-128]]], "int8"))


@covers("max_pool2d", "avg_pool2d", "adaptive_avg_pool2d", "adaptive_max_pool2d")
@needs_derivatives
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("max_pool2d", {"strides": 1, "padding": "same"}),
        ("max_pool2d", {"dilations": 2, "strides": 1}),
        ("avg_pool2d", {"padding": 1, "strides": 2}),
        ("avg_pool2d", {"padding": 1, "strides": 3, "count_include_pad": False, "ceil_mode": True}),
        ("adaptive_avg_pool2d", {}),
        ("adaptive_max_pool2d", {}),
    ],
)
def test_gradients(name, options):
    """The derivative along one direction against differences."""
    random = np.random.default_rng(5)
    x, dx = random.normal(size=(2, 1, 2, 5, 4))

    def loss(x):
        return ca.sum(getattr(ca, name)(x, 2, **options) ** 2)

    with ca.backend_context(be):
        by_x = ca.grad(loss)(array(x))
        step = 1e-5
        ways = [loss(array(x + s * step * dx)) for s in (1, -1)]
        got = float(ca.sum(by_x * array(dx)))
    assert got == pytest.approx((float(ways[0]) - float(ways[1])) / (2 * step), rel=1e-6)


@covers("max_pool1d", "max_pool2d", "avg_pool2d", "pool", "adaptive_avg_pool2d", "adaptive_pool")
def test_what_does_not_fit_is_refused():
    x = array(np.ones((1, 2, 4, 4)))
    for options, words in (
        ({"padding": 3}, "would see nothing but padding"),
        ({"padding": -1}, "none of them negative"),
        ({"padding": "full"}, "it is 'valid', 'same'"),
        ({"strides": 0}, "strides=0"),
        ({"data_format": "NCHW"}, "data_format='NCHW'"),
    ):
        for name in ("max_pool2d", "avg_pool2d"):
            with pytest.raises(ValueError, match=f"'{name}' got .*{words}"):
                getattr(be, name)(x, 3, **options)
    with pytest.raises(ValueError, match="'max_pool2d' got windows that reach over 5 elements"):
        be.max_pool2d(x, 5)
    with pytest.raises(ValueError, match="window=0"):
        be.max_pool2d(x, 0)
    for name in ("max_pool1d", "avg_pool3d", "adaptive_max_pool1d", "adaptive_avg_pool3d"):
        with pytest.raises(ValueError, match=f"'{name}' got an array of shape"):
            getattr(be, name)(x, 2)
    with pytest.raises(ValueError, match="mode='median'; it is one of 'max', 'min', 'avg', 'sum'"):
        be.pool(x, 2, mode="median")
    with pytest.raises(ValueError, match="mode='sum'; it is one of 'avg', 'max'"):
        be.adaptive_pool(x, 2, mode="sum")
    with pytest.raises(ValueError, match="divisor_override=0"):
        be.avg_pool2d(x, 2, divisor_override=0)
    with pytest.raises(ValueError, match=r"output_size=\(0, 0\)"):
        be.adaptive_avg_pool2d(x, 0)
    with pytest.raises(ValueError, match=r"output_size=\(1, 2, 3\)"):
        be.adaptive_avg_pool2d(x, (1, 2, 3))
    with pytest.raises(ValueError, match="which has nothing to pool"):
        be.adaptive_avg_pool2d(x[:, :, :0, :], 1)
    with pytest.raises(TypeError, match="mode='max' got an array of bool"):
        be.pool(x > 0, 2)
    with pytest.raises(TypeError, match=r"window_shape=1\.5"):
        be.max_pool2d(x, 1.5)


def test_native_arrays_take_the_options_of_all_types_and_are_refused_by_the_same_words():
    x = array(np.arange(32.0).reshape(1, 2, 4, 4))
    want = be.max_pool2d(x, (2, 3), strides=(2, 1))
    got = be.native.max_pool2d(x.native, np.asarray([2, 3]), strides=[np.int64(2), 1])
    check("max_pool2d", be.asarray(got), be.to_numpy(want))
    for window_shape, options in ((2, {"strides": 2.5}), (2, {"strides": 0}), (2, {"padding": "some"}), (9, {})):
        texts = []
        for function, of in ((be.max_pool2d, x), (be.native.max_pool2d, x.native)):
            with pytest.raises((TypeError, ValueError), match="'max_pool2d' got") as caught:
                function(of, window_shape, **options)
            texts.append(str(caught.value))
        assert texts[0] == texts[1]


@pytest.mark.parametrize("pooling", ["max_pool2d", "avg_pool2d"])
def test_an_option_for_each_axis_takes_the_same_native_calls(pooling):
    if "traced_calls" not in be.facts:
        pytest.skip("this backend shows no calls")
    pool, x = getattr(ca, pooling), array(np.ones((2, 3, 4, 6), "float32"))
    options = {"strides": (2, 2)} | ({"dilations": (1, 1)} if pooling != "avg_pool2d" else {})
    with ca.backend_context(be):
        assert ca.compile_graph(lambda x: pool(x, (2, 2), **options), x) == ca.compile_graph(lambda x: pool(x, 2), x)


def test_greatest_elements_in_compiled_programs():
    x = np.arange(64.0, dtype="float32").reshape(1, 1, 8, 8)
    x[0, 0, 1, 1], x[0, 0, 2:4, 2:4], x[0, 0, 4, 4], x[0, 0, 6:, 6] = np.nan, -np.inf, np.inf, -np.inf
    with ca.backend_context(be):
        options = {"backend": "eager"} if "register_tracing" in be.facts else {}
        compiled = ca.compile(lambda x: ca.max_pool2d(x, 2), **options)
        for values in (x, np.nan_to_num(x, neginf=-1.0)):
            want = values.reshape(1, 1, 4, 2, 4, 2).max((3, 5))
            np.testing.assert_array_equal(numpy_of(compiled(array(values))), want)
