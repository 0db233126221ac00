"""Reductions and scans along any axes, against exact integers and float64; what has no elements included."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from standard.support import (
    ANY,
    COMPLEX,
    FLOAT,
    FLOATING,
    MODERATE,
    NUMERIC,
    REAL,
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
    full_shapes,
    numpy_of,
    real_of,
    shapes,
    sum_dtype,
    wide,
)

import corearray as ca

_OPTIONS = ("int32", "int64", "uint64", "float32", "float64", "complex128")


@st.composite
def reduced(draw, dtypes, shape=shapes, domain=MODERATE):
    """Draw an array, and the axes over which to reduce it."""
    dtype = draw(dtypes_of(dtypes))
    x = draw(arrays(dtype, shape, domain))
    options = {}
    axis = draw(axes_of(x.ndim))
    if axis is not None or draw(st.booleans()):
        options["axis"] = axis
    if draw(st.booleans()):
        options["keepdims"] = draw(st.booleans())
    return dtype, x, options


def _wider(draw, dtype):
    """Draw a dtype to sum in, one that holds the array's numbers."""
    allowed = [name for name in _OPTIONS if np.can_cast(dtype, name, "safe")]
    return draw(st.none() | dtypes_of(allowed)) if allowed else None


@covers("sum", "prod")
@pytest.mark.parametrize(("name", "domain"), [("sum", MODERATE), ("prod", Domain(-3, 3))])
@examples
@given(st.data())
def test_sum_and_prod(name, domain, data):
    dtype, x, options = data.draw(reduced(NUMERIC, domain=domain))
    wanted = _wider(data.draw, dtype)
    result = wanted or sum_dtype(dtype)
    oracle = getattr(np, name)
    want = oracle(wide(x.astype(result)), **options)
    given = {**options, "dtype": getattr(ca, wanted)} if wanted else options
    scale = oracle(np.abs(x.astype("complex128")), **options)
    check((name, x, given), getattr(be, name)(array(x), **given), want, result, factor=10, scale=scale)


@covers("sum")
@examples
@given(st.data())
def test_sum_counts_what_is_true(data):
    _, x, options = data.draw(reduced(("bool",)))
    check(("sum", x, options), be.sum(array(x), **options), np.sum(x.astype(int), **options))


@covers("max", "min")
@pytest.mark.parametrize("name", ["max", "min"])
@examples
@given(st.data())
def test_extremes(name, data):
    _, x, options = data.draw(reduced(REAL, full_shapes, ANY))
    check((name, x, options), getattr(be, name)(array(x), **options), getattr(np, name)(x, **options))


@covers("max", "min")
@pytest.mark.parametrize("name", ["max", "min"])
def test_extremes_beside_an_empty_axis(name):
    x = np.zeros((0, 3), "float32")
    got = getattr(be, name)(array(x), axis=1)
    check((name, x), got, np.zeros(0, "float32"))
    for options in ({}, {"axis": 0}, {"axis": (0, 1)}):
        with pytest.raises(ValueError):
            getattr(be, name)(array(x), **options)


_IN_BOOL = {
    "sum": np.logical_or, "prod": np.logical_and, "nansum": np.logical_or, "nanprod": np.logical_and,
    "cumulative_sum": np.logical_or, "cumulative_prod": np.logical_and,
}  # fmt: skip


def _check_in_bool(name, dtype, run=lambda function: function):
    x = np.asarray([[0, 2, 3] * 100, [1, 1, 1] * 100, [0, 0, 0] * 100]).astype(dtype)
    truth = x.astype(bool)
    if not name.startswith("cumulative"):
        for axis in (0, -1, None, (0, 1), ()):
            found = run(lambda x, axis=axis: getattr(be, name)(x, axis=axis, dtype="bool", keepdims=True))(array(x))
            check((name, dtype, axis), found, _IN_BOOL[name].reduce(truth, axis=axis, keepdims=True))
        return
    for axis in (0, -1):
        found = run(lambda x, axis=axis: getattr(be, name)(x, axis=axis, dtype=ca.bool, include_initial=True))(array(x))
        first = np.full_like(np.take(truth, [0], axis=axis), name == "cumulative_prod")
        want = np.concatenate([first, _IN_BOOL[name].accumulate(truth, axis=axis)], axis=axis)
        check((name, dtype, axis), found, want)


@covers(*_IN_BOOL, "trace")
@pytest.mark.parametrize("name", _IN_BOOL)
@pytest.mark.parametrize("dtype", ["uint8", "int64", "uint16", "float32"])
def test_sums_and_products_as_truth_values(name, dtype):
    """A sum of truth values is true if one is, a product if all are; no count of them overflows."""
    _check_in_bool(name, dtype)
    assert be.linalg.trace(array(np.diag([0, 2, 0]).astype(dtype)), dtype="bool").tolist() is True


@pytest.mark.parametrize("name", _IN_BOOL)
@pytest.mark.filterwarnings("ignore")
def test_compiled_sums_and_products_as_truth_values(name):
    _check_in_bool(name, "int64", ca.compile)


@pytest.mark.parametrize("name", _IN_BOOL)
def test_sums_and_products_of_truth_values(name):
    _check_in_bool(name, "bool")


@covers("nansum", "nanprod")
@pytest.mark.parametrize("dtype", ["int16", "uint16", "uint64", "bool", "float64"])
def test_sums_of_numbers_in_other_dtypes_leave_out_nan(dtype):
    x = np.asarray([np.nan, 3.0, 40000.0 if dtype == "uint16" else 2.0], "float32")
    want = np.asarray([3.0, x[2]]).astype(dtype)
    for name in ("nansum", "nanprod"):
        total = (np.sum if name == "nansum" else np.prod)(want, dtype=dtype)
        check((name, dtype), getattr(be, name)(array(x), dtype=dtype), np.asarray(total))


@covers("max", "min", "nanmax", "nanmin", "cummax", "cummin", "maximum", "minimum", "clip")
def test_extremes_of_truth_values():
    x = np.asarray([[False, True, False], [True, True, False]])
    y = np.asarray([[False, False, True], [True, False, False]])
    for ufunc, names in ((np.logical_or, ("max", "nanmax")), (np.logical_and, ("min", "nanmin"))):
        for name in names:
            for axis in (None, 0, -1, (0, 1)):
                found = getattr(be, name)(array(x), axis=axis, keepdims=True)
                check((name, axis), found, ufunc.reduce(x, axis=axis, keepdims=True))
            check(name, getattr(be, name)(array(x)), np.asarray(ufunc.reduce(x, axis=None)))
    for axis in (0, 1):
        check("cummax", be.cummax(array(x), axis=axis), np.logical_or.accumulate(x, axis=axis))
        check("cummin", be.cummin(array(x), axis=axis), np.logical_and.accumulate(x, axis=axis))
    check("maximum", be.maximum(array(x), array(y)), x | y)
    check("minimum", be.minimum(array(x), array(y)), x & y)
    check("clip", be.clip(array(x), array(y), array(x | y)), (x | y) & (x | y))
    check("clip", be.clip(array(x), min=True), np.ones_like(x))


@covers("mean")
@examples
@given(st.data())
def test_mean(data):
    dtype, x, options = data.draw(reduced(NUMERIC, full_shapes))
    result = float_dtype(dtype)
    want = np.mean(wide(cast(x, result)), **options)
    check(("mean", x, options), be.mean(array(x), **options), want, result, factor=10, scale=np.abs(x).max())


@covers("mean")
@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.filterwarnings("ignore")
def test_infinite_parts_leave_the_other_part_of_a_mean_alone(dtype):
    x = array(np.asarray([[complex(np.inf, 1.0), complex(2.0, 3.0)], [complex(4.0, -np.inf), 1.0]], dtype))
    for found in (be.mean(x[0, :]), be.mean(x, axis=1)[0], be.mean(x, axis=1, keepdims=True)[0, 0]):
        assert complex(found) == complex(np.inf, 2.0)
    assert complex(be.mean(x)) == complex(np.inf, -np.inf)
    assert complex(be.wrap(be.native.mean(x.native))) == complex(np.inf, -np.inf)
    nothing = complex(be.mean(x[:, :0]))
    assert np.isnan(nothing.real) and np.isnan(nothing.imag)


@covers("mean")
@pytest.mark.parametrize("dtype", FLOATING)
@pytest.mark.filterwarnings("ignore")
def test_the_mean_of_nothing_is_nan(dtype):
    found = numpy_of(be.mean(array(np.zeros((2, 0), dtype)), axis=1))
    assert found.shape == (2,) and np.isnan(found.real).all()
    assert not dtype.startswith("complex") or np.isnan(found.imag).all()
    assert np.isnan(numpy_of(be.mean(array(np.zeros((0, 3), dtype)))))
    assert be.mean(array(np.zeros((0, 3), dtype)), axis=1).shape == (0,)


@covers("var", "std")
@pytest.mark.parametrize("name", ["var", "std"])
@examples
@given(st.data())
def test_spread(name, data):
    dtype, x, options = data.draw(reduced(NUMERIC if name == "var" else REAL, full_shapes, Domain(-100, 100)))
    lifted = wide(cast(x, float_dtype(dtype)))
    count = lifted.size / max(np.sum(lifted, **options).size, 1)
    if data.draw(st.booleans()):
        options["correction"] = data.draw(st.sampled_from([c for c in (0, 0.0, 1, 0.5, 2) if c < count]))
    correction = options.get("correction", 0)
    ours = {key: value for key, value in options.items() if key != "correction"}
    away = np.abs(lifted - np.mean(lifted, axis=options.get("axis"), keepdims=True)) ** 2
    want = np.sum(away, **ours) / (count - correction)
    want = np.sqrt(want) if name == "std" else want
    scale = np.abs(lifted).max() ** 2 * 1e-2 if name == "var" else np.abs(lifted).max()
    got = getattr(be, name)(array(x), **options)
    check((name, x, options), got, want, real_of(float_dtype(dtype)), factor=100, scale=scale)


@covers("mean", "var", "std")
@pytest.mark.parametrize("name", ["mean", "var", "std"])
@pytest.mark.parametrize("dtype", FLOAT)
def test_moments_of_nothing_are_nan(name, dtype):
    with np.errstate(all="ignore"):
        for shape, options in (((0,), {}), ((2, 0), {"axis": 1}), ((0, 2), {"axis": 0, "keepdims": True})):
            x = np.zeros(shape, dtype)
            got = getattr(be, name)(array(x), **options)
            check((name, x, options), got, np.full(np.sum(x, **options).shape, np.nan, dtype))
        x = np.ones(1, dtype)
        if name != "mean":
            check((name, x), getattr(be, name)(array(x), correction=1), np.asarray(np.nan, dtype))


@covers("cumulative_sum", "cumulative_prod")
@pytest.mark.parametrize(("name", "domain"), [("cumulative_sum", MODERATE), ("cumulative_prod", Domain(-3, 3))])
@examples
@given(st.data())
def test_cumulative(name, domain, data):
    dtype = data.draw(dtypes_of(NUMERIC))
    x = data.draw(arrays(dtype, hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=4), domain))
    options = {}
    axis = data.draw(axis_of(x.ndim))
    if x.ndim > 1 or data.draw(st.booleans()):
        options["axis"] = axis
    if data.draw(st.booleans()):
        options["include_initial"] = data.draw(st.booleans())
    wanted = _wider(data.draw, dtype)
    result = wanted or sum_dtype(dtype)
    oracle = np.cumsum if name == "cumulative_sum" else np.cumprod
    want, scale = (_scan(oracle, v, **options) for v in (wide(x.astype(result)), np.abs(x.astype("complex128"))))
    given = {**options, "dtype": getattr(ca, wanted)} if wanted else options
    check((name, x, given), getattr(be, name)(array(x), **given), want, result, factor=10, scale=np.abs(scale))


def _scan(oracle, x, axis=-1, include_initial=False):
    found = oracle(x, axis=axis)
    if include_initial:
        sides = list(x.shape)
        sides[axis] = 1
        found = np.concatenate([np.full(sides, 0 if oracle is np.cumsum else 1, dtype=x.dtype), found], axis=axis)
    return found


@pytest.mark.parametrize("name", ["sum", "prod", "cumulative_sum", "cumulative_prod", "nansum", "nanprod"])
def test_imaginary_parts_are_not_left_out(name):
    x = be.asarray([1 + 2j, 3])
    with pytest.raises(TypeError, match=rf"'{name}' got an array of dtype 'complex64' and dtype='float64'; take"):
        getattr(be, name)(x, dtype="float64")
    with pytest.raises(TypeError, match="'asarray' got an array of dtype 'complex64' and dtype='int32'; take"):
        be.asarray(x, dtype="int32")
    assert be.asarray(x, dtype="bool").tolist() == [True, True]


@covers("cumulative_sum", "cumulative_prod")
@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
def test_cumulative_needs_an_axis_of_several(name):
    with pytest.raises(ValueError):
        getattr(be, name)(array(np.ones((2, 2))))


@covers("cummax", "cummin")
@pytest.mark.parametrize("name", ["cummax", "cummin"])
@examples
@given(st.data())
def test_running_extremes(name, data):
    dtype = data.draw(dtypes_of(REAL))
    x = data.draw(arrays(dtype, hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=5), ANY))
    if dtype in FLOAT and data.draw(st.booleans()):
        x = np.where(data.draw(arrays("bool", x.shape)), np.asarray(np.nan, dtype), x)
    options = {"axis": data.draw(axis_of(x.ndim))} if x.ndim > 1 or data.draw(st.booleans()) else {}
    scan = (np.maximum if name == "cummax" else np.minimum).accumulate
    check((name, x, options), getattr(be, name)(array(x), **options), scan(x, **{"axis": 0, **options}))


@covers("cummax", "cummin")
@pytest.mark.parametrize("name", ["cummax", "cummin"])
def test_running_extremes_need_an_axis_of_several(name):
    for shape in ((2, 2), ()):
        with pytest.raises(ValueError):
            getattr(be, name)(array(np.ones(shape)))
    with pytest.raises(IndexError):
        getattr(be, name)(array(np.ones(2)), axis=1)


@covers("logsumexp")
@examples
@given(st.data())
def test_logsumexp(data):
    dtype, x, options = data.draw(reduced(REAL, domain=Domain(-600, 600)))
    computed = float_dtype(dtype)
    whole = wide(cast(x, computed))
    axis = options.get("axis")
    with np.errstate(divide="ignore"):
        want = np.logaddexp.reduce(whole, axis=axis, keepdims=options.get("keepdims", False), initial=-np.inf)
    check(("logsumexp", x, options), be.logsumexp(array(x), **options), want, computed, factor=10, scale=10.0)


@covers("logsumexp")
def test_logsumexp_of_infinities():
    inf = np.inf
    x = np.asarray([[-inf, -inf], [inf, 0.0], [inf, -inf], [np.nan, 0.0], [1e4, 1e4]])
    want = np.asarray([-inf, inf, inf, np.nan, 1e4 + np.log(2)])
    check("logsumexp", be.logsumexp(array(x), axis=1), want, "float64")
    with pytest.raises(IndexError):
        be.logsumexp(array(x), axis=2)
