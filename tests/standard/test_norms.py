"""Normalisation against NumPy's means and variances in float64."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from standard.support import (
    NUMERIC,
    REAL,
    SMALL,
    Domain,
    array,
    arrays,
    axes_of,
    axis_of,
    be,
    cast,
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

#: A part of the numbers is equal, so that variances are zero here and there.
_FEW = Domain(-4, 4, step=0.5)
_EPS = (1e-5, 0.125)


@st.composite
def batches(draw, least=2):
    """Draw an array with a batch and channels, where these stand, and the same with channels first in float64."""
    dtype = draw(dtypes_of(REAL))
    x = draw(arrays(dtype, hnp.array_shapes(min_dims=least, max_dims=4, min_side=1, max_side=4), _FEW))
    data_format = draw(st.sampled_from(("channels_first", "channels_last")))
    first = wide(cast(x, float_dtype(dtype)))
    return x, data_format, first if data_format == "channels_first" else np.moveaxis(first, -1, 1)


def _options(draw, data_format, channels, dtype):
    """Draw the options of a norm, and what weight and bias are in float64."""
    options = {"eps": draw(st.sampled_from(_EPS))}
    if data_format != "channels_first" or draw(st.booleans()):
        options["data_format"] = data_format
    affine = {}
    for name in ("weight", "bias"):
        if draw(st.booleans()):
            affine[name] = draw(arrays(dtype, (channels,), _FEW))
    return options, affine


def _given(affine):
    return {name: array(value) for name, value in affine.items()}


def _finished(values, affine, data_format):
    """Multiply and add by channels, and bring these to their place."""
    shape = [1, -1] + [1] * (values.ndim - 2)
    values = values * wide(affine["weight"]).reshape(shape) if "weight" in affine else values
    values = values + wide(affine["bias"]).reshape(shape) if "bias" in affine else values
    return values if data_format == "channels_first" else np.moveaxis(values, 1, -1)


def _standardised(x, axes, eps):
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + eps)


@covers("batch_norm")
@examples
@given(st.data(), batches())
def test_batch_norm(data, drawn):
    x, data_format, first = drawn
    dtype = float_dtype(str(x.dtype))
    channels = first.shape[1]
    options, affine = _options(data.draw, data_format, channels, dtype)
    mean = data.draw(arrays(dtype, (channels,), _FEW))
    variance = data.draw(arrays(dtype, (channels,), Domain(0, 4, step=0.5)))
    others = (0, *range(2, first.ndim))
    training = first.size > channels and data.draw(st.booleans())
    want = wide(mean), wide(variance)
    if training:
        momentum = data.draw(st.sampled_from((0.1, 0.5, 1.0)))
        options |= {"training": True, "momentum": momentum}
        values = _standardised(first, others, options["eps"])
        found = first.mean(others), first.var(others, ddof=1)
        want = [(1 - momentum) * old + momentum * new for old, new in zip(want, found, strict=True)]
    else:
        shape = [1, -1] + [1] * (first.ndim - 2)
        values = (first - want[0].reshape(shape)) / np.sqrt(want[1].reshape(shape) + options["eps"])
    got = be.batch_norm(array(x), array(mean), array(variance), **options, **_given(affine))
    assert type(got) is ca.BatchNormResult
    what = ("batch_norm", x, mean, variance, options, affine)
    check(what, got.values, _finished(values, affine, data_format), dtype, factor=20, scale=1e3)
    check(what, got.mean, want[0], dtype, factor=10, scale=4.0)
    check(what, got.variance, want[1], dtype, factor=10, scale=4.0)


@covers("group_norm")
@examples
@given(st.data(), batches())
def test_group_norm(data, drawn):
    x, data_format, first = drawn
    dtype = float_dtype(str(x.dtype))
    channels = first.shape[1]
    groups = data.draw(st.sampled_from([n for n in range(1, channels + 1) if channels % n == 0]))
    options, affine = _options(data.draw, data_format, channels, dtype)
    parts = [_standardised(part, tuple(range(1, first.ndim)), options["eps"]) for part in np.split(first, groups, 1)]
    want = _finished(np.concatenate(parts, 1), affine, data_format)
    got = be.group_norm(array(x), groups, **options, **_given(affine))
    check(("group_norm", x, groups, options, affine), got, want, dtype, factor=20, scale=1e3)


@covers("instance_norm")
@examples
@given(st.data(), batches(least=3))
def test_instance_norm(data, drawn):
    x, data_format, first = drawn
    dtype = float_dtype(str(x.dtype))
    options, affine = _options(data.draw, data_format, first.shape[1], dtype)
    want = _finished(_standardised(first, tuple(range(2, first.ndim)), options["eps"]), affine, data_format)
    got = be.instance_norm(array(x), **options, **_given(affine))
    check(("instance_norm", x, options, affine), got, want, dtype, factor=20, scale=1e3)


@covers("layer_norm")
@examples
@given(st.data(), dtypes_of(REAL))
def test_layer_norm(data, dtype):
    x = data.draw(arrays(dtype, hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=4), _FEW))
    computed = float_dtype(dtype)
    axis = data.draw(axes_of(x.ndim, none=False, empty=False))
    options = {"eps": data.draw(st.sampled_from(_EPS))}
    if axis not in (-1, x.ndim - 1) or data.draw(st.booleans()):
        options["axis"] = axis
    axes = sorted(i % x.ndim for i in (axis if isinstance(axis, tuple) else (axis,)))
    want = _standardised(wide(cast(x, computed)), tuple(axes), options["eps"])
    for name in ("weight", "bias"):
        if data.draw(st.booleans()):
            part = data.draw(arrays(computed, tuple(x.shape[i] for i in axes), _FEW))
            options[name] = array(part)
            whole = wide(part).reshape([side if i in axes else 1 for i, side in enumerate(x.shape)])
            want = want * whole if name == "weight" else want + whole
    check(("layer_norm", x, options), be.layer_norm(array(x), **options), want, computed, factor=20, scale=1e3)


@covers("local_response_norm")
@examples
@given(st.data(), batches())
def test_local_response_norm(data, drawn):
    x, data_format, first = drawn
    size = data.draw(st.integers(1, 6))
    options = {} if data_format == "channels_first" else {"data_format": data_format}
    if data.draw(st.booleans()):
        options |= {"alpha": 0.5, "beta": 0.5, "k": 2.0}
    alpha, beta, k = options.get("alpha", 1e-4), options.get("beta", 0.75), options.get("k", 1.0)
    totals = np.zeros_like(first)
    for c in range(first.shape[1]):
        low = c - size // 2
        totals[:, c] = np.square(first[:, max(low, 0) : max(low + size, 0)]).sum(1)
    want = _finished(first / (k + alpha * totals / size) ** beta, {}, data_format)
    got = be.local_response_norm(array(x), size, **options)
    check(("local_response_norm", x, size, options), got, want, float_dtype(str(x.dtype)), factor=5)


@covers("lp_normalize", "l1_normalize", "l2_normalize")
@examples
@given(st.data(), dtypes_of(NUMERIC), st.sampled_from((1, 2, 2.5, np.inf)))
def test_normalize(data, dtype, p):
    x = data.draw(arrays(dtype, hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=4)))
    options = {}
    axis = data.draw(axes_of(x.ndim, empty=False))
    if axis != -1 or data.draw(st.booleans()):
        options["axis"] = axis
    computed = float_dtype(dtype)
    whole = wide(cast(x, computed))
    sizes = np.abs(whole)
    norm = sizes.max(axis, keepdims=True) if p == np.inf else (sizes**p).sum(axis, keepdims=True) ** (1 / p)
    want = whole / np.maximum(norm, 1e-12)
    check(("lp_normalize", x, p, options), be.lp_normalize(array(x), p=p, **options), want, computed, factor=20)
    if p in (1, 2):
        got = getattr(be, f"l{p}_normalize")(array(x), **options)
        check((f"l{p}_normalize", x, options), got, want, computed, factor=20)
    be.l1_normalize(array(x))
    be.l2_normalize(array(x))


@covers("clip_vector_norm", "clip_matrix_norm")
@examples
@given(st.data(), dtypes_of(NUMERIC), st.sampled_from((1, 2, np.inf)), st.sampled_from((0.0, 1.5, 100.0)))
def test_clipped_norms(data, dtype, order, most):
    x = data.draw(arrays(dtype, st.sampled_from(((3,), (2, 3), (2, 2, 2))), _FEW))
    computed = float_dtype(dtype)
    whole = wide(cast(x, computed))

    def clipped(norm):
        return np.where(norm > most, whole * most / np.where(norm > most, norm, 1.0), whole)

    axis = data.draw(axes_of(x.ndim, empty=False))
    sizes = np.abs(whole)
    norm = sizes.max(axis, keepdims=True) if order == np.inf else (sizes**order).sum(axis, keepdims=True) ** (1 / order)
    found = be.clip_vector_norm(array(x), most, axis=axis, ord=order)
    check(("clip_vector_norm", x, most, axis, order), found, clipped(norm), computed, factor=20)
    be.clip_matrix_norm(be.ones((1, 1)), 1.0)
    if x.ndim > 1:
        for name in (order, "fro", "nuc"):
            norm = np.linalg.norm(whole.astype(complex), name, (-2, -1), keepdims=True)
            found = be.clip_matrix_norm(array(x), most, ord=name)
            check(("clip_matrix_norm", x, most, name), found, clipped(norm), computed, factor=50, scale=1.0)


@covers("clip_vector_norm", "clip_matrix_norm")
def test_norms_that_overflow_or_vanish_are_clipped():
    for function in (be.clip_vector_norm, be.clip_matrix_norm):
        for factor in (1e30, 1e-30):
            x = np.asarray([[3.0, 4.0]], "float32") * np.float32(factor)
            check("clipped", function(array(x), 2.5 * factor), np.asarray([[1.5, 2.0]]) * factor, "float32")
            check("clipped", function(array(x), 6.0 * factor), x, "float32")
        assert function(be.zeros((2, 0)), 1.0).shape == (2, 0)
        check("clipped", function(be.zeros((2, 2)), 0.0), np.zeros((2, 2)), "float32")


@covers("l2_normalize")
def test_vectors_whose_squares_overflow_or_vanish():
    x = np.asarray([[3e30, 4e30], [3e-30, 4e-30], [0.0, 0.0]], "float32")
    want = np.asarray([[0.6, 0.8], [0.6, 0.8], [0.0, 0.0]])
    check("l2_normalize", be.l2_normalize(array(x), eps=0.0), want, "float32")


@covers("batch_norm", "group_norm", "instance_norm", "layer_norm", "local_response_norm", "lp_normalize")
def test_nothing_is_normalised():
    zero, one = be.zeros((0, 2, 3)), be.ones(2)
    for found in (
        be.batch_norm(zero, one, one).values,
        be.group_norm(zero, 2),
        be.instance_norm(zero),
        be.layer_norm(zero),
        be.layer_norm(be.zeros((2, 0)), axis=0),
        be.local_response_norm(zero, 3),
        be.lp_normalize(zero),
    ):
        assert found.size == 0


@pytest.mark.parametrize(
    "call",
    [
        lambda x: be.batch_norm(x, be.ones(3), be.ones(3)),
        lambda x: be.batch_norm(x, be.ones(2), be.ones(2), weight=be.ones(3)),
        lambda x: be.batch_norm(x, be.ones(2), be.ones(2), data_format="NCHW"),
        lambda x: be.batch_norm(x[:1, :, :1], be.ones(2), be.ones(2), training=True),
        lambda x: be.batch_norm(x, be.ones(2), be.ones(2), momentum=1.5),
        lambda x: be.batch_norm(be.ones(2), be.ones(2), be.ones(2)),
        lambda x: be.group_norm(x, 3),
        lambda x: be.group_norm(x, 0),
        lambda x: be.group_norm(x, 2, bias=be.ones(1)),
        lambda x: be.instance_norm(x[:, :, 0]),
        lambda x: be.instance_norm(x, weight=be.ones(3)),
        lambda x: be.instance_norm(x, data_format="last"),
        lambda x: be.layer_norm(x, weight=be.ones(2)),
        lambda x: be.layer_norm(x, axis=(0, 1), weight=be.ones((2, 1))),
        lambda x: be.clip_matrix_norm(x, -1.0),
        lambda x: be.clip_matrix_norm(be.ones(2), 1.0),
        lambda x: be.clip_vector_norm(x, ca.nan),
        lambda x: be.local_response_norm(x, 0),
        lambda x: be.local_response_norm(be.ones(2), 1),
    ],
)
def test_what_does_not_fit_is_refused(call):
    with pytest.raises(ValueError):
        call(be.ones((4, 2, 3)))


@covers("layer_norm", "lp_normalize")
def test_axes_that_are_not_there_are_refused():
    for call in (be.layer_norm, be.lp_normalize):
        with pytest.raises(IndexError):
            call(be.ones((2, 3)), axis=2)


@covers("batch_norm")
def test_statistics_of_another_dtype():
    """Each of more than two arrays is looked at before the fast path is taken."""
    x, wide = be.ones((2, 3)), be.ones(3, dtype="float64")
    for mean, variance in ((wide, be.ones(3)), (be.ones(3), wide)):
        assert be.batch_norm(x, mean, variance).values.dtype is ca.float64
        with pytest.raises(TypeError, match="real numbers"):
            be.batch_norm(x, be.astype(mean, "complex128"), variance)


@covers("batch_norm")
def test_batch_norm_adds_nothing_if_eps_is_zero():
    x = np.asarray([[1.0, 2.0], [3.0, 6.0]])
    found = be.batch_norm(array(x), array(np.zeros(2)), array(np.ones(2)), training=True, eps=0.0)[0]
    check("batch_norm", found, np.asarray([[-1.0, -1.0], [1.0, 1.0]]))


@covers("l1_normalize", "l2_normalize", "lp_normalize", "clip_vector_norm")
@needs_derivatives
def test_derivatives_of_short_vectors():
    """Of numbers far below the least that is divided by, and where nothing is clipped."""
    tiny = array(np.asarray([1e-30, 0.0], "float32"))
    with ca.backend_context(be):
        for function in (ca.l1_normalize, ca.l2_normalize, lambda x: ca.lp_normalize(x, p=4.0)):
            np.testing.assert_allclose(numpy_of(ca.grad(lambda x, f=function: ca.sum(f(x)))(tiny)), 1e12, rtol=1e-6)
        slope = ca.grad(lambda x: ca.clip_vector_norm(x, 5e-31)[0])(array(np.asarray([6e-31, 8e-31], "float32")))
        np.testing.assert_allclose(numpy_of(slope), [0.32, -0.24], rtol=1e-5)


@covers("rms_norm")
@examples
@given(st.data(), dtypes_of(REAL))
def test_rms_norm(data, dtype):
    shape = data.draw(hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=3))
    computed = float_dtype(dtype)
    x = data.draw(arrays(dtype, shape, SMALL))
    axis = data.draw(axis_of(len(shape)) | axes_of(len(shape), none=False, empty=False))
    axes = sorted({i % len(shape) for i in ((axis,) if isinstance(axis, int) else axis)})
    part = tuple(shape[i] for i in axes)
    weight = data.draw(st.none() | arrays(computed, part, SMALL))
    eps = data.draw(st.sampled_from((None, 0.5)))
    whole = wide(cast(x, computed))
    least = np.finfo(computed).eps if eps is None else eps
    want = whole / np.sqrt((whole**2).mean(tuple(axes), keepdims=True) + least)
    if weight is not None:
        want = want * wide(weight).reshape([side if i in axes else 1 for i, side in enumerate(shape)])
    options = {"axis": axis, "eps": eps, "weight": None if weight is None else array(weight)}
    check(("rms_norm", x, weight, axis, eps), be.rms_norm(array(x), **options), want, computed, factor=20, scale=50.0)


def test_rms_norm_refuses_weights_of_another_shape():
    with pytest.raises(ValueError, match="rms_norm"):
        be.rms_norm(be.ones((2, 3)), weight=be.ones(2))
