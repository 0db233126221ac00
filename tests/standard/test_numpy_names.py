"""Functions by NumPy's and SciPy's names, against these in float64."""

from __future__ import annotations

import re

import numpy as np
import pytest
import scipy.special
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from standard.support import (
    FLOAT,
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

_SHAPES = hnp.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=4)
_FEW = Domain(-3, 3, step=1.0)


@covers("partition", "argpartition")
@examples
@given(st.data(), dtypes_of(REAL))
def test_partition(data, dtype):
    x = data.draw(arrays(dtype, _SHAPES, SMALL))
    axis = data.draw(axis_of(x.ndim))
    kth = data.draw(st.integers(-x.shape[axis], x.shape[axis] - 1))
    found = np.moveaxis(numpy_of(be.partition(array(x), kth, axis=axis)), axis, -1)
    picked = numpy_of(be.take_along_axis(array(x), be.argpartition(array(x), (kth,), axis=axis), axis=axis))
    np.testing.assert_array_equal(np.moveaxis(picked, axis, -1), found)
    lines = np.sort(np.moveaxis(x, axis, -1), axis=-1)
    place = kth % lines.shape[-1]
    np.testing.assert_array_equal(found[..., place], lines[..., place])
    np.testing.assert_array_equal(np.sort(found, axis=-1), lines)
    assert (found[..., :place] <= lines[..., place, None]).all()


@covers("digitize")
@examples
@given(st.data(), dtypes_of(FLOAT), st.booleans(), st.booleans())
def test_digitize(data, dtype, right, falling):
    x = data.draw(arrays(dtype, _SHAPES, _FEW))
    bins = np.sort(data.draw(arrays(dtype, hnp.array_shapes(min_dims=1, max_dims=1, min_side=1, max_side=4), _FEW)))
    bins = bins[::-1].copy() if falling else bins
    check(
        ("digitize", x, bins, right), be.digitize(array(x), array(bins), right=right), np.digitize(x, bins, right=right)
    )


@covers("flatnonzero", "intersect1d", "setdiff1d", "union1d")
@examples
@given(st.data(), dtypes_of(REAL))
def test_sets(data, dtype):
    x, y = (data.draw(arrays(dtype, _SHAPES, Domain(0, 3, step=1.0))) for _ in range(2))
    check(("flatnonzero", x), be.flatnonzero(array(x)), np.flatnonzero(x), "int64")
    for name in ("intersect1d", "setdiff1d", "union1d"):
        check((name, x, y), getattr(be, name)(array(x), array(y)), getattr(np, name)(x, y), dtype)


def test_sets_with_nan():
    x, y = np.asarray([[np.nan, 2.0], [np.nan, 1.0]]), np.asarray([np.nan, 1.0, np.inf])
    for name in ("intersect1d", "setdiff1d", "union1d"):
        check(name, getattr(be, name)(array(x), array(y)), getattr(np, name)(x, y), "float64")


@covers("nanargmax", "nanargmin")
@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_places_of_extremes(axis, keepdims):
    inf, nan = np.inf, np.nan
    x = np.asarray([[1.0, nan, 3.0, 3.0], [nan, -inf, -inf, nan], [inf, 2.0, nan, inf], [nan, nan, 0.0, -1.0]])
    for name in ("nanargmax", "nanargmin"):
        # NumPy's finds a NaN in place of the one infinity that stands beside it.
        best = max if name == "nanargmax" else min

        def place(line, best=best):
            return list(line).index(best(v for v in line if v == v))

        want = np.asarray(place(x.ravel()) if axis is None else np.apply_along_axis(place, axis, x))
        if keepdims:
            want = want.reshape((1, 1)) if axis is None else np.expand_dims(want, axis)
        check((name, axis), getattr(be, name)(array(x), axis=axis, keepdims=keepdims), np.asarray(want), "int64")
        missing = getattr(be, name)(array(np.asarray([[nan, nan], [nan, 1.0]])), axis=1)
        assert missing.tolist() == [-1, 1]


@covers("nancumsum", "nancumprod")
@pytest.mark.parametrize("axis", [0, -1])
def test_running_sums_without_gaps(axis):
    x = np.asarray([[1.5, np.nan, 2.0], [np.nan, -1.0, 0.5]])
    for name in ("nancumsum", "nancumprod"):
        check(name, getattr(be, name)(array(x), axis=axis), getattr(np, name)(x, axis=axis), "float64")
        for whole in (x, x[0, 0], x[:0], x[..., None]):
            check((name, whole.shape), getattr(be, name)(array(np.asarray(whole))), getattr(np, name)(whole), "float64")
    check("nancumsum", be.nancumsum(be.asarray([1, 2, 3])), np.asarray([1, 3, 6]), "int64")


@covers("average")
@examples
@given(st.data(), dtypes_of(REAL))
def test_average(data, dtype):
    x = data.draw(arrays(dtype, _SHAPES, SMALL))
    computed = float_dtype(dtype)
    axis = data.draw(axis_of(x.ndim))
    keepdims = data.draw(st.booleans())
    whole = wide(cast(x, computed))
    shape = data.draw(st.sampled_from((None, x.shape, (x.shape[axis],))))
    weights = None if shape is None else data.draw(arrays(computed, shape, Domain(0.5, 3)))
    given = None if weights is None else array(weights)
    want = np.average(whole, axis=axis, weights=None if weights is None else wide(weights), keepdims=keepdims)
    got = be.average(array(x), axis=axis, weights=given, keepdims=keepdims)
    check(("average", x, axis, weights), got, want, computed, factor=20, scale=50.0)


@covers("average")
def test_averages_over_several_axes():
    x, weights = np.arange(24.0).reshape(2, 3, 4), np.arange(8.0).reshape(2, 4)
    want = np.asarray([np.average(x[:, i], weights=weights) for i in range(3)])
    for axes in ((0, 2), (2, 0), (-1, 0)):
        check("average", be.average(array(x), axis=axes, weights=array(weights)), want, "float64", factor=10)
    with pytest.raises(ValueError, match="weights of shape"):
        be.average(array(x), axis=1, weights=array(weights))
    assert np.isnan(be.average(be.ones(2), weights=be.zeros(2)).item())


@covers("percentile")
@examples
@given(st.data(), dtypes_of(FLOAT))
def test_percentile(data, dtype):
    x = data.draw(arrays(dtype, _SHAPES, SMALL))
    axis = data.draw(axes_of(x.ndim, empty=False))
    q = data.draw(st.sampled_from((0, 12.5, 50, 100)))
    want = np.percentile(wide(x), q, axis=axis)
    check(("percentile", x, q, axis), be.percentile(array(x), q, axis=axis), want, dtype, factor=10, scale=50.0)
    many = be.percentile(array(x), be.asarray([25.0, q], dtype=getattr(be, dtype)), axis=axis)
    check(("percentile", x, q, axis), many, np.percentile(wide(x), [25.0, q], axis=axis), dtype, factor=10, scale=50.0)
    with pytest.raises(ValueError, match="from 0 to 100"):
        be.percentile(array(x), 101)


@covers("cbrt")
@examples
@given(st.data(), dtypes_of(REAL))
def test_cbrt(data, dtype):
    x = data.draw(arrays(dtype, _SHAPES))
    computed = float_dtype(dtype)
    check(("cbrt", x), be.cbrt(array(x)), np.cbrt(wide(cast(x, computed))), computed, factor=3)


def test_cbrt_of_edges():
    x = np.asarray([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-300, -1e300])
    check("cbrt", be.cbrt(array(x)), np.cbrt(x), "float64", factor=5)


@covers("entr", "rel_entr")
@examples
@given(st.data(), dtypes_of(FLOAT))
def test_entropies(data, dtype):
    x, y = (data.draw(arrays(dtype, (3,), Domain(-1, 4, step=0.5))) for _ in range(2))
    check(("entr", x), be.entr(array(x)), scipy.special.entr(wide(x)), dtype, factor=5, scale=4.0)
    check(
        ("rel_entr", x, y),
        be.rel_entr(array(x), array(y)),
        scipy.special.rel_entr(wide(x), wide(y)),
        dtype,
        factor=5,
        scale=9.0,
    )


@covers("ndtri")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_ndtri(dtype):
    tails = np.asarray([1e-30, 1e-12, 1e-5, 1e-3, 0.1, 0.4, 0.49])
    p = np.concatenate([tails, 1 - tails[3:], [0.5, 0.0, 1.0, -1.0, 2.0, np.nan]]).astype(dtype)
    check(("ndtri", p), be.ndtri(array(p)), scipy.special.ndtri(wide(p)), dtype, factor=20, scale=1.0)


@covers("polygamma")
@pytest.mark.parametrize("n", [0, 1, 2, 5])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_polygamma(dtype, n):
    x = np.asarray([0.25, 1.0, 2.5, 17.0]).astype(dtype)
    check(("polygamma", x, n), be.polygamma(array(x), n), scipy.special.polygamma(n, wide(x)), dtype, factor=50)
    with pytest.raises(ValueError, match="at least 0"):
        be.polygamma(array(x), -1)
    for order, values in ((1, array(x)), (2, [1.0, 2.0]), (1.0, array(x))):
        with pytest.raises(TypeError, match=re.escape("'polygamma' takes the array first; write polygamma(x, n)")):
            be.polygamma(order, values)


@covers("lstsq")
@pytest.mark.parametrize("shape", [(5, 3), (3, 5), (4, 4)])
@pytest.mark.parametrize("columns", [None, 2])
def test_least_squares(shape, columns):
    random = np.random.default_rng(0)
    a = random.normal(size=shape)
    a[:, -1] = a[:, 0] if shape[0] == shape[1] else a[:, -1]
    b = random.normal(size=shape[:1] if columns is None else (shape[0], columns))
    want = np.linalg.lstsq(a, b, rcond=None)
    got = be.linalg.lstsq(array(a), array(b))
    check("lstsq", got.solution, want[0], "float64", factor=1000, scale=1.0)
    gaps = ((a @ want[0] - b) ** 2).sum(0)
    check("lstsq", got.residuals, gaps, "float64", factor=1000, scale=1.0)
    assert int(got.rank) == want[2]
    check("lstsq", got.singular_values, want[3], "float64", factor=1000, scale=5.0)


@covers("lstsq")
def test_stacks_of_least_squares():
    random = np.random.default_rng(0)
    a, b = random.normal(size=(2, 4, 3)), random.normal(size=(2, 4, 1))
    want = np.stack([np.linalg.lstsq(x, y, rcond=None)[0] for x, y in zip(a, b, strict=True)])
    check("lstsq", be.linalg.lstsq(array(a), array(b)).solution, want, "float64", factor=1000, scale=1.0)
    with pytest.raises(ValueError, match="lstsq"):
        be.linalg.lstsq(array(a), array(b[0, :3]))


@covers("polyfit")
@pytest.mark.parametrize("deg", [0, 1, 3])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("several", [False, True])
def test_polyfit(deg, weighted, several):
    random = np.random.default_rng(0)
    x, y = random.normal(size=6), random.normal(size=(6, 2) if several else 6)
    w = random.uniform(0.5, 2, size=6) if weighted else None
    got = be.polyfit(array(x), array(y), deg, w=None if w is None else array(w))
    check(("polyfit", deg), got, np.polyfit(x, y, deg, w=w), "float64", factor=1000, scale=5.0)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: be.polyfit(x, x, -1),
        lambda x: be.polyfit(x, be.ones(4), 1),
        lambda x: be.polyfit(x, x, 1, w=be.ones(2)),
        lambda x: be.partition(x, 3),
        lambda x: be.digitize(x, be.ones((1, 1))),
    ],
)
def test_what_does_not_fit_is_refused(call):
    with pytest.raises(ValueError):
        call(be.ones(3))


@needs_derivatives
def test_derivatives_of_special_functions():
    with ca.backend_context(be):
        for name, at, want in (
            ("ndtri", 0.5, np.sqrt(2 * np.pi)),
            ("ndtri", 1e-6, 1 / (np.exp(-(scipy.special.ndtri(1e-6) ** 2) / 2) / np.sqrt(2 * np.pi))),
            ("cbrt", -8.0, 1 / 12),
            ("entr", 0.5, -1 - np.log(0.5)),
        ):
            slope = float(ca.grad(getattr(ca, name))(array(np.asarray(at))))
            np.testing.assert_allclose(slope, want, rtol=1e-6, err_msg=name)
