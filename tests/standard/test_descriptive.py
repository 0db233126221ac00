"""Medians, quantiles, covariances, histograms and counts, against NumPy's in float64."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from standard.support import (
    FLOAT,
    FLOATING,
    INTEGER,
    NUMERIC,
    REAL,
    SMALL,
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
    sum_dtype,
    wide,
)

import corearray as ca

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")  # the oracle warns of slices without numbers

NUMPY_1 = np.__version__.startswith("1.")

_METHODS = (
    "linear", "lower", "higher", "midpoint", "nearest", "hazen", "weibull", "median_unbiased", "normal_unbiased",
    "interpolated_inverted_cdf", "inverted_cdf", "averaged_inverted_cdf", "closest_observation",
)  # fmt: skip
#: Of these NumPy 1 gives wrong numbers to expect.
_WRONG_IN_NUMPY_1 = ("weibull", "closest_observation")
_HUNDRED = Domain(-100, 100)


@st.composite
def _reduced(draw, gaps):
    """Draw an array, perhaps with NaN, and the axes over which to reduce it."""
    dtype = draw(dtypes_of(REAL))
    x = draw(arrays(dtype, full_shapes, _HUNDRED))
    if gaps and dtype in FLOATING:
        x = np.where(draw(arrays("bool", x.shape)), np.asarray(np.nan, dtype), x)
    options = {"axis": draw(axes_of(x.ndim, empty=False)), "keepdims": draw(st.booleans())}
    return dtype, x, options


@covers("median", "nanmedian")
@pytest.mark.parametrize("name", ["median", "nanmedian"])
@examples
@given(st.data())
def test_medians(name, data):
    dtype, x, options = data.draw(_reduced(gaps=True))
    want = getattr(np, name)(wide(cast(x, float_dtype(dtype))), **options)
    check((name, x, options), getattr(be, name)(array(x), **options), want, float_dtype(dtype), scale=100)


@covers("quantile", "nanquantile")
@pytest.mark.parametrize("name", ["quantile", "nanquantile"])
@examples
@given(st.data())
def test_quantiles(name, data):
    """The places are multiples of a sixteenth, which are exact in every dtype.

    NumPy gets them in one row: the axes of several rows come out of its `nanquantile` in another order.
    """
    dtype, x, options = data.draw(_reduced(gaps=True))
    q = data.draw(arrays("float32", hnp.array_shapes(min_dims=0, max_dims=2, max_side=3), Domain(0, 1, step=1 / 16)))
    method = data.draw(
        st.sampled_from([method for method in _METHODS if not (NUMPY_1 and method in _WRONG_IN_NUMPY_1)])
    )
    lifted = wide(cast(x, float_dtype(dtype)))
    want = getattr(np, name)(lifted, q.astype("float64").reshape(-1), method=method, **options)
    want = want.reshape(q.shape + want.shape[1:])
    got = getattr(be, name)(array(x), array(q), method=method, **options)
    check((name, x, q, options, method), got, want, float_dtype(dtype), factor=4, scale=100)


@covers("quantile", "nanquantile")
@pytest.mark.parametrize("method", _METHODS)
def test_quantiles_of_many(method):
    if method in _WRONG_IN_NUMPY_1 and NUMPY_1:
        method = "linear"
    x = np.random.default_rng(3).normal(size=(3, 101))
    for q in (0.0, 0.1, 0.33, 0.5, 0.999, 1):
        want = np.quantile(x, q, axis=1, method=method)
        for name in ("quantile", "nanquantile"):
            check((name, q, method), getattr(be, name)(array(x), q, axis=1, method=method), want)


@covers("quantile")
def test_quantiles_beside_infinities():
    """The place of the middle of five is the third, however it is rounded: an infinity beside it counts nothing.

    Of infinities that count, NumPy makes NaN (numpy#21091); their means are infinite.
    """
    x, inf = array(np.asarray([-np.inf, -np.inf, 3.0, 4.0, 5.0])), np.inf
    for method in ("linear", "hazen", "weibull", "median_unbiased", "normal_unbiased"):
        assert float(be.quantile(x, 0.5, method=method)) == 3.0, method
    shares = array(np.asarray([0.0, 50.0, 75.0, 100.0]))
    assert be.percentile(array(np.asarray([0.0, inf, 1.0])), shares).tolist() == [0.0, 1.0, inf, inf]
    third = array(np.asarray([1 / 3, 2 / 3]))
    assert be.quantile(array(np.asarray([0.0, inf, 1.0])), third, method="averaged_inverted_cdf").tolist() == [0.5, inf]


@covers("histogram")
def test_a_weight_spoils_no_other_bin():
    """Differences of running sums would lose the weights behind a large one, and be NaN behind an infinity."""
    x, edges = array(np.asarray([0.5, 1.5, 2.5, 2.5, 9.0])), array(np.asarray([0.0, 1.0, 1.0, 2.0, 3.0]))
    for large in (1e30, np.inf, np.nan):
        weights = array(np.asarray([large, 1.0, 2.0, 3.0, 7.0]))
        np.testing.assert_array_equal(be.to_numpy(be.histogram(x, edges, weights=weights)[0]), [large, 0.0, 1.0, 5.0])


@covers("quantile", "nanquantile", "percentile", "nanpercentile")
def test_quantiles_with_weights():
    """The smallest element up to which a share of the weights lies, counted here with repeated elements."""
    generator = np.random.default_rng(4)
    x, counts = generator.normal(size=(3, 9)), generator.integers(0, 4, size=(3, 9))
    counts[:, 0] = 0  # an element of no weight is never found
    x[:, 0] = [-9, 0, 9]
    q = np.asarray([0.0, 0.3, 0.5, 1.0])
    want = np.stack([np.quantile(np.repeat(*row), q, method="inverted_cdf") for row in zip(x, counts, strict=True)], 1)
    given = {"axis": 1, "method": "inverted_cdf"}
    check("weights", be.quantile(array(x), array(q), weights=array(counts), **given), want)
    check("percent", be.percentile(array(x), array(q * 100), weights=array(counts), **given), want)
    shared = np.stack([np.quantile(np.repeat(row, counts[0]), q, method="inverted_cdf") for row in x], 1)
    check("of an axis", be.quantile(array(x), array(q), weights=array(counts[0]), **given), shared)
    gaps = np.hstack([x, [[np.nan]] * 3])
    weights = np.hstack([counts, [[5]] * 3]).astype("float32")
    for function, scale in ((be.nanquantile, 1), (be.nanpercentile, 100)):
        check("gaps", function(array(gaps), array(q * scale), weights=array(weights), **given), want)
    assert np.isnan(np.asarray(be.to_numpy(be.quantile(array(gaps), 0.5, weights=array(weights), **given)))).all()
    moved = be.quantile(array(x.T), 0.5, axis=(1, 0), weights=array(counts), keepdims=True, method="inverted_cdf")
    one = np.quantile(np.repeat(x.reshape(-1), counts.reshape(-1)), 0.5, method="inverted_cdf")
    check("axes", moved, one.reshape(1, 1))
    for wrong in (counts * 0, counts - 2):  # nothing, and less than nothing
        assert np.isnan(be.to_numpy(be.quantile(array(x), 0.5, weights=array(wrong), **given))).all()
    with pytest.raises(ValueError, match="give one for each element, or for each place along the axes"):
        be.quantile(array(x), 0.5, weights=array(counts[:, :2]), **given)


@covers("nanpercentile")
def test_nanpercentile():
    x = np.asarray([[1.0, np.nan, 3.0], [4.0, 5.0, 7.0]])
    check("nanpercentile", be.nanpercentile(array(x), 30, axis=1), np.nanpercentile(x, 30, axis=1))
    q = np.asarray([0.0, 12.5])
    check("nanpercentile", be.nanpercentile(array(x), array(q), keepdims=True), np.nanpercentile(x, q, keepdims=True))
    with pytest.raises(ValueError, match="'nanpercentile' was asked for 101; give numbers from 0 to 100"):
        be.nanpercentile(array(x), 101)


@covers("quantile", "nanquantile", "median", "nanmedian")
@pytest.mark.parametrize("dtype", FLOAT)
def test_quantiles_of_nothing_of_nan_and_of_infinities(dtype):
    inf, nan = np.inf, np.nan
    for name in ("quantile", "nanquantile"):
        function = getattr(be, name)
        check(name, function(array(np.zeros((2, 0), dtype)), 0.5, axis=1), np.full(2, nan, dtype))
        check(name, function(array(np.full(3, nan, dtype)), 0.5), np.asarray(nan, dtype))
        x = np.asarray([[1, inf, inf], [-inf, 0, 1], [-inf, -inf, inf], [-inf, 2, inf]], dtype)
        want = np.asarray([[inf, -inf, -inf, -inf], [inf, 0.0, -inf, 2.0], [inf, 1.0, inf, inf]], dtype)
        got = function(array(x), array(np.asarray([0.25, 0.5, 1.0])), axis=1)
        check(name, got, want)
        got = function(array(x), array(np.asarray([-0.25, 1.5, nan])), axis=1)
        check(name, got, np.full((3, 4), nan, dtype))
    x = array(np.asarray([1, nan, 3, inf], dtype))
    check("median", be.median(x), np.asarray(nan, dtype))
    check("nanmedian", be.nanmedian(x), np.asarray(3, dtype))


@covers("median")
@pytest.mark.parametrize("dtype", FLOAT)
def test_the_middle_of_great_numbers_and_of_infinities(dtype):
    inf, nan, most = np.inf, np.nan, float(be.finfo(getattr(ca, dtype)).max)
    x = [[most, most, 1, most], [-inf, inf, 1, 3], [inf, inf, -inf, 0], [-inf, inf, nan, 1], [-inf, -inf, inf, inf]]
    x = array(np.asarray(x, dtype))
    check("median", be.median(x, axis=1), np.asarray([most, 2, inf, nan, nan], dtype))
    check("median", be.median(x[:3, :3], axis=(0, 1), keepdims=True), np.asarray([[most]], dtype))


def test_places_among_more_numbers_than_float32_counts():
    x = np.arange(2**24 + 3, dtype="float32") % 2**20
    for quantile in (be.quantile, be.nanquantile):
        found = quantile(array(x), 0.7 + 2**-25, method="lower")
        assert float(found) == np.quantile(x, 0.7 + 2**-25, method="lower")


@covers("quantile", "nanquantile")
def test_quantiles_that_there_are_not():
    x = array(np.ones(3))
    for name in ("quantile", "nanquantile"):
        function = getattr(be, name)
        with pytest.raises(ValueError, match=f"'{name}' got method='best'; give"):
            function(x, 0.5, method="best")
        with pytest.raises(ValueError, match=r"asked for the quantile 1\.5; give numbers from 0 to 1"):
            function(x, 1.5)
        with pytest.raises(IndexError, match="asked for axis 1 of an array with 1 axes"):
            function(x, 0.5, axis=1)
        with pytest.raises(ValueError, match="names an axis twice"):
            function(x, 0.5, axis=(0, -1))


@covers("cov")
@examples
@given(st.data())
def test_cov(data):
    dtype = data.draw(dtypes_of(NUMERIC))
    shape = data.draw(st.sampled_from([(4,), (1, 4), (3, 4), (4, 3)]))
    m = data.draw(arrays(dtype, shape, Domain(-50, 50)))
    options = {"rowvar": data.draw(st.booleans())}
    y = data.draw(st.none() | arrays(dtype, shape, Domain(-50, 50))) if shape[0] > 1 else None
    correction = data.draw(st.sampled_from([0, 1]))
    count = shape[-1] if options["rowvar"] or len(shape) == 1 else shape[0]
    weights = {}
    if data.draw(st.booleans()):
        weights["fweights"] = np.asarray([1, 2, 3, 1][:count])
    if data.draw(st.booleans()) and count > 1:
        weights["aweights"] = np.asarray([0.5, 1.0, 2.0, 0.25][:count])
    lifted = [None if x is None else wide(cast(x, float_dtype(dtype))) for x in (m, y)]
    if count <= correction:
        return
    rows = lifted if options["rowvar"] else [None if x is None else x.T for x in lifted]
    want = np.cov(*rows, ddof=correction, **weights)  # with rowvar=False, older NumPy takes one row for a row
    given = {name: array(x) for name, x in weights.items()}
    got = be.cov(array(m), None if y is None else array(y), correction=correction, **given, **options)
    check(("cov", m, y, correction, weights, options), got, want, float_dtype(dtype), factor=20, scale=1e4)


@covers("corrcoef")
@examples
@given(st.data())
def test_corrcoef(data):
    dtype = data.draw(dtypes_of(FLOATING))
    noise = np.random.default_rng(data.draw(st.integers(0, 1000))).normal(size=(2, 3, 5))
    m = (noise[0] + (1j * noise[1] if dtype.startswith("complex") else 0)).astype(dtype)
    rowvar = data.draw(st.booleans())
    y = data.draw(st.sampled_from([None, m[:, ::-1].copy()]))
    want = np.corrcoef(wide(m), None if y is None else wide(y), rowvar=rowvar)
    got = be.corrcoef(array(m), None if y is None else array(y), rowvar=rowvar)
    check(("corrcoef", m, y, rowvar), got, want, dtype, factor=20, scale=1)


@covers("cov", "corrcoef")
def test_single_variables_and_too_few_observations():
    x = np.asarray([1.0, 2.0, 4.0])
    check("cov", be.cov(array(x)), np.cov(x))
    check("corrcoef", be.corrcoef(array(x)), np.asarray(1.0))
    check("cov", be.cov(array(x[:1])), np.asarray(np.nan))
    for wrong in ({"fweights": array(np.ones(2, "int64"))}, {"aweights": array(np.ones((1, 3)))}):
        with pytest.raises(ValueError, match="for 3 observations"):
            be.cov(array(x), **wrong)
    for function in (be.cov, be.corrcoef):
        with pytest.raises(ValueError, match="takes at most two axes"):
            function(array(np.ones((1, 2, 3))))


@covers("histogram")
@examples
@given(st.data())
def test_histogram(data):
    dtype = data.draw(dtypes_of(FLOAT))
    x = data.draw(
        arrays(dtype, hnp.array_shapes(min_dims=0, max_dims=2, min_side=0, max_side=6), Domain(-8, 8, step=0.25))
    )
    options = {"density": data.draw(st.booleans())}
    edges = data.draw(st.lists(st.integers(-32, 32), min_size=2, max_size=5, unique=True).map(sorted))
    bins = data.draw(st.sampled_from([4, 8, np.asarray(edges, dtype) / 4]))
    if isinstance(bins, int) and data.draw(st.booleans()):
        options["range"] = data.draw(st.sampled_from([(-4.0, 4.0), (0, 2), (1.0, 1.0)]))
    weights = data.draw(st.none() | arrays(dtype, x.shape, Domain(0, 4, step=0.5)))
    want = np.histogram(x.astype("float64"), bins, weights=weights, **options)
    given = {"weights": array(weights)} if weights is not None else {}
    found = be.histogram(array(x), array(bins) if isinstance(bins, np.ndarray) else bins, **options, **given)
    result = dtype if options["density"] or weights is not None else "int64"
    if isinstance(bins, int) and "range" not in options and x.size:
        want = (np.histogram(x.astype("float64"), be.to_numpy(found.bin_edges), weights=weights, **options)[0], want[1])
    what = ("histogram", x, bins, weights, options)
    check(what, found.hist, want[0], result)
    check(what, found.bin_edges, want[1], dtype, scale=10)


@covers("histogram")
def test_histogram_of_integers_and_of_gaps():
    x = np.asarray([3, 1, 2, 2, 5, 9])
    found = be.histogram(array(x), array(np.asarray([1, 2, 3, 5])))
    check("histogram", found.hist, np.asarray([1, 2, 2]))
    assert found.bin_edges.dtype is ca.int64
    x = np.asarray([np.nan, 1.0, 2.0, np.inf, -np.inf, 2.0])
    for edges in ([0.0, 1.5, 2.0], [0.0, 1.5, np.inf]):
        hist = be.histogram(array(x), array(np.asarray(edges))).hist
        check(("histogram", x, edges), hist, np.histogram(x[1:], np.asarray(edges))[0])
        weights = np.asarray([8.0, 1.0, 2.0, 4.0, 16.0, 0.5])
        hist = be.histogram(array(x), array(np.asarray(edges)), weights=array(weights)).hist
        inside = [(x >= low) & ((x < high) | (high == edges[-1]) & (x <= high)) for low, high in pairwise(edges)]
        want = [weights[places].sum() for places in inside]
        check(("histogram", x, edges, weights), hist, np.asarray(want))


@covers("histogram")
def test_histograms_that_there_are_not():
    x = array(np.ones(3))
    for wrong, message in (
        ({"bins": 0}, "give at least one"),
        ({"bins": array(np.ones((2, 2)))}, "edges of shape"),
        ({"range": (2.0, 1.0)}, "ascending order"),
        ({"range": (0.0, np.inf)}, "ascending order"),
        ({"weights": array(np.ones(2))}, "weights of shape"),
    ):
        with pytest.raises(ValueError, match=message):
            be.histogram(x, **wrong)


@covers("bincount")
@examples
@given(st.data())
def test_bincount(data):
    dtype = data.draw(dtypes_of(INTEGER))
    x = data.draw(arrays(dtype, st.integers(0, 6), Domain(0, 9)))
    minlength = data.draw(st.sampled_from([0, 3, 20]))
    places = x.astype("int64")
    got = be.bincount(array(x), minlength=minlength)
    check(("bincount", x, minlength), got, np.bincount(places, minlength=minlength))
    kind = data.draw(dtypes_of(NUMERIC))
    weights = data.draw(arrays(kind, x.shape, SMALL))
    want = np.zeros(max(places.max(initial=-1) + 1, minlength), wide(weights).dtype)
    np.add.at(want, places, wide(weights))
    got = be.bincount(array(x), array(weights), minlength=minlength)
    check(("bincount", x, weights, minlength), got, want, sum_dtype(kind), scale=30)


@covers("bincount")
@pytest.mark.filterwarnings("ignore")
def test_bincount_compiles_with_a_length_that_is_known():
    """`minlength` is long enough."""
    options = {"backend": "eager"} if "register_tracing" in be.facts else {}
    x, w = np.asarray([0, 3, 3, 1]), np.asarray([0.5, 1.0, 2.0, 3.0], "float32")
    try:
        count = ca.compile(lambda x, w: (be.bincount(x, minlength=5), be.bincount(x, w, minlength=5)), **options)
        plain, weighted = count(array(x), array(w))
    except NotImplementedError:
        pytest.skip("a framework that does not compile")
    check("bincount", plain, np.bincount(x, minlength=5))
    check("bincount", weighted, np.bincount(x, w, minlength=5).astype("float32"))


@covers("bincount")
def test_what_is_not_counted():
    with pytest.raises(ValueError, match="weights of shape"):
        be.bincount(array(np.zeros(0, "int64")), array(np.ones(3)))
    with pytest.raises(ValueError):
        be.bincount(array(np.asarray([1, -1])))
    with pytest.raises(ValueError):
        be.bincount(array(np.ones((2, 2), "int64")))
    with pytest.raises(ValueError):
        be.bincount(array(np.ones(2, "int64")), array(np.ones(3)))
    with pytest.raises(ValueError):
        be.bincount(array(np.ones(2, "int64")), minlength=-1)
    with pytest.raises(TypeError):
        be.bincount(array(np.ones(2)))
