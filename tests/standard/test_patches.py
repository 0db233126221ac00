"""Windows of arrays, gathered and put together again."""

from __future__ import annotations

import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.lib.stride_tricks import sliding_window_view
from standard.support import ALL, Domain, array, arrays, be, check, covers, dtypes_of, examples, numpy_of
from standard.test_pooling import windows_of

import corearray as ca


@covers("sliding_window")
@examples
@given(
    st.data(),
    dtypes_of(ALL),
    st.sampled_from(
        [
            ((5,), 3, {}),
            ((4, 5), (2, 3), {"strides": (2, 1)}),
            ((4, 5), 2, {"axis": 1, "dilations": 3}),
            ((3, 2, 5), (2, 2), {"axis": (-1, 0), "dilations": (1, 2), "strides": 2}),
            ((3, 0), 2, {"axis": 0}),
            ((), (), {}),
        ]
    ),
)
def test_sliding_window(data, dtype, case):
    shape, window_shape, options = case
    x = data.draw(arrays(dtype, shape))
    axes = options.get("axis", tuple(range(x.ndim)))
    axes = axes if isinstance(axes, tuple) else (axes,)
    sizes, strides, gaps = (
        v if isinstance(v, tuple) else (v,) * len(axes)
        for v in (window_shape, options.get("strides", 1), options.get("dilations", 1))
    )
    view = sliding_window_view(x, [(size - 1) * gap + 1 for size, gap in zip(sizes, gaps, strict=True)], axes)
    steps = [slice(None)] * x.ndim
    for axis, stride in zip(axes, strides, strict=True):
        steps[axis] = slice(None, None, stride)
    want = view[(*steps, *(slice(None, None, gap) for gap in gaps))]
    check(("sliding_window", x, window_shape, options), be.sliding_window(array(x), window_shape, **options), want)


@covers("sliding_window")
def test_windows_that_do_not_fit():
    x = array(np.ones((3, 4)))
    with pytest.raises(
        ValueError, match="'sliding_window' got windows that reach over 4 elements, and an axis of length 3"
    ):
        be.sliding_window(x, 4)
    with pytest.raises(ValueError, match=r"window=\(1, 2, 3\)"):
        be.sliding_window(x, (1, 2, 3))
    with pytest.raises(IndexError, match="axis 2"):
        be.sliding_window(x, 2, axis=2)
    with pytest.raises(ValueError, match="twice"):
        be.sliding_window(x, 2, axis=(0, -2))


IMAGES = [
    ((2, 3, 4, 5), (2, 3), {}),
    ((1, 2, 5, 4), 2, {"strides": 2, "padding": 1}),
    ((1, 2, 5, 6), (3, 2), {"dilations": (1, 2), "padding": ((1, 0), (0, 2))}),
    ((2, 1, 7), 3, {"padding": "same", "strides": 2}),
    ((1, 1, 3, 4, 3), 2, {}),
    ((0, 2, 4, 4), 2, {}),
]


def columns(x, window_shape, options):
    """Return the columns of a float64 array, by windows of the indices of its elements."""
    found = windows_of(x, window_shape, **{"strides": 1, **options})
    n, c, *lengths, size = found.shape
    number = int(np.prod(lengths))
    return np.moveaxis(found.reshape(n, c, number, size), -1, 2).reshape(n, c * size, number)


@covers("im2col", "col2im")
@pytest.mark.parametrize("case", IMAGES)
@pytest.mark.parametrize("dtype", ["float32", "int16"])
def test_columns(case, dtype):
    shape, window_shape, options = case
    x = np.random.default_rng(1).integers(-9, 9, shape).astype(dtype)
    want = columns(x, window_shape, options)
    got = be.im2col(array(x), window_shape, **options)
    check(("im2col", shape, window_shape, options), got, want)
    back = np.zeros(shape, "int64")
    places = columns(np.arange(1, x.size + 1).reshape(shape), window_shape, options)
    np.add.at(back.reshape(-1), places[places > 0] - 1, want[places > 0].astype("int64"))
    got = be.col2im(array(want), shape[2:], window_shape, **options)
    check(("col2im", shape, window_shape, options), got, back.astype(dtype))


@covers("max_pool_with_indices", "max_unpool1d", "max_unpool2d", "max_unpool3d")
@pytest.mark.parametrize(("dtype", "last"), [("float32", False), ("int16", True)])
def test_places_of_the_greatest_elements(dtype, last):
    for shape, window_shape, options in (
        ((2, 3, 7), 2, {}),
        ((1, 2, 5, 4), (2, 3), {"strides": 2, "padding": 1, "ceil_mode": True, "dilations": (2, 1)}),
        ((1, 1, 3, 4, 2), 2, {}),
        ((0, 2, 4), 2, {}),
    ):
        random = np.random.default_rng(2)
        x = random.integers(-3, 3, shape).astype(dtype)
        if dtype != "int16" and x.size:
            x.flat[random.integers(0, x.size, 3)] = (np.nan, -np.inf, np.inf)
        least = np.iinfo(dtype).min if dtype == "int16" else -np.inf
        values = windows_of(x, window_shape, **options, value=least)
        spots = np.broadcast_to(np.arange(np.prod(shape[2:])).reshape(shape[2:]), shape)
        spots = windows_of(spots, window_shape, **options, value=-1)
        greatest = values.max(-1, keepdims=True)
        chosen = np.argmax((spots >= 0) & ((values == greatest) | (values != values)), -1)[..., None]
        want = np.take_along_axis(values, chosen, -1)[..., 0], np.take_along_axis(spots, chosen, -1)[..., 0]
        formats = {"data_format": "channels_last"} if last else {}
        turned = [np.moveaxis(y, 1, -1) if last else y for y in (x, *want)]
        found = be.max_pool_with_indices(array(turned[0]), window_shape, **options, **formats)
        assert type(found) is ca.MaxPoolResult
        check(("values", x, window_shape, options), found.values, turned[1])
        check(("indices", x, window_shape, options), found.indices, turned[2].astype("int64"))
        name, more = (
            f"max_unpool{len(shape) - 2}d",
            {key: v for key, v in options.items() if key in ("strides", "padding")},
        )
        got = getattr(be, name)(*found, window_shape, output_size=shape[2:], **more, **formats)
        flat = np.zeros((*shape[:2], int(np.prod(shape[2:]))), dtype)
        values, spots = (y.reshape(*shape[:2], int(np.prod(y.shape[2:]))) for y in want)
        np.put_along_axis(flat, spots, values, -1)
        flat = flat.reshape(shape)
        check((name, x, window_shape, options), got, np.moveaxis(flat, 1, -1) if last else flat)


@covers("max_pool_with_indices")
def test_a_place_is_never_in_the_padding():
    x = np.full((1, 1, 3), -np.inf, "float32")
    found = be.max_pool_with_indices(array(x), 2, padding=1, strides=1)
    check("max_pool_with_indices", found.indices, np.asarray([[[0, 0, 1, 2]]], "int64"))


@covers("fractional_max_pool")
@pytest.mark.parametrize("dtype", ["float32", "int16"])
def test_windows_at_random_places(dtype):
    random = np.random.default_rng(3)
    for shape, window, counts in (
        ((2, 3, 7), 3, 4),
        ((1, 2, 5, 8), (2, 3), (4, 3)),
        ((1, 1, 3, 4, 2), 1, (1, 4, 2)),
        ((0, 2, 4), 2, 2),
    ):
        x = random.integers(-3, 3, shape).astype(dtype)
        if dtype != "int16" and x.size:
            x.flat[random.integers(0, x.size, 3)] = (np.nan, -np.inf, np.inf)
        axes = len(shape) - 2
        window, counts = (tuple(n) if isinstance(n, tuple) else (n,) * axes for n in (window, counts))
        u = random.uniform(size=(*shape[:2], axes)).astype("float32")
        values, places = np.zeros((*shape[:2], *counts), dtype), np.zeros((*shape[:2], *counts), "int64")
        for row in np.ndindex(*shape[:2]):
            for spot in np.ndindex(*counts):
                starts = []
                for axis, i in enumerate(spot):
                    apart = np.float32(shape[2 + axis] - window[axis])
                    step = apart / np.float32(max(counts[axis] - 1, 1))
                    first = int((np.float32(i) + u[row][axis]) * step) - int(u[row][axis] * step)
                    starts.append(int(apart) if i == counts[axis] - 1 else first)
                part = x[row][tuple(slice(s, s + n) for s, n in zip(starts, window, strict=True))]
                at = np.unravel_index(int(np.argmax(part)), part.shape)
                values[row][spot] = part[at]
                places[row][spot] = np.ravel_multi_index([s + n for s, n in zip(starts, at, strict=True)], shape[2:])
        found = be.fractional_max_pool(array(x), window, counts, samples=array(u))
        assert type(found) is ca.MaxPoolResult
        check(("fractional values", x, window, counts), found.values, values)
        check(("fractional indices", x, window, counts), found.indices, places)


@covers("fractional_max_pool")
def test_windows_at_places_of_the_generator():
    x = array(np.arange(200, dtype="float32").reshape(2, 2, 50))
    made = [be.fractional_max_pool(x, 2, 20, generator=ca.random.Generator(seed)).indices for seed in (1, 1, 2)]
    one, two, three = map(numpy_of, made)
    assert (one == two).all() and (one != three).any() and (one[0, 0] != one[0, 1]).any()
    for samples, kind, text in (
        (np.zeros((2, 2, 1), "int64"), TypeError, "give floating-point numbers"),
        (np.zeros((2, 1, 1), "float32"), ValueError, r"give them the shape \(2, 2, 1\)"),
    ):
        with pytest.raises(kind, match=text):
            be.fractional_max_pool(x, 2, 20, samples=array(samples))


@covers("reduce_window")
@examples
@given(st.data(), dtypes_of(("float32", "int16")))
def test_reduce_window(data, dtype):
    x = data.draw(arrays(dtype, (3, 4), Domain(-3, 3, step=0.5)))
    ways = [(0, operator.add, np.sum), (1, operator.mul, np.prod), (9, be.minimum, np.min)]
    init, function, reduction = data.draw(st.sampled_from(ways))
    ways = [{}, {"strides": (1, 2), "padding": "same"}, {"dilations": (1, 2), "padding": ((1, 0), (0, 1))}]
    options = data.draw(st.sampled_from(ways))
    windows = windows_of(x[None, None], 2, **{"strides": 1, **options}, value=init)
    want = np.minimum(reduction(windows.astype("float64"), axis=-1), 9 if init == 9 else np.inf)[0, 0]
    check(
        ("reduce_window", x, init, options),
        be.reduce_window(array(x), init, function, 2, **options),
        want,
        dtype,
        factor=5,
    )
    if dtype == "int16":
        got = be.reduce_window(array(x), init, function, (2, 1), x_dilations=(2, 1), padding=((-1, 0), (0, 0)))
        spread = np.full((5, 4), init)
        spread[::2] = x
        want = np.minimum(reduction(np.stack([spread[1:-1], spread[2:]]), axis=0), 9 if init == 9 else 10**6)
        check(("reduce_window", x, init), got, want, dtype)


@covers("col2im", "im2col", "max_unpool1d", "reduce_window")
def test_what_does_not_fit_is_refused():
    x = array(np.ones((1, 4, 6)))
    with pytest.raises(
        ValueError, match=r"'col2im' got an array of shape \(1, 4, 6\).* multiple of 4, .* third 4 windows"
    ):
        be.col2im(x, (3, 3), 2)
    with pytest.raises(ValueError, match="'col2im' got an array"):
        be.col2im(x, (3, 4), (1, 3))
    with pytest.raises(ValueError, match="'im2col' got an array of shape"):
        be.im2col(x[0, ...], 2)
    with pytest.raises(ValueError, match="'im2col' got windows that reach over 7"):
        be.im2col(x, 7)
    with pytest.raises(ValueError, match=r"'max_unpool1d' got an array of shape .* and indices"):
        be.max_unpool1d(x, array(np.zeros((1, 4, 5), "int64")), 2)
    with pytest.raises(ValueError, match="'max_unpool1d' got padding='same'; give it in numbers"):
        be.max_unpool1d(x, array(np.zeros((1, 4, 6), "int64")), 2, padding="same")
    with pytest.raises(ValueError, match="'reduce_window' got windows"):
        be.reduce_window(x, 0.0, operator.add, 5)
    with pytest.raises(ValueError, match="'reduce_window' got an array without axes"):
        be.reduce_window(x[0, 0, 0], 0.0, operator.add, 1)
