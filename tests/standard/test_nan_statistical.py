"""Reductions that leave NaN out, against NumPy's in float64."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from standard.support import (
    FLOAT,
    FLOATING,
    NUMERIC,
    REAL,
    Domain,
    array,
    arrays,
    axes_of,
    be,
    cast,
    check,
    covers,
    dtypes_of,
    examples,
    float_dtype,
    full_shapes,
    real_of,
    shapes,
    sum_dtype,
    wide,
)

import corearray as ca

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")  # the oracle warns of slices without numbers


_HUNDRED = Domain(-100, 100)


@st.composite
def _reduced(draw, dtypes, shape=shapes, domain=_HUNDRED):
    """Draw an array with some NaN, and the axes over which to reduce it."""
    dtype = draw(dtypes_of(dtypes))
    x = draw(arrays(dtype, shape, domain))
    if dtype in FLOATING:
        x = np.where(draw(arrays("bool", x.shape)), np.asarray(np.nan, dtype), x)
    options = {}
    axis = draw(axes_of(x.ndim))
    if axis is not None or draw(st.booleans()):
        options["axis"] = axis
    if draw(st.booleans()):
        options["keepdims"] = draw(st.booleans())
    return dtype, x, options


@covers("nansum", "nanprod")
@pytest.mark.parametrize(("name", "domain"), [("nansum", Domain(-100, 100)), ("nanprod", Domain(-3, 3))])
@examples
@given(st.data())
def test_nansum_and_nanprod(name, domain, data):
    dtype, x, options = data.draw(_reduced(NUMERIC, domain=domain))
    wanted = data.draw(st.sampled_from((None, "float64", "complex64", "complex128"))) if dtype in FLOAT else None
    result = wanted or sum_dtype(dtype)
    oracle = getattr(np, name.removeprefix("nan"))
    filled = np.where(np.isnan(x), np.asarray(name == "nanprod", dtype), x)
    want = oracle(wide(filled.astype(result)), **options)
    scale = oracle(np.abs(filled.astype("complex128")), **options)
    given = {**options, "dtype": getattr(ca, wanted)} if wanted else options
    check((name, x, given), getattr(be, name)(array(x), **given), want, result, factor=10, scale=scale)


@covers("nansum", "nanprod")
def test_real_numbers_may_give_a_complex_sum():
    x = be.asarray([[1.5, np.nan], [2.0, 3.0]], dtype="float32")
    for dtype in ("complex64", "complex128"):
        assert be.nansum(x, dtype=dtype).dtype is getattr(ca, dtype)
        assert be.nansum(x, axis=1, dtype=dtype).tolist() == [1.5 + 0j, 5 + 0j]
        assert be.nanprod(x, axis=1, dtype=dtype).tolist() == [1.5 + 0j, 6 + 0j]


@covers("nanmax", "nanmin")
@pytest.mark.parametrize("name", ["nanmax", "nanmin"])
@examples
@given(st.data())
def test_extremes(name, data):
    _, x, options = data.draw(_reduced(REAL, full_shapes))
    check((name, x, options), getattr(be, name)(array(x), **options), getattr(np, name)(x, **options))


@covers("nanmax", "nanmin")
@pytest.mark.parametrize("name", ["nanmax", "nanmin"])
def test_extremes_of_nothing_and_of_infinities(name):
    with pytest.raises(ValueError):
        getattr(be, name)(array(np.zeros(0)))
    x = np.asarray([[np.inf, np.nan], [-np.inf, np.nan], [np.nan, np.nan]])
    check((name, x), getattr(be, name)(array(x), axis=1), np.asarray([np.inf, -np.inf, np.nan]))


@covers("nanmean")
@examples
@given(st.data())
def test_nanmean(data):
    dtype, x, options = data.draw(_reduced(NUMERIC))
    result = float_dtype(dtype)
    want = np.nanmean(wide(cast(x, result)), **options)
    check(("nanmean", x, options), be.nanmean(array(x), **options), want, result, factor=10, scale=100)


@covers("nanvar", "nanstd")
@pytest.mark.parametrize("name", ["nanvar", "nanstd"])
@examples
@given(st.data())
def test_spread(name, data):
    dtype, x, options = data.draw(_reduced(NUMERIC))
    correction = data.draw(st.sampled_from([0, 1, 0.5, 2]))
    lifted = wide(cast(x, float_dtype(dtype)))
    want = getattr(np, name)(lifted, ddof=correction, **options)
    got = getattr(be, name)(array(x), correction=correction, **options)
    scale = 1e2 if name == "nanvar" else 10
    check((name, x, options, correction), got, want, real_of(float_dtype(dtype)), factor=100, scale=scale)


@covers("nanmean", "nanvar", "nanstd")
@pytest.mark.parametrize("dtype", FLOAT)
def test_infinities_are_no_gaps(dtype):
    x = np.asarray([np.inf, np.nan, 1.0], dtype)
    check(("nanmean", x), be.nanmean(array(x)), np.asarray(np.inf, dtype))
    for name in ("nanvar", "nanstd"):
        check((name, x), getattr(be, name)(array(x)), np.asarray(np.nan, dtype))


@covers("nanmean", "nanvar", "nanstd")
@pytest.mark.parametrize("name", ["nanmean", "nanvar", "nanstd"])
def test_moments_of_a_dtype(name):
    x = np.asarray([[1.0, np.nan, 3.0], [4.0, 5.0, 7.0]], "float32")
    function, oracle = getattr(be, name), getattr(np, name)
    for dtype in FLOAT:
        check((name, dtype), function(array(x), axis=0, dtype=getattr(ca, dtype)), oracle(x, axis=0, dtype=dtype))
    large = np.asarray([2**24 + 1, 1])  # float32 would lose the one
    check((name, "integers"), function(array(large), dtype=ca.float64), oracle(large, dtype="float64"))
    assert function(array(x), dtype="complex64").dtype is (ca.complex64 if name == "nanmean" else ca.float32)
    for wrong in (ca.int32, ca.bool):
        with pytest.raises(TypeError, match="give a floating dtype"):
            function(array(x), dtype=wrong)
    with pytest.raises(TypeError, match=r"take corearray.real\(x\)"):
        function(array(x.astype("complex64")), dtype=ca.float32)


@covers("nanvar", "nanstd", "var", "std", "cov")
def test_ddof_is_correction():
    x = np.asarray([[1.0, 2.5, 3.0], [4.0, 5.0, 7.0]])
    for name in ("nanvar", "nanstd", "var", "std"):
        for namespace in (be, ca):
            check(name, getattr(namespace, name)(array(x), axis=1, ddof=1), getattr(np, name)(x, axis=1, ddof=1))
    check("cov", be.cov(array(x), ddof=0), np.cov(x, ddof=0))
    with pytest.raises(TypeError, match="got both 'correction' and 'ddof', which are one option"):
        be.nanvar(array(x), correction=1, ddof=1)
