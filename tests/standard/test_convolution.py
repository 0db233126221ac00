"""Convolutions against sums over the places of the filters, in float64 or with integers that fit."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from standard.support import array, be, check, covers, dtypes_of, examples, needs_derivatives

import corearray as ca

#: Shape of the array, shape of the filters (both with channels first), options.
CASES = [
    ((2, 3, 7), (4, 3, 3), {}),
    ((2, 4, 7), (4, 2, 2), {"groups": 2, "strides": 2, "dilations": 2, "padding": 1}),
    ((2, 3, 7), (2, 3, 4), {"padding": "same", "strides": 3}),
    ((1, 1, 5), (1, 1, 2), {"padding": ((2, 0),), "dilations": 3}),
    ((2, 2, 5, 4), (3, 2, 2, 3), {"padding": "SAME"}),
    ((1, 4, 5, 6), (6, 2, 3, 2), {"groups": 2, "strides": (2, 1), "padding": ((0, 1), (2, 0))}),
    ((2, 3, 6, 5), (3, 1, 2, 2), {"groups": 3, "padding": (1, 0), "dilations": (1, 2)}),
    ((1, 2, 5, 4), (2, 2, 1, 1), {"strides": 2, "padding": "valid"}),
    ((1, 2, 3, 4, 3), (3, 2, 2, 2, 2), {"padding": "same", "strides": (1, 2, 2)}),
    ((1, 2, 3, 4, 3), (2, 1, 2, 2, 1), {"groups": 2, "dilations": (1, 2, 1), "padding": 1}),
    ((0, 3, 7), (4, 3, 3), {"padding": 1}),
    ((2, 0, 7), (4, 0, 3), {}),
    ((2, 3, 7), (0, 3, 3), {}),
]
#: The same for any number of axes: gaps in the array, negative padding.
GENERAL = [
    ((2, 3, 4), (2, 3, 3), {"x_dilations": 3}),
    ((2, 2, 7), (2, 1, 2), {"x_dilations": 2, "padding": ((-2, 3),), "groups": 2}),
    ((1, 2, 3, 4), (2, 2, 2, 2), {"x_dilations": (2, 1), "padding": ((1, 0), (2, -1)), "strides": 2}),
    ((1, 2, 3, 2), (2, 2, 2, 2), {"x_dilations": (1, 3), "padding": "same", "dilations": 2}),
    ((1, 1, 2, 3, 2), (1, 1, 2, 2, 2), {"x_dilations": (1, 2, 2), "padding": -0}),
    ((1, 1, 2, 3, 2, 2), (2, 1, 1, 2, 2, 2), {"padding": (0, 0, 1, 0)}),
]
TRANSPOSED = [
    ((2, 3, 4), (3, 2, 3), {}),
    ((2, 4, 4), (4, 1, 3), {"groups": 2, "strides": 2, "padding": 1, "output_padding": 1}),
    ((1, 2, 4), (2, 3, 3), {"strides": 2, "padding": "same"}),
    ((1, 2, 4), (2, 3, 2), {"strides": 3, "padding": "same", "dilations": 1}),
    ((1, 2, 4), (2, 3, 4), {"strides": 2, "padding": "same", "output_shape": 7}),
    ((1, 2, 4), (2, 3, 4), {"strides": 3, "padding": 1, "output_shape": (13,)}),
    ((2, 2, 3, 2), (2, 3, 2, 3), {"strides": (2, 1), "padding": ((0, 1), (2, 0)), "dilations": (1, 2)}),
    ((1, 4, 3, 2), (4, 1, 2, 2), {"groups": 4, "padding": 1, "strides": 3}),
    ((1, 4, 3), (4, 3, 2), {"groups": 2}),
    ((2, 6, 2, 3), (6, 2, 2, 2), {"groups": 3, "strides": (2, 1)}),
    ((1, 2, 2, 3, 2), (2, 2, 2, 1, 2), {"strides": 2, "output_padding": (0, 1, 0)}),
    ((0, 3, 4), (3, 2, 3), {}),
]


def same(length, span, stride):
    """Return the padding that makes the result as long as the array divided by the stride."""
    total = max((-(-length // stride) - 1) * stride + span - length, 0)
    return total // 2, total - total // 2


def several(value, count):
    return value if isinstance(value, tuple) else (value,) * count


def padded_to(padding, lengths, spans, strides):
    """Return a pair for each axis."""
    if isinstance(padding, str):
        if padding == "valid":
            return [(0, 0)] * len(lengths)
        return [same(*one) for one in zip(lengths, spans, strides, strict=True)]
    return [row if isinstance(row, tuple) else (row, row) for row in several(padding, len(lengths))]


def spread(x, distances):
    """Put zeros between the elements along the axes behind the first two."""
    lengths = [max((n - 1) * d + 1, 0) for n, d in zip(x.shape[2:], distances, strict=True)]
    result = np.zeros((*x.shape[:2], *lengths), x.dtype)
    result[(..., *(slice(None, None, d) for d in distances))] = x
    return result


def padded(x, pairs, value=0):
    """Pad the axes behind the first two, or cut off what is negative."""
    x = np.pad(x, [(0, 0)] * 2 + [(max(a, 0), max(b, 0)) for a, b in pairs], constant_values=value)
    return x[(..., *(slice(max(-a, 0), n + min(b, 0)) for (a, b), n in zip(pairs, x.shape[2:], strict=True)))]


def places(place, dilations, lengths, strides):
    """Return the key of the elements that one place of the filters meets."""
    starts = [p * d for p, d in zip(place, dilations, strict=True)]
    ends = [a + (n - 1) * s + 1 for a, n, s in zip(starts, lengths, strides, strict=True)]
    return (..., *map(slice, starts, ends, strides))


def convolved(x, filters, bias=None, strides=1, padding="valid", dilations=1, x_dilations=1, groups=1):
    """Sum over the places of the filters; channels come first."""
    count = x.ndim - 2
    strides, dilations, x_dilations = (several(v, count) for v in (strides, dilations, x_dilations))
    x = spread(x, x_dilations)
    spans = [(k - 1) * d + 1 for k, d in zip(filters.shape[2:], dilations, strict=True)]
    x = padded(x, padded_to(padding.lower() if isinstance(padding, str) else padding, x.shape[2:], spans, strides))
    lengths = [(n - span) // s + 1 for n, span, s in zip(x.shape[2:], spans, strides, strict=True)]
    result = np.zeros((x.shape[0], filters.shape[0], *lengths), np.result_type(x, filters))
    inside, number = filters.shape[1], filters.shape[0] // groups
    for place in product(*map(range, filters.shape[2:])):
        seen = x[places(place, dilations, lengths, strides)]
        for group in range(groups):
            part = seen[:, group * inside : (group + 1) * inside]
            weights = filters[(slice(group * number, (group + 1) * number), slice(None), *place)]
            result[:, group * number : (group + 1) * number] += np.einsum("nc...,oc->no...", part, weights)
    return result if bias is None else result + bias.reshape(-1, *[1] * count)


def transposed(
    x, filters, bias=None, strides=1, padding="valid", output_padding=0, output_shape=None, dilations=1, groups=1
):
    """Add what each element is spread to, over the places of the filters; channels come first."""
    count = x.ndim - 2
    strides, dilations, extra = (several(v, count) for v in (strides, dilations, output_padding))
    kernel, inside, number = filters.shape[2:], filters.shape[0] // groups, filters.shape[1]
    spans = [(k - 1) * d + 1 for k, d in zip(kernel, dilations, strict=True)]
    whole = [(n - 1) * s + span for n, s, span in zip(x.shape[2:], strides, spans, strict=True)]
    result = np.zeros((x.shape[0], number * groups, *whole), np.result_type(x, filters))
    for place in product(*map(range, kernel)):
        where = places(place, dilations, x.shape[2:], strides)
        for group in range(groups):
            part = x[:, group * inside : (group + 1) * inside]
            weights = filters[(slice(group * inside, (group + 1) * inside), slice(None), *place)]
            result[:, group * number : (group + 1) * number][where] += np.einsum("nc...,co->no...", part, weights)
    wanted = None if output_shape is None else several(output_shape, count)
    if padding == "same":
        wanted = wanted or [n * s for n, s in zip(x.shape[2:], strides, strict=True)]
        cuts = [max(n - length, 0) // 2 for n, length in zip(whole, wanted, strict=True)]
    else:
        pairs = padded_to(padding, x.shape[2:], spans, strides)
        cuts = [before for before, _ in pairs]
        wanted = wanted or [n - sum(pair) + more for n, pair, more in zip(whole, pairs, extra, strict=True)]
    pairs = [(-cut, length - n + cut) for n, length, cut in zip(whole, wanted, cuts, strict=True)]
    result = padded(result, pairs)
    return result if bias is None else result + bias.reshape(-1, *[1] * count)


def to_last(x, by=1):
    """Move the channels of an array, or those of filters, to the end."""
    return np.moveaxis(x, 1, -1) if by == 1 else np.moveaxis(x, (1, 0), (-2, -1))


def numbers(random, shape, dtype):
    """Return small multiples of a half, or small integers."""
    low = 0 if dtype.startswith("u") else -6
    found = random.integers(low, 7, shape) * (1 if np.dtype(dtype).kind in "iu" else 0.5)
    return (found + 1j * random.integers(low, 7, shape) if dtype.startswith("c") else found).astype(dtype)


def exact(x):
    """Return numbers in which sums of small ones are right to the last digit."""
    return x.astype({"i": "int64", "u": "int64", "f": "float64", "c": "complex128"}[x.dtype.kind])


def compared(data, function, oracle, case, dtype, bias_of):
    """Draw arrays for a case, and where their channels stand, and compare."""
    shape, filter_shape, options = case
    random = np.random.default_rng(data.draw(st.integers(0, 999)))
    bias_shape = (bias_of(filter_shape, options.get("groups", 1)),)
    x, filters, bias = (numbers(random, sides, dtype) for sides in (shape, filter_shape, bias_shape))
    bias = bias if data.draw(st.booleans()) else None
    want = oracle(exact(x), exact(filters), None if bias is None else exact(bias), **options)
    formats = {}
    if data.draw(st.booleans()):
        formats["data_format"] = "channels_last"
        x, want = to_last(x), to_last(want)
    if data.draw(st.booleans()):
        formats["filter_format"] = "channels_last"
        filters = to_last(filters, 2)
    given = {} if bias is None else {"bias": array(bias)}
    got = getattr(be, function)(array(x), array(filters), **given, **options, **formats)
    check((function, x, filters, bias, options, formats), got, want, dtype, factor=10, scale=100.0)


@covers("conv1d", "conv2d", "conv3d")
@pytest.mark.parametrize("name", ["conv1d", "conv2d", "conv3d"])
@examples
@given(st.data(), dtypes_of(("float32", "float64", "int8")))
def test_convolution(name, data, dtype):
    case = data.draw(st.sampled_from([case for case in CASES if len(case[0]) == int(name[4]) + 2]))
    compared(data, name, convolved, case, dtype, lambda shape, groups: shape[0])


@covers("conv_general_dilated")
@examples
@given(st.data(), dtypes_of(("float32", "uint16")), st.sampled_from([*GENERAL, *CASES[::5]]))
def test_general_convolution(data, dtype, case):
    compared(data, "conv_general_dilated", convolved, case, dtype, lambda shape, groups: shape[0])


@covers("conv1d_transpose", "conv2d_transpose", "conv3d_transpose")
@pytest.mark.parametrize("name", ["conv1d_transpose", "conv2d_transpose", "conv3d_transpose"])
@examples
@given(st.data(), dtypes_of(("float32", "complex64")))
def test_transposed_convolution(name, data, dtype):
    case = data.draw(st.sampled_from([case for case in TRANSPOSED if len(case[0]) == int(name[4]) + 2]))
    compared(data, name, transposed, case, dtype, lambda shape, groups: shape[1] * groups)


@covers("conv2d_transpose", "conv_general_transpose")
@pytest.mark.parametrize("layout", ["channels_first", "channels_last"])
def test_several_filters_of_each_group(layout):
    """The channels of the result come group by group."""
    random = np.random.default_rng(0)
    x, filters = random.normal(size=(2, 6, 3, 2)), random.normal(size=(6, 2, 2, 3))
    want = transposed(x, filters, strides=2, groups=3)
    if layout == "channels_last":
        x, filters, want = to_last(x), to_last(filters, 2), to_last(want)
    for name in ("conv2d_transpose", "conv_general_transpose"):
        options = {"strides": 2, "groups": 3, "data_format": layout, "filter_format": layout}
        check(name, getattr(be, name)(array(x), array(filters), **options), want, factor=10, scale=10.0)


@covers("conv_general_transpose")
@examples
@given(st.data(), dtypes_of(("float64", "int8")), st.sampled_from(TRANSPOSED[::4]))
def test_general_transposed_convolution(data, dtype, case):
    compared(data, "conv_general_transpose", transposed, case, dtype, lambda shape, groups: shape[1] * groups)


@covers("depthwise_conv2d")
@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("options", [{}, {"strides": 2, "padding": "same"}, {"dilations": (2, 1), "padding": 1}])
def test_depthwise_convolution(last, options):
    random = np.random.default_rng(3)
    x, filters, bias = random.normal(size=(2, 3, 5, 4)), random.normal(size=(3, 2, 2, 3)), random.normal(size=6)
    want = convolved(x, filters.reshape(6, 1, 2, 3), bias, groups=3, **options)
    formats = {}
    if last:
        x, want, filters = to_last(x), to_last(want), np.moveaxis(filters, (0, 1), (-2, -1))
        formats = {"data_format": "channels_last", "filter_format": "channels_last"}
    got = be.depthwise_conv2d(array(x), array(filters), bias=array(bias), **options, **formats)
    check(("depthwise_conv2d", options, formats), got, want, factor=10, scale=10.0)


@covers("conv_general_dilated")
def test_integers_wrap_around():
    x = np.asarray([[[100, 100, -100]]], "int8")
    check("conv1d", be.conv_general_dilated(array(x), array(x[..., :2])), np.asarray([[[32, 0]]], "int8"))


@covers("conv1d")
def test_what_is_not_a_number_stays_where_it_is():
    x = np.asarray([[[1.0, np.nan, 2.0, np.inf, 3.0, 4.0]]], "float32")
    got = be.conv1d(array(x), array(np.ones((1, 1, 2), "float32")))
    check("conv1d", got, np.asarray([[[np.nan, np.nan, np.inf, np.inf, 7.0]]], "float32"))


@covers("conv2d", "conv2d_transpose")
@needs_derivatives
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("conv2d", {}),
        ("conv2d", {"strides": 2, "padding": "same"}),
        ("conv2d", {"groups": 2, "dilations": 2, "padding": ((1, 2), (2, 1))}),
        ("conv2d_transpose", {"strides": 2}),
        ("conv2d_transpose", {"strides": 2, "groups": 2, "padding": ((1, 0), (0, 1))}),
    ],
)
def test_gradients(name, options):
    """The derivatives by the array and by the filters, along one direction of both, against differences."""
    random = np.random.default_rng(5)
    groups = options.get("groups", 1)
    x, dx = random.normal(size=(2, 1, 2, 5, 4))
    filters, dw = random.normal(size=(2, 2, 2 // groups, 2, 2))

    def loss(x, filters):
        return ca.sum(getattr(ca, name)(x, filters, **options) ** 2)

    with ca.backend_context(be):
        by_x, by_filters = ca.grad(loss, argnums=(0, 1))(array(x), array(filters))
        step = 1e-5
        ways = [loss(array(x + s * step * dx), array(filters + s * step * dw)) for s in (1, -1)]
        want = (float(ways[0]) - float(ways[1])) / (2 * step)
        got = float(ca.sum(by_x * array(dx)) + ca.sum(by_filters * array(dw)))
    assert got == pytest.approx(want, rel=1e-6)


@covers(
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_general_dilated",
    "conv_general_transpose",
    "conv2d_transpose",
    "depthwise_conv2d",
)
def test_what_does_not_fit_is_refused():
    x, filters = array(np.ones((1, 2, 4, 4))), array(np.ones((2, 2, 3, 3)))
    for options, words in (
        ({"padding": "full"}, "padding='full'; it is 'valid', 'same'"),
        ({"padding": -1}, "padding=-1.*none of them negative"),
        ({"padding": (1, 2, 3)}, "sequence of 2 integers or pairs"),
        ({"padding": ((1, 2, 3), 1)}, "sequence of 2 integers or pairs"),
        ({"strides": 0}, "strides=0; give an integer of at least 1"),
        ({"strides": (1, 1, 1)}, "strides=.*or 2 of them"),
        ({"dilations": 2}, "reach over 5 elements, and an axis of length 4"),
        ({"groups": 2}, "which take 2 in each of 2 groups"),
        ({"data_format": "NCHW"}, "data_format='NCHW'; it is one of 'channels_first'"),
        ({"filter_format": "HWIO"}, "filter_format='HWIO'"),
        ({"bias": array(np.ones(3))}, r"a bias of shape \(3,\); it has the shape \(2,\)"),
    ):
        with pytest.raises(ValueError, match=f"'conv2d' got .*{words}|'conv2d' got {words}"):
            be.conv2d(x, filters, **options)
    with pytest.raises(ValueError, match=r"'conv1d' got an array of shape \(1, 2, 4, 4\); it takes one with 3 axes"):
        be.conv1d(x, filters)
    with pytest.raises(ValueError, match="'conv3d' got an array"):
        be.conv3d(x, filters)
    with pytest.raises(ValueError, match="at least 3 axes"):
        be.conv_general_dilated(x[0, 0, ...], filters)
    with pytest.raises(ValueError, match="filters of shape"):
        be.conv2d(x, filters[0, ...])
    with pytest.raises(ValueError, match=r"window=\(0, 3\)"):
        be.conv2d(x, array(np.ones((2, 2, 0, 3))))
    with pytest.raises(ValueError, match="which cannot be divided into 2 groups"):
        be.conv2d(x, array(np.ones((3, 1, 2, 2))), groups=2)
    with pytest.raises(TypeError, match=r"strides=1\.5"):
        be.conv2d(x, filters, strides=1.5)
    with pytest.raises(TypeError, match="padding=None"):
        be.conv2d(x, filters, padding=None)
    with pytest.raises(TypeError, match="'conv2d' got truth values"):
        be.conv2d(x > 0, filters > 0)
    for options, words in (
        ({"output_padding": 1}, "fewer than the stride 1 or the dilation 1"),
        ({"output_shape": 9}, "3 elements are added"),
        ({"strides": 2, "padding": "same", "output_shape": 6}, "is not 4, the length of the axis"),
        ({"padding": 3}, "nothing would be left"),
        ({"groups": 3}, "cannot be divided into 3 groups"),
    ):
        with pytest.raises(ValueError, match=words):
            be.conv2d_transpose(x, filters, **options)
    with pytest.raises(ValueError, match=r"filters of shape .* which take 3"):
        be.conv_general_transpose(x, array(np.ones((3, 2, 2, 2))))
    with pytest.raises(ValueError, match=r"'depthwise_conv2d' got .* with the channels of the array in one"):
        be.depthwise_conv2d(x, array(np.ones((3, 1, 2, 2))))
